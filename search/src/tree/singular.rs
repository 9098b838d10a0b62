//! Singular extensions: a TT move that is much better than all others is searched deeper.
//!
//! The other moves are searched at half depth with `beta = tt_score - margin * depth`. If they fail low, the TT move
//! is singular and extended by up to three plies; the first of these all other moves have too. If they reach the node's
//! own beta, that is a multi-cut, which corrects the evaluation. If neither, the TT move may be reduced (a negative
//! extension).
//!
//! Source: T. Anantharaman et al., "Singular Extensions" (1988); the Chess Programming Wiki, "Singular Extensions" and
//! "Multi-Cut"; double, triple and negative extensions, and the ply for all moves, follow Stockfish.

use movegen::Move;

use crate::state::worker::Worker;
use crate::tree::node::{Node, NonPv, SearchArgs};
use crate::types::params;
use crate::types::score::{Bound, Score};

/// The result of the search without the TT move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Singularity {
    /// Search the move this many plies deeper; shallower if negative.
    Extend(i32),
    /// Another move beats beta too: the node ends with this score.
    MultiCut(Score),
}

/// The depth of the search without the TT move.
pub(crate) const fn singular_depth(depth: i32) -> i32 {
    (depth - 1) / 2
}

impl Worker<'_> {
    /// Tests whether a move is the TT move and singular.
    pub(crate) fn singularity(&mut self, node: &Node<'_>, mv: Move) -> Singularity {
        let Some(hit) = node.tt_hit else { return Singularity::Extend(0) };
        let tests = node.ply > 0
            && node.tt_move == Some(mv)
            && node.excluded.is_none()
            && node.depth >= params::singular_depth() + i32::from(node.tt_pv)
            && hit.depth >= node.depth - params::singular_tt_depth()
            && hit.bound != Bound::Upper
            && !hit.score.is_decisive()
            && node.ply < 2 * self.root.depth as usize;
        if !tests {
            return Singularity::Extend(0);
        }
        let beta = hit.score - params::singular_margin() * node.depth / 16;
        self.data.stack[node.ply].excluded = Some(mv);
        let score = self.search::<NonPv>(SearchArgs {
            alpha: beta - 1,
            beta,
            depth: singular_depth(node.depth),
            ..node.args()
        });
        self.data.stack[node.ply].excluded = None;

        if score < beta {
            let deficit = beta.0 - score.0;
            let in_pv = i32::from(node.pv);
            let double = deficit
                > params::double_margin() + params::double_pv() * in_pv
                    - params::double_correction() * node.evaluation.correction.abs() / 64;
            let triple =
                double && !node.board.is_noisy(mv) && deficit > params::triple_margin() + params::triple_pv() * in_pv;
            Singularity::Extend(1 + i32::from(double) + i32::from(triple))
        } else if score >= node.beta && !score.is_decisive() {
            let score = score.towards(node.beta, params::multi_cut_blend());
            self.correct_by_multi_cut(node, mv, score);
            Singularity::MultiCut(score)
        } else if hit.score >= node.beta {
            Singularity::Extend(-params::negative_extension() + i32::from(node.pv))
        } else if node.cut_node {
            Singularity::Extend(-params::cut_node_extension())
        } else {
            Singularity::Extend(0)
        }
    }
}
