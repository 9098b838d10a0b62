//! Text from files, engines and the command line, made safe to show: nothing in it can command a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

/// Whether a terminal would not show a letter but do something: control characters, and those that turn the direction
/// of writing, by which text can be made to look like other text. Ends of lines and tabs are none here.
fn is_command(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        // Marks, embeddings, overrides and isolates of the direction, and other ends of lines.
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
        letter => letter.is_control(),
    }
}

/// The text with escapes, as in `\u{1b}`, for everything in it that would command a terminal.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_command) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_command(letter) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "{}", letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// As [`printable`], for a name or another text that belongs on one line: ends of lines and tabs are escaped, too.
#[must_use]
pub fn printable_line(text: &str) -> Cow<'_, str> {
    match printable(text) {
        shown if shown.contains(['\n', '\t']) => Cow::Owned(shown.replace('\n', "\\n").replace('\t', "\\t")),
        shown => shown,
    }
}

/// Writes text through [`printable`]. Bytes that are no UTF-8 become the replacement character.
#[derive(Debug)]
pub struct Printable<W> {
    output: W,
    /// The beginning of a letter whose end has not come.
    torn: Vec<u8>,
}

impl<W: Write> Printable<W> {
    /// Writes to this output.
    #[must_use]
    pub const fn new(output: W) -> Self {
        Self { output, torn: Vec::new() }
    }
}

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.torn.extend_from_slice(bytes);
        let mut rest = &self.torn[..];
        let mut shown = String::new();
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    shown += &printable(text);
                    rest = &[];
                    break;
                }
                Err(error) => {
                    let (valid, after) = rest.split_at(error.valid_up_to());
                    shown += &printable(&String::from_utf8_lossy(valid));
                    rest = after;
                    // What ends in the midst of a letter has no length here.
                    let Some(length) = error.error_len() else { break };
                    shown.push(char::REPLACEMENT_CHARACTER);
                    rest = &rest[length..];
                }
            }
        }
        self.torn = rest.to_vec();
        self.output.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// The standard output for data that programs read, such as PGN: as it is into files and pipes, but on a terminal
/// through [`Printable`].
#[must_use]
pub fn data_output() -> Box<dyn Write + Send> {
    let output = io::stdout();
    if output.is_terminal() { Box::new(Printable::new(output)) } else { Box::new(output) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_and_text_stays() {
        for (text, shown) in [
            ("Nf3! é 中 \n\t½", "Nf3! é 中 \n\t½"),
            ("\u{1b}[31mred\u{7}", "\\u{1b}[31mred\\u{7}"),
            ("a\rb\0\u{7f}", "a\\u{d}b\\u{0}\\u{7f}"),
            ("\u{9b}2J\u{85}", "\\u{9b}2J\\u{85}"),
            ("\u{202e}gpj\u{2066}", "\\u{202e}gpj\\u{2066}"),
        ] {
            assert_eq!(printable(text), shown);
        }
        assert_eq!(printable_line("a\nb\tc\u{1b}"), "a\\nb\\tc\\u{1b}");
    }

    #[test]
    fn letters_may_come_in_parts() {
        let text = "é\u{1b}中\u{202e}x".as_bytes();
        for length in 1..text.len() {
            let mut output = Printable::new(Vec::new());
            text.chunks(length).for_each(|part| output.write_all(part).unwrap());
            assert_eq!(String::from_utf8(output.output).unwrap(), "é\\u{1b}中\\u{202e}x", "{length}");
        }
        let mut output = Printable::new(Vec::new());
        output.write_all(b"a\xFFb\xE4\xB8").unwrap();
        assert_eq!(String::from_utf8(output.output).unwrap(), "a\u{FFFD}b");
    }
}
