//! All lines to a small depth: enough where every series of moves soon ends, as most real cases do.

use super::{blocked, material};
use crate::{Board, Color};

/// Whether every series of legal moves ends, within so many half-moves, without a mate by the winner. Stops at the
/// first that does not.
pub(super) struct Lines {
    winner: Color,
    limit: u64,
    /// Positions that may yet be looked at.
    allowance: u64,
}

impl Lines {
    /// Lines of so many positions in all.
    pub(super) const fn new(winner: Color, limit: u64) -> Self {
        Self { winner, limit, allowance: limit }
    }

    /// Positions looked at.
    pub(super) const fn visited(&self) -> u64 {
        self.limit - self.allowance
    }

    /// Whether no line from here stays open after `depth` half-moves. A single legal move costs no depth.
    pub(super) fn all_end(&mut self, board: &Board, depth: u32) -> bool {
        if self.allowance == 0 {
            return false;
        }
        self.allowance -= 1;
        if depth == 0 && board.has_legal_move() {
            return false;
        }
        let moves = board.legal_moves();
        if moves.is_empty() {
            return !board.in_check() || board.turn() == self.winner;
        }
        let depth = if moves.len() == 1 { depth } else { depth - 1 };
        moves.into_iter().all(|mv| {
            let child = board.after(mv);
            // A mate cannot come from too few pieces, so the order of these two tests does not matter after a move.
            material::is_insufficient(&child, self.winner) || self.all_end(&child, depth)
        })
    }

    /// Whether all lines from a board with a legal move end, or are blocked, within so many half-moves.
    pub(super) fn all_end_blocked(&mut self, board: &Board, depth: u32) -> bool {
        if self.allowance == 0 || depth == 0 {
            return false;
        }
        self.allowance -= 1;
        board.legal_moves().into_iter().all(|mv| {
            let child = board.after(mv);
            if !child.has_legal_move() {
                return !child.in_check() || child.turn() == self.winner;
            }
            material::is_insufficient(&child, self.winner)
                || blocked::prove(&child, self.winner).is_some()
                || self.all_end_blocked(&child, depth - 1)
        })
    }
}
