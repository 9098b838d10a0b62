//! Futility pruning: a move is skipped if not even the evaluation with a margin for the depth reaches alpha.
//!
//! - quiet: `eval + base + margin * reduced_depth + history / divisor + |correction| <= alpha`
//! - captures with a bad exchange: `eval + base + margin * depth + captured + history / divisor <= alpha`
//!
//! Source: the Chess Programming Wiki, "Futility Pruning"; both follow Stockfish.

use crate::ordering::see::piece_value;
use crate::tree::node::{MoveInfo, Node};
use crate::types::params;
use crate::types::score::Score;

/// The score that a quiet move is not expected to exceed, if that is no more than alpha.
#[inline]
pub(crate) fn quiet_futility(node: &Node<'_>, info: &MoveInfo, reduced_depth: i32) -> Option<Score> {
    let margin = params::futility_base()
        + params::futility_margin() * reduced_depth
        + info.history / params::futility_history()
        + params::futility_correction() * node.evaluation.correction.abs() / 64;
    let is_futile =
        !node.in_check && reduced_depth <= params::futility_depth() && node.evaluation.eval + margin <= node.alpha;
    is_futile.then(|| node.evaluation.eval + margin)
}

/// The same for a capture or promotion.
#[inline]
pub(crate) fn noisy_futility(node: &Node<'_>, info: &MoveInfo) -> Option<Score> {
    let margin = params::noisy_futility_base()
        + params::noisy_futility_margin() * node.depth
        + node.board.captured_by(info.mv).map_or(0, piece_value)
        + info.history / params::noisy_futility_history();
    let is_futile = !node.in_check
        && node.depth <= params::noisy_futility_depth()
        && info.bad_noisy
        && !info.gives_check
        && node.evaluation.eval + margin <= node.alpha;
    is_futile.then(|| node.evaluation.eval + margin)
}
