//! What is agreed on before a game.

use std::time::Duration;

use super::clock::TimeControl;
use crate::{Budget, ByColor};

/// What the laws leave to those who arrange a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Each side's time.
    pub time: ByColor<TimeControl>,
    /// What an illegal move costs.
    pub illegal_moves: IllegalMoves,
    /// What the opponent of a wrong claim gets on the clock.
    pub wrong_claim_bonus: Duration,
    /// How hard to look for a dead position after each move: what stays open goes on.
    pub dead_positions: Budget,
    /// How hard to look whether a player's fault is spared; what stays open counts as a loss.
    pub faults: Budget,
}

impl Default for Rules {
    /// Play without clocks; an illegal move loses. Dead positions are looked for as hard as can be done with every
    /// move: longer than a tenth of a second is only needed for compositions.
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

/// What completing an illegal move costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalMoves {
    /// The game, at once, as in blitz.
    Lose,
    /// Time, until there are too many of them. The move is taken back and the player moves anew.
    Warn {
        /// The illegal move of a player that loses: 2 by the laws of normal chess.
        losing: u32,
        /// What the opponent gets on the clock.
        bonus: Duration,
    },
}
