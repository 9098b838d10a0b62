//! Text in UTF-8 and UTF-16, also both in one file: parts that were written by different programs and joined.
//!
//! What is not UTF-16 is passed on as it is. UTF-16 begins with its mark, or shows by the zeros in the letters that games are
//! written in. It ends where UTF-8 has its mark, or where a line begins with a tag or a move in single bytes.

use std::io::{self, BufRead, Read};

/// Bytes that are looked at together.
const BUFFER: usize = 1 << 16;
/// Bytes that are enough to see a change of the encoding.
const AHEAD: usize = 16;
/// So many letters in a row with zeros show UTF-16.
const UNITS: usize = 4;

/// Which byte of a unit of UTF-16 comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    const fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }

    /// Whether a text begins with letters of ASCII in this order; at its end there may be few.
    fn begins(self, text: &[u8]) -> bool {
        let (units, _) = text.as_chunks::<2>();
        let is_plain = |bytes: &[u8; 2]| matches!(self.unit(*bytes), 9..=0x7E);
        !units.is_empty() && units.iter().take(UNITS).all(is_plain)
    }
}

/// The order of a text that begins like this; `None` for single bytes.
pub(super) fn order_of(start: &[u8]) -> Option<Order> {
    match start {
        [0xFF, 0xFE, ..] => Some(Order::Little),
        [0xFE, 0xFF, ..] => Some(Order::Big),
        _ if start.len() < 2 * UNITS => None,
        _ => [Order::Little, Order::Big].into_iter().find(|order| order.begins(start)),
    }
}

/// Text of any of these encodings as UTF-8, but for what is neither, which is passed on.
pub(super) struct Mixed<R> {
    input: R,
    /// `None` in single bytes.
    order: Option<Order>,
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
    pub const fn new(input: R, order: Option<Order>) -> Self {
        let is_as_stored = order.is_none();
        Self { input, order, raw: Vec::new(), text: Vec::new(), taken: 0, half: None, is_over: false, is_as_stored }
    }

    /// Whether all that has been read stands so in the input, byte by byte.
    pub const fn is_as_stored(&self) -> bool {
        self.is_as_stored
    }

    /// Decodes what has been read, but for the end if more may come.
    fn decode(&mut self) {
        let raw = std::mem::take(&mut self.raw);
        let mut at = 0;
        while at < raw.len() && (self.is_over || raw.len() - at >= AHEAD || self.order.is_none()) {
            let rest = &raw[at..];
            let length = match self.order {
                None => self.decode_bytes(rest),
                Some(order) => self.decode_units(rest, order),
            };
            if length == 0 {
                break;
            }
            at += length;
        }
        self.raw = raw;
        self.raw.drain(..at);
    }

    /// Passes single bytes on up to what may be UTF-16. Returns how many have been dealt with; 0 if more must be seen.
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
        let (order, skipped) = match rest {
            [0xFF, 0xFE, after @ ..] if Order::Little.begins(after) => (Order::Little, 2),
            [0xFE, 0xFF, after @ ..] if Order::Big.begins(after) => (Order::Big, 2),
            // The first letter has been taken for a byte, which it is without its zero.
            [0, after @ ..] if before == Some(b'[') && rest.len() > 2 * UNITS && Order::Little.begins(after) => {
                (Order::Little, 1)
            }
            [0, ..] if matches!(before, None | Some(b'\n')) && rest.len() > 2 * UNITS && Order::Big.begins(rest) => {
                (Order::Big, 0)
            }
            _ => {
                self.text.extend_from_slice(&bytes[..=at]);
                return at + 1;
            }
        };
        self.text.extend_from_slice(&bytes[..at]);
        (self.order, self.is_as_stored) = (Some(order), false);
        at + skipped
    }

    /// Decodes a unit. Returns how many bytes have been dealt with.
    fn decode_units(&mut self, bytes: &[u8], order: Order) -> usize {
        let is_at_line = matches!(self.text.last(), None | Some(b'\n'));
        if bytes.starts_with(b"\xEF\xBB\xBF") || is_at_line && begins_in_bytes(bytes) {
            self.order = None;
            return if bytes.starts_with(b"\xEF") { 3 } else { self.decode_bytes(bytes) };
        }
        let &[one, two, ..] = bytes else {
            // Half a letter at the end of the file.
            self.push('\u{FFFD}');
            return bytes.len();
        };
        match (order.unit([one, two]), self.half.take()) {
            (0xFEFF, _) => {}
            (0xFFFE, _) => self.order = Some(if order == Order::Little { Order::Big } else { Order::Little }),
            (unit @ 0xD800..=0xDBFF, _) => self.half = Some(unit),
            (unit, half) => {
                let units = half.into_iter().chain([unit]);
                for letter in char::decode_utf16(units) {
                    self.push(letter.unwrap_or('\u{FFFD}'));
                }
            }
        }
        2
    }

    fn push(&mut self, letter: char) {
        self.text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
    }
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

    fn utf16(text: &str, order: Order) -> Vec<u8> {
        let bytes = |unit: u16| if order == Order::Little { unit.to_le_bytes() } else { unit.to_be_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    fn decoded(bytes: &[u8], piece: usize) -> String {
        let input = io::BufReader::with_capacity(piece, bytes);
        let mut text = Vec::new();
        Mixed::new(input, order_of(&bytes[..bytes.len().min(10)])).read_to_end(&mut text).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    }

    #[test]
    fn parts_of_any_encoding_are_read_as_one() {
        let game = |name: &str| format!("[Event \"{name}\"]\n\n1. e4 {{ Ř 中 𝄞 }} *\n\n");
        let parts = ["a", "b", "c", "d"].map(game);
        for mark in ["\u{feff}", ""] {
            let wide = |text: &str, order| utf16(&format!("{mark}{text}"), order);
            let [a, b, c, d] = &parts;
            let bytes = [a.as_bytes(), &wide(b, Order::Little), c.as_bytes(), &wide(d, Order::Big)].concat();
            for piece in [1, 7, 64, 1 << 16] {
                assert_eq!(decoded(&bytes, piece), parts.concat(), "{mark:?} {piece}");
            }
            let bytes = [wide(a, Order::Big), wide(b, Order::Big), format!("\u{feff}{c}").into_bytes()].concat();
            let text = decoded(&bytes, 64).replace('\u{feff}', "");
            assert_eq!(text, parts[..3].concat(), "{mark:?}");
        }
        let swapped = [utf16("\u{feff}[A \"b\"]\n", Order::Big), utf16("\u{feff}[C \"d\"]\n", Order::Little)].concat();
        assert_eq!(decoded(&swapped, 3), "[A \"b\"]\n[C \"d\"]\n");
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
