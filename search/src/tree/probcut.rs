//! ProbCut: a good capture that beats beta by a margin at reduced depth most likely beats beta at full depth.
//!
//! `-search(child, beta + margin - improving, reduced depth) >= beta + margin - improving`, after a quiescence search has
//! agreed. The score returned is drawn towards beta.
//!
//! Source: the Chess Programming Wiki, "ProbCut" (M. Buro); the conditions follow Stockfish and Reckless.

use crate::ordering::movepick::MovePicker;
use crate::ordering::see::see_ge;
use crate::state::worker::Worker;
use crate::table::entry::TTEntry;
use crate::table::key::{tt_key, tt_key_after};
use crate::tree::node::{Node, NonPv, SearchArgs};
use crate::types::params;
use crate::types::score::{Bound, Score};

impl Worker<'_> {
    pub(crate) fn try_probcut(&mut self, node: &Node<'_>) -> Option<Score> {
        let beta =
            node.beta + params::probcut_margin() - params::probcut_improving() * i32::from(node.evaluation.improving);
        let reduced_depth = node.depth - params::probcut_reduction();
        let static_eval = node.evaluation.static_eval?;
        let likely = match node.tt_hit {
            Some(hit) => hit.score >= beta && !hit.score.is_decisive(),
            None => static_eval >= node.beta,
        };
        let is_quiet = |mv| !node.board.is_noisy(mv);
        if node.depth < params::probcut_depth()
            || !node.cut_node
            || node.beta.is_decisive()
            || !likely
            || node.tt_move.is_some_and(is_quiet)
        {
            return None;
        }
        let threshold = beta.0 - static_eval.0;
        let tt_move = node.tt_move.filter(|&mv| node.board.is_noisy(mv) && see_ge(node.board, mv, threshold));
        let mut picker = MovePicker::noisy(tt_move, threshold);
        while let Some(mv) = picker.next(node.board, &self.data.histories) {
            if picker.is_bad_noisy() {
                break;
            }
            self.table.prefetch(tt_key_after(node.board, mv));
            let child = self.make(node.board, mv, node.ply);
            let args = SearchArgs {
                board: &child,
                ply: node.ply + 1,
                alpha: -beta,
                beta: -beta + 1,
                depth: 0,
                cut_node: !node.cut_node,
            };
            let mut score = -self.qsearch::<NonPv>(args);
            if score >= beta && reduced_depth > 1 {
                score = -self.search::<NonPv>(SearchArgs { depth: reduced_depth - 1, ..args });
            }
            self.unmake();
            if self.watch.stopped {
                return None;
            }
            if score >= beta {
                let entry = TTEntry {
                    mv: Some(mv),
                    score,
                    bound: Bound::Lower,
                    raw_eval: node.evaluation.raw_eval,
                    depth: reduced_depth,
                    pv: node.tt_pv,
                };
                self.table.store(tt_key(node.board), node.ply, &entry);
                return Some(score.towards(node.beta, params::probcut_blend()));
            }
        }
        None
    }
}
