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
    /// Whether a draw may be claimed by the fifty-move rule (9.3).
    pub fifty_moves: bool,
    /// Whether the seventy-five-move rule ends the game (9.6.2). Without it, no budget counts it either.
    pub seventy_five_moves: bool,
    /// How many moves each player must have made before a draw may be offered (9.1.1); `u32::MAX` for never. A wrong claim
    /// is no offer before.
    pub moves_before_offers: u32,
    /// The budget to detect a dead position after each move; if undecided, the game goes on. A position is not dead for the
    /// reason alone that the seventy-five-move rule comes before every mate: that rule ends the game itself.
    pub dead_positions: Budget,
    /// The budget to decide whether the opponent can mate after a fault, before the seventy-five-move rule ends the game
    /// if the budget counts it; if undecided, the fault loses.
    pub faults: Budget,
}

impl Default for Rules {
    /// No clocks; an illegal move loses, where the Laws would warn first; all rules that end a game hold. Dead positions are those of [`Board::is_dead`](crate::Board::is_dead).
    fn default() -> Self {
        Self {
            time: ByColor::default(),
            illegal_moves: IllegalMoves::Lose,
            wrong_claim_bonus: Duration::from_secs(120),
            fifty_moves: true,
            seventy_five_moves: true,
            moves_before_offers: 0,
            dead_positions: Budget::MEDIUM,
            faults: Budget::FULL,
        }
    }
}

impl Rules {
    /// A budget as far as these rules allow it to count moves.
    pub(super) const fn counted(&self, budget: Budget) -> Budget {
        if self.seventy_five_moves { budget } else { budget.without_seventy_five_moves() }
    }

    /// The default rules with the same time for both sides.
    #[must_use]
    pub fn timed(time: TimeControl) -> Self {
        Self { time: ByColor([time.clone(), time]), ..Self::default() }
    }
}

/// The penalty for an illegal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalMoves {
    /// The game is lost at once. The Laws have not had it so since 2018, in blitz either, but nearly all matches between
    /// programs do, which make no such move by mistake.
    Lose,
    /// The opponent gets time until there are too many. The move is taken back and the player makes another one.
    Warn {
        /// The number of the illegal move that loses: 2 in standard chess.
        losing: u32,
        /// The time the opponent gets.
        bonus: Duration,
    },
}
