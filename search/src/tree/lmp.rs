//! Late move pruning (LMP, move count pruning): quiet moves late in the order are skipped near the leaves.
//!
//! `move_count > base + square * depth^2 + history / divisor + improvement / divisor`, half of the first part if not improving.
//!
//! Source: the Chess Programming Wiki, "Late Move Pruning".

use crate::tree::node::{MoveInfo, Node};
use crate::types::params;

/// Whether a quiet move, and all quiet moves after it, are skipped.
#[inline]
pub(crate) fn is_too_late(node: &Node<'_>, info: &MoveInfo) -> bool {
    let squared = params::lmp_square() * node.depth * node.depth;
    let limit = (params::lmp_base() + squared) / if node.evaluation.improving { 10 } else { 20 }
        + info.history / params::lmp_history()
        + params::lmp_improvement() * node.evaluation.improvement / 1024;
    !node.in_check && info.move_count as i32 > limit
}
