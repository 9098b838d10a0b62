//! Lines of bytes, as clients really send them: UTF-8 or one byte a letter, any line end, any length.

use std::borrow::Cow;
use std::io::{BufRead, Read};

use pgn::decode;

use crate::error::CommandError;

/// Beyond any line a client has reason to send: a game of a hundred thousand moves takes half a megabyte.
const MAX_LINE: u64 = 16 << 20;

/// Reads a stream line by line into one buffer.
pub(crate) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(crate) const fn new(input: R) -> Self {
        Self { input, buffer: Vec::new() }
    }

    /// The next line, `None` at the end of the input or when it cannot be read any more. A last line may lack its
    /// line end.
    pub(crate) fn next_line(&mut self) -> Option<Result<Cow<'_, str>, CommandError>> {
        if self.read_part()? == b'\n' || self.buffer.len() < MAX_LINE as usize {
            return Some(Ok(decode(&self.buffer)));
        }
        while self.read_part().is_some_and(|last| last != b'\n') {}
        Some(Err(CommandError::LineTooLong))
    }

    /// Fills the buffer up to the next line end and returns its last byte.
    fn read_part(&mut self) -> Option<u8> {
        self.buffer.clear();
        self.input.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.buffer).ok()?;
        self.buffer.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8]) -> Vec<Result<String, CommandError>> {
        let mut lines = Lines::new(input);
        let mut all = Vec::new();
        while let Some(line) = lines.next_line() {
            all.push(line.map(Cow::into_owned));
        }
        all
    }

    #[test]
    fn any_line_end_will_do() {
        let lines = read(b"\xEF\xBB\xBFuci\r\n\n\tisready\t\r\r\nquit");
        assert_eq!(lines, ["uci", "", "isready", "quit"].map(|line| Ok(line.to_owned())));
        assert!(read(b"").is_empty());
    }

    #[test]
    fn bytes_that_are_no_utf8_are_read_as_latin_1() {
        assert_eq!(read(b"caf\xE9 \xFF\0\n"), [Ok("café ÿ\0".to_owned())]);
        assert_eq!(read("café\n".as_bytes()), [Ok("café".to_owned())]);
    }

    #[test]
    fn a_line_beyond_measure_is_dropped_whole() {
        let mut input = vec![b'x'; 3 * MAX_LINE as usize];
        input.extend_from_slice(b" quit\nuci\n");
        assert_eq!(read(&input), [Err(CommandError::LineTooLong), Ok("uci".to_owned())]);
        assert_eq!(read(&vec![b' '; MAX_LINE as usize]), [Err(CommandError::LineTooLong)]);
        assert_eq!(read(&vec![b'x'; MAX_LINE as usize - 1]).len(), 1);
    }
}
