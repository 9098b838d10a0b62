//! What can be wrong with a command, in words that help to correct it.

use std::fmt;

use eval::NetworkError;
use movegen::{FenError, MoveError};

/// A piece of input as an error shows it: quoted, harmless and short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token(Option<String>);

impl Token {
    /// Longer ones are cut; no word of the protocol comes near it.
    const MAX_CHARS: usize = 60;

    /// Nothing where something was needed.
    pub(crate) const MISSING: Self = Self(None);

    /// This text, cut if it is long.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut chars = text.chars();
        let mut shown: String = chars.by_ref().take(Self::MAX_CHARS).collect();
        if chars.next().is_some() {
            shown.push_str("...");
        }
        Self(Some(shown))
    }
}

impl From<Option<&str>> for Token {
    fn from(text: Option<&str>) -> Self {
        text.map_or(Self::MISSING, Self::new)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(text) => write!(f, "{text:?}"),
            None => f.write_str("nothing"),
        }
    }
}

/// Why a command, or a part of it, is not carried out as it stands.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No command at all.
    #[error("unknown command {0}; `help` lists the commands")]
    UnknownCommand(Token),
    /// A word that means nothing to this command.
    #[error("`{command}`: unknown word {word} ignored")]
    UnknownWord {
        /// The command.
        command: &'static str,
        /// The word.
        word: Token,
    },
    /// A word that must be followed by a number is not.
    #[error("`{name}` needs a number, not {found}")]
    NoNumber {
        /// The command, limit or option.
        name: &'static str,
        /// What stands there.
        found: Token,
    },
    /// A number with a fraction, a unit or the like after it, which is left out.
    #[error("`{name}`: {found} is read as {taken}")]
    NumberCut {
        /// The command, limit or option.
        name: &'static str,
        /// What stands there.
        found: Token,
        /// The number that is used.
        taken: i64,
    },
    /// A word that must be followed by one of a few is not.
    #[error("`{name}` needs {}, not {found}", one_of(choices))]
    NoChoice {
        /// The command or option.
        name: &'static str,
        /// What may stand there.
        choices: &'static [&'static str],
        /// What stands there.
        found: Token,
    },
    /// `setoption` without `name`.
    #[error("`setoption` needs `name` and an option's name, not {0}")]
    NoName(Token),
    /// `setoption` for an option this engine lacks.
    #[error("unknown option {0}")]
    UnknownOption(Token),
    /// A number beyond an option's limits; the nearest within was taken.
    #[error("{name} {found} is out of range; using {taken}")]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// What was asked for; a number beyond all 64-bit ones is the nearest of them.
        found: i64,
        /// What is used.
        taken: i64,
    },
    /// A machine that does not have as much of something as an option asks for.
    #[error("{name} {wanted} is more than this machine has; {}", using(*.taken))]
    Unavailable {
        /// The option.
        name: &'static str,
        /// What was asked for.
        wanted: usize,
        /// What is used.
        taken: usize,
    },
    /// `position` with a FEN that is none.
    #[error("FEN: {0}")]
    Fen(FenError),
    /// `position` with a move that cannot be played.
    #[error("move {number}: {error}")]
    Move {
        /// Its place among the moves, from 1.
        number: usize,
        /// Why not.
        error: MoveError,
    },
    /// `searchmoves` with a move that cannot be played; it is left out.
    #[error("`searchmoves`: {0}; the move is ignored")]
    SearchMove(MoveError),
    /// There is no valid position to work on.
    #[error("no valid position is set")]
    NoPosition,
    /// What is shown instead of a position that could not be read.
    #[error("no valid position is set; this is the last legal one")]
    LastBoard,
    /// A search runs, and this would disturb it.
    #[error("`{0}` ignored: a search is running")]
    Searching(&'static str),
    /// A file that cannot be used.
    #[error("cannot use {path}: {reason}")]
    File {
        /// Its path, as it was given.
        path: Token,
        /// Why not.
        reason: String,
    },
    /// A file that holds no network for this program.
    #[error("{path}: {error}")]
    Network {
        /// Its path, as it was given.
        path: Token,
        /// What is wrong with it.
        error: NetworkError,
    },
    /// A file that cannot keep analysis.
    #[error("cannot use the analysis store {path}: {reason}; going on without it")]
    Memory {
        /// Its path, as it was given.
        path: Token,
        /// Why not.
        reason: String,
    },
    /// There is no memory for something that the input or an option asks for.
    #[error("there is not enough memory for {0}")]
    NoMemory(&'static str),
    /// A path longer than any system has.
    #[error("{0} is too long for a path")]
    PathTooLong(Token),
    /// A line longer than any client has reason to send.
    #[error("line too long; ignored")]
    LineTooLong,
}

/// What is used instead. Without any thread the one that reads commands searches, which cannot hear a `stop`.
fn using(taken: usize) -> String {
    if taken == 0 { "there is none, so searches are short".to_owned() } else { format!("using {taken}") }
}

/// "`a`, `b` or `c`".
fn one_of(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

impl CommandError {
    /// Whether the command was carried out all the same, without the part at fault.
    pub(crate) const fn is_warning(&self) -> bool {
        matches!(
            self,
            Self::UnknownWord { .. }
                | Self::NumberCut { .. }
                | Self::OutOfRange { .. }
                | Self::Unavailable { .. }
                | Self::SearchMove(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_thread_is_not_used() {
        let shortage = |taken| CommandError::Unavailable { name: "Threads", wanted: 8, taken }.to_string();
        assert!(shortage(3).ends_with("; using 3"), "{}", shortage(3));
        assert!(shortage(0).ends_with("; there is none, so searches are short"), "{}", shortage(0));
    }

    #[test]
    fn tokens_are_short_and_harmless() {
        assert_eq!(Token::new("a\n\0\"b").to_string(), r#""a\n\0\"b""#);
        assert_eq!(Token::new("Vančura").to_string(), "\"Vančura\"");
        assert_eq!(Token::new(&"x".repeat(1_000_000)).to_string().len(), 60 + 3 + 2);
        assert_eq!(Token::from(None).to_string(), "nothing");
    }
}
