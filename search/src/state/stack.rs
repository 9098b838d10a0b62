//! The search stack: what each ply of the current line remembers.

use std::ops::{Index, IndexMut};

use movegen::{Bitboard, Move};

use crate::history::correction::LastMoves;
use crate::history::piece_to::{CONTINUATION_PLIES, Context, PieceTo};
use crate::types::score::{MAX_PLY, Score};

/// One ply of the line being searched.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StackEntry {
    /// The piece and target square of the move played from here; none for a null move.
    pub(crate) piece_to: Option<PieceTo>,
    /// The move played from here if it is quiet.
    pub(crate) quiet: Option<Move>,
    /// The move count of the move played from here, from 1; 0 for a null move and where none is counted.
    pub(crate) move_count: usize,
    /// The squares that the opponent attacks.
    pub(crate) threats: Bitboard,
    /// The static evaluation before corrections, of the last node here that was not in check.
    pub(crate) raw_eval: Option<Score>,
    /// The corrected static evaluation; none in check.
    pub(crate) static_eval: Option<Score>,
    /// Whether this is part of a principal variation, or was by its TT entry.
    pub(crate) tt_pv: bool,
    /// The move excluded from a singular search.
    pub(crate) excluded: Option<Move>,
    /// The killer move: the last quiet move that caused a cutoff at this ply.
    pub(crate) killer: Option<Move>,
    /// The reduction of the move played from here, in 1/1024 ply, rounded to whole plies.
    pub(crate) reduction: i32,
}

/// Stack entries by ply, with room before the root, so that looking back needs no check.
pub(crate) struct SearchStack {
    entries: Box<[StackEntry]>,
}

impl SearchStack {
    const BEFORE_ROOT: usize = 8;
    const BEYOND_END: usize = 4;

    /// An empty stack; `None` without memory for it.
    pub(crate) fn try_new() -> Option<Self> {
        let len = Self::BEFORE_ROOT + MAX_PLY + Self::BEYOND_END;
        let mut entries = Vec::new();
        entries.try_reserve_exact(len).ok()?;
        entries.resize(len, StackEntry::default());
        Some(Self { entries: entries.into_boxed_slice() })
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill(StackEntry::default());
    }

    /// The entry `plies` before `ply`, which may lie before the root.
    #[inline]
    pub(crate) fn back(&self, ply: usize, plies: usize) -> &StackEntry {
        &self.entries[Self::BEFORE_ROOT + ply - plies]
    }

    /// The context of continuation history at `ply`.
    #[inline]
    pub(crate) fn context(&self, ply: usize) -> Context {
        CONTINUATION_PLIES.map(|plies| self.back(ply, plies).piece_to)
    }

    /// The moves one, two and four plies ago, the context of correction history.
    #[inline]
    pub(crate) fn last_moves(&self, ply: usize) -> LastMoves {
        [1, 2, 4].map(|plies| self.back(ply, plies).piece_to)
    }
}

impl Index<usize> for SearchStack {
    type Output = StackEntry;

    #[inline]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.entries[Self::BEFORE_ROOT + ply]
    }
}

impl IndexMut<usize> for SearchStack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.entries[Self::BEFORE_ROOT + ply]
    }
}
