//! What the benchmarks measure and nothing else needs: a narrow way to private parts, under the feature `bench`, so that
//! they stay private in the library that others build.

use movegen::{Board, Move};

use crate::history::histories::Histories;
use crate::history::piece_to::Context;
use crate::ordering::movepick::{MovePicker, QuietHints};
use crate::ordering::see;

pub use crate::table::entry::TTEntry;
pub use crate::table::transposition::TranspositionTable;

/// Whether the exchange that a move starts gains at least `threshold` centipawns.
#[must_use]
pub fn see_ge(board: &Board, mv: Move, threshold: i32) -> bool {
    see::see_ge(board, mv, threshold)
}

/// The histories of a new search thread.
pub struct MoveHistories(Histories);

impl Default for MoveHistories {
    fn default() -> Self {
        Self(Histories::try_new().expect("memory for the histories"))
    }
}

impl MoveHistories {
    /// Takes all moves of a board from the move picker, up to `most`; returns how many there were.
    #[must_use]
    pub fn pick(&self, board: &Board, tt_move: Option<Move>, most: usize) -> usize {
        let mut picker = MovePicker::all(tt_move, QuietHints::new(board, 0, Context::default()));
        std::iter::from_fn(|| picker.next(board, &self.0)).take(most).count()
    }
}
