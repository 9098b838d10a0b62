//! History pruning: quiet moves with a bad history are skipped near the leaves.
//!
//! `history < -limit * reduced_depth`.
//!
//! Source: the Chess Programming Wiki, "History Leaf Pruning".

use crate::tree::node::MoveInfo;
use crate::types::params;

/// Whether a quiet move is skipped.
#[inline]
pub(crate) fn has_bad_history(info: &MoveInfo, reduced_depth: i32) -> bool {
    reduced_depth <= params::history_pruning_depth() && info.history < params::history_pruning() * reduced_depth.max(1)
}
