//! Numbers as few bytes, and bytes read without trust.

/// Adds a number, seven bits a byte and the lowest first.
pub fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Adds a text with its length before it, cut after so many letters.
pub fn put_text(bytes: &mut Vec<u8>, text: &str, most: usize) {
    let end = text.char_indices().nth(most).map_or(text.len(), |(end, _)| end);
    put_number(bytes, end as u64);
    bytes.extend_from_slice(&text.as_bytes()[..end]);
}

/// What is still to be read; everything is `None` where there is too little.
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next bytes.
    pub fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// A number as [`put_number`] writes it.
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// A number that fits into 32 bits.
    pub fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    /// A number of so many bytes, the lowest first.
    pub fn fixed(&mut self, length: usize) -> Option<u64> {
        Some(self.take(length)?.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    }

    /// A text as [`put_text`] writes it.
    pub fn text(&mut self) -> Option<String> {
        let length = self.small()?;
        Some(String::from_utf8_lossy(self.take(length as usize)?).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let numbers = [0, 1, 127, 128, 16_383, 16_384, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| put_number(&mut bytes, number));
        put_text(&mut bytes, "Łódź, Ana", 4);
        let mut read = Bytes(&bytes);
        assert!(numbers.iter().all(|&number| read.number() == Some(number)));
        assert_eq!((read.text().as_deref(), read.number()), (Some("Łódź"), None));
    }

    #[test]
    fn any_bytes_are_survived() {
        assert_eq!(Bytes(&[0xFF; 30]).number(), None);
        assert_eq!(Bytes(&[0x80]).number(), None);
        assert_eq!(Bytes(&[200, 1, b'x']).text(), None);
        assert_eq!(Bytes(&[0xFF, 0xFF, 0xFF, 0xFF, 0x1F]).small(), None);
        assert_eq!((Bytes(&[1, 2]).fixed(2), Bytes(&[1]).fixed(2)), (Some(0x201), None));
    }
}
