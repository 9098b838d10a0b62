//! The PV table: the principal variation from each ply.
//!
//! Source: the Chess Programming Wiki, "Triangular PV-Table".

use movegen::Move;

use crate::types::line::Line;
use crate::types::score::MAX_PLY;

/// The best line from each ply.
pub(crate) struct PvTable {
    lines: Box<[Line]>,
}

impl PvTable {
    /// Empty lines; `None` without memory for them.
    pub(crate) fn try_new() -> Option<Self> {
        let mut lines = Vec::new();
        lines.try_reserve_exact(MAX_PLY + 2).ok()?;
        lines.resize(MAX_PLY + 2, Line::new());
        Some(Self { lines: lines.into_boxed_slice() })
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
            // A line never reaches beyond the last ply; the bound makes sure of it.
            let room = line.remaining_capacity();
            line.extend(rest.iter().copied().take(room));
        }
    }

    /// The best line after a move from `ply`.
    #[inline]
    pub(crate) fn after(&self, ply: usize) -> &[Move] {
        &self.lines[ply + 1]
    }
}
