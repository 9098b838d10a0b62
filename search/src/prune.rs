//! Giving a node up before its moves are looked at.
//!
//! Sources: the Chess Programming Wiki, "Razoring", "Reverse Futility Pruning", "Null Move Pruning" (C. Donninger)
//! and "ProbCut" (M. Buro); O. David-Tabibi and N. Netanyahu, "Verified Null-Move Pruning" (2002); the conditions of
//! each follow Stockfish and Reckless.

use movegen::PieceType;

use crate::node::{Node, NonPv, Visit};
use crate::picker::Picker;
use crate::table::Record;
use crate::worker::{Worker, tt_key, tt_key_after};
use crate::{Bound, Score, params, see};

/// Whether the table's move wins beta by taking a piece: better to play it than to pass.
fn takes_a_piece(node: &Node<'_>) -> bool {
    let takes = |mv| node.board.captured_by(mv).is_some_and(|victim| victim != PieceType::Pawn);
    node.hit.is_some_and(|hit| hit.bound == Bound::Lower) && node.tt_move.is_some_and(takes)
}

impl Worker<'_> {
    /// So far below alpha that only captures could help: let quiescence say whether they do.
    pub(crate) fn try_razoring(&mut self, node: &Node<'_>) -> Option<Score> {
        let margin = params::razoring_base() + params::razoring_square() * node.depth * node.depth;
        // A quiet move that was best, or a score that was beaten, says that more than captures can help; and no evaluation
        // tells how far a shorter mate is.
        let may_rise = node.tt_move.is_some_and(|mv| !node.board.is_noisy(mv))
            || node.hit.is_some_and(|hit| hit.bound == Bound::Lower);
        if node.depth > params::razoring_depth() || may_rise || node.alpha.is_win() || node.eval + margin >= node.alpha
        {
            return None;
        }
        let score = self.quiesce::<NonPv>(Visit { depth: 0, beta: node.alpha + 1, ..node.visit() });
        (score <= node.alpha).then_some(score)
    }

    /// So far above beta that the opponent will not catch up in the plies left.
    pub(crate) fn try_reverse_futility(&self, node: &Node<'_>) -> Option<Score> {
        let margin = params::rfp_margin() * node.depth - params::rfp_improving() * i32::from(node.improving)
            + params::rfp_correction() * node.correction.abs() / 64;
        let cuts = node.depth <= params::rfp_depth()
            && !node.tt_pv
            && !node.hit.is_some_and(|hit| hit.bound == Bound::Upper)
            && node.eval - margin.max(20) >= node.beta
            && !node.eval.is_decisive()
            && !node.beta.is_loss();
        // Between beta and the evaluation, since neither is quite to be trusted.
        cuts.then(|| Score(node.beta.0 + (node.eval.0 - node.beta.0) / 3))
    }

    /// Good enough even if the opponent may move twice.
    pub(crate) fn try_null_move(&mut self, node: &Node<'_>) -> Option<Score> {
        let us = node.board.turn();
        let pieces = node.board.colors(us) - node.board.pieces(PieceType::Pawn) - node.board.pieces(PieceType::King);
        let passed_before = self.memory.stack.back(node.ply, 1).arrival.is_none();
        if !node.cut_node
            || node.ply < self.null_move_from
            || passed_before
            || node.eval < node.beta
            || node
                .static_eval
                .is_none_or(|eval| eval + params::nmp_margin_depth() * node.depth < node.beta + params::nmp_margin())
            || pieces.is_empty()
            || node.beta.is_loss()
            || node.hit.is_some_and(|hit| hit.bound == Bound::Upper && hit.score < node.beta)
            || takes_a_piece(node)
        {
            return None;
        }
        let surplus = (node.eval.0 - node.beta.0).min(3 * params::nmp_eval());
        let reduction = (params::nmp_base()
            + params::nmp_depth() * node.depth
            + params::nmp_improving() * i32::from(node.improving)
            + surplus * 1024 / params::nmp_eval())
            / 1024;
        let (child, since_null) = self.make_null(node.board, node.ply);
        let score = -self.node::<NonPv>(Visit {
            board: &child,
            ply: node.ply + 1,
            alpha: -node.beta,
            beta: -node.beta + 1,
            depth: node.depth - reduction,
            cut_node: !node.cut_node,
        });
        self.unmake_null(since_null);
        // A mate found by passing is not proven.
        if score < node.beta || score.is_win() || self.stopped {
            return None;
        }
        // A single piece is most of what zugzwang needs.
        let safe = node.depth < params::nmp_verified_depth() && pieces.count() > 1;
        if safe || self.null_move_from > 0 {
            return Some(score);
        }
        // At least one ply: standing pat would prove nothing.
        let depth = (node.depth - reduction).max(1);
        self.null_move_from = node.ply + (3 * depth as usize / 4).max(1);
        let verified = self.node::<NonPv>(Visit { alpha: node.beta - 1, depth, cut_node: false, ..node.visit() });
        self.null_move_from = 0;
        (verified >= node.beta).then_some(score)
    }

    /// A good capture that beats beta by a margin at reduced depth will most likely beat beta at full depth.
    pub(crate) fn try_probcut(&mut self, node: &Node<'_>) -> Option<Score> {
        let beta = node.beta + params::probcut_margin() - params::probcut_improving() * i32::from(node.improving);
        let reduced_depth = node.depth - params::probcut_reduction();
        let static_eval = node.static_eval?;
        let likely = match node.hit {
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
        let tt_move =
            node.tt_move.filter(|&mv| node.board.is_noisy(mv) && see::wins_at_least(node.board, mv, threshold));
        let mut picker = Picker::noisy(tt_move, threshold);
        while let Some(mv) = picker.next(node.board, &self.memory.histories) {
            if picker.is_bad_noisy() {
                break;
            }
            self.table.prefetch(tt_key_after(node.board, mv));
            let child = self.make(node.board, mv, node.ply);
            let visit = Visit {
                board: &child,
                ply: node.ply + 1,
                alpha: -beta,
                beta: -beta + 1,
                depth: 0,
                cut_node: !node.cut_node,
            };
            let mut score = -self.quiesce::<NonPv>(visit);
            if score >= beta && reduced_depth > 1 {
                score = -self.node::<NonPv>(Visit { depth: reduced_depth - 1, ..visit });
            }
            self.unmake();
            if self.stopped {
                return None;
            }
            if score >= beta {
                self.table.store(
                    tt_key(node.board),
                    node.ply,
                    &Record {
                        mv: Some(mv),
                        score,
                        bound: Bound::Lower,
                        raw_eval: node.raw_eval,
                        depth: reduced_depth,
                        pv: node.tt_pv,
                    },
                );
                return Some(score.towards(node.beta, params::probcut_blend()));
            }
        }
        None
    }
}
