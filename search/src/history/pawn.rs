//! Pawn history: by pawn structure, piece and target square.
//!
//! Source: Stockfish.

use bytemuck::allocation::try_zeroed_slice_box;
use bytemuck::fill_zeroes;
use movegen::{Board, Key};

use crate::history::piece_to::{PieceTo, PieceToTable};
use crate::types::params::PAWN_HISTORY_ENTRIES;

pub(crate) struct PawnHistory(Box<[PieceToTable]>);

impl PawnHistory {
    /// An empty history; `None` without memory for it.
    pub(crate) fn try_new() -> Option<Self> {
        try_zeroed_slice_box(PAWN_HISTORY_ENTRIES).ok().map(Self)
    }

    pub(crate) fn clear(&mut self) {
        fill_zeroes(&mut self.0);
    }

    /// The scores for the pawn structure on a board.
    #[inline]
    pub(crate) fn of(&self, board: &Board) -> &PieceToTable {
        &self.0[index(board.keys().pawn())]
    }

    #[inline]
    pub(crate) fn update(&mut self, board: &Board, piece_to: PieceTo, bonus: i32) {
        self.0[index(board.keys().pawn())][piece_to.index()].update(bonus);
    }
}

#[inline]
fn index(pawn_key: Key) -> usize {
    pawn_key as usize % PAWN_HISTORY_ENTRIES
}
