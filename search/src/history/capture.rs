//! Capture history: by piece, target square and kind of the captured piece.
//!
//! Source: Stockfish.

use bytemuck::allocation::try_zeroed_box;
use bytemuck::write_zeroes;
use movegen::{Board, Move, PieceType};

use crate::history::piece_to::PieceTo;
use crate::history::stat::Stat;
use crate::types::params::HISTORY_LIMIT;

pub(crate) struct CaptureHistory(Box<[[Stat<HISTORY_LIMIT>; 6]; PieceTo::COUNT]>);

impl CaptureHistory {
    /// An empty history; `None` without memory for it.
    pub(crate) fn try_new() -> Option<Self> {
        try_zeroed_box().ok().map(Self)
    }

    pub(crate) fn clear(&mut self) {
        write_zeroes(&mut *self.0);
    }

    /// The score of a capture or promotion.
    #[inline]
    pub(crate) fn get(&self, board: &Board, mv: Move) -> i32 {
        let Some(piece_to) = PieceTo::of(board, mv) else { return 0 };
        self.0[piece_to.index()][captured(board, mv)].get()
    }

    pub(crate) fn update(&mut self, board: &Board, mv: Move, bonus: i32) {
        let Some(piece_to) = PieceTo::of(board, mv) else { return };
        self.0[piece_to.index()][captured(board, mv)].update(bonus);
    }
}

/// The kind of the captured piece. A promotion without capture uses the entry of the king, which is never captured.
#[inline]
fn captured(board: &Board, mv: Move) -> usize {
    board.captured_by(mv).unwrap_or(PieceType::King) as usize
}
