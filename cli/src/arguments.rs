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

/// A number of nodes or the like, from 1: in digits, or short as `200k`, `2M`, `1.5G` or `1e6`.
///
/// # Errors
///
/// A message if the text is no whole number, or none from 1 to the largest that fits into 64 bits.
pub fn read_count(text: &str) -> Result<u64, String> {
    let (number, zeros) = split_zeros(text).ok_or(COUNT_EXPECTED)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = whole.bytes().chain(fraction.bytes());
    // What stands behind the point takes some of the zeros.
    let zeros = zeros.checked_sub(fraction.trim_end_matches('0').len());
    let is_number = !number.is_empty() && !number.ends_with('.') && digits.clone().all(|byte| byte.is_ascii_digit());
    let zeros = zeros.filter(|_| is_number).ok_or(COUNT_EXPECTED)?;
    let digits = whole.bytes().chain(fraction.trim_end_matches('0').bytes());
    let append = |count: u64, digit: u8| count.checked_mul(10)?.checked_add(digit.into());
    let count = digits.map(|byte| byte - b'0').chain(std::iter::repeat_n(0, zeros)).try_fold(0, append);
    match count {
        Some(0) => Err("expected a number from 1".to_owned()),
        Some(count) => Ok(count),
        None => Err(format!("expected a number up to {}", u64::MAX)),
    }
}

const COUNT_EXPECTED: &str = "expected a whole number such as 100000, 100k, 2M or 1e6";

/// A number and how many zeros belong behind it, by its exponent or suffix.
fn split_zeros(text: &str) -> Option<(&str, usize)> {
    if let Some((number, exponent)) = text.split_once(['e', 'E']) {
        // A number with more zeros than this does not fit anyway.
        return Some((number, exponent.strip_prefix('+').unwrap_or(exponent).parse::<u8>().ok()?.into()));
    }
    let zeros = match text.chars().last()? {
        'k' | 'K' => 3,
        'm' | 'M' => 6,
        'g' | 'G' => 9,
        _ => return Some((text, 0)),
    };
    Some((&text[..text.len() - 1], zeros))
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
    fn counts_may_be_short() {
        for (text, count) in [
            ("1", 1),
            ("200000", 200_000),
            ("200k", 200_000),
            ("2M", 2_000_000),
            ("2m", 2_000_000),
            ("1.5G", 1_500_000_000),
            ("1e6", 1_000_000),
            ("2.50E+3", 2500),
            ("1.0", 1),
            ("007", 7),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(read_count(text), Ok(count), "{text}");
        }
        for text in [
            "", "k", "e3", "1e", "1e-3", "1.5", "1.2345k", ".", "1.", "-1", "+1", "1k2", "1ee3", "1e1e1", "x", "1,000",
            "٣",
        ] {
            assert_eq!(read_count(text), Err(COUNT_EXPECTED.to_owned()), "{text}");
        }
        assert_eq!(read_count("0"), Err("expected a number from 1".to_owned()));
        for text in ["18446744073709551616", "1e255", "99999999999G"] {
            assert_eq!(read_count(text), Err("expected a number up to 18446744073709551615".to_owned()), "{text}");
        }
    }

    #[test]
    fn times_are_seconds() {
        assert_eq!(read_seconds("1.5"), Ok(Duration::from_millis(1500)));
        for text in ["", "x", "0", "-1", "inf", "NaN", "1e9", "0.0001"] {
            assert!(read_seconds(text).is_err(), "{text}");
        }
    }
}
