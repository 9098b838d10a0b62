//! Values that several commands take.

use std::env;
use std::ffi::OsStr;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use movegen::{Board, FenError};

use crate::message::tell;

/// The board that some words name: a FEN, in quotes or not, `startpos`, or nothing for the start position. Tells the
/// user what was ignored or changed in the FEN.
///
/// # Errors
///
/// If the words are no FEN of a legal position.
pub fn read_position(words: &[String]) -> Result<Board, FenError> {
    let text = words.join(" ");
    if matches!(text.trim(), "" | "startpos") {
        return Ok(Board::start());
    }
    let (board, warnings) = Board::from_fen_with_warnings(&text)?;
    warnings.iter().for_each(|warning| tell(format_args!("warning: FEN: {warning}")));
    Ok(board)
}

/// A time from a millisecond to a day, in seconds.
///
/// # Errors
///
/// A message if the text is no number or is out of range.
pub fn read_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected a number of seconds from 0.001 to 86400".to_owned())
}

/// Name and value of a UCI option, written `NAME=VALUE`.
///
/// # Errors
///
/// A message if there is no name or no equals sign.
pub fn read_option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// The folders of a list such as `PATH` is, without empty ones.
#[must_use]
pub fn folders(list: &OsStr) -> Vec<PathBuf> {
    env::split_paths(list).filter(|folder| !folder.as_os_str().is_empty()).collect()
}

/// How many threads the system lets this program run at the same time; 1 if it does not say.
#[must_use]
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use movegen::FenStyle;

    use super::*;

    fn read(words: &[&str]) -> Result<String, String> {
        let words: Vec<_> = words.iter().map(ToString::to_string).collect();
        read_position(&words).map(|board| board.fen(FenStyle::Standard)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_fen_may_stand_in_quotes_or_not() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9";
        assert_eq!(read(&[fen]).as_deref(), Ok(fen));
        assert_eq!(read(&fen.split(' ').collect::<Vec<_>>()).as_deref(), Ok(fen));
        let start = Ok(Board::start().fen(FenStyle::Standard));
        assert_eq!([read(&[]), read(&[""]), read(&["startpos"])], [start.clone(), start.clone(), start]);
        assert_eq!(read(&["nonsense"]), Err("board \"nonsense\" has 1 ranks, not 8".to_owned()));
    }

    #[test]
    fn times_are_seconds() {
        assert_eq!(read_seconds("1.5"), Ok(Duration::from_millis(1500)));
        for text in ["", "x", "0", "-1", "inf", "NaN", "1e9", "0.0001"] {
            assert!(read_seconds(text).is_err(), "{text}");
        }
    }
}
