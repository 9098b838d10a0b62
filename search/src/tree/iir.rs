//! Internal iterative reduction (IIR): without a TT move the node is searched a ply shallower, which finds one.
//!
//! Source: E. Schröder's Rebel; the Chess Programming Wiki, "Internal Iterative Reductions".

use crate::tree::node::Node;
use crate::types::params;

/// Reduces the depth of a node that has no TT move.
#[inline]
pub(crate) fn reduce_without_tt_move(node: &mut Node<'_>) {
    let lacks_move = node.tt_move.is_none() && node.excluded.is_none();
    if node.depth >= params::iir_depth() && lacks_move && (node.pv || node.cut_node) {
        node.depth -= 1;
    }
}
