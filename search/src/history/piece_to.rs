//! A piece and its target square: the index of most histories, and the context of continuation history.

use movegen::{Board, Color, Move, Piece, Square};
use platform::prefetch;

use crate::history::stat::Stat;
use crate::types::params::HISTORY_LIMIT;

/// A piece and the square it moves to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    pub(crate) const COUNT: usize = 12 * 64;

    #[inline]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        Self(piece as u16 * 64 + to as u16)
    }

    /// The piece and target square of a move about to be played.
    #[inline]
    pub(crate) fn of(board: &Board, mv: Move) -> Option<Self> {
        board.piece_on(mv.from()).map(|piece| Self::new(piece, mv.to()))
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// History scores by piece and target square.
pub(crate) type PieceToTable = [Stat<HISTORY_LIMIT>; PieceTo::COUNT];

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
