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

/// Reads the whole number that a word begins with. Returns it and the rest of the word: `100ms` is 100 and `ms`, `60000.5` is
/// 60000 and `.5`, and what begins with a fraction is 0.
pub(crate) fn leading_integer(word: &str) -> Option<(i64, &str)> {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    match (digits(unsigned), unsigned.strip_prefix('.')) {
        (0, Some(fraction)) => (digits(fraction) > 0).then_some((0, unsigned)),
        (0, None) => None,
        (count, _) => {
            let (number, rest) = word.split_at(word.len() - unsigned.len() + count);
            Some((integer(number)?, rest))
        }
    }
}

/// Reads a whole number, whatever fraction it has. The second part is that fraction, if there is one.
pub(crate) fn integer_part(word: &str) -> Option<(i64, Option<&str>)> {
    let (number, rest) = leading_integer(word)?;
    match rest.strip_prefix('.') {
        _ if rest.is_empty() => Some((number, None)),
        Some(fraction) if fraction.bytes().all(|byte| byte.is_ascii_digit()) => Some((number, Some(rest))),
        _ => None,
    }
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

    #[test]
    fn numbers_are_read_as_far_as_they_go() {
        for (word, expected) in [
            ("60000", Some((60_000, ""))),
            ("60000.0", Some((60_000, ".0"))),
            ("-12.5", Some((-12, ".5"))),
            ("+7s", Some((7, "s"))),
            ("100ms", Some((100, "ms"))),
            ("1e3", Some((1, "e3"))),
            (".5", Some((0, ".5"))),
            ("-.5", Some((0, ".5"))),
            ("99999999999999999999ms", Some((i64::MAX, "ms"))),
            ("", None),
            ("-", None),
            (".", None),
            ("ms100", None),
            ("٣", None),
        ] {
            assert_eq!(leading_integer(word), expected, "{word}");
        }
    }

    #[test]
    fn a_unit_is_no_fraction() {
        assert_eq!(integer_part("128"), Some((128, None)));
        assert_eq!(integer_part("128.0"), Some((128, Some(".0"))));
        assert_eq!(integer_part("128."), Some((128, Some("."))));
        assert!(["128MB", "1.5e3", "1.2.3", "x"].into_iter().all(|word| integer_part(word).is_none()));
    }
}
