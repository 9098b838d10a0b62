//! Dates, as far as they are known.

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

impl Date {
    /// A date as PGN has it, `2024.03.??`, or with hyphens or slashes; `None` if not even the year is one.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(['.', '-', '/']).map_while(|part| part.trim().parse::<u16>().ok()).fuse();
        let mut next = || parts.next().unwrap_or(0);
        let (year, month, day) = (next(), next(), next());
        ((1000..3000).contains(&year) && month <= 12 && day <= 31).then_some(Self { year, month, day })
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_far_as_they_are_known() {
        let date = |year, month, day| Some(Date { year, month, day });
        assert_eq!(Date::read("2024.03.17"), date(2024, 3, 17));
        assert_eq!(Date::read("2024.03.??"), date(2024, 3, 0));
        assert_eq!((Date::read("2024"), Date::read("2024-??-17")), (date(2024, 0, 0), date(2024, 0, 0)));
        for text in ["????.??.??", "", "2024-13", "2024.1.32", "99.1.1", "3000", "70000.1.1"] {
            assert_eq!(Date::read(text), None, "{text}");
        }
        assert_eq!(date(2024, 0, 0).map(Date::latest), date(2024, 12, 31));
        assert_eq!(date(2024, 3, 0).map(Date::as_number), Some(20_240_300));
    }
}
