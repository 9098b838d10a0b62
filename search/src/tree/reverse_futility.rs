//! Reverse futility pruning (RFP, static null move pruning): so far above beta that the opponent will not catch up.
//!
//! `static_eval - max(square * depth^2 + margin * depth - improving - opponent_worsening + |correction|, min) >= beta`. The
//! score returned lies between beta and the evaluation.
//!
//! Source: the Chess Programming Wiki, "Reverse Futility Pruning"; the conditions follow Stockfish and Reckless.

use crate::state::worker::Worker;
use crate::tree::node::Node;
use crate::types::params;
use crate::types::score::{Bound, Score};

impl Worker<'_> {
    pub(crate) fn try_reverse_futility(&self, node: &Node<'_>) -> Option<Score> {
        let eval = node.evaluation.static_eval?;
        let margin = (params::rfp_square() * node.depth + params::rfp_margin()) * node.depth
            - params::rfp_improving() * i32::from(node.evaluation.improving)
            - params::rfp_worsening() * i32::from(node.evaluation.opponent_worsening)
            + params::rfp_correction() * node.evaluation.correction.abs() / 64;
        let cuts = node.depth <= params::rfp_depth()
            && !node.tt_pv
            && !node.tt_hit.is_some_and(|hit| hit.bound == Bound::Upper)
            && eval - margin.max(params::rfp_margin_least()) >= node.beta
            && !eval.is_decisive()
            && !node.beta.is_loss();
        cuts.then(|| Score(node.beta.0 + (eval.0 - node.beta.0) / params::rfp_blend()))
    }
}
