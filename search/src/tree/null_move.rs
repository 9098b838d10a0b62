//! Null move pruning (NMP): good enough even if the opponent moves twice in a row.
//!
//! `reduction = base + depth / divisor + improving + improvement + min((eval - beta) / divisor, max)`, tried at cut nodes
//! with `eval >= beta` and pieces left. At high depth, or with a single piece, a search without null moves verifies it.
//!
//! Source: the Chess Programming Wiki, "Null Move Pruning" (C. Donninger); O. David-Tabibi and N. Netanyahu, "Verified
//! Null-Move Pruning" (2002); the conditions follow Stockfish and Reckless.

use movegen::PieceType;

use crate::state::worker::Worker;
use crate::tree::node::{Node, NonPv, SearchArgs};
use crate::types::params;
use crate::types::score::{Bound, Score};

impl Worker<'_> {
    pub(crate) fn try_null_move(&mut self, node: &Node<'_>) -> Option<Score> {
        let us = node.board.turn();
        let pieces = node.board.colors(us) - node.board.pieces(PieceType::Pawn) - node.board.pieces(PieceType::King);
        let after_null_move = self.data.stack.back(node.ply, 1).piece_to.is_none();
        if !node.cut_node
            || node.ply < self.null_move_from
            || after_null_move
            || node.evaluation.eval < node.beta
            || node
                .evaluation
                .static_eval
                .is_none_or(|eval| eval + params::nmp_margin_depth() * node.depth < node.beta + params::nmp_margin())
            || pieces.is_empty()
            || node.beta.is_loss()
            || node.tt_hit.is_some_and(|hit| hit.bound == Bound::Upper && hit.score < node.beta)
        {
            return None;
        }
        let surplus = (node.evaluation.eval.0 - node.beta.0).min(params::nmp_eval_max() * params::nmp_eval());
        let reduction = (params::nmp_base()
            + params::nmp_depth() * node.depth
            + params::nmp_improving() * i32::from(node.evaluation.improving)
            + params::nmp_improvement() * node.evaluation.improvement / 256
            + surplus * 1024 / params::nmp_eval())
            / 1024;
        let (child, since_null) = self.make_null(node.board, node.ply);
        let score = -self.search::<NonPv>(SearchArgs {
            board: &child,
            ply: node.ply + 1,
            alpha: -node.beta,
            beta: -node.beta + 1,
            depth: node.depth - reduction,
            cut_node: !node.cut_node,
        });
        self.unmake_null(since_null);
        // A mate after a null move is not proven.
        if score < node.beta || score.is_win() || self.watch.stopped {
            return None;
        }
        // With a single piece, zugzwang is likely.
        let is_safe = node.depth < params::nmp_verified_depth() && pieces.count() > 1;
        if is_safe || self.null_move_from > 0 {
            return Some(score);
        }
        // At least one ply: standing pat would prove nothing.
        let depth = (node.depth - reduction).max(1);
        self.null_move_from = node.ply + (params::nmp_verified_plies() as usize * depth as usize / 4).max(1);
        let args = SearchArgs { alpha: node.beta - 1, depth, cut_node: false, ..node.args() };
        let verified = self.search::<NonPv>(args);
        self.null_move_from = 0;
        (verified >= node.beta).then_some(score)
    }
}
