//! Singular extensions: a TT move that is much better than all others is searched deeper.
//!
//! The other moves are searched at half depth with `beta = tt_score - margin * depth / 16`. If they fail low, the TT move
//! is singular and extended by up to three plies. If they reach the node's own beta, that is a multi-cut. If neither, the
//! TT move may be reduced (a negative extension).
//!
//! Source: T. Anantharaman et al., "Singular Extensions" (1988); the Chess Programming Wiki, "Singular Extensions" and
//! "Multi-Cut"; double, triple and negative extensions follow Stockfish. Measured: +1 +- 18 Elo for double extensions in
//! the principal variation together with reductions by window width (d0decfe); +19 +- 18 Elo for drawing the multi-cut's
//! score towards beta together with other nodes (77430b2). At 20,000 nodes, in 5,250 games that tried many terms at once:
//! +3 +- 6 Elo each for the deficit of quiet moves and for triple extensions of captures, as in Reckless; +1 for a search
//! without the TT move where another one is better, and less than nothing for margins by bound, by TT entry and by a
//! principal variation new to the TT, all left out. The rest not by itself.

use crate::state::worker::Worker;
use crate::tree::node::{Node, NonPv, Search, SearchArgs};
use crate::types::params;
use crate::types::score::{Bound, Score};
use crate::types::switch;

impl Worker<'_> {
    /// Decides how much deeper the TT move is searched. A multi-cut ends the node with a score.
    pub(crate) fn extend(&mut self, node: &mut Node<'_>) -> Option<Score> {
        let (Some(hit), Some(tt_move)) = (node.tt_hit, node.tt_move) else { return None };
        let tests = node.ply > 0
            && node.excluded.is_none()
            && node.depth >= params::singular_depth() + i32::from(node.tt_pv)
            && hit.depth >= node.depth - params::singular_tt_depth()
            && hit.bound != Bound::Upper
            && !hit.score.is_decisive()
            && node.ply < 2 * self.root.depth as usize;
        if !tests {
            return None;
        }
        let beta = hit.score - params::singular_margin() * node.depth / 16;
        self.data.stack[node.ply].excluded = Some(tt_move);
        let score =
            self.search::<NonPv>(SearchArgs { alpha: beta - 1, beta, depth: (node.depth - 1) / 2, ..node.args() });
        self.data.stack[node.ply].excluded = None;
        if self.watch.stopped {
            return None;
        }

        if score < beta {
            // Where the evaluation is often wrong, a singular move is more likely.
            let deficit = beta.0 - score.0
                + params::singular_correction() * node.correction.abs() / 64
                + params::singular_quiet() * i32::from(!node.board.is_noisy(tt_move));
            let in_pv = i32::from(node.pv);
            let double = deficit > params::double_margin() + params::double_pv() * in_pv;
            let triple = double && deficit > params::triple_margin() + params::triple_pv() * in_pv;
            node.extension = 1 + i32::from(double) + i32::from(triple);
        } else if switch::multi_cut() && score >= node.beta && !score.is_decisive() {
            return Some(score.towards(node.beta, params::multi_cut_blend()));
        } else if hit.score >= node.beta {
            node.extension = -params::negative_extension() + i32::from(node.pv);
        } else if node.cut_node {
            node.extension = -params::cut_node_extension();
        }
        None
    }
}
