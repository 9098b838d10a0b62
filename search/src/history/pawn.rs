//! Pawn history: by pawn structure, piece and target square.
//!
//! Source: Stockfish.

use movegen::{Board, Key};

use crate::history::piece_to::{PieceTo, PieceToTable};
use crate::history::tables::Tables;
use crate::types::params::PAWN_HISTORY_ENTRIES;

pub(crate) struct PawnHistory(Tables<PieceToTable, PAWN_HISTORY_ENTRIES>);

impl PawnHistory {
    /// An empty history; `None` without memory for it.
    pub(crate) fn try_new() -> Option<Self> {
        Tables::try_new().map(Self)
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The scores for the pawn structure on a board.
    #[inline]
    pub(crate) fn of(&self, board: &Board) -> &PieceToTable {
        self.0.of(index(board.keys().pawn()))
    }

    #[inline]
    pub(crate) fn update(&mut self, board: &Board, piece_to: PieceTo, bonus: i32) {
        self.0.of_mut(index(board.keys().pawn()))[piece_to.index()].update(bonus);
    }
}

#[inline]
fn index(pawn_key: Key) -> usize {
    pawn_key as usize % PAWN_HISTORY_ENTRIES
}
