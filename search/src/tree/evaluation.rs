//! The static evaluation of a node: corrected, scaled by the fifty-move counter, or replaced by the TT score.
//!
//! `eval * (scale - halfmove_clock) / scale + correction`; a node is improving if that is more than two plies ago.
//!
//! Source: Stockfish, also for keeping in the TT the evaluations of nodes that store nothing else.

use eval::Network;
use movegen::Board;

use crate::state::worker::Worker;
use crate::table::entry::TTEntry;
use crate::table::key::tt_key;
use crate::tree::lone_king::driven;
use crate::tree::node::{Evaluation, Unevaluated};
use crate::types::params;
use crate::types::score::Score;

impl Worker<'_> {
    /// Evaluates the board of a node.
    #[inline]
    pub(crate) fn evaluate(&mut self, node: &Unevaluated<'_>) -> Evaluation {
        let ply = node.ply;
        if node.in_check {
            self.data.stack[ply].static_eval = None;
            return Evaluation::IN_CHECK;
        }
        // In a singular search the same board has just been evaluated.
        let known = match node.excluded {
            Some(_) => self.data.stack[ply].raw_eval,
            None => self.known_eval(node.board, node.tt_hit),
        };
        let raw = known.unwrap_or_else(|| {
            let raw = self.raw_eval(node.board);
            // Most nodes that are pruned as a whole store nothing else.
            if node.tt_hit.is_none() && node.excluded.is_none() {
                self.table.store_eval(tt_key(node.board), raw);
            }
            raw
        });
        self.data.stack[ply].raw_eval = Some(raw);
        let corrected = self.corrected(node.board, ply, raw);
        let eval = match node.tt_hit {
            Some(hit) if !hit.score.is_decisive() && hit.bound.improves(hit.score, corrected) => hit.score,
            _ => corrected,
        };
        self.data.stack[ply].static_eval = Some(corrected);
        if node.excluded.is_none() && (node.tt_hit.is_none() || node.depth < params::eval_history_depth()) {
            self.update_eval_history(node, corrected);
        }
        let before = self.data.stack.back(ply, 1).static_eval;
        let earlier = self.data.stack.back(ply, 2).static_eval.or(self.data.stack.back(ply, 4).static_eval);
        let most = params::improvement_max();
        Evaluation {
            raw_eval: Some(raw),
            static_eval: Some(corrected),
            correction: corrected.0 - scaled_by_fifty_moves(node.board, raw).0,
            eval,
            improving: earlier.is_none_or(|earlier| corrected > earlier),
            improvement: earlier.map_or(0, |earlier| (corrected.0 - earlier.0).clamp(-most, most)),
            opponent_worsening: before.is_some_and(|before| corrected > -before),
        }
    }

    /// The static evaluation before corrections, with the progress against a lone king; outside the range of mates and
    /// table wins.
    #[inline]
    pub(crate) fn raw_eval(&mut self, board: &Board) -> Score {
        raw(board, self.data.evaluator.evaluate(board))
    }

    /// The static evaluation before corrections that the TT remembers.
    #[inline]
    pub(crate) fn known_eval(&self, board: &Board, tt_hit: Option<TTEntry>) -> Option<Score> {
        tt_hit.map_or_else(|| self.table.probe_eval(tt_key(board)), |hit| hit.raw_eval)
    }

    /// The static evaluation of the root, before or after a search.
    pub(crate) fn root_eval(&mut self) -> Score {
        self.raw_eval(self.job.position.board())
    }

    /// Updates the accumulators and prefetches the corrections. Done before the TT is probed: its entry, prefetched before
    /// the move was made, often arrives later than that.
    #[inline]
    pub(crate) fn prepare_evaluation(&mut self, board: &Board, ply: usize) {
        if !board.in_check() {
            self.data.corrections.prefetch(board, self.data.stack.last_moves(ply));
            self.data.evaluator.update(board);
        }
    }

    /// The evaluation after scaling and corrections.
    #[inline]
    pub(crate) fn corrected(&self, board: &Board, ply: usize, raw: Score) -> Score {
        let correction = self.data.corrections.get(board, self.data.stack.last_moves(ply));
        let limit = Score::WIN_BOUND.0 - 1;
        Score((scaled_by_fifty_moves(board, raw).0 + correction).clamp(-limit, limit))
    }
}

/// The static evaluation as the search begins with it, for the side to move: what a network says, with the progress against
/// a lone king, scaled by the fifty-move counter; corrections come later.
#[must_use]
pub fn static_evaluation(network: &Network, board: &Board) -> Score {
    scaled_by_fifty_moves(board, raw(board, network.evaluate(board)))
}

/// The evaluation before scaling, from what the network says.
#[inline]
fn raw(board: &Board, eval: i32) -> Score {
    let limit = Score::WIN_BOUND.0 - 1;
    Score(driven(board, eval).clamp(-limit, limit))
}

/// The evaluation, smaller the nearer the fifty-move rule is.
#[inline]
fn scaled_by_fifty_moves(board: &Board, raw: Score) -> Score {
    let scale = params::fifty_move_scale();
    Score(raw.0 * (scale - i32::from(board.halfmove_clock().min(100))) / scale)
}
