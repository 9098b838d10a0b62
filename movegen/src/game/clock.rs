//! Time controls and clocks.
//!
//! A clock measures no time: each move comes with the time it took. Increments are added after each move; an
//! increment before the first move must be part of the time at the start. The time of the next period is added with the
//! last move of the period before. A flag falls when more time was used than was left.
//!
//! Sources: FIDE Laws of Chess (2023), 6 and the glossary; PGN Standard (1994), 9.6.1, for the text.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The increment or delay of each move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Bonus {
    /// None.
    #[default]
    None,
    /// This time is added after each move (Fischer).
    Increment(Duration),
    /// The clock waits this long before it runs (simple or US delay).
    Delay(Duration),
    /// The time used, up to this much, is given back after each move (Bronstein).
    ///
    /// Equivalent to the simple delay if the delay is also added to the time of the first period.
    Bronstein(Duration),
}

/// A period of a time control.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Period {
    /// The number of moves, at least 1; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// The time added when the period begins.
    pub time: Duration,
    /// The increment or delay of each move.
    pub bonus: Bonus,
}

/// A time control: periods, one after the other. If the last one counts moves, it repeats.
///
/// The text format is PGN's: `40/5400:1800+30` is 40 moves in 90 minutes, then half an hour for the rest with an
/// increment of 30 seconds in that second period, and `-` is no clock. `60d5` and `60b5` are a minute with five
/// seconds' simple and Bronstein delay; seconds may have decimals.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct TimeControl(Vec<Period>);

/// Why a text or a list of periods is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimeControlError {
    /// Not written as a number of seconds, or more than a hundred days.
    #[error("{0:?} is not a number of seconds")]
    Time(String),
    /// Not a number of moves from 1 to 10,000.
    #[error("{0:?} is not a number of moves")]
    Moves(String),
    /// No period at all, or more than a hundred.
    #[error("a time control has from one to {} periods", TimeControl::MAX_PERIODS)]
    Periods,
    /// A period for the rest of the game with another one after it.
    #[error("a period before the last must say for how many moves it is")]
    EndlessPeriod,
}

impl TimeControl {
    /// No clock.
    pub const UNLIMITED: Self = Self(Vec::new());

    const MAX_PERIODS: usize = 100;
    const MAX_MOVES: u32 = 10_000;
    const MAX_SECONDS: u64 = 100 * 24 * 60 * 60;

    /// A time control with these periods.
    ///
    /// # Errors
    ///
    /// If there are none or far too many, if one before the last is for the rest of the game, or if a number is out
    /// of range.
    pub fn new(periods: impl Into<Vec<Period>>) -> Result<Self, TimeControlError> {
        let periods = periods.into();
        if !(1..=Self::MAX_PERIODS).contains(&periods.len()) {
            return Err(TimeControlError::Periods);
        }
        if periods[..periods.len() - 1].iter().any(|period| period.moves.is_none()) {
            return Err(TimeControlError::EndlessPeriod);
        }
        for period in &periods {
            if period.moves.is_some_and(|moves| !(1..=Self::MAX_MOVES).contains(&moves)) {
                return Err(TimeControlError::Moves(period.moves.unwrap_or_default().to_string()));
            }
            if let Some(time) =
                [period.time, period.bonus.amount()].into_iter().find(|time| time.as_secs() > Self::MAX_SECONDS)
            {
                return Err(TimeControlError::Time(Seconds(time).to_string()));
            }
        }
        Ok(Self(periods))
    }

    /// One period for the whole game.
    ///
    /// # Errors
    ///
    /// If a time is out of range.
    pub fn whole_game(time: Duration, bonus: Bonus) -> Result<Self, TimeControlError> {
        Self::new([Period { moves: None, time, bonus }])
    }

    /// A fixed time for each move, without saving unused time.
    ///
    /// # Errors
    ///
    /// If the time is out of range.
    pub fn per_move(time: Duration) -> Result<Self, TimeControlError> {
        Self::whole_game(Duration::ZERO, Bonus::Delay(time))
    }

    /// The periods; empty without a clock.
    #[must_use]
    pub fn periods(&self) -> &[Period] {
        &self.0
    }

    /// The clock before the first move, if there is one.
    #[must_use]
    pub fn clock(&self) -> Option<Clock> {
        self.0.first().map(|first| Clock { remaining: first.time, moves_made: 0, period: 0 })
    }

    fn period(&self, clock: &Clock) -> Period {
        const UNTIMED: Period = Period { moves: None, time: Duration::ZERO, bonus: Bonus::None };
        self.0.get(usize::from(clock.period)).copied().unwrap_or(UNTIMED)
    }

    /// The increment or delay in the current period of this clock.
    #[must_use]
    pub fn bonus(&self, clock: &Clock) -> Bonus {
        self.period(clock).bonus
    }

    /// Moves until the next period; `None` if the current one is for the rest of the game.
    #[must_use]
    pub fn moves_to_go(&self, clock: &Clock) -> Option<u32> {
        self.period(clock).moves.map(|moves| moves.saturating_sub(clock.moves_made).max(1))
    }

    /// The longest time the next move may take before the flag falls.
    #[must_use]
    pub fn allowance(&self, clock: &Clock) -> Duration {
        match self.bonus(clock) {
            Bonus::Delay(delay) => clock.remaining.saturating_add(delay),
            Bonus::None | Bonus::Increment(_) | Bonus::Bronstein(_) => clock.remaining,
        }
    }

    /// The clock after a move that took this long; `None` if the flag fell first.
    #[must_use]
    pub fn press(&self, clock: &Clock, elapsed: Duration) -> Option<Clock> {
        let period = self.period(clock);
        let running = match period.bonus {
            Bonus::Delay(delay) => elapsed.saturating_sub(delay),
            Bonus::None | Bonus::Increment(_) | Bonus::Bronstein(_) => elapsed,
        };
        let mut remaining = clock.remaining.checked_sub(running)?;
        match period.bonus {
            Bonus::Increment(increment) => remaining = remaining.saturating_add(increment),
            Bonus::Bronstein(delay) => remaining = remaining.saturating_add(elapsed.min(delay)),
            Bonus::None | Bonus::Delay(_) => {}
        }
        let mut next = Clock { remaining, moves_made: clock.moves_made + 1, ..*clock };
        if period.moves.is_some_and(|moves| next.moves_made >= moves) {
            next.moves_made = 0;
            next.period = (next.period + 1).min((self.0.len() - 1) as u8);
            next.remaining = next.remaining.saturating_add(self.period(&next).time);
        }
        Some(next)
    }
}

/// The state of a player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clock {
    remaining: Duration,
    /// In this period.
    moves_made: u32,
    period: u8,
}

impl Clock {
    /// The time left, without a delay.
    #[must_use]
    pub const fn remaining(&self) -> Duration {
        self.remaining
    }

    /// The same clock with time added by an arbiter.
    pub(super) const fn with_more(self, time: Duration) -> Self {
        Self { remaining: self.remaining.saturating_add(time), ..self }
    }

    /// The same clock with the flag fallen.
    pub(super) const fn run_down(self) -> Self {
        Self { remaining: Duration::ZERO, ..self }
    }
}

impl Bonus {
    /// The time of the increment or delay.
    #[must_use]
    pub const fn amount(self) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::Increment(time) | Self::Delay(time) | Self::Bronstein(time) => time,
        }
    }
}

/// A duration in seconds, with decimals as needed.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs())?;
        match self.0.subsec_nanos() {
            0 => Ok(()),
            nanos => write!(f, ".{}", format!("{nanos:09}").trim_end_matches('0')),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("-");
        }
        for (index, Period { moves, time, bonus }) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ":" })?;
            moves.map_or(Ok(()), |moves| write!(f, "{moves}/"))?;
            write!(f, "{}", Seconds(*time))?;
            match bonus {
                Bonus::None => {}
                Bonus::Increment(time) => write!(f, "+{}", Seconds(*time))?,
                Bonus::Delay(time) => write!(f, "d{}", Seconds(*time))?,
                Bonus::Bronstein(time) => write!(f, "b{}", Seconds(*time))?,
            }
        }
        Ok(())
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        if text == "-" {
            return Ok(Self::UNLIMITED);
        }
        // One more than allowed, so that a long text is refused without reading all of it.
        Self::new(text.split(':').take(Self::MAX_PERIODS + 1).map(read_period).collect::<Result<Vec<_>, _>>()?)
    }
}

fn read_period(text: &str) -> Result<Period, TimeControlError> {
    let (moves, rest) = match text.split_once('/') {
        None => (None, text),
        Some((moves, rest)) => (Some(moves.parse().map_err(|_| TimeControlError::Moves(cut(moves)))?), rest),
    };
    let (time, bonus) = match rest.find(['+', 'd', 'b']) {
        None => (rest, Bonus::None),
        Some(at) => {
            let amount = read_seconds(&rest[at + 1..])?;
            let bonus = match rest.as_bytes()[at] {
                b'+' => Bonus::Increment(amount),
                b'd' => Bonus::Delay(amount),
                _ => Bonus::Bronstein(amount),
            };
            (&rest[..at], if amount.is_zero() { Bonus::None } else { bonus })
        }
    };
    Ok(Period { moves, time: read_seconds(time)?, bonus })
}

fn read_seconds(text: &str) -> Result<Duration, TimeControlError> {
    let error = || TimeControlError::Time(cut(text));
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) {
        return Err(error());
    }
    let seconds: u64 = whole.parse().map_err(|_| error())?;
    let nanos = decimals
        .bytes()
        .chain(std::iter::repeat(b'0'))
        .take(9)
        .fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0'));
    if seconds > TimeControl::MAX_SECONDS { Err(error()) } else { Ok(Duration::new(seconds, nanos)) }
}

fn cut(text: &str) -> String {
    text.chars().take(32).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn control(text: &str) -> TimeControl {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// What remains after moves that took this many seconds each; the flag must not fall.
    fn remaining(control: &TimeControl, moves: impl IntoIterator<Item = u64>) -> Duration {
        let clock = control.clock().unwrap();
        moves.into_iter().fold(clock, |clock, took| control.press(&clock, seconds(took)).unwrap()).remaining()
    }

    #[test]
    fn an_increment_is_kept() {
        let control = control("60+5");
        assert_eq!(remaining(&control, [10]), seconds(55));
        assert_eq!(remaining(&control, [0, 0, 0]), seconds(75));
    }

    #[test]
    fn an_increment_comes_after_the_move() {
        let control = control("3+5");
        let clock = control.clock().unwrap();
        assert_eq!(control.allowance(&clock), seconds(3));
        assert_eq!(control.press(&clock, seconds(4)), None);
        // The last moment still counts.
        assert_eq!(control.press(&clock, seconds(3)).unwrap().remaining(), seconds(5));
        assert_eq!(control.press(&clock, seconds(3) + Duration::from_nanos(1)), None);
    }

    #[test]
    fn a_simple_delay_comes_first_and_is_never_kept() {
        let control = control("10d5");
        assert_eq!(remaining(&control, [4, 5, 0]), seconds(10));
        assert_eq!(remaining(&control, [8]), seconds(7));
        let clock = control.clock().unwrap();
        assert_eq!(control.allowance(&clock), seconds(15));
        assert_eq!(control.press(&clock, seconds(15)).unwrap().remaining(), Duration::ZERO);
        assert_eq!(control.press(&clock, seconds(16)), None);
    }

    #[test]
    fn a_bronstein_delay_gives_back_what_was_used() {
        let control = control("10b5");
        assert_eq!(remaining(&control, [4, 5, 0]), seconds(10));
        assert_eq!(remaining(&control, [8]), seconds(7));
        let clock = control.clock().unwrap();
        assert_eq!(control.allowance(&clock), seconds(10));
        assert_eq!(control.press(&clock, seconds(11)), None);
    }

    #[test]
    fn a_time_for_each_move_is_not_saved() {
        let control = TimeControl::per_move(seconds(5)).unwrap();
        let clock = control.clock().unwrap();
        let later = control.press(&clock, seconds(1)).unwrap();
        assert_eq!((control.allowance(&later), control.press(&later, seconds(6))), (seconds(5), None));
    }

    #[test]
    fn periods_follow_one_another_and_keep_what_is_left() {
        let control = control("2/100:3/50+1:20d2");
        let mut clock = control.clock().unwrap();
        assert_eq!(control.moves_to_go(&clock), Some(2));
        let mut press = |took| {
            clock = control.press(&clock, seconds(took)).unwrap();
            (clock.remaining().as_secs(), control.moves_to_go(&clock))
        };
        assert_eq!(press(10), (90, Some(1)));
        assert_eq!(press(10), (80 + 50, Some(3)));
        assert_eq!(press(0), (131, Some(2)));
        assert_eq!(press(0), (132, Some(1)));
        // The increment of the period in which the move is made.
        assert_eq!(press(0), (133 + 20, None));
        assert_eq!(press(3), (152, None));
    }

    #[test]
    fn the_last_period_repeats_if_it_counts_moves() {
        let control = control("2/100:1/10");
        assert_eq!(remaining(&control, [0, 0]), seconds(110));
        assert_eq!(remaining(&control, [0; 7]), seconds(160));
        let clock = control.clock().unwrap();
        let late = control.press(&clock, seconds(99)).unwrap();
        assert_eq!(control.press(&late, seconds(2)), None, "the second move was not made in time");
    }

    #[test]
    fn text_is_read_and_written() {
        for text in ["-", "60", "180+2", "40/5400:1800+30", "40/5400+30:20/3600:900+30", "0.1+0.001", "60d5", "60b2.5"]
        {
            assert_eq!(control(text).to_string(), text);
        }
        assert_eq!(control("180+0").to_string(), "180");
        assert_eq!(control("60.50").to_string(), "60.5");
        assert_eq!(control("-"), TimeControl::UNLIMITED);
    }

    #[test]
    fn bad_text_is_refused() {
        use TimeControlError::{EndlessPeriod, Moves, Periods, Time};
        for (text, error) in [
            ("", Time(String::new())),
            ("?", Time("?".to_owned())),
            ("*180", Time("*180".to_owned())),
            ("-5", Time("-5".to_owned())),
            ("5+", Time(String::new())),
            ("5+-1", Time("-1".to_owned())),
            ("5.", Time(String::from("5."))),
            (".5", Time(String::from(".5"))),
            ("1e3", Time("1e3".to_owned())),
            ("99999999999999999999999", Time("99999999999999999999999".to_owned())),
            ("9000000", Time("9000000".to_owned())),
            ("0/60", Moves("0".to_owned())),
            ("x/60", Moves("x".to_owned())),
            ("99999/60", Moves("99999".to_owned())),
            ("60:60", EndlessPeriod),
        ] {
            assert_eq!(text.parse::<TimeControl>(), Err(error), "{text}");
        }
        assert_eq!("1/1:".repeat(1 << 20).parse::<TimeControl>().unwrap_err(), Periods);
        assert_eq!(TimeControl::new([]), Err(Periods));
    }

    proptest! {
        /// The claim of [`Bonus::Bronstein`]'s documentation.
        #[test]
        fn bronstein_with_the_delay_in_advance_is_the_simple_delay(
            time in 0..30_u64, delay in 0..10_u64, moves in prop::collection::vec(0..20_u64, 0..20),
        ) {
            let simple = TimeControl::whole_game(seconds(time), Bonus::Delay(seconds(delay))).unwrap();
            let bronstein = TimeControl::whole_game(seconds(time + delay), Bonus::Bronstein(seconds(delay))).unwrap();
            let mut clocks = Some((simple.clock().unwrap(), bronstein.clock().unwrap()));
            for took in moves.into_iter().map(seconds) {
                let Some((one, other)) = clocks else { break };
                prop_assert_eq!(simple.allowance(&one), bronstein.allowance(&other));
                let pressed = (simple.press(&one, took), bronstein.press(&other, took));
                prop_assert_eq!(pressed.0.is_some(), pressed.1.is_some());
                clocks = pressed.0.zip(pressed.1);
            }
        }

        #[test]
        fn what_is_written_can_be_read(text in "[0-9]{1,2}/[0-9]{1,5}(\\.[0-9]{1,3})?([+db][0-9]{1,3})?(:[1-9]{1,6})?") {
            if let Ok(control) = text.parse::<TimeControl>() {
                prop_assert_eq!(control.to_string().parse(), Ok(control));
            }
        }

        #[test]
        fn any_text_is_read_or_refused_briefly(text in "\\PC*|[0-9:/+db.-]*") {
            match text.parse::<TimeControl>() {
                Ok(control) => prop_assert_eq!(control.to_string().parse(), Ok(control)),
                Err(error) => prop_assert!(error.to_string().chars().count() < 400, "{}", error),
            }
        }
    }
}
