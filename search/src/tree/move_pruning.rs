//! The rules that skip a move before it is searched, in the order in which they are tried.
//!
//! Quiet moves are judged by the depth left after their reduction. A quiet check is judged like a capture, by what it
//! loses: it leaves the opponent no choice.
//!
//! Source: the Chess Programming Wiki, "Pruning".

use movegen::PieceType;

use crate::tree::futility::{noisy_futility, quiet_futility};
use crate::tree::history_pruning::has_bad_history;
use crate::tree::lmp::is_too_late;
use crate::tree::node::{MoveInfo, Node};
use crate::tree::see_pruning::{noisy_loses_material, quiet_loses_material};
use crate::types::score::Score;

/// What to do with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pruning {
    /// Search it.
    Search,
    /// Skip it.
    Skip,
    /// Skip it and all quiet moves after it.
    SkipQuiets,
    /// Skip it, and if it is quiet all quiet moves after it: none is expected to score more than this.
    Futile(Score),
}

/// Whether a move is worth searching when there is already a score that is not a loss.
pub(crate) fn prune_move(node: &Node<'_>, info: &MoveInfo) -> Pruning {
    // With pawns alone, zugzwang and races make all moves worth a search.
    let us = node.board.turn();
    let pieces = node.board.colors(us) - node.board.pieces(PieceType::Pawn) - node.board.pieces(PieceType::King);
    if pieces.is_empty() {
        return Pruning::Search;
    }
    if !info.quiet || info.gives_check {
        if let Some(score) = noisy_futility(node, info) {
            return Pruning::Futile(score);
        }
        return if noisy_loses_material(node, info) { Pruning::Skip } else { Pruning::Search };
    }
    let reduced_depth = (node.depth - info.reduction / 1024).max(0);
    if is_too_late(node, info) {
        return Pruning::SkipQuiets;
    }
    if let Some(score) = quiet_futility(node, info, reduced_depth) {
        return Pruning::Futile(score);
    }
    if has_bad_history(info, reduced_depth) || quiet_loses_material(node, info, reduced_depth) {
        return Pruning::Skip;
    }
    Pruning::Search
}
