//! The words of a line, without copies.

use std::num::IntErrorKind;

/// The rest of a line, taken word by word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(crate) const fn new(line: &'a str) -> Self {
        Self { rest: line }
    }

    /// Takes all up to the word `end`, in any case, which is taken too and left out. Returns the text before it and
    /// whether it was there.
    pub(crate) fn until(&mut self, end: &str) -> (&'a str, bool) {
        let start = self.rest;
        loop {
            let before = self.rest;
            match self.next() {
                Some(word) if word.eq_ignore_ascii_case(end) => {
                    return (start[..start.len() - before.len()].trim_ascii(), true);
                }
                Some(_) => {}
                None => return (start.trim_ascii(), false),
            }
        }
    }

    /// All that is left.
    pub(crate) fn rest(self) -> &'a str {
        self.rest.trim_ascii()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_ascii_start();
        let end = text.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Reads a whole number; one too large to hold becomes the largest or the least there is.
pub(crate) fn integer(word: &str) -> Option<i64> {
    word.parse().map_or_else(
        |error: std::num::ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => Some(i64::MAX),
            IntErrorKind::NegOverflow => Some(i64::MIN),
            _ => None,
        },
        Some,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_at_any_ascii_space() {
        let words: Vec<_> = Words::new(" \tgo\x0c depth\t\t5 \r\n").collect();
        assert_eq!(words, ["go", "depth", "5"]);
        assert_eq!(Words::new(" \t").next(), None);
    }

    #[test]
    fn until_keeps_the_text_as_it_is() {
        let mut words = Words::new("  Clear  Hash\tVALUE  C:\\my games ");
        assert_eq!(words.until("value"), ("Clear  Hash", true));
        assert_eq!(words.rest(), "C:\\my games");

        let mut words = Words::new(" valued é ");
        assert_eq!(words.until("value"), ("valued é", false));
        assert_eq!(words.next(), None);

        assert_eq!(Words::new("value").until("value"), ("", true));
    }

    #[test]
    fn integers_saturate() {
        assert_eq!(integer("-12"), Some(-12));
        assert_eq!(integer("+7"), Some(7));
        assert_eq!(integer("9223372036854775808"), Some(i64::MAX));
        assert_eq!(integer("-99999999999999999999"), Some(i64::MIN));
        assert!(["", "-", "abc", "1.5", "0x10", "1e3", "٣"].into_iter().all(|word| integer(word).is_none()));
    }
}
