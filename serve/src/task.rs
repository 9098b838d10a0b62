//! What a worker is given to do.

use movegen::{CastlingStyle, Position};
use search::Limits;

/// A position, and how to search it.
pub struct Task {
    /// With the game before it.
    pub position: Position,
    /// When to end, and which moves to search.
    pub limits: Limits,
    /// How many lines to find.
    pub multi_pv: usize,
    /// In centipawns.
    pub contempt: i32,
    /// How castling is written.
    pub style: CastlingStyle,
}
