//! Text in UTF-8, UTF-16 and UTF-32, also several in one file: parts that were written by different programs and joined.
//!
//! What has single bytes is passed on as it is. Wider units begin with their mark, or show by the zeros in the letters that
//! games are written in. They end where UTF-8 has its mark, or where a line begins with a tag or a move in single bytes.

use std::io::{self, BufRead, Read};

/// Bytes that are looked at together.
const BUFFER: usize = 1 << 16;
/// Bytes that are enough to see a change of the encoding: a mark, and letters.
const AHEAD: usize = 4 * (UNITS + 1);
/// So many letters in a row with zeros show wider units.
const UNITS: usize = 4;

/// Units of more than a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wide {
    /// Bytes of a unit: 2 or 4.
    width: usize,
    is_big: bool,
}

impl Wide {
    /// The widest first: the mark of UTF-32 begins with that of UTF-16.
    const ALL: [Self; 4] = [Self::new(4, false), Self::new(4, true), Self::new(2, false), Self::new(2, true)];
    const MARK: u32 = 0xFEFF;

    const fn new(width: usize, is_big: bool) -> Self {
        Self { width, is_big }
    }

    /// The unit that these bytes begin with.
    fn unit(self, bytes: &[u8]) -> Option<u32> {
        let add = |unit: u32, byte: &u8| unit << 8 | u32::from(*byte);
        let bytes = bytes.get(..self.width)?.iter();
        Some(if self.is_big { bytes.fold(0, add) } else { bytes.rev().fold(0, add) })
    }

    /// Whether a text begins with letters of ASCII in these units; at its end there may be few.
    fn begins(self, text: &[u8]) -> bool {
        let mut units = text.chunks_exact(self.width).take(UNITS).peekable();
        units.peek().is_some() && units.all(|bytes| matches!(self.unit(bytes), Some(9..=0x7E)))
    }

    /// The units whose mark these bytes begin with.
    fn marked(bytes: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|wide| wide.unit(bytes) == Some(Self::MARK))
    }
}

/// The units of a text that begins like this; `None` for single bytes.
pub(super) fn units_of(start: &[u8]) -> Option<Wide> {
    let shows = |wide: &Wide| start.len() >= wide.width * UNITS && wide.begins(start);
    Wide::marked(start).or_else(|| Wide::ALL.into_iter().find(shows))
}

/// Text of any of these encodings as UTF-8, but for what is neither, which is passed on.
pub(super) struct Mixed<R> {
    input: R,
    /// `None` in single bytes.
    units: Option<Wide>,
    /// What has been read and not been decoded.
    raw: Vec<u8>,
    text: Vec<u8>,
    /// How much of the text has been taken.
    taken: usize,
    /// The first half of a letter of two units.
    half: Option<u16>,
    is_over: bool,
    /// Nothing has been decoded yet.
    is_as_stored: bool,
}

impl<R: BufRead> Mixed<R> {
    pub const fn new(input: R, units: Option<Wide>) -> Self {
        let is_as_stored = units.is_none();
        Self { input, units, raw: Vec::new(), text: Vec::new(), taken: 0, half: None, is_over: false, is_as_stored }
    }

    /// Whether all that has been read stands so in the input, byte by byte.
    pub const fn is_as_stored(&self) -> bool {
        self.is_as_stored
    }

    /// Decodes what has been read, but for the end if more may come.
    fn decode(&mut self) {
        let raw = std::mem::take(&mut self.raw);
        let mut at = 0;
        while at < raw.len() && (self.is_over || raw.len() - at >= AHEAD || self.units.is_none()) {
            let rest = &raw[at..];
            let length = match self.units {
                None => self.decode_bytes(rest),
                Some(wide) => self.decode_units(rest, wide),
            };
            if length == 0 {
                break;
            }
            at += length;
        }
        self.raw = raw;
        self.raw.drain(..at);
    }

    /// Passes single bytes on up to what may be wider units. Returns how many have been dealt with; 0 if more must be seen.
    fn decode_bytes(&mut self, bytes: &[u8]) -> usize {
        let Some(at) = memchr::memchr3(0, 0xFE, 0xFF, bytes) else {
            self.text.extend_from_slice(bytes);
            return bytes.len();
        };
        let rest = &bytes[at..];
        if rest.len() < AHEAD && !self.is_over {
            self.text.extend_from_slice(&bytes[..at]);
            return at;
        }
        let before = bytes[..at].last().or(self.text.last()).copied();
        let Some((wide, skipped)) = wide_after(before, rest) else {
            self.text.extend_from_slice(&bytes[..=at]);
            return at + 1;
        };
        self.text.extend_from_slice(&bytes[..at]);
        (self.units, self.is_as_stored) = (Some(wide), false);
        at + skipped
    }

    /// Decodes a unit. Returns how many bytes have been dealt with.
    fn decode_units(&mut self, bytes: &[u8], wide: Wide) -> usize {
        let is_at_line = matches!(self.text.last(), None | Some(b'\n'));
        if bytes.starts_with(b"\xEF\xBB\xBF") || is_at_line && begins_in_bytes(bytes) {
            self.units = None;
            return if bytes.starts_with(b"\xEF") { 3 } else { self.decode_bytes(bytes) };
        }
        let is_sure = |other: &Wide| other.width == wide.width || other.begins(&bytes[other.width..]);
        if let Some(other) = Wide::marked(bytes).filter(is_sure) {
            self.units = Some(other);
            return other.width;
        }
        let Some(unit) = wide.unit(bytes) else {
            // A part of a letter at the end of the file.
            self.push('\u{FFFD}');
            return bytes.len();
        };
        match (unit, self.half.take()) {
            (Wide::MARK, _) => {}
            (unit, _) if wide.width == 4 => self.push(char::from_u32(unit).unwrap_or('\u{FFFD}')),
            (unit @ 0xD800..=0xDBFF, _) => self.half = Some(unit as u16),
            (unit, half) => {
                let units = half.into_iter().chain([unit as u16]);
                for letter in char::decode_utf16(units) {
                    self.push(letter.unwrap_or('\u{FFFD}'));
                }
            }
        }
        wide.width
    }

    fn push(&mut self, letter: char) {
        self.text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// The wider units that begin with a zero or a mark behind this byte, and how many bytes of them are none of a letter.
fn wide_after(before: Option<u8>, bytes: &[u8]) -> Option<(Wide, usize)> {
    if let Some(wide) = Wide::marked(bytes).filter(|wide| wide.begins(&bytes[wide.width..])) {
        return Some((wide, wide.width));
    }
    Wide::ALL.into_iter().filter(|wide| bytes.len() > wide.width * UNITS).find_map(|wide| {
        // The first letter of a tag has been taken for a byte, which it is without its zeros.
        let skipped = if wide.is_big { 0 } else { wide.width - 1 };
        let is_start = if wide.is_big { matches!(before, None | Some(b'\n')) } else { before == Some(b'[') };
        let is_zero = bytes[..skipped].iter().all(|&byte| byte == 0);
        (is_start && is_zero && wide.begins(&bytes[skipped..])).then_some((wide, skipped))
    })
}

/// Whether a line begins with a tag or the first move in single bytes.
fn begins_in_bytes(bytes: &[u8]) -> bool {
    let line = bytes.trim_ascii_start();
    let is_tag = line.first() == Some(&b'[') && line.len() > 4 && line[1..4].iter().all(u8::is_ascii_alphanumeric);
    is_tag || line.starts_with(b"1. ") || line.starts_with(b"1.") && line.get(2).is_some_and(u8::is_ascii_alphabetic)
}

impl<R: BufRead> BufRead for Mixed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.taken == self.text.len() && !(self.is_over && self.raw.is_empty()) {
            let bytes = self.input.fill_buf()?;
            let bytes = &bytes[..bytes.len().min(BUFFER)];
            self.is_over = bytes.is_empty();
            self.raw.extend_from_slice(bytes);
            let length = bytes.len();
            self.input.consume(length);
            // The last letter tells what may follow.
            let last = self.text.pop();
            self.text.clear();
            self.text.extend(last);
            let before = self.text.len();
            self.decode();
            self.taken = before;
        }
        Ok(&self.text[self.taken..])
    }

    fn consume(&mut self, length: usize) {
        self.taken = (self.taken + length).min(self.text.len());
    }
}

impl<R: BufRead> Read for Mixed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str, wide: Wide) -> Vec<u8> {
        let units: Vec<u32> = match wide.width {
            2 => text.encode_utf16().map(u32::from).collect(),
            _ => text.chars().map(u32::from).collect(),
        };
        let bytes = |unit: u32| {
            let bytes = unit.to_be_bytes()[4 - wide.width..].to_vec();
            if wide.is_big { bytes } else { bytes.into_iter().rev().collect() }
        };
        units.into_iter().flat_map(bytes).collect()
    }

    fn decoded(bytes: &[u8], piece: usize) -> String {
        let input = io::BufReader::with_capacity(piece, bytes);
        let mut text = Vec::new();
        Mixed::new(input, units_of(&bytes[..bytes.len().min(16)])).read_to_end(&mut text).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    }

    #[test]
    fn parts_of_any_encoding_are_read_as_one() {
        let game = |name: &str| format!("[Event \"{name}\"]\n\n1. e4 {{ Ř 中 𝄞 }} *\n\n");
        let parts = ["a", "b", "c", "d"].map(game);
        let [a, b, c, d] = &parts;
        for mark in ["\u{feff}", ""] {
            let part = |text: &str, units| wide(&format!("{mark}{text}"), units);
            for little in [2, 4] {
                for big in [2, 4] {
                    let (little, big) = (Wide::new(little, false), Wide::new(big, true));
                    let bytes = [a.as_bytes(), &part(b, little), c.as_bytes(), &part(d, big)].concat();
                    for piece in [1, 7, 64, 1 << 16] {
                        assert_eq!(decoded(&bytes, piece), parts.concat(), "{mark:?} {piece} {little:?} {big:?}");
                    }
                    let bytes = [part(a, big), part(b, big), format!("\u{feff}{c}").into_bytes()].concat();
                    let text = decoded(&bytes, 64).replace('\u{feff}', "");
                    assert_eq!(text, parts[..3].concat(), "{mark:?} {big:?}");
                }
            }
        }
    }

    #[test]
    fn one_mark_after_another_changes_the_units() {
        for first in Wide::ALL {
            for second in Wide::ALL {
                let bytes = [wide("\u{feff}[A \"b\"]\n", first), wide("\u{feff}[C \"d\"]\n", second)].concat();
                assert_eq!(decoded(&bytes, 3), "[A \"b\"]\n[C \"d\"]\n", "{first:?} {second:?}");
            }
        }
    }

    #[test]
    fn what_is_no_letter_is_replaced() {
        let [little, ..] = Wide::ALL;
        let bytes = [&wide("\u{feff}1. e4", little)[..], &[0xFF; 4], &[0, 0xD8, 0, 0], b"*\0\0\0", b"\0"].concat();
        assert_eq!(decoded(&bytes, 5), "1. e4\u{FFFD}\u{FFFD}*\u{FFFD}");
    }

    #[test]
    fn other_bytes_are_passed_on() {
        for bytes in [&b"caf\xE9 \xFF\xFE \xFEx\0\0\0y"[..], b"a\0", b"\0\0\0\0", b"", b"1. e4 *\n\0\0\0"] {
            for piece in [1, 5, 100] {
                let mut text = Vec::new();
                Mixed::new(io::BufReader::with_capacity(piece, bytes), None).read_to_end(&mut text).unwrap();
                assert_eq!(text, bytes, "{bytes:?}");
            }
        }
    }
}
