//! Reverse futility pruning (RFP, static null move pruning): so far above beta that the opponent will not catch up.
//!
//! `static_eval - max(margin * depth - improving - opponent_worsening + |correction|, least) >= beta`. The score returned
//! lies a third of the way from beta to the evaluation.
//!
//! Source: the Chess Programming Wiki, "Reverse Futility Pruning"; the conditions follow Stockfish and Reckless.
//! Measured: +11 +- 19 Elo for the correction in the margin together with that of futility pruning (abba72a); +33 +- 24
//! Elo (40,000 nodes a move) for the worsening together with a tuning of 54 numbers.

use crate::state::worker::Worker;
use crate::tree::node::Node;
use crate::types::params;
use crate::types::score::{Bound, Score};

impl Worker<'_> {
    pub(crate) fn try_reverse_futility(&self, node: &Node<'_>) -> Option<Score> {
        let eval = node.static_eval?;
        let margin = params::rfp_margin() * node.depth
            - params::rfp_improving() * i32::from(node.improving)
            - params::rfp_worsening() * i32::from(node.opponent_worsening)
            + params::rfp_correction() * node.correction.abs() / 64;
        let cuts = node.depth <= params::rfp_depth()
            && !node.tt_pv
            && !node.tt_hit.is_some_and(|hit| hit.bound == Bound::Upper)
            && eval - margin.max(params::rfp_margin_least()) >= node.beta
            && !eval.is_decisive()
            && !node.beta.is_loss();
        cuts.then(|| Score(node.beta.0 + (eval.0 - node.beta.0) / params::rfp_blend()))
    }
}
