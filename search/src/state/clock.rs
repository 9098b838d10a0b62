//! The time limits of a search: a soft one, checked between iterations, and a hard one, checked during the search.
//!
//! `soft = share * (remaining - reserve) + part of the increment`, with a share that rises with the move number, or
//! `(remaining - reserve + increments) / moves` with a time control ahead; `hard = min(stretch * soft, most * remaining)`.
//! Move overheads are held in reserve and not charged move by move: an increment pays for them. Without one the reserve is
//! larger, since what each move loses adds up.
//!
//! Source: the Chess Programming Wiki, "Time Management"; the rising share follows Reckless, overheads as a reserve
//! Ethereal and Weiss.

use std::time::{Duration, Instant};

use movegen::Board;

use crate::types::limits::Limits;
use crate::types::params;
use crate::types::request::Settings;

/// The minimum time of any search, whatever the clock shows: enough for a few iterations, and so far below the millisecond
/// of most clocks that the last moves of a long game without increment cost nothing.
const MIN: Duration = Duration::from_micros(100);
/// Larger increments change nothing; the bound keeps sums from overflowing.
const MAX_INCREMENT: Duration = Duration::from_secs(1 << 32);

/// The time limits of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    received: Instant,
    /// 0 for real time.
    nodes_per_millisecond: u64,
    /// The time for an average move; scaled by how stable the search is.
    soft: Option<Duration>,
    /// The time that no move may exceed.
    hard: Option<Duration>,
}

impl Clock {
    pub(crate) fn new(limits: &Limits, settings: &Settings, board: &Board, received: Instant) -> Self {
        let nodes_per_millisecond = settings.nodes_per_millisecond;
        let mut clock = Self { received, nodes_per_millisecond, soft: None, hard: None };
        if let Some(remaining) = limits.remaining[board.turn()] {
            let (soft, hard) = allocate(limits, settings.move_overhead, remaining, board);
            clock.soft = Some(Duration::from_secs_f64(soft).max(MIN));
            clock.hard = Some(Duration::from_secs_f64(hard).max(MIN));
        }
        if let Some(move_time) = limits.move_time {
            // A short move time is not used up by the overhead: of 10 ms, most are meant to be spent.
            let reserve = settings.move_overhead.min(move_time / params::time_move_reserve() as u32);
            let time = (move_time - reserve).max(MIN);
            clock.hard = Some(clock.hard.map_or(time, |hard| hard.min(time)));
        }
        clock
    }

    /// The real time left until the search has to end; none without a limit.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.hard.map(|hard| hard.saturating_sub(self.elapsed()))
    }

    /// The time since the request arrived.
    pub(crate) fn elapsed(&self) -> Duration {
        self.received.elapsed()
    }

    /// The time used, or the nodes if they stand for time.
    fn used(&self, nodes: impl FnOnce() -> u64) -> Duration {
        match self.nodes_per_millisecond {
            0 => self.elapsed(),
            per_millisecond => Duration::from_millis(nodes() / per_millisecond),
        }
    }

    /// Whether a clock runs, so that time not used now remains for later moves.
    pub(crate) const fn saves_time(&self) -> bool {
        self.soft.is_some()
    }

    /// Whether the search has to end now, after this many nodes of all threads.
    pub(crate) fn is_over(&self, nodes: impl FnOnce() -> u64) -> bool {
        self.hard.is_some_and(|hard| self.used(nodes) >= hard)
    }

    /// Whether no further iteration should begin; `scale` is above 1 while the search is unstable.
    pub(crate) fn is_spent(&self, scale: f64, nodes: u64) -> bool {
        self.soft.is_some_and(|soft| self.used(|| nodes) >= soft.mul_f64(scale)) || self.is_over(|| nodes)
    }
}

/// The time for an average move, and the time that no move may exceed, in seconds.
fn allocate(limits: &Limits, overhead: Duration, remaining: Duration, board: &Board) -> (f64, f64) {
    let increment = limits.increment[board.turn()].min(MAX_INCREMENT);
    let is_sudden_death = limits.moves_to_go.is_none() && increment.is_zero();
    let after_this = remaining.saturating_sub(overhead);
    let reserve = if is_sudden_death {
        (params::time_reserve_sudden() as u32 * overhead).min(after_this / 4 * 3)
    } else {
        (params::time_reserve() as u32 * overhead).min(after_this / 2)
    };
    let spendable = (after_this - reserve).as_secs_f64();
    let gained = (increment.as_secs_f64() - percent(params::time_lost()) * overhead.as_secs_f64()).max(0.0);
    let (soft, greatest) = if let Some(moves) = limits.moves_to_go {
        let moves = f64::from(moves.clamp(1, params::time_planned_moves_max() as u32));
        let greatest = if moves <= 1.0 { params::time_share_last() } else { params::time_share_max() };
        ((spendable + (moves - 1.0) * gained) / moves, greatest)
    } else {
        let (first, rise, greatest) = if is_sudden_death {
            (params::time_sudden_first(), params::time_sudden_rise(), params::time_share_sudden())
        } else {
            (params::time_first(), params::time_rise(), params::time_share_max())
        };
        // The fewer moves are left, the larger the share that each may have.
        let number = f64::from(board.fullmove_number());
        let risen = number / (number + f64::from(params::time_rise_moves()));
        let share = (f64::from(first) + f64::from(rise) * risen) / 10_000.0;
        (share * spendable + percent(params::time_increment()) * gained, greatest)
    };
    let most = percent(greatest) * spendable;
    let soft = soft.min(most);
    (soft, (f64::from(params::time_stretch()) * soft).min(most))
}

/// Percent as a factor.
pub(crate) fn percent(number: i32) -> f64 {
    f64::from(number) / 100.0
}

#[cfg(test)]
mod tests {
    use movegen::ByColor;

    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        clock_at(1, Duration::from_millis(remaining), Duration::from_millis(increment), moves_to_go)
    }

    /// The limits for White's move of a number.
    fn clock_at(
        number: u32,
        remaining: Duration,
        increment: Duration,
        moves_to_go: Option<u32>,
    ) -> (Duration, Duration) {
        let limits = Limits {
            remaining: ByColor([Some(remaining), None]),
            increment: ByColor([increment, Duration::ZERO]),
            moves_to_go,
            ..Limits::default()
        };
        let board = Board::from_fen(&format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}")).unwrap();
        let clock = Clock::new(&limits, &Settings::default(), &board, Instant::now());
        (clock.soft.unwrap(), clock.hard.unwrap())
    }

    /// What a clock shows after each of `moves` moves that take `scale` times the usual time, and 2 ms that the engine
    /// does not see; ends where the flag falls.
    fn play(seconds: f64, increment: f64, control: Option<u32>, moves: u32, scale: f64) -> Vec<f64> {
        let (mut remaining, mut shown) = (seconds, Vec::new());
        let increment = Duration::from_secs_f64(increment);
        for number in 0..moves {
            let to_go = control.map(|control| control - number % control);
            let (soft, hard) = clock_at(number + 8, Duration::from_secs_f64(remaining), increment, to_go);
            remaining -= soft.mul_f64(scale).min(hard).as_secs_f64() + 0.002;
            if remaining < 0.0 {
                break;
            }
            remaining += increment.as_secs_f64();
            if to_go == Some(1) {
                remaining += seconds;
            }
            shown.push(remaining);
        }
        shown
    }

    #[test]
    fn games_of_any_length_end_with_time_on_the_clock() {
        for (seconds, increment, control) in
            [(1.0, 0.0, None), (2.0, 0.02, None), (8.0, 0.08, None), (1.0, 0.0, Some(40)), (60.0, 0.6, None)]
        {
            for scale in [0.8, 1.0, 1.25, 1.5] {
                for moves in [60, 120] {
                    let shown = play(seconds, increment, control, moves, scale);
                    let case = format!("{seconds}+{increment}/{control:?}, {moves} moves, {scale}");
                    assert_eq!(shown.len(), moves as usize, "{case}: the flag fell");
                    let least = shown.iter().copied().fold(seconds, f64::min);
                    assert!(least > 0.01, "{case}: {least} s at the lowest");
                }
            }
        }
    }

    #[test]
    fn with_an_increment_a_good_part_of_the_clock_is_left_for_the_endgame() {
        for (seconds, increment) in [(2.0, 0.02), (8.0, 0.08), (60.0, 0.6)] {
            let shown = play(seconds, increment, None, 60, 1.1);
            assert!(shown[39] > seconds / 5.0 && shown[39] < seconds / 2.0, "{seconds}: {} s", shown[39]);
            assert!(shown[59] > seconds / 10.0, "{seconds}: {} s", shown[59]);
        }
    }

    #[test]
    fn a_move_time_is_used_almost_to_its_end() {
        for (asked, given) in [(1, 0.9), (10, 9.0), (50, 45.0), (100, 90.0), (1000, 990.0), (100_000, 99_990.0)] {
            let limits = Limits { move_time: Some(Duration::from_millis(asked)), ..Limits::default() };
            let given = Duration::from_secs_f64(given / 1000.0);
            let clock = Clock::new(&limits, &Settings::default(), &Board::start(), Instant::now());
            assert_eq!((clock.soft, clock.hard), (None, Some(given)), "{asked} ms");
        }
    }

    #[test]
    fn limits_leave_time_on_any_clock() {
        for remaining in [0, 1, 9, 10, 50, 100, 1000, 60_000, 10_000_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(10_000)] {
                    let (soft, hard) = clock(remaining, increment, moves);
                    let case = format!("{remaining} {increment} {moves:?}");
                    assert!(soft <= hard, "{case}");
                    let floor = Duration::from_millis(remaining.saturating_sub(10)).max(MIN);
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
        let clock = Clock::new(&Limits::default(), &Settings::default(), &Board::start(), Instant::now());
        assert!(!clock.is_over(|| 0) && !clock.is_spent(0.0, 0) && !clock.saves_time());
    }

    #[test]
    fn nodes_may_stand_for_time() {
        let limits = Limits { move_time: Some(Duration::from_millis(20)), ..Limits::default() };
        let settings = Settings { nodes_per_millisecond: 1000, ..Settings::default() };
        let clock = Clock::new(&limits, &settings, &Board::start(), Instant::now() - Duration::from_secs(9));
        assert!(!clock.is_over(|| 17_999) && clock.is_over(|| 18_000));
    }

    #[test]
    fn the_other_sides_clock_does_not_count() {
        let limits = Limits { remaining: ByColor([None, Some(Duration::ZERO)]), ..Limits::default() };
        let clock = Clock::new(&limits, &Settings::default(), &Board::start(), Instant::now());
        assert!(clock.soft.is_none() && clock.hard.is_none());
    }
}
