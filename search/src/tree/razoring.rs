//! Razoring: so far below alpha that only captures could help; a quiescence search decides.
//!
//! `eval + base + square * depth^2 < alpha`. Not for a mate, since no evaluation tells its distance.
//!
//! Source: the Chess Programming Wiki, "Razoring"; the margin follows Stockfish and Reckless.

use crate::state::worker::Worker;
use crate::tree::node::{Node, NonPv, SearchArgs};
use crate::types::params;
use crate::types::score::Score;

impl Worker<'_> {
    pub(crate) fn try_razoring(&mut self, node: &Node<'_>) -> Option<Score> {
        let margin = params::razoring_base() + params::razoring_square() * node.depth * node.depth;
        if node.depth > params::razoring_depth() || node.alpha.is_win() || node.evaluation.eval + margin >= node.alpha {
            return None;
        }
        let score = self.qsearch::<NonPv>(SearchArgs { depth: 0, beta: node.alpha + 1, ..node.args() });
        (score <= node.alpha).then_some(score)
    }
}
