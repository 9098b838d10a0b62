//! TT cutoff: an entry that is deep enough, with a bound that settles the window, ends the node.
//!
//! `tt_depth >= depth + (tt_score >= beta)`, and the score fails in the direction expected of the node unless the depth
//! is large. Not near the fifty-move rule, where the path matters more than the entry can know.
//!
//! Source: the Chess Programming Wiki, "Transposition Table"; the conditions follow Stockfish.

use crate::history::stat::bonus;
use crate::state::worker::Worker;
use crate::tree::node::Unevaluated;
use crate::types::params;
use crate::types::score::Score;

impl Worker<'_> {
    pub(crate) fn try_tt_cutoff(&mut self, node: &Unevaluated<'_>) -> Option<Score> {
        let hit = node.tt_hit?;
        let fails_high = hit.score >= node.beta;
        let cuts = !node.pv
            && hit.depth >= node.depth + i32::from(fails_high)
            && (node.cut_node == fails_high || node.depth > params::tt_cutoff_depth())
            && hit.bound.allows(hit.score, node.alpha, node.beta)
            && i32::from(node.board.halfmove_clock()) < params::tt_cutoff_clock();
        if !cuts {
            return None;
        }
        if fails_high {
            if let Some(mv) = node.tt_move
                && !node.board.is_noisy(mv)
            {
                let threats = node.threats().by_all;
                self.data.histories.update_quiet(node.board, threats, &node.context, mv, bonus(node.depth));
            }
            self.prior_move_malus(node);
        }
        Some(hit.score)
    }
}
