//! A sequence of moves.

use arrayvec::ArrayVec;
use movegen::Move;

use crate::types::score::MAX_PLY;

/// The most moves in a line.
pub(crate) const MAX_LINE: usize = MAX_PLY + 1;

/// A sequence of moves from some ply on.
pub(crate) type Line = ArrayVec<Move, MAX_LINE>;
