//! Skipping moves in the loop, near the leaves and late in the order.
//!
//! Source: the Chess Programming Wiki, "Futility Pruning", "Late Move Pruning", "History Leaf Pruning" and
//! "Static Exchange Evaluation" (pruning).

use movegen::PieceType;

use crate::node::Node;
use crate::reduce::{Candidate, base_reduction};
use crate::worker::Worker;
use crate::{Score, params, see};

/// What to do with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// Search it.
    Search,
    /// Skip it.
    Skip,
    /// Skip it and all quiet moves after it.
    SkipQuiet,
    /// Skip it, and if it is quiet all quiet moves after it: none is expected to bring more than this score.
    Futile(Score),
}

impl Worker<'_> {
    /// Whether a move is worth searching when a score is at hand already that does not lose.
    pub(crate) fn prune_move(&self, node: &Node<'_>, candidate: &Candidate) -> Verdict {
        // With pawns alone, zugzwang and races make quiet moves matter more than their looks.
        let us = node.board.turn();
        let pieces = node.board.colors(us) - node.board.pieces(PieceType::Pawn) - node.board.pieces(PieceType::King);
        if pieces.is_empty() {
            return Verdict::Search;
        }
        let reduction =
            base_reduction(node.depth, candidate.move_count) - candidate.history * 1024 / params::shallow_history();
        let reduced_depth = (node.depth - reduction / 1024).max(0);
        // A check is judged like a capture: by what it loses, since it leaves the opponent no choice.
        if candidate.quiet && !candidate.gives_check {
            let squared = params::lmp_square() * node.depth * node.depth;
            let limit = (params::lmp_base() + squared) / if node.improving { 10 } else { 20 }
                + candidate.history / params::lmp_history();
            if !node.in_check && candidate.move_count as i32 > limit {
                return Verdict::SkipQuiet;
            }
            let margin = params::futility_base()
                + params::futility_margin() * reduced_depth
                + candidate.history / params::futility_history()
                + params::futility_correction() * node.correction.abs() / 64;
            if !node.in_check && reduced_depth <= params::futility_depth() && node.eval + margin <= node.alpha {
                return Verdict::Futile(node.eval + margin);
            }
            if reduced_depth <= params::history_pruning_depth()
                && candidate.history < params::history_pruning() * reduced_depth.max(1)
            {
                return Verdict::Skip;
            }
            let loss = params::see_quiet() * reduced_depth * reduced_depth;
            if !see::wins_at_least(node.board, candidate.mv, loss) {
                return Verdict::Skip;
            }
        } else {
            let worth_of_victim = node.board.captured_by(candidate.mv).map_or(0, see::worth);
            let margin = params::noisy_futility_base()
                + params::noisy_futility_margin() * node.depth
                + worth_of_victim
                + candidate.history / params::noisy_futility_history();
            if !node.in_check
                && node.depth <= params::noisy_futility_depth()
                && candidate.bad
                && !candidate.gives_check
                && node.eval + margin <= node.alpha
            {
                return Verdict::Futile(node.eval + margin);
            }
            let loss = params::see_noisy() * node.depth - candidate.history / params::see_noisy_history();
            if !see::wins_at_least(node.board, candidate.mv, loss.min(0)) {
                return Verdict::Skip;
            }
        }
        Verdict::Search
    }
}
