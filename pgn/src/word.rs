//! The words of the movetext, as the standard has them and as people and programs write them.

mod glued;
mod moves;
mod plain;

use movegen::San;

pub(super) use self::glued::{is_move_in_junk, moves_within};
pub(super) use self::moves::is_two_zeros;
use self::moves::{capital_squares, castling, descriptive, piece_or_pawn, squares};
use self::plain::{is_dash, is_figurine, length_before, plain_word};
use crate::invisible::{is_blank, is_invisible};
use crate::letters::{ENGLISH, Letters};
use crate::result::{End, first_result};
use crate::sign::{first_sign, quality};

/// A word outside comments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word<'a> {
    /// A move number; `dots` stand behind it.
    Number { number: u32, dots: usize },
    /// A move, and its text.
    Move(San, &'a str),
    /// What would be a move if the letter stood for a piece.
    Foreign(&'a str),
    /// What has the letters of a move and is none.
    Garbled(&'a str),
    /// A move in descriptive notation.
    Descriptive(&'a str),
    /// A turn without a move.
    Pass,
    /// A numeric annotation glyph (NAG).
    Nag(u8),
    /// A result, and its text.
    End(End, &'a str),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `{`
    Comment,
    /// `;`: the rest of the line is a comment.
    LineComment,
    /// `[`
    Bracket,
    /// Anything else.
    Unknown(&'a str),
    /// Says nothing about the game: dots, marks of check and of en passant.
    Noise,
}

impl Word<'_> {
    /// Whether it is a move or its number.
    pub const fn is_of_moves(&self) -> bool {
        matches!(
            self,
            Self::Number { .. }
                | Self::Move(..)
                | Self::Foreign(_)
                | Self::Garbled(_)
                | Self::Descriptive(_)
                | Self::Pass
        )
    }
}

/// The word at the start of a text that begins with neither space nor nothing, and its length.
pub(super) fn first_word<'a>(text: &'a str, letters: &Letters) -> (Word<'a>, usize) {
    let bytes = text.as_bytes();
    let run = |set: &[u8]| bytes.iter().take_while(|byte| set.contains(byte)).count();
    match bytes.first().copied().unwrap_or(b' ') {
        // An offer of a draw.
        b'(' if text.starts_with("(=)") => (Word::Unknown("(=)"), 3),
        b'(' => (Word::Open, 1),
        b')' => (Word::Close, 1),
        b'{' => (Word::Comment, 1),
        b'}' => (Word::Noise, 1),
        b';' => (Word::LineComment, 1),
        b'[' => (Word::Bracket, 1),
        b'.' | b',' => match first_result(text) {
            Some((end, length)) => (Word::End(end, &text[..length]), length),
            None => (Word::Noise, run(b".,")),
        },
        b'$' => {
            let length = 1 + digits(&bytes[1..]);
            (text[1..length].parse().map_or(Word::Unknown(&text[..length]), Word::Nag), length)
        }
        b'!' | b'?' => {
            let length = run(b"!?");
            (quality(&text[..length]).map_or(Word::Unknown(&text[..length]), Word::Nag), length)
        }
        b'0'..=b'9' => number_or_result(text, letters),
        b'a'..=b'z' | b'A'..=b'Z' => letter_word(text, letters),
        0x80.. => foreign_word(text, letters),
        _ => sign_word(text),
    }
}

/// Whether a text is of moves with their numbers and signs, and of nothing else.
pub(super) fn are_moves(text: &str, letters: &Letters) -> bool {
    let (mut rest, mut has_moves) = (text.trim_start_matches(is_blank), false);
    while !rest.is_empty() {
        let (word, length) = first_word(rest, letters);
        match word {
            Word::Move(..) => has_moves = true,
            Word::Number { .. } | Word::Nag(_) | Word::End(..) | Word::Noise => {}
            _ => return false,
        }
        rest = rest[length..].trim_start_matches(is_blank);
    }
    has_moves
}

/// What ends a word besides white space.
const ENDS: &[char] = &['(', ')', '{', '}', ';', '[', ']', '*', '$', '!', '?'];

/// No move, sign or result is longer, in bytes, even with letters between that are not seen. What follows in the same word is not
/// looked at for one: a line without blanks would be searched to its end for each of its moves.
const MAX_NEAR: usize = 256;

/// The word that a text begins with, or the beginning of one that is longer than any that means something.
fn near_word(text: &str) -> &str {
    whole_word(&text[..text.floor_char_boundary(MAX_NEAR)])
}

/// The text up to the end of the word; at least a letter.
fn whole_word(text: &str) -> &str {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let end = text[first..].find(|letter: char| is_blank(letter) && !is_invisible(letter) || ENDS.contains(&letter));
    &text[..end.map_or(text.len(), |end| first + end)]
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn unknown(text: &str) -> (Word<'_>, usize) {
    if near_word(text).contains(is_invisible) {
        return foreign_word(text, &ENGLISH);
    }
    unknown_word(text)
}

fn unknown_word(text: &str) -> (Word<'_>, usize) {
    let word = whole_word(text);
    (Word::Unknown(word), word.len())
}

fn number_or_result<'a>(text: &'a str, letters: &Letters) -> (Word<'a>, usize) {
    let bytes = text.as_bytes();
    if let Some(found) = castling(text) {
        return found;
    }
    if matches!(bytes[0], b'0' | b'1')
        && !bytes.get(1).is_some_and(u8::is_ascii_digit)
        && let Some((end, length)) = first_result(text)
    {
        return (Word::End(end, &text[..length]), length);
    }
    let count = digits(bytes);
    let rest = &text[count..];
    if rest.starts_with(is_invisible) {
        return foreign_word(text, letters);
    }
    if count == 4 && text.starts_with("0000") && !rest.starts_with('.') {
        return (Word::Pass, count);
    }
    let dots = rest.bytes().take_while(|&byte| byte == b'.').count();
    let number = text[..count].parse().unwrap_or(u32::MAX);
    // `1-e4`, but `1-1` is no number.
    if let Some(after) = rest.strip_prefix(|letter: char| "/:,|+".contains(letter) || is_dash(letter)) {
        let is_move = !after.starts_with(|letter: char| letter.is_ascii_digit())
            && matches!(first_word(after, letters).0, Word::Move(..) | Word::Foreign(_));
        return if is_move { (Word::Number { number, dots: 1 }, text.len() - after.len()) } else { unknown(text) };
    }
    // `2nd` is no number, but `2Nf3` begins with one.
    if dots == 0
        && rest.starts_with(|letter: char| letter.is_alphabetic())
        && !matches!(first_word(rest, letters).0, Word::Move(..) | Word::Foreign(_))
    {
        return unknown(text);
    }
    (Word::Number { number, dots }, count + dots)
}

fn letter_word<'a>(text: &'a str, letters: &Letters) -> (Word<'a>, usize) {
    if let Some(found) = castling(text) {
        return found;
    }
    if text.starts_with(['O', 'o'])
        && let Some((end, length)) = first_result(text)
    {
        return (Word::End(end, &text[..length]), length);
    }
    if let Some(found) = piece_or_pawn(text, letters) {
        return found;
    }
    if let Some(length) = descriptive(text) {
        return (Word::Descriptive(&text[..length]), length);
    }
    let word = near_word(text);
    if !word.is_ascii() {
        return foreign_word(text, letters);
    }
    let meaning = match word {
        "Z0" | "null" | "pass" => Word::Pass,
        "N" | "TN" => Word::Nag(146),
        "D" => Word::Nag(220),
        "RR" => Word::Nag(145),
        "ep" | "e.p." | "e.p" | "ch" => Word::Noise,
        _ if let Some(san) = capital_squares(word) => Word::Move(san, word),
        _ if is_garbled(word) => Word::Garbled(word),
        _ => return unknown_word(text),
    };
    (meaning, word.len())
}

/// Whether a word has a digit, and else nothing but what moves are written with.
fn is_garbled(word: &str) -> bool {
    let is_of_move = |byte: u8| byte.is_ascii_digit() || b"abcdefghKQRBNPOx=+#-".contains(&byte);
    word.len() <= 8 && word.bytes().all(is_of_move) && word.contains(|letter: char| letter.is_ascii_digit())
}

fn sign_word(text: &str) -> (Word<'_>, usize) {
    if let Some((end, length)) = first_result(text) {
        return (Word::End(end, &text[..length]), length);
    }
    if text.starts_with("--") && !text[2..].starts_with(['-', '+']) {
        return (Word::Pass, 2);
    }
    if let Some((nag, length)) = first_sign(text) {
        return (Word::Nag(nag), length);
    }
    let word = whole_word(text);
    if word == "@@@@" {
        return (Word::Pass, word.len());
    }
    let says_nothing = word.bytes().all(|byte| b"+-#:.,".contains(&byte));
    (if says_nothing { Word::Noise } else { Word::Unknown(word) }, word.len())
}

/// A word that begins with a letter beyond ASCII, or has one.
fn foreign_word<'a>(text: &'a str, letters: &Letters) -> (Word<'a>, usize) {
    if let Some((end, length)) = first_result(text) {
        return (Word::End(end, &text[..length]), length);
    }
    if let Some((nag, length)) = first_sign(text) {
        return (Word::Nag(nag), length);
    }
    let word = near_word(text);
    if !word.as_bytes()[0].is_ascii()
        && let Some(found) = piece_or_pawn_plain(word, letters)
    {
        return found;
    }
    let plain = plain_word(word);
    if plain.trim_matches(['.', '+', '#']).is_empty() {
        return (Word::Noise, word.len());
    }
    if plain == word {
        return unknown_word(text);
    }
    let letters = if word.contains(is_figurine) { &ENGLISH } else { letters };
    let (found, length) = first_word(&plain, letters);
    let length = length_before(word, length);
    let found = match found {
        Word::Move(san, _) => Word::Move(san, word[..length].trim_matches(is_invisible)),
        Word::Pass => Word::Pass,
        Word::Nag(nag) => Word::Nag(nag),
        Word::Number { number, dots } => Word::Number { number, dots },
        Word::End(end, _) => Word::End(end, &word[..length]),
        Word::Noise => Word::Noise,
        Word::Foreign(_) => Word::Foreign(&word[..length]),
        Word::Garbled(_) => Word::Garbled(&word[..length]),
        _ => return unknown_word(text),
    };
    (found, length)
}

/// A move whose piece has a letter beyond ASCII, and which has no other such letter.
fn piece_or_pawn_plain<'a>(word: &'a str, letters: &Letters) -> Option<(Word<'a>, usize)> {
    let rest = word.trim_start_matches(char::is_alphabetic);
    let is_piece = word.starts_with(char::is_uppercase) && squares(after_piece(word).as_bytes()).is_some();
    (is_piece && rest.is_ascii()).then(|| piece_or_pawn(word, letters))?
}

/// The text after the letter of a piece, or the two that the Russian king has.
fn after_piece(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_alphabetic() && !letter.is_ascii());
    if rest.len() < word.len() { rest } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_in(text: &str, letters: &Letters) -> String {
        let mut rest = text;
        let mut words = Vec::new();
        while !rest.trim_start_matches(is_blank).is_empty() {
            rest = rest.trim_start_matches(is_blank);
            let (word, length) = first_word(rest, letters);
            assert!(length > 0, "{rest}");
            words.push(match word {
                Word::Number { number, dots } => format!("{number}{}", ".".repeat(dots)),
                Word::Move(_, text) => text.to_owned(),
                Word::Nag(nag) => format!("${nag}"),
                Word::End(_, text) => format!("end {text}"),
                Word::Unknown(text) => format!("?{text}"),
                Word::Noise => "_".to_owned(),
                other => format!("{other:?}"),
            });
            rest = &rest[length..];
        }
        words.join(" ")
    }

    fn words(text: &str) -> String {
        words_in(text, &ENGLISH)
    }

    #[test]
    fn words_are_told_apart() {
        for (text, expected) in [
            ("1.e4 1...e5", "1. e4 1... e5"),
            ("12. O-O 0-0-0+ 0-0", "12. O-O 0-0-0+ 0-0"),
            ("Nf3!?$13(d4??)", "Nf3 $5 $13 Open d4 $4 Close"),
            ("1-0 0-1 1/2-1/2 ½-½ 1–0 1 - 0", "end 1-0 end 0-1 end 1/2-1/2 end ½-½ end 1–0 end 1 - 0"),
            ("-- Z0 exd6 e.p. +- ±", "Pass Pass exd6 _ $18 $16"),
            ("$999 $ !!! é", "?$999 ?$ ?!!! ?é"),
            ("a{b};c", "?a Comment ?b _ LineComment ?c"),
            ("1-0[Event", "end 1-0 Bracket ?Event"),
            ("e4[%clk", "e4 Bracket ?%clk"),
            ("e4± Nf3+= O-O+- e5N Qh5++- e4□", "e4 $16 Nf3 $14 O-O $18 e5 $146 Qh5+ $18 e4 $7"),
            ("e4, exd6e.p. a8(Q) a8/Q a8=Q+ a8Q# bxa8=(R)", "e4 _ exd6e.p. a8(Q) a8/Q a8=Q+ a8Q# bxa8=(R)"),
            ("♘f3 O–O O‑O OO Nb1–d2 e2—e4 ♙e4 N×f3 Nf3†", "♘f3 O–O O‑O OO Nb1–d2 e2—e4 ♙e4 N×f3 Nf3 _"),
            ("e4\u{200b} N\u{ad}f3 \u{feff}d4", "e4 N\u{ad}f3 d4"),
            ("Nb1-d2 e2e4 e2-e4 Ng1xf3 R1a3 Qh4e1", "Nb1-d2 e2e4 e2-e4 Ng1xf3 R1a3 Qh4e1"),
            (
                "P-K4 Kt-KB3 PxP BxKtP",
                r#"Descriptive("P-K4") Descriptive("Kt-KB3") Descriptive("PxP") Descriptive("BxKtP")"#,
            ),
            (
                "QKt-Q2 P/K2-K4 N/1-Q2 KBP-B4+ Kt",
                r#"Descriptive("QKt-Q2") Descriptive("P/K2-K4") Descriptive("N/1-Q2") Descriptive("KBP-B4+") ?Kt"#,
            ),
            ("1\u{ad}-\u{200b}0 1-\u{200b}0", "end 1\u{ad}-\u{200b}0 end 1-\u{200b}0"),
            ("Sf3 e8=D Дf3", r#"Foreign("Sf3") Foreign("e8=D") Foreign("Дf3")"#),
            ("2nd 2Nf3 good1 Table4 (=) ~", "?2nd 2 Nf3 ?good1 ?Table4 ?(=) ?~"),
            ("O-1 1-O 1-1 2/3 1-e4 1|0", "end O-1 end 1-O ?1-1 ?2/3 1. e4 ?1|0"),
            ("e9 Ng9 Nf33 b9x", r#"Garbled("e9") Garbled("Ng9") Nf3 3 Garbled("b9x")"#),
            ("+:- -/- 1-0F +--", "end +:- end -/- end 1-0F end +--"),
            ("1. -- 1... e5", "1. Pass 1... e5"),
            ("e4 … e5 1… e5", "e4 _ e5 1 _ e5"),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn other_languages_have_other_letters() {
        let german = Letters::named("German").unwrap();
        assert_eq!(words_in("Sf3 Lb5+ Dxd8 e8D e8=S Ke2 ♘c3", german), "Sf3 Lb5+ Dxd8 e8D e8=S Ke2 ♘c3");
        assert_eq!(words_in("Nf3", german), r#"Foreign("Nf3")"#);
        let russian = Letters::named("ru").unwrap();
        assert_eq!(words_in("Кf3 Крe2 Фxd8+", russian), "Кf3 Крe2 Фxd8+");
    }
}
