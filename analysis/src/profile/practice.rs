//! A position to practise, and the worst that happened there.

use movegen::{Board, FenStyle};

use super::numbers::{UNIT, hundredths};

/// A position in which the player erred, perhaps often.
#[derive(Clone)]
pub(super) struct Practice {
    pub(super) board: Board,
    pub times: u64,
    pub(super) loss: u64,
    /// The worst of these moves and where it was: loss, move, best move, number of the move, opponent, date.
    /// The number of the game comes last.
    pub(super) worst: (u64, String, Option<String>, u32, String, String, u32),
}

impl Practice {
    pub fn fen(&self) -> String {
        self.board.fen(FenStyle::Standard)
    }

    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// All that was lost here, in per cent of a point.
    pub fn loss(&self) -> f64 {
        hundredths(100.0 * self.loss as f64 / UNIT)
    }

    pub fn played(&self) -> &str {
        &self.worst.1
    }

    pub fn best(&self) -> Option<&str> {
        self.worst.2.as_deref()
    }

    pub const fn number(&self) -> u32 {
        self.worst.3
    }

    pub fn opponent(&self) -> &str {
        &self.worst.4
    }

    pub fn date(&self) -> &str {
        &self.worst.5
    }

    pub const fn game(&self) -> u32 {
        self.worst.6
    }

    /// Adds what happened here in other games.
    pub fn merge(&mut self, other: Self) {
        self.times += other.times;
        self.loss += other.loss;
        if other.worst > self.worst {
            self.worst = other.worst;
            // Of the same position, but perhaps with other counters.
            self.board = other.board;
        }
    }
}
