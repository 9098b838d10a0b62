//! Storing the result of a node: in the TT, and as a correction of the evaluation.
//!
//! The correction is updated unless the best move is noisy, the score is decisive, or its bound does not contradict the
//! evaluation.
//!
//! Source: the Chess Programming Wiki, "Transposition Table"; the conditions of the correction follow Stockfish.

use movegen::Move;

use crate::state::worker::Worker;
use crate::table::entry::TTEntry;
use crate::table::key::tt_key;
use crate::tree::node::{Best, Node};
use crate::tree::singular::singular_depth;
use crate::types::score::{Bound, Score};

impl Worker<'_> {
    /// Stores the best move and score; `first_alpha` is alpha before any move was searched.
    pub(crate) fn store(&mut self, node: &Node<'_>, best: &Best, first_alpha: Score) {
        let bound = if best.score >= node.beta {
            Bound::Lower
        } else if node.pv && best.score > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = TTEntry {
            mv: best.mv,
            score: best.score,
            bound,
            raw_eval: node.evaluation.raw_eval,
            depth: node.depth,
            pv: node.tt_pv,
        };
        self.table.store(tt_key(node.board), node.ply, &entry);

        let Some(static_eval) = node.evaluation.static_eval else { return };
        let corrects = !best.mv.is_some_and(|mv| node.board.is_noisy(mv))
            && !best.score.is_decisive()
            && match bound {
                Bound::Exact => true,
                Bound::Lower => best.score > static_eval,
                Bound::Upper => best.score < static_eval,
            };
        if corrects {
            let last = self.data.stack.last_moves(node.ply);
            let error = best.score.0 - static_eval.0;
            self.data.corrections.update(node.board, last, node.depth, error);
        }
    }

    /// A multi-cut corrects the evaluation too: the search without the TT move `mv` found a score above it.
    pub(crate) fn correct_by_multi_cut(&mut self, node: &Node<'_>, mv: Move, score: Score) {
        let Some(static_eval) = node.evaluation.static_eval else { return };
        if score > static_eval && !node.board.is_noisy(mv) {
            let last = self.data.stack.last_moves(node.ply);
            let error = score.0 - static_eval.0;
            self.data.corrections.update(node.board, last, singular_depth(node.depth), error);
        }
    }
}
