//! What a search thread keeps from one search to the next.

use std::sync::Arc;

use eval::{Evaluator, Network};
use movegen::Board;

use crate::history::correction::CorrectionHistory;
use crate::history::histories::Histories;
use crate::state::pv_table::PvTable;
use crate::state::stack::SearchStack;
use crate::types::score::Score;

/// What the last search left for the next one of the same game.
#[derive(Clone, Copy)]
pub(crate) struct LastSearch {
    /// The board after the move it chose.
    pub(crate) board: Board,
    /// The score of that move.
    pub(crate) score: Score,
}

/// The histories, the last search, and memory that each search resets.
pub(crate) struct ThreadData {
    pub(crate) histories: Histories,
    pub(crate) corrections: CorrectionHistory,
    pub(crate) stack: SearchStack,
    pub(crate) pv: PvTable,
    pub(crate) evaluator: Evaluator,
    pub(crate) last_search: Option<LastSearch>,
}

impl ThreadData {
    /// As before the first search; `None` if there is no memory for it, some megabytes.
    pub(crate) fn try_new(network: Arc<Network>) -> Option<Self> {
        Some(Self {
            histories: Histories::try_new()?,
            corrections: CorrectionHistory::try_new()?,
            stack: SearchStack::try_new()?,
            pv: PvTable::try_new()?,
            evaluator: Evaluator::try_new(network).ok()?,
            last_search: None,
        })
    }

    /// Prepares for a search from `board`.
    pub(crate) fn begin_search(&mut self, board: &Board) {
        self.stack.clear();
        self.histories.begin_search();
        self.evaluator.reset(board);
    }

    /// Clears the histories and the last search, in place. The rest is reset by each search and never affects its result.
    pub(crate) fn clear_histories(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.last_search = None;
    }

    /// Clears the histories, in place, and evaluates with this network from now on.
    pub(crate) fn begin_game(&mut self, network: Arc<Network>) {
        self.clear_histories();
        self.evaluator.set_network(network);
    }
}
