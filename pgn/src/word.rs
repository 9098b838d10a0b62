//! The words of the movetext.

use movegen::GameResult;

use crate::result::read_result;

/// A word outside comments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word<'a> {
    /// A move number.
    Number(u32),
    /// What should be a move.
    Move(&'a str),
    /// A turn without a move.
    Pass,
    /// A numeric annotation glyph (NAG).
    Nag(u8),
    /// A result.
    Result(Option<GameResult>),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `{`
    Comment,
    /// `;`: the rest of the line is a comment.
    LineComment,
    /// Says nothing about the game: dots, diagrams, marks of en passant.
    Noise,
}

/// The word at the start of a text that begins with neither space nor nothing, and its length.
pub(super) fn first_word(text: &str) -> (Word<'_>, usize) {
    let letter = text.chars().next().unwrap_or(' ');
    let single = |word| (word, letter.len_utf8());
    match letter {
        '(' => single(Word::Open),
        ')' => single(Word::Close),
        '{' => single(Word::Comment),
        ';' => single(Word::LineComment),
        '*' => single(Word::Result(None)),
        '}' | '<' | '>' | ']' | '.' => single(Word::Noise),
        '$' => {
            let digits = digits(&text[1..]);
            // A number beyond all NAGs is left out.
            (digits.parse().map_or(Word::Noise, Word::Nag), 1 + digits.len())
        }
        '!' | '?' => {
            let length = text.bytes().take_while(|byte| matches!(byte, b'!' | b'?')).count();
            (glyph(&text[..length]), length)
        }
        _ => {
            let length = text.find(|letter: char| letter.is_whitespace() || ENDS.contains(&letter));
            long_word(&text[..length.unwrap_or(text.len())])
        }
    }
}

/// What ends a word besides white space.
const ENDS: [char; 12] = ['(', ')', '{', '}', ';', '*', '$', '!', '?', '<', '>', ']'];

fn digits(text: &str) -> &str {
    &text[..text.bytes().take_while(u8::is_ascii_digit).count()]
}

fn glyph(text: &str) -> Word<'static> {
    Word::Nag(match text {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return Word::Noise,
    })
}

fn long_word(word: &str) -> (Word<'_>, usize) {
    if let Some(result) = read_result(word) {
        return (Word::Result(result), word.len());
    }
    let number = digits(word);
    let is_castling = word.starts_with("0-0");
    if !number.is_empty() && !is_castling && word != "0000" {
        let dots = word[number.len()..].bytes().take_while(|&byte| byte == b'.').count();
        return (Word::Number(number.parse().unwrap_or(u32::MAX)), number.len() + dots);
    }
    let meaning = match word {
        "--" | "Z0" | "0000" | "@@@@" | "null" | "pass" => Word::Pass,
        "N" => Word::Nag(146),
        "=" => Word::Nag(10),
        "D" | "ep" | "e.p." | "ch" => Word::Noise,
        // `+-`, `=`, `±`: an evaluation in signs.
        _ if !word.contains(char::is_alphanumeric) => Word::Noise,
        _ => Word::Move(word.trim_end_matches('.')),
    };
    (meaning, word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart() {
        let words = |text: &str| {
            let mut rest = text;
            let mut words = Vec::new();
            while !rest.trim_start().is_empty() {
                rest = rest.trim_start();
                let (word, length) = first_word(rest);
                assert!(length > 0, "{rest}");
                words.push(format!("{word:?}"));
                rest = &rest[length..];
            }
            words.join(" ")
        };
        assert_eq!(words("1.e4 1...e5"), r#"Number(1) Move("e4") Number(1) Move("e5")"#);
        assert_eq!(words("12. O-O 0-0-0+ 0-0"), r#"Number(12) Move("O-O") Move("0-0-0+") Move("0-0")"#);
        assert_eq!(words("Nf3!?$13(d4??)"), r#"Move("Nf3") Nag(5) Nag(13) Open Move("d4") Nag(4) Close"#);
        assert_eq!(
            words("1-0 0-1 1/2-1/2 ½-½ 1–0"),
            "Result(Some(WhiteWins)) Result(Some(BlackWins)) Result(Some(Draw)) Result(Some(Draw)) Result(Some(WhiteWins))"
        );
        assert_eq!(words("-- Z0 exd6 e.p. +- ±"), r#"Pass Pass Move("exd6") Noise Noise Noise"#);
        assert_eq!(words("$999 $ !!! é"), r#"Noise Noise Noise Move("é")"#);
        assert_eq!(words("a{b};c"), r#"Move("a") Comment Move("b") Noise LineComment Move("c")"#);
    }
}
