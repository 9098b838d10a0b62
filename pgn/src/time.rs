//! Times as comments have them, and what a time of two parts means.

use std::fmt;
use std::time::Duration;

use crate::tags::Tags;
use crate::tree::{NodeId, Tree};

/// `1:02:03`, `0:00:03.25`, to the millisecond; hours and minutes may be missing.
pub(super) fn read_time(text: &str) -> Option<Duration> {
    let (mut seconds, mut part, mut parts, mut digits) = (0_u64, 0_u64, 1, 0);
    let mut bytes = text.trim().bytes();
    for byte in bytes.by_ref() {
        match byte {
            b'0'..=b'9' => {
                part = part.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
                digits += 1;
            }
            b':' if digits > 0 && parts < 3 => {
                seconds = seconds.checked_add(part)?.checked_mul(60)?;
                (part, parts, digits) = (0, parts + 1, 0);
            }
            b'.' => {
                let (mut millis, mut scale, mut any) = (0, 100, false);
                for byte in bytes.by_ref() {
                    millis += scale * u64::from(byte.checked_sub(b'0').filter(|digit| *digit < 10)?);
                    (scale, any) = (scale / 10, true);
                }
                let whole = (digits > 0).then(|| seconds.checked_add(part))??;
                return any.then(|| Some(Duration::from_millis(whole.checked_mul(1000)?.checked_add(millis)?)))?;
            }
            _ => return None,
        }
    }
    let whole = (digits > 0).then(|| seconds.checked_add(part))??;
    whole.checked_mul(1000).map(Duration::from_millis)
}

/// A time with the decimals it needs, to the millisecond: `0:00:03.25`.
pub(super) struct Time(pub Duration);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            millis => write!(f, ".{}", format!("{millis:03}").trim_end_matches('0')),
        }
    }
}

/// A text of a time if it is not as [`Time`] writes it.
pub(super) fn unusual(text: &str, time: Duration) -> Option<Box<str>> {
    let text = text.trim();
    // `0:05:00`, as nearly all have it.
    let is_usual = match text.as_bytes() {
        [b'0'..=b'9', b':', b'0'..=b'5', b'0'..=b'9', b':', b'0'..=b'5', b'0'..=b'9'] => true,
        _ => Time(time).to_string() == text,
    };
    (!is_usual).then(|| text.into())
}

/// The parts of `1:30`, if a text has two.
fn two_parts(text: &str) -> Option<(u64, u64)> {
    let (first, second) = text.split_once(':')?;
    Some((first.parse().ok()?, second.parse().ok()?))
}

/// What a clock of two parts shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parts {
    HoursAndMinutes,
    MinutesAndSeconds,
}

/// Decides what clocks of two parts show, by the time control and by the clocks themselves, and sets them so.
///
/// They have been read as minutes and seconds. Broadcasts of slow games leave the seconds out; Lichess, too, takes a clock
/// of two parts for hours and minutes.
pub(super) fn settle_clocks(tags: &Tags, tree: &mut Tree) {
    let is_short = |id: NodeId| tree.node(id).clock_text.as_deref().is_some_and(|text| two_parts(text).is_some());
    let short: Vec<_> = tree.ids().filter(|&id| is_short(id)).collect();
    if short.is_empty() || parts(tags, tree) == Parts::MinutesAndSeconds {
        return;
    }
    for id in short {
        let node = tree.node_mut(id);
        let parts = node.clock_text.as_deref().and_then(two_parts);
        let minutes = parts.and_then(|(hours, minutes)| hours.checked_mul(60)?.checked_add(minutes)?.checked_mul(60));
        node.clock = minutes.map(Duration::from_secs).or(node.clock);
    }
}

fn parts(tags: &Tags, tree: &Tree) -> Parts {
    let line: Vec<NodeId> = tree.main_line().map(|(id, _)| id).collect();
    let text = |id: NodeId| tree.node(id).clock_text.as_deref();
    let shown: Vec<(u64, u64)> = line.iter().filter_map(|&id| two_parts(text(id)?)).collect();
    let Some(&(first, second)) = shown.first() else { return Parts::MinutesAndSeconds };
    // No game gives ten hours or more.
    if shown.iter().any(|&(first, _)| first > 9) {
        return Parts::MinutesAndSeconds;
    }
    if let Some(base) = base_seconds(tags.get("TimeControl").unwrap_or_default()) {
        let error = |seconds: u64| seconds.abs_diff(base);
        let as_hours = error(60 * (60 * first + second));
        return if as_hours < error(60 * first + second) { Parts::HoursAndMinutes } else { Parts::MinutesAndSeconds };
    }
    // Beside clocks of three parts the player's own last one tells: `1:00:02`, `59:58` or `2:00:00`, `1:59`.
    let mut whole = [None; 2];
    for (ply, &id) in line.iter().enumerate() {
        match (text(id).and_then(two_parts), whole[ply % 2]) {
            (None, _) => whole[ply % 2] = tree.node(id).clock.or(whole[ply % 2]),
            (Some((hours, minutes)), Some(before)) => {
                let as_hours = Duration::from_secs(60 * (60 * hours + minutes));
                let as_minutes = Duration::from_secs(60 * hours + minutes);
                let is_nearer = before.abs_diff(as_hours) < before.abs_diff(as_minutes);
                return if is_nearer { Parts::HoursAndMinutes } else { Parts::MinutesAndSeconds };
            }
            (Some(_), None) => {}
        }
    }
    if whole.iter().any(Option::is_some) {
        return Parts::MinutesAndSeconds;
    }
    // Where only minutes are shown, a clock often shows the same after the next move of the same player.
    let pairs = line.iter().zip(line.iter().skip(2)).filter_map(|(&one, &next)| Some((text(one)?, text(next)?)));
    let (same, all) = pairs.fold((0, 0), |(same, all), (one, next)| (same + usize::from(one == next), all + 1));
    if all >= 8 && 3 * same >= all { Parts::HoursAndMinutes } else { Parts::MinutesAndSeconds }
}

/// The seconds that each player begins with: `5400+30`, `40/7200:3600`; `90+30` is in minutes in no standard, so not here.
fn base_seconds(control: &str) -> Option<u64> {
    let first = control.split(':').next()?.split('+').next()?;
    let seconds = first.rsplit('/').next()?.trim();
    seconds.parse().ok().filter(|&seconds: &u64| seconds > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        for (text, millis) in [
            ("0:05:00", Some(300_000)),
            ("1:02:03", Some(3_723_000)),
            ("0:00:03.25", Some(3_250)),
            ("59.5", Some(59_500)),
            ("1:30", Some(90_000)),
            ("26:00:00", Some(93_600_000)),
            ("0:0:4", Some(4_000)),
            ("7", Some(7_000)),
            (" 0.0109 ", Some(10)),
            ("", None),
            ("x", None),
            (":5", None),
            ("5:", None),
            ("1.", None),
            ("1:2:3:4", None),
            ("-0:00:03", None),
            ("1:.5", None),
            ("99999999999999999999", None),
            ("18446744073709551615:0:0", None),
        ] {
            assert_eq!(read_time(text).map(|time| time.as_millis()), millis, "{text:?}");
        }
        assert_eq!(Time(Duration::from_millis(3_250)).to_string(), "0:00:03.25");
        let text = |text| unusual(text, read_time(text).unwrap());
        assert_eq!((text("0:05:00"), text("10:05:00.5"), text("1:30").as_deref()), (None, None, Some("1:30")));
        assert_eq!(text("00:05:00").as_deref(), Some("00:05:00"));
    }
}
