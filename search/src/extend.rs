//! Singular extensions: searching deeper the one move that is much better than all others.
//!
//! Sources: T. Anantharaman et al., "Singular Extensions" (1988); the Chess Programming Wiki, "Singular Extensions"
//! and "Multi-Cut"; double, triple and negative extensions follow Stockfish.

use movegen::Move;

use crate::node::{Node, NonPv, Visit};
use crate::worker::Worker;
use crate::{Bound, Score, params};

/// What the search without the table's move says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Singularity {
    /// Search the move this many plies deeper; negative for shallower.
    Extend(i32),
    /// Another move beats beta too: the node can be given up with this score.
    MultiCut(Score),
}

impl Worker<'_> {
    /// Whether the table's move stands alone.
    pub(crate) fn singularity(&mut self, node: &Node<'_>, mv: Move) -> Singularity {
        let Some(hit) = node.hit else { return Singularity::Extend(0) };
        let tests = node.ply > 0
            && node.tt_move == Some(mv)
            && node.excluded.is_none()
            && node.depth >= params::singular_depth() + i32::from(node.tt_pv)
            && hit.depth >= node.depth - params::singular_tt_depth()
            && hit.bound != Bound::Upper
            && !hit.score.is_decisive()
            && node.ply < 2 * self.root_depth as usize;
        if !tests {
            return Singularity::Extend(0);
        }
        let beta = hit.score - params::singular_margin() * node.depth / 16;
        self.memory.stack[node.ply].excluded = Some(mv);
        let score = self.node::<NonPv>(Visit { alpha: beta - 1, beta, depth: (node.depth - 1) / 2, ..node.visit() });
        self.memory.stack[node.ply].excluded = None;

        if score < beta {
            // An evaluation that has been wrong before makes a lone good move likelier.
            let deficit = beta.0 - score.0 + params::singular_correction() * node.correction.abs() / 64;
            let in_pv = i32::from(node.pv);
            let double = deficit > params::double_margin() + params::double_pv() * in_pv;
            let triple =
                double && !node.board.is_noisy(mv) && deficit > params::triple_margin() + params::triple_pv() * in_pv;
            Singularity::Extend(1 + i32::from(double) + i32::from(triple))
        } else if score >= node.beta && !score.is_decisive() {
            Singularity::MultiCut(score.towards(node.beta, params::multi_cut_blend()))
        } else if hit.score >= node.beta {
            Singularity::Extend(-3 + i32::from(node.pv))
        } else if node.cut_node {
            Singularity::Extend(-2)
        } else {
            Singularity::Extend(0)
        }
    }
}
