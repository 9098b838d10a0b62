//! SEE pruning: moves that lose more material than the depth allows are skipped.
//!
//! - quiet: `see < -loss * reduced_depth^2`
//! - captures, promotions and checks: `see < -loss * depth - history / divisor`
//!
//! Source: the Chess Programming Wiki, "Static Exchange Evaluation" (pruning).

use crate::ordering::see::{quiet_see_ge, see_ge};
use crate::tree::node::{MoveInfo, Node};
use crate::types::params;

/// Whether a quiet move is skipped.
#[inline]
pub(crate) fn quiet_loses_material(node: &Node<'_>, info: &MoveInfo, reduced_depth: i32) -> bool {
    let loss = params::see_quiet() * reduced_depth * reduced_depth;
    !quiet_see_ge(node.board, node.threats().by_all, info.mv, loss)
}

/// Whether a capture, promotion or check is skipped.
#[inline]
pub(crate) fn noisy_loses_material(node: &Node<'_>, info: &MoveInfo) -> bool {
    let loss = params::see_noisy() * node.depth - info.history / params::see_noisy_history();
    !see_ge(node.board, info.mv, loss.min(0))
}
