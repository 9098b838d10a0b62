//! Lines of text in whatever letters and with whatever ends they come.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

/// The most bytes of a line; positions with all that is said about them have a few hundred.
const MAX_BYTES: usize = 1 << 16;
/// The most lines that are kept; the largest collections of openings have a few million.
const MAX_LINES: usize = 1 << 25;

/// The letters of Windows-1252 from 0x80 on that are not those of Latin-1. The bytes that it leaves free stay control characters.
///
/// Source: "Encoding" of the WHATWG, index windows-1252.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '\u{2DC}', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The text of a line: UTF-8 with or without byte order mark, else Windows-1252; without white space around it.
#[must_use]
pub fn decode(line: &[u8]) -> Cow<'_, str> {
    decode_as_it_is(line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii())
}

/// The text of a line, with all that is in it: UTF-8, else Windows-1252.
#[must_use]
pub fn decode_as_it_is(line: &[u8]) -> Cow<'_, str> {
    let letter = |&byte: &u8| match byte {
        0x80..=0x9F => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    };
    std::str::from_utf8(line).map_or_else(|_| Cow::Owned(line.iter().map(letter).collect()), Cow::Borrowed)
}

/// The lines of a text, whatever their ends and letters.
///
/// # Errors
///
/// If it cannot be read, or has more than 33,554,432 lines or one of more than 65,536 bytes, so that no input takes all
/// memory. The error gives a line its number.
pub fn split_lines(input: impl BufRead) -> io::Result<Vec<String>> {
    split_some_lines(input, MAX_LINES)
}

fn split_some_lines(mut input: impl BufRead, most: usize) -> io::Result<Vec<String>> {
    let too_much = |text: String| io::Error::new(io::ErrorKind::InvalidData, text);
    let (mut lines, mut bytes) = (Vec::new(), Vec::new());
    loop {
        bytes.clear();
        if input.by_ref().take(MAX_BYTES as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(lines);
        }
        if lines.len() >= most {
            return Err(too_much(format!("there are more than {most} lines")));
        }
        if bytes.len() > MAX_BYTES && !bytes.ends_with(b"\n") {
            return Err(too_much(format!("line {} is longer than {MAX_BYTES} bytes", lines.len() + 1)));
        }
        // Some files end their lines with a zero, as strings in C.
        lines.push(decode(&bytes).replace(char::is_control, " "));
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn texts_may_have_any_line_ends_and_letters() {
        let lines = split_lines(&b"\xEF\xBB\xBFone\r\ntwo\n\n  caf\xE9 \nzero\0\nlast"[..]).unwrap();
        assert_eq!(lines, ["one", "two", "", "café", "zero ", "last"]);
    }

    #[test]
    fn bytes_that_are_no_utf_8_are_windows_1252() {
        assert_eq!(decode(b" \x80 Petro\x9A\xEAn \x96 \x93e4\x94\x85 \xFF "), "€ Petrošên – “e4”… ÿ");
        assert_eq!(decode_as_it_is(b" \x81\x98\x9F"), " \u{81}˜Ÿ");
        assert_eq!(decode_as_it_is("\u{FEFF}é ".as_bytes()), "\u{FEFF}é ");
    }

    #[test]
    fn what_would_take_all_memory_is_refused_by_its_line() {
        let error = split_lines(BufReader::new(b"\n".chain(io::repeat(0)))).unwrap_err();
        assert_eq!(error.to_string(), "line 2 is longer than 65536 bytes");
        assert_eq!(split_some_lines(&b"1\n2\n"[..], 2).unwrap(), ["1", "2"]);
        let error = split_some_lines(&b"1\n2\n3"[..], 2).unwrap_err();
        assert_eq!(error.to_string(), "there are more than 2 lines");
        let line = "x".repeat(MAX_BYTES);
        assert_eq!(split_some_lines(format!("{line}\n").as_bytes(), 9).unwrap(), [line]);
    }
}
