//! A shallow search of all lines: enough where every line ends soon, as in most real cases.

use super::effort::Effort;
use super::{blocked, material};
use crate::{Board, Color};

/// A search whether every line ends, within a depth, without a mate by the winner. Stops at the first line that does
/// not.
pub(super) struct ShallowSearch {
    winner: Color,
    limit: u64,
    /// Positions left to search.
    remaining: u64,
}

impl ShallowSearch {
    /// A search of at most this many positions.
    pub(super) const fn new(winner: Color, limit: u64) -> Self {
        Self { winner, limit, remaining: limit }
    }

    /// Positions searched.
    pub(super) const fn nodes(&self) -> u64 {
        self.limit - self.remaining
    }

    /// Whether all lines end within `depth` plies. A forced move costs no depth.
    pub(super) fn all_end(&mut self, board: &Board, depth: u32) -> bool {
        if self.remaining == 0 {
            return false;
        }
        self.remaining -= 1;
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
            // A mate is impossible with insufficient material, so the order of these two tests does not matter.
            material::is_insufficient(&child, self.winner) || self.all_end(&child, depth)
        })
    }

    /// Whether all lines from a board with a legal move end, or are blocked, within `depth` plies.
    pub(super) fn all_end_blocked(&mut self, board: &Board, depth: u32, effort: &mut Effort<'_>) -> bool {
        if self.remaining == 0 || depth == 0 {
            return false;
        }
        self.remaining -= 1;
        board.legal_moves().into_iter().all(|mv| {
            let child = board.after(mv);
            if !child.has_legal_move() {
                return !child.in_check() || child.turn() == self.winner;
            }
            material::is_insufficient(&child, self.winner)
                || !effort.must_end()
                    && (blocked::prove(&child, self.winner).is_some()
                        || self.all_end_blocked(&child, depth - 1, effort))
        })
    }
}
