//! Dates, as far as they are known.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// What the parts of a date may be.
const RANGES: [RangeInclusive<u16>; 3] = [1000..=2999, 1..=12, 1..=31];
/// What separates them.
const SEPARATORS: [char; 3] = ['.', '-', '/'];

/// A date; what is not known of it is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Date {
    /// The year, 1000 to 2999.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: u16,
    /// The day, 1 to 31.
    pub day: u16,
}

/// A text is no date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a date as 2024, 2024-03 or 2024-03-17")]
pub struct DateError;

impl Date {
    /// A date as PGN has it, `2024.03.??`, or with hyphens or slashes, as far as it can be one; `None` if not even the year can.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let parts = text.split(SEPARATORS).zip(RANGES);
        let known = parts.map_while(|(part, range)| part.trim().parse().ok().filter(|part| range.contains(part)));
        let mut known = known.fuse();
        let year = known.next()?;
        let (month, day) = (known.next(), known.next());
        Some(Self { year, month: month.unwrap_or(0), day: day.unwrap_or(0) })
    }

    /// The last day that it may be.
    #[must_use]
    pub const fn latest(self) -> Self {
        let Self { year, month, day } = self;
        Self { year, month: if month == 0 { 12 } else { month }, day: if day == 0 { 31 } else { day } }
    }

    /// As one number that is sorted as the date is: 20240317.
    #[must_use]
    pub fn as_number(self) -> u32 {
        u32::from(self.year) * 10_000 + u32::from(self.month) * 100 + u32::from(self.day)
    }

    /// The date of such a number; `None` if there is none.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        Self::read(&format!("{}.{}.{}", number / 10_000, number / 100 % 100, number % 100))
    }
}

/// A year, a month or a day that somebody asks for: all of the text has to be one.
impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let date = Self::read(text).ok_or(DateError)?;
        let known = [date.year, date.month, date.day].into_iter().filter(|&part| part > 0).count();
        if text.split(SEPARATORS).count() == known { Ok(date) } else { Err(DateError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: u16, month: u16, day: u16) -> Date {
        Date { year, month, day }
    }

    #[test]
    fn dates_are_read_as_far_as_they_are_known() {
        for (text, read) in [
            ("2024.03.17", date(2024, 3, 17)),
            ("2024-3-17", date(2024, 3, 17)),
            ("2024.03.??", date(2024, 3, 0)),
            ("2024", date(2024, 0, 0)),
            ("2024-??-17", date(2024, 0, 0)),
            ("2024.13.40", date(2024, 0, 0)),
            ("2024.1.32", date(2024, 1, 0)),
        ] {
            assert_eq!(Date::read(text), Some(read), "{text}");
            assert_eq!(Date::from_number(read.as_number()), Some(read), "{text}");
        }
        for text in ["????.??.??", "", "99.1.1", "3000", "70000.1.1", "x"] {
            assert_eq!(Date::read(text), None, "{text}");
        }
        assert_eq!(date(2024, 0, 0).latest(), date(2024, 12, 31));
        assert_eq!(date(2024, 3, 0).as_number(), 20_240_300);
        assert_eq!(Date::from_number(0), None);
    }

    #[test]
    fn what_is_asked_for_is_a_date_as_a_whole() {
        assert_eq!("2024".parse(), Ok(date(2024, 0, 0)));
        assert_eq!("2024-03".parse(), Ok(date(2024, 3, 0)));
        assert_eq!("2024/03/17".parse(), Ok(date(2024, 3, 17)));
        for text in ["2024-??", "2024.13", "2024-02-01-01", "2024-", "soon", ""] {
            assert_eq!(text.parse::<Date>(), Err(DateError), "{text}");
        }
    }
}
