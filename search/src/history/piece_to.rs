//! A piece and its target square: the index of most histories, and the context of continuation history.

use std::num::NonZeroU16;

use movegen::{Board, Color, Move, Piece, Square};
use platform::prefetch;

use crate::history::stat::Stat;
use crate::types::params::HISTORY_LIMIT;

/// A piece and the square it moves to: one more than the index, so that none is zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(NonZeroU16);

impl PieceTo {
    pub(crate) const COUNT: usize = 12 * 64;

    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        Self(NonZeroU16::MIN.saturating_add(piece as u16 * 64 + to as u16))
    }

    /// The piece and target square of a move about to be played.
    #[inline]
    pub(crate) fn of(board: &Board, mv: Move) -> Option<Self> {
        board.piece_on(mv.from()).map(|piece| Self::new(piece, mv.to()))
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0.get() - 1)
    }

    /// An index with a place for none, the first; at most [`COUNT`](Self::COUNT). It takes no branch.
    #[inline]
    pub(crate) fn index_or_none(piece_to: Option<Self>) -> usize {
        piece_to.map_or(0, |piece_to| usize::from(piece_to.0.get()))
    }
}

/// History scores by piece and target square.
pub(crate) type PieceToTable = [Stat<HISTORY_LIMIT>; PieceTo::COUNT];

/// History scores of one piece by target square.
pub(crate) type ToTable = [Stat<HISTORY_LIMIT>; 64];

/// The scores of one piece.
#[inline]
pub(crate) fn of_piece(table: &PieceToTable, piece: Piece) -> &ToTable {
    &table.as_chunks().0[piece as usize]
}

/// Prefetches the scores of one side's pieces.
#[inline]
pub(crate) fn prefetch_side(table: &PieceToTable, color: Color) {
    const CACHE_LINE: usize = 64;
    let side = &table[color as usize * PieceTo::COUNT / 2..][..PieceTo::COUNT / 2];
    side.chunks(CACHE_LINE / size_of::<Stat<HISTORY_LIMIT>>()).for_each(|line| prefetch(&line[0]));
}

/// The plies back whose moves are the context of continuation history.
pub(crate) const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// The moves [`CONTINUATION_PLIES`] ago; none for a null move or before the root.
pub(crate) type Context = [Option<PieceTo>; CONTINUATION_PLIES.len()];
