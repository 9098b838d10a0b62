//! Hindsight adjustment: the parent's reduction was chosen before this node's evaluation was known; correct it now.
//!
//! With `change = parent's eval + eval`, what the parent's move lost: a ply more after a large reduction if
//! `change <= 0` and the side to move is not improving, a ply less if it is above a margin.
//!
//! Source: Stockfish.

use crate::state::worker::Worker;
use crate::tree::node::Node;
use crate::types::params;

impl Worker<'_> {
    pub(crate) fn adjust_depth_in_hindsight(&self, node: &mut Node<'_>) {
        let parent = self.data.stack.back(node.ply, 1);
        let (Some(before), Some(now)) = (parent.static_eval, node.evaluation.static_eval) else { return };
        let change = before.0 + now.0;
        if parent.reduction >= params::hindsight_deeper() && change <= 0 && !node.evaluation.improving {
            node.depth += 1;
        } else if parent.reduction >= params::hindsight_shallower()
            && node.depth >= 2
            && change > params::hindsight_margin()
        {
            node.depth -= 1;
        }
    }
}
