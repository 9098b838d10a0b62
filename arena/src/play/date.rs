//! Days and times, as PGN writes them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The day in UTC, `2024.02.29`; unknown before 1970.
pub(super) fn day_of(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map(|time| time.as_secs());
    seconds.map_or_else(|_| "????.??.??".to_owned(), |seconds| day(seconds / 86_400))
}

/// The time of the day in UTC, `23:59:59`; unknown before 1970.
pub(super) fn time_of(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map(|time| time.as_secs() % 86_400);
    seconds.map_or_else(|_| "??:??:??".to_owned(), |seconds| duration(Duration::from_secs(seconds)))
}

/// `00:12:34`, in whole seconds.
pub(super) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The day so many days after 1970-01-01, in years that begin in March, so that the leap day is the last one.
///
/// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013).
fn day(days: u64) -> String {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}.{month:02}.{day:02}", 400 * era + year_of_era + next_year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_hours_minutes_and_seconds() {
        let late = UNIX_EPOCH + Duration::from_secs(86_400 + 86_399);
        assert_eq!((day_of(late), time_of(late)), ("1970.01.02".to_owned(), "23:59:59".to_owned()));
        assert_eq!(duration(Duration::from_millis(3_754_999)), "01:02:34");
        assert_eq!(duration(Duration::from_secs(360_000)), "100:00:00");
    }

    #[test]
    fn days_are_counted_through_leap_years() {
        for (days, expected) in [
            (0, "1970.01.01"),
            (58, "1970.02.28"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (11_017, "2000.03.01"),
            (19_782, "2024.02.29"),
            (20_453, "2025.12.31"),
            (47_540, "2100.02.28"),
            (47_541, "2100.03.01"),
        ] {
            assert_eq!(day(days), expected, "{days}");
        }
    }
}
