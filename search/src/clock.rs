//! How long to think, with increments, moves to go or sudden death: a soft limit, looked at between iterations, and a
//! hard one that ends a search in its midst.
//!
//! Source: the Chess Programming Wiki, "Time Management".

use std::time::{Duration, Instant};

use movegen::Color;

use crate::{Limits, Settings};

/// The least time any search gets, whatever the clock shows.
const LEAST: Duration = Duration::from_millis(1);
/// Moves to plan for when the control does not say, and the most when it does.
const PLANNED_MOVES: u32 = 25;
const MOST_PLANNED_MOVES: u32 = 50;
/// The greatest share of the remaining time for one move, and for the last one before the control.
const GREATEST_SHARE: f64 = 0.7;
const GREATEST_LAST_SHARE: f64 = 0.85;
/// How many times the overhead of a move is left on the clock, or half of the clock where that is less: on a busy
/// machine a move now and then takes much longer than the engine sees, and with an increment games live on what is left.
const RESERVE: u32 = 5;
/// How often the usual time a move that needs it may take.
const STRETCH: f64 = 12.0;
/// Larger increments change nothing; the bound keeps sums from overflowing.
const MOST_INCREMENT: Duration = Duration::from_secs(1 << 32);

/// The time limits of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    received: Instant,
    /// 0 for real time.
    nodes_per_millisecond: u64,
    /// What an average move may take; scaled by how settled the search is.
    soft: Option<Duration>,
    /// What no move may exceed.
    hard: Option<Duration>,
}

impl Clock {
    pub(crate) fn new(limits: &Limits, settings: &Settings, turn: Color, received: Instant) -> Self {
        let nodes_per_millisecond = settings.nodes_per_millisecond;
        let mut clock = Self { received, nodes_per_millisecond, soft: None, hard: None };
        if let Some(remaining) = limits.remaining[turn] {
            let moves = limits.moves_to_go.map_or(PLANNED_MOVES, |moves| moves.clamp(1, MOST_PLANNED_MOVES));
            let after_this = remaining.saturating_sub(settings.move_overhead);
            let spendable = after_this - (RESERVE * settings.move_overhead).min(after_this / 2);
            let gained = (moves - 1) * limits.increment[turn].min(MOST_INCREMENT);
            let lost = moves * settings.move_overhead;
            // However many overheads are to be paid, a part of the clock remains to be used.
            let budget = spendable.saturating_add(gained).saturating_sub(lost).max(remaining / 4).as_secs_f64();
            let share = if moves == 1 { GREATEST_LAST_SHARE } else { GREATEST_SHARE };
            let most = share * spendable.as_secs_f64();
            let soft = (budget / f64::from(moves)).min(most);
            let hard = (STRETCH * soft).min(most);
            clock.soft = Some(Duration::from_secs_f64(soft).max(LEAST));
            clock.hard = Some(Duration::from_secs_f64(hard).max(LEAST));
        }
        if let Some(move_time) = limits.move_time {
            let time = move_time.saturating_sub(settings.move_overhead).max(LEAST);
            clock.hard = Some(clock.hard.map_or(time, |hard| hard.min(time)));
        }
        clock
    }

    /// What is left until the search has to end, by real time; none without a limit.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.hard.map(|hard| hard.saturating_sub(self.elapsed()))
    }

    /// Since the search was asked for.
    pub(crate) fn elapsed(&self) -> Duration {
        self.received.elapsed()
    }

    /// What the clock shows as used, which may be nodes instead of time.
    fn used(&self, nodes: u64) -> Duration {
        let by_nodes = nodes.checked_div(self.nodes_per_millisecond).map(Duration::from_millis);
        by_nodes.unwrap_or_else(|| self.elapsed())
    }

    /// Whether a clock runs, so that time not used now is there later.
    pub(crate) const fn saves_time(&self) -> bool {
        self.soft.is_some()
    }

    /// Whether the search has to end now, after so many nodes of all threads.
    pub(crate) fn is_over(&self, nodes: u64) -> bool {
        self.hard.is_some_and(|hard| self.used(nodes) >= hard)
    }

    /// Whether another iteration should not begin; `scale` is above 1 while the search is unsettled.
    pub(crate) fn is_spent(&self, scale: f64, nodes: u64) -> bool {
        self.soft.is_some_and(|soft| self.used(nodes) >= soft.mul_f64(scale)) || self.is_over(nodes)
    }
}

#[cfg(test)]
mod tests {
    use movegen::ByColor;

    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        let limits = Limits {
            remaining: ByColor([Some(Duration::from_millis(remaining)), None]),
            increment: ByColor([Duration::from_millis(increment), Duration::ZERO]),
            moves_to_go,
            ..Limits::default()
        };
        let clock = Clock::new(&limits, &Settings::default(), Color::White, Instant::now());
        (clock.soft.unwrap(), clock.hard.unwrap())
    }

    #[test]
    fn limits_leave_time_on_any_clock() {
        for remaining in [0, 1, 9, 10, 50, 100, 1000, 60_000, 10_000_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(10_000)] {
                    let (soft, hard) = clock(remaining, increment, moves);
                    let case = format!("{remaining} {increment} {moves:?}");
                    assert!(soft <= hard, "{case}");
                    let floor = Duration::from_millis(remaining.saturating_sub(10)).max(LEAST);
                    assert!(hard <= floor, "{case}");
                }
            }
        }
    }

    #[test]
    fn a_clock_that_runs_low_recovers() {
        for increment in [10, 20, 100] {
            let mut remaining = 2000;
            for _ in 0..300 {
                let (_, hard) = clock(remaining, increment, None);
                // Every move takes all it may, and a good part of the overhead besides.
                remaining = remaining.saturating_sub(hard.as_millis() as u64 + 6);
                assert!(remaining >= increment.min(20), "{increment}: {remaining} ms left");
                remaining += increment;
            }
        }
    }

    #[test]
    fn without_limits_time_never_ends() {
        let clock = Clock::new(&Limits::default(), &Settings::default(), Color::White, Instant::now());
        assert!(!clock.is_over(0) && !clock.is_spent(0.0, 0) && !clock.saves_time());
    }

    #[test]
    fn nodes_may_stand_for_time() {
        let limits = Limits { move_time: Some(Duration::from_millis(20)), ..Limits::default() };
        let settings = Settings { nodes_per_millisecond: 1000, ..Settings::default() };
        let clock = Clock::new(&limits, &settings, Color::White, Instant::now() - Duration::from_secs(9));
        assert!(!clock.is_over(9_999) && clock.is_over(10_000));
    }

    #[test]
    fn the_other_sides_clock_does_not_count() {
        let limits = Limits { remaining: ByColor([None, Some(Duration::ZERO)]), ..Limits::default() };
        let clock = Clock::new(&limits, &Settings::default(), Color::White, Instant::now());
        assert!(clock.soft.is_none() && clock.hard.is_none());
    }
}
