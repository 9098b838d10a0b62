//! The rules that are chosen before a game.

use std::time::Duration;

use super::clock::TimeControl;
use crate::{Budget, ByColor};

/// What the Laws leave to the organiser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Each side's time control.
    pub time: ByColor<TimeControl>,
    /// The penalty for an illegal move.
    pub illegal_moves: IllegalMoves,
    /// The time the opponent gets after a wrong claim.
    pub wrong_claim_bonus: Duration,
    /// The budget to detect a dead position after each move; if undecided, the game goes on.
    pub dead_positions: Budget,
    /// The budget to decide whether the opponent can mate after a fault; if undecided, the fault loses.
    pub faults: Budget,
}

impl Default for Rules {
    /// No clocks; an illegal move loses. The budget for dead positions takes at most about a tenth of a second a move,
    /// enough for all but compositions.
    fn default() -> Self {
        Self {
            time: ByColor::default(),
            illegal_moves: IllegalMoves::Lose,
            wrong_claim_bonus: Duration::from_secs(120),
            dead_positions: Budget::nodes(100_000),
            faults: Budget::FULL,
        }
    }
}

impl Rules {
    /// The default rules with the same time for both sides.
    #[must_use]
    pub fn timed(time: TimeControl) -> Self {
        Self { time: ByColor([time.clone(), time]), ..Self::default() }
    }
}

/// The penalty for an illegal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalMoves {
    /// The game is lost at once, as in blitz.
    Lose,
    /// The opponent gets time until there are too many. The move is taken back and the player makes another one.
    Warn {
        /// The number of the illegal move that loses: 2 in standard chess.
        losing: u32,
        /// The time the opponent gets.
        bonus: Duration,
    },
}
