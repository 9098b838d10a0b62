//! The state of the root: its moves, and the iteration that runs.

use std::time::Duration;

use crate::state::root_move::{RootMove, sort};
use crate::tablebase::rank::Rank;
use crate::types::report::Reporter;

/// Searches that take longer report fail highs and lows, and the current move.
pub(crate) const DETAILS_AFTER: Duration = Duration::from_secs(3);
/// The current move is reported no more often, as in Stockfish.
pub(crate) const CURRENT_EVERY: Duration = Duration::from_millis(100);

/// What the root node and the driver of the iterations share.
pub(crate) struct RootState<'a> {
    /// Sorted, the best first.
    pub(crate) moves: Vec<RootMove>,
    /// Whether `moves` are all legal moves: if not, their best score says nothing about the position.
    pub(crate) has_all_moves: bool,
    /// MultiPV: the index of the line being searched. Moves before it have a better line.
    pub(crate) line_index: usize,
    pub(crate) depth: i32,
    pub(crate) seldepth: i32,
    /// The width of the window.
    pub(crate) width: i32,
    /// How often another move became the best one; earlier iterations count less.
    pub(crate) best_move_changes: f64,
    /// When the current move was reported last, since the request.
    pub(crate) last_current: Option<Duration>,
    /// Receives reports, if set.
    pub(crate) reporter: Option<&'a mut (dyn Reporter + 'a)>,
}

impl RootState<'_> {
    pub(crate) const fn new(moves: Vec<RootMove>, has_all_moves: bool) -> Self {
        Self {
            moves,
            has_all_moves,
            line_index: 0,
            depth: 0,
            seldepth: 0,
            width: 1,
            best_move_changes: 0.0,
            last_current: None,
            reporter: None,
        }
    }

    /// Ranks the moves by endgame tables and sorts them.
    pub(crate) fn rank(&mut self, ranks: Vec<Rank>) {
        for (root_move, rank) in self.moves.iter_mut().zip(ranks) {
            root_move.rank = Some(rank);
        }
        sort(&mut self.moves);
    }
}
