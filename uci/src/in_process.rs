//! The two ends of a session in the same process: texts of an iterator, such as a channel, as its input, and a function that
//! is handed its output.

use std::io::{self, BufRead, Read, Write};

/// What a session reads: one text after the other, until there are no more. Lines end with `\n`, wherever texts end.
#[derive(Debug)]
pub struct TextInput<I> {
    texts: I,
    text: Vec<u8>,
    /// How much of the text was read.
    read: usize,
}

impl<I: Iterator<Item = String>> TextInput<I> {
    /// The texts as input; with the receiver of a channel, a session waits for the next one.
    pub fn new(texts: impl IntoIterator<IntoIter = I>) -> Self {
        Self { texts: texts.into_iter(), text: Vec::new(), read: 0 }
    }
}

impl<I: Iterator<Item = String>> BufRead for TextInput<I> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.read == self.text.len() {
            let Some(text) = self.texts.next() else { break };
            (self.text, self.read) = (text.into_bytes(), 0);
        }
        Ok(&self.text[self.read..])
    }

    fn consume(&mut self, amount: usize) {
        self.read = (self.read + amount).min(self.text.len());
    }
}

impl<I: Iterator<Item = String>> Read for TextInput<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

/// What a session writes: each line is handed over as soon as it is whole, without its end.
#[derive(Debug)]
pub struct LineOutput<F> {
    hand_over: F,
    /// The beginning of a line.
    rest: Vec<u8>,
}

impl<F: FnMut(&[u8]) -> io::Result<()>> LineOutput<F> {
    /// Output for this function. Its error means that nobody reads any more, which ends a session.
    pub const fn new(hand_over: F) -> Self {
        Self { hand_over, rest: Vec::new() }
    }
}

impl<F: FnMut(&[u8]) -> io::Result<()>> Write for LineOutput<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            match part.strip_suffix(b"\n") {
                Some(end) => {
                    self.rest.extend_from_slice(end);
                    (self.hand_over)(&self.rest)?;
                    self.rest.clear();
                }
                None => self.rest.extend_from_slice(part),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_all_texts_in_their_order() {
        let texts = ["uci\nis", "", "ready\n", "quit"].map(str::to_owned);
        let lines: Vec<_> = TextInput::new(texts.clone()).lines().map(Result::unwrap).collect();
        assert_eq!(lines, ["uci", "isready", "quit"]);
        let mut bytes = [0; 4];
        TextInput::new(texts).read_exact(&mut bytes).unwrap();
        assert_eq!(&bytes, b"uci\n");
    }

    #[test]
    fn output_is_handed_over_line_by_line() {
        let mut lines = Vec::new();
        let mut output = LineOutput::new(|line: &[u8]| {
            lines.push(line.to_vec());
            Ok(())
        });
        output.write_all(b"one\ntw").unwrap();
        output.write_all(b"o\n\nthree").unwrap();
        assert_eq!(lines, [&b"one"[..], b"two", b""]);
    }

    #[test]
    fn a_session_ends_when_nobody_reads() {
        let output = LineOutput::new(|_: &[u8]| Err(io::ErrorKind::BrokenPipe.into()));
        crate::Session::new(output).run(TextInput::new(std::iter::repeat_with(|| "isready\n".to_owned())));
    }
}
