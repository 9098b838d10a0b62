//! Games under a time control in which nodes stand for time, so that they do not depend on the machine.

use std::time::Duration;

use movegen::{Bonus, ByColor, Clock, Color, TimeControl};

/// A time control, and how many nodes count as a millisecond.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeTime {
    /// The time control of each side.
    pub control: TimeControl,
    /// At least 1.
    pub nodes_per_millisecond: u64,
}

/// The clocks of one game.
pub(super) struct NodeClocks<'a> {
    time: &'a NodeTime,
    clocks: ByColor<Clock>,
}

impl<'a> NodeClocks<'a> {
    /// The clocks before the first move; none without a time control.
    pub(super) fn start(time: &'a NodeTime) -> Option<Self> {
        Some(Self { time, clocks: ByColor([time.control.clock()?; 2]) })
    }

    /// The clocks as limits for the side to move.
    pub(super) fn limits(&self, turn: Color) -> search::Limits {
        let control = &self.time.control;
        let increment = |clock| match control.bonus(clock) {
            Bonus::Increment(time) => time,
            Bonus::None | Bonus::Delay(_) | Bonus::Bronstein(_) => Duration::ZERO,
        };
        let [white, black] = &self.clocks.0;
        search::Limits {
            remaining: ByColor([Some(white.remaining()), Some(black.remaining())]),
            increment: ByColor([increment(white), increment(black)]),
            moves_to_go: control.moves_to_go(&self.clocks[turn]),
            ..search::Limits::default()
        }
    }

    /// Ends a move of this many nodes; false if the flag has fallen.
    pub(super) fn press(&mut self, turn: Color, nodes: u64) -> bool {
        let elapsed = Duration::from_micros(nodes.saturating_mul(1000) / self.time.nodes_per_millisecond.max(1));
        let pressed = self.time.control.press(&self.clocks[turn], elapsed);
        if let Some(clock) = pressed {
            self.clocks[turn] = clock;
        }
        pressed.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_run_the_clock_of_the_side_that_searched_them() {
        let time = NodeTime { control: "1+0.1".parse().unwrap(), nodes_per_millisecond: 200 };
        let mut clocks = NodeClocks::start(&time).unwrap();
        assert!(clocks.press(Color::White, 60_000));
        let limits = clocks.limits(Color::Black);
        assert_eq!(limits.remaining, ByColor([Some(Duration::from_millis(800)), Some(Duration::from_secs(1))]));
        assert_eq!((limits.increment, limits.moves_to_go), (ByColor([Duration::from_millis(100); 2]), None));
        assert!(!clocks.press(Color::White, 160_200), "more than was left");
        assert!(clocks.press(Color::White, 160_000));
        let repeating = NodeTime { control: "2/1".parse().unwrap(), nodes_per_millisecond: 200 };
        let mut clocks = NodeClocks::start(&repeating).unwrap();
        assert!(clocks.press(Color::Black, 100_000));
        assert_eq!(
            (clocks.limits(Color::White).moves_to_go, clocks.limits(Color::Black).moves_to_go),
            (Some(2), Some(1))
        );
        assert!(NodeClocks::start(&NodeTime { control: TimeControl::UNLIMITED, nodes_per_millisecond: 200 }).is_none());
    }
}
