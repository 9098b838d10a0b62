//! What stands in a cell of a table.

use std::fmt;

use serde::{Serialize, Serializer};

/// What a column has in its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Text.
    Text,
    /// True or false.
    Bool,
    /// A whole number of this many bits.
    Integer {
        /// 16, 32 or 64.
        bits: i8,
        /// Whether it may be negative.
        is_signed: bool,
    },
    /// A number.
    Double,
    /// A day: a [`Date`].
    Date,
    /// A time of the day: a [`TimeOfDay`].
    Time,
}

/// A value, whatever its column.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cell<'a> {
    /// It is not known.
    Null,
    /// Text.
    Text(&'a str),
    /// True or false.
    Bool(bool),
    /// A whole number; of 64 bits without a sign, those bits.
    Integer(i64),
    /// A number.
    Double(f64),
    /// Days since 1 January 1970.
    Date(i32),
    /// Milliseconds since midnight.
    Time(i32),
}

/// A type that a field of a row may have.
pub trait Value {
    /// What its column has.
    const KIND: Kind;
    /// Whether it may be unknown.
    const IS_OPTIONAL: bool = false;

    /// Its cell.
    fn cell(&self) -> Cell<'_>;
}

impl<T: Value> Value for Option<T> {
    const KIND: Kind = T::KIND;
    const IS_OPTIONAL: bool = true;

    fn cell(&self) -> Cell<'_> {
        self.as_ref().map_or(Cell::Null, T::cell)
    }
}

impl Value for String {
    const KIND: Kind = Kind::Text;

    fn cell(&self) -> Cell<'_> {
        Cell::Text(self)
    }
}

impl Value for &str {
    const KIND: Kind = Kind::Text;

    fn cell(&self) -> Cell<'_> {
        Cell::Text(self)
    }
}

impl Value for bool {
    const KIND: Kind = Kind::Bool;

    fn cell(&self) -> Cell<'_> {
        Cell::Bool(*self)
    }
}

impl Value for f64 {
    const KIND: Kind = Kind::Double;

    fn cell(&self) -> Cell<'_> {
        Cell::Double(*self)
    }
}

macro_rules! integers {
    ($($name:ty: $bits:literal, $is_signed:literal;)*) => {$(
        impl Value for $name {
            const KIND: Kind = Kind::Integer { bits: $bits, is_signed: $is_signed };

            fn cell(&self) -> Cell<'_> {
                Cell::Integer((*self).into())
            }
        }
    )*};
}

integers! {
    i16: 16, true;
    i32: 32, true;
    u16: 16, false;
    u32: 32, false;
}

impl Value for u64 {
    const KIND: Kind = Kind::Integer { bits: 64, is_signed: false };

    fn cell(&self) -> Cell<'_> {
        Cell::Integer(self.cast_signed())
    }
}

/// A day of the calendar that is in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// A whole date: `2024.01.31`, also with other signs between its numbers. `None` if a part of it is unknown.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(['.', '-', '/']);
        let [year, month, day] = [parts.next()?, parts.next()?, parts.next()?];
        let number = |part: &str, digits| part.parse::<u16>().ok().filter(|_| part.len() == digits);
        let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u16::from(is_leap),
            1..=12 => 31,
            _ => return None,
        };
        let (month, day_of_month) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
        ((1..=days).contains(&day) && parts.next().is_none()).then_some(Self { year, month, day: day_of_month })
    }

    /// Days since 1 January 1970, by the calendar of today.
    fn days(self) -> i32 {
        // Years begin in March, so that the day that is not in all of them is their last.
        let (year, month) = if self.month > 2 {
            (i32::from(self.year), i32::from(self.month) - 3)
        } else {
            (i32::from(self.year) - 1, i32::from(self.month) + 9)
        };
        let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        let day_of_year = (153 * month + 2) / 5 + i32::from(self.day) - 1;
        365 * year + leap_days + day_of_year - 719_468
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Value for Date {
    const KIND: Kind = Kind::Date;

    fn cell(&self) -> Cell<'_> {
        Cell::Date(self.days())
    }
}

/// A time of the day, to the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeOfDay {
    hour: u8,
    minute: u8,
    second: u8,
}

impl TimeOfDay {
    /// `23:59:59`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let parts: Vec<u8> = text.split(':').map(str::parse::<u8>).collect::<Result<_, _>>().ok()?;
        let [hour @ 0..24, minute @ 0..60, second @ 0..60] = parts[..] else { return None };
        Some(Self { hour, minute, second })
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
    }
}

impl Serialize for TimeOfDay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Value for TimeOfDay {
    const KIND: Kind = Kind::Time;

    fn cell(&self) -> Cell<'_> {
        Cell::Time(1000 * (i32::from(self.hour) * 3600 + i32::from(self.minute) * 60 + i32::from(self.second)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_count_from_the_epoch() {
        let days = |text| Date::parse(text).unwrap().days();
        assert_eq!(["1970.01.01", "1970-01-02", "1969/12/31"].map(days), [0, 1, -1]);
        assert_eq!(["2000.02.29", "2024.02.29", "1851.05.27"].map(days), [11_016, 19_782, -43_318]);
        assert_eq!(Date::parse("2024.02.29").unwrap().to_string(), "2024-02-29");
        for text in ["2023.02.29", "2024.??.??", "2024.13.01", "1.1.2024", "2024.01.00", "2024.01.01.01", "1900.02.29"]
        {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }

    #[test]
    fn times_count_from_midnight() {
        let time = TimeOfDay::parse("9:05:01").unwrap();
        assert_eq!((time.cell(), time.to_string()), (Cell::Time(32_701_000), "09:05:01".to_owned()));
        assert_eq!(["24:00:00", "1:2", "x", "1:60:00"].map(TimeOfDay::parse), [None; 4]);
    }
}
