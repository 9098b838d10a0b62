//! Lines of bytes, as clients really send them: UTF-8 or one byte a letter, any line end, any length.

use std::borrow::Cow;
use std::io::{BufRead, ErrorKind};

use formats::decode;
use platform::has_room;

use crate::error::CommandError;

/// Beyond any line a client has reason to send: a game of a hundred thousand moves takes half a megabyte.
const MAX_LINE: usize = 16 << 20;

/// A line that takes more memory than this, in bytes, asks first, and what it took is given back after it.
const LARGE: usize = 64 << 10;

const NO_MEMORY: CommandError = CommandError::NoMemory("the line; ignored");

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
        if self.buffer.capacity() > LARGE {
            self.buffer = Vec::new();
        }
        self.buffer.clear();
        let (mut fault, mut is_empty) = (None, true);
        loop {
            let available = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                result => result.ok()?,
            };
            let line_end = available.iter().position(|&byte| byte == b'\n');
            let part = &available[..line_end.map_or(available.len(), |index| index + 1)];
            if part.is_empty() {
                break;
            }
            is_empty = false;
            // What is left of a line that was given up is read and dropped.
            fault = fault.or_else(|| append(&mut self.buffer, part).err());
            let taken = part.len();
            self.input.consume(taken);
            if line_end.is_some() {
                break;
            }
        }
        match fault {
            Some(fault) => Some(Err(fault)),
            None if is_empty => None,
            None => Some(text_of(&self.buffer)),
        }
    }
}

/// Adds a part of a line, unless the line becomes too long for anybody, or for the memory.
fn append(buffer: &mut Vec<u8>, part: &[u8]) -> Result<(), CommandError> {
    let len = buffer.len() + part.len();
    if len >= MAX_LINE {
        return Err(CommandError::LineTooLong);
    }
    if len > buffer.capacity() {
        let is_affordable = len <= LARGE || has_room(2 * len);
        if !is_affordable || buffer.try_reserve(part.len()).is_err() {
            return Err(NO_MEMORY);
        }
    }
    buffer.extend_from_slice(part);
    Ok(())
}

/// The text of a line. A byte that is no UTF-8 takes two as text.
fn text_of(line: &[u8]) -> Result<Cow<'_, str>, CommandError> {
    if line.len() <= LARGE || std::str::from_utf8(line).is_ok() {
        return Ok(decode(line));
    }
    let mut text = String::new();
    if !has_room(2 * line.len()) || text.try_reserve_exact(2 * line.len()).is_err() {
        return Err(NO_MEMORY);
    }
    text.extend(line.iter().copied().map(char::from));
    Ok(Cow::Owned(text))
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
        let mut input = vec![b'x'; 3 * MAX_LINE];
        input.extend_from_slice(b" quit\nuci\n");
        assert_eq!(read(&input), [Err(CommandError::LineTooLong), Ok("uci".to_owned())]);
        assert_eq!(read(&vec![b' '; MAX_LINE]), [Err(CommandError::LineTooLong)]);
        assert_eq!(read(&vec![b'x'; MAX_LINE - 1]).len(), 1);
    }

    #[test]
    fn the_memory_of_a_long_line_is_given_back() {
        let mut input = vec![b'x'; MAX_LINE / 2];
        input.extend_from_slice(b"\nuci\n");
        let mut lines = Lines::new(&input[..]);
        assert_eq!(lines.next_line().unwrap().unwrap().len(), MAX_LINE / 2);
        assert_eq!(lines.next_line(), Some(Ok("uci".into())));
        assert!(lines.buffer.capacity() <= LARGE);
    }

    #[test]
    fn a_long_line_of_single_bytes_is_read_as_a_short_one() {
        let mut input = "é".repeat(LARGE).into_bytes();
        input.push(0xE9);
        let text = read(&input).remove(0).unwrap();
        assert_eq!(text, read(&[0xC3, 0xA9, 0xE9]).remove(0).unwrap().replace("Ã©", &"Ã©".repeat(LARGE)));
    }
}
