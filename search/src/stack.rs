//! What each ply of the line being searched remembers, and the lines found so far.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use movegen::{Bitboard, Move};

use crate::history::{Arrival, CONTINUATION_PLIES, Context};
use crate::{MAX_PLY, Score};

/// The most moves in a line.
pub(crate) const LONGEST_LINE: usize = MAX_PLY + 1;

/// A sequence of moves from some ply on.
pub(crate) type Line = ArrayVec<Move, LONGEST_LINE>;

/// One ply of the line being searched.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frame {
    /// The piece and square of the move played from here; none for a null move.
    pub(crate) arrival: Option<Arrival>,
    /// The quiet move played from here; none if it took or promoted, or was null.
    pub(crate) quiet: Option<Move>,
    /// The number in the order, from 1, of the move played from here; 0 for a null move and where none is counted.
    pub(crate) move_count: usize,
    /// What the opponent attacks here.
    pub(crate) threats: Bitboard,
    /// The evaluation as it comes, of the last node here that was not in check.
    pub(crate) raw_eval: Option<Score>,
    /// The corrected evaluation; none in check.
    pub(crate) static_eval: Option<Score>,
    /// Whether this is, or the table remembers it as, part of a principal variation.
    pub(crate) tt_pv: bool,
    /// A move left out, to see how good the others are.
    pub(crate) excluded: Option<Move>,
    /// The last quiet move that cut off at this ply.
    pub(crate) killer: Option<Move>,
    /// Cutoffs at this ply since the parent was last evaluated.
    pub(crate) cutoff_count: u8,
    /// By how much the move played from here was reduced, in 1/1024 ply, rounded to whole plies.
    pub(crate) reduction: i32,
}

/// Frames by ply, with room before the root so that looking back never needs a check.
pub(crate) struct Stack {
    frames: Box<[Frame]>,
}

impl Stack {
    const BEFORE_ROOT: usize = 8;
    const BEYOND_END: usize = 4;

    pub(crate) fn new() -> Self {
        Self { frames: vec![Frame::default(); Self::BEFORE_ROOT + MAX_PLY + Self::BEYOND_END].into_boxed_slice() }
    }

    pub(crate) fn clear(&mut self) {
        self.frames.fill(Frame::default());
    }

    /// The frame `plies` before `ply`, which may lie before the root.
    #[inline]
    pub(crate) fn back(&self, ply: usize, plies: usize) -> &Frame {
        &self.frames[Self::BEFORE_ROOT + ply - plies]
    }

    /// The arrivals that give a quiet move at `ply` its context.
    #[inline]
    pub(crate) fn context(&self, ply: usize) -> Context {
        CONTINUATION_PLIES.map(|plies| self.back(ply, plies).arrival)
    }
}

impl Index<usize> for Stack {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        &self.frames[Self::BEFORE_ROOT + ply]
    }
}

impl IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[Self::BEFORE_ROOT + ply]
    }
}

/// The best line found from each ply of the principal variation.
pub(crate) struct Lines {
    lines: Box<[Line]>,
}

impl Lines {
    pub(crate) fn new() -> Self {
        Self { lines: vec![Line::new(); MAX_PLY + 2].into_boxed_slice() }
    }

    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// Makes `mv` and what follows it the best line from `ply`.
    pub(crate) fn update(&mut self, ply: usize, mv: Move) {
        if let [line, rest, ..] = &mut self.lines[ply..] {
            line.clear();
            line.push(mv);
            // A line never outgrows the deepest ply; the bound makes sure of it.
            let room = line.remaining_capacity();
            line.extend(rest.iter().copied().take(room));
        }
    }

    #[inline]
    pub(crate) fn after(&self, ply: usize) -> &[Move] {
        &self.lines[ply + 1]
    }
}
