//! Razoring: so far below alpha that only captures could help; a quiescence search decides.
//!
//! `eval + base + square * depth^2 < alpha`. Not where a quiet TT move or a lower bound says that more than captures can
//! help, nor for a mate, since no evaluation tells its distance.
//!
//! Source: the Chess Programming Wiki, "Razoring"; the conditions follow Stockfish and Reckless. Measured: +1 +- 18 Elo
//! for the conditions on the TT together with those of null move pruning and ProbCut (e6d31b4).

use crate::state::worker::Worker;
use crate::tree::node::{Node, NonPv, SearchArgs};
use crate::types::params;
use crate::types::score::{Bound, Score};

impl Worker<'_> {
    pub(crate) fn try_razoring(&mut self, node: &Node<'_>) -> Option<Score> {
        let margin = params::razoring_base() + params::razoring_square() * node.depth * node.depth;
        let may_rise = node.tt_move.is_some_and(|mv| !node.board.is_noisy(mv))
            || node.tt_hit.is_some_and(|hit| hit.bound == Bound::Lower);
        if node.depth > params::razoring_depth() || may_rise || node.alpha.is_win() || node.eval + margin >= node.alpha
        {
            return None;
        }
        let score = self.qsearch::<NonPv>(SearchArgs { depth: 0, beta: node.alpha + 1, ..node.args() });
        (score <= node.alpha).then_some(score)
    }
}
