//! A first argument that means nothing: what may have been meant.
//!
//! On the standard input an unknown word is skipped, as the protocol asks. On the command line a person is more likely to
//! have mistyped something, and a script must not take what follows for success.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;

use uci::Token;

/// A word from which on its beginning is enough for a suggestion.
const MIN_PREFIX: usize = 3;

/// A word that is neither a command nor of UCI.
#[derive(PartialEq, Eq, Debug)]
pub struct Unknown {
    word: Token,
    /// What may have been meant.
    suggestion: Option<String>,
}

/// The word at fault, if the first argument is neither a command, one of these names, nor a line of UCI. That line may
/// begin with unknown words, as it may on the standard input.
pub fn find(arguments: &[OsString], names: &[&str]) -> Option<Unknown> {
    let (first, rest) = arguments.split_first()?;
    let asked_about = rest.first().filter(|_| first == "help" && rest.len() == 1);
    let argument = asked_about.unwrap_or(first);
    let text = formats::decode(argument.as_encoded_bytes());
    let word = text.split_ascii_whitespace().next()?;
    if text.split_ascii_whitespace().any(uci::Command::is_name) {
        return None;
    }
    let suggestion = nearest(word, names).map(str::to_owned).or_else(|| as_file(argument, names));
    Some(Unknown { word: Token::new(word), suggestion })
}

/// The name that was most likely meant, in any case of letters.
fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    // A third of the letters may be wrong, which for a single letter is none.
    let most = (length + 1) / 3;
    let distances = names.iter().map(|&name| (strsim::osa_distance(&word, name), name));
    let nearest = distances.min_by_key(|(distance, _)| *distance).filter(|(distance, _)| *distance <= most);
    let begun = || names.iter().copied().find(|name| length >= MIN_PREFIX && name.starts_with(&word));
    nearest.map(|(_, name)| name).or_else(begun)
}

/// A file may have been meant to be analysed, by a program that can.
fn as_file(argument: &OsStr, names: &[&str]) -> Option<String> {
    (names.contains(&"analyse") && Path::new(argument).is_file())
        .then(|| format!("vancura analyse {}", argument.display()))
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: unknown command {}", self.word)?;
        if let Some(suggestion) = &self.suggestion {
            write!(f, "; did you mean `{suggestion}`?")?;
        }
        f.write_str("\n`vancura help` lists the commands")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 6] = ["analyse", "analyze", "play", "go", "d", "--version"];

    #[test]
    fn the_nearest_name_is_suggested_if_it_is_near() {
        for (word, name) in [
            ("Analyse", Some("analyse")),
            ("anaylse", Some("analyse")),
            ("analize", Some("analyze")),
            ("ana", Some("analyse")),
            ("og", Some("go")),
            ("--verison", Some("--version")),
            ("x", None),
            ("an", None),
            ("--nope", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, &NAMES), name, "{word}");
        }
    }

    #[test]
    fn lines_of_uci_and_nothing_at_all_are_known() {
        let found = |words: &[&str]| find(&words.iter().map(OsString::from).collect::<Vec<_>>(), &NAMES);
        for words in
            [&[][..], &["go depth 3"], &["well go depth 3", "x"], &[""], &["help"], &["help", "uci"], &["uci", "x"]]
        {
            assert_eq!(found(words), None, "{words:?}");
        }
        for words in [&["nonsense"][..], &["--nope", "uci"], &["help", "nonsense"], &["depth 3"]] {
            assert!(found(words).is_some(), "{words:?}");
        }
    }

    #[test]
    fn a_file_is_to_be_analysed() {
        let file = tempfile::Builder::new().suffix(".pgn").tempfile().unwrap();
        let unknown = find(&[file.path().into()], &NAMES).unwrap().to_string();
        let path = file.path().display();
        assert!(unknown.contains(&format!("did you mean `vancura analyse {path}`?")), "{unknown}");
    }
}
