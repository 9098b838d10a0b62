//! Endgame tables inside the tree: the result of a position with few pieces, after a capture or pawn move.
//!
//! Source: the Chess Programming Wiki, "Syzygy Bases"; the conditions follow Stockfish.

use crate::state::probing::Probing;
use crate::state::worker::Worker;
use crate::table::entry::TTEntry;
use crate::table::key::tt_key;
use crate::tablebase::rank::score;
use crate::tree::node::{NodeType, Unevaluated};
use crate::types::params;
use crate::types::score::{Bound, MAX_PLY, Score};
use crate::types::tablebase::Wdl;

impl Worker<'_> {
    /// Probes the tables: they may end a node, or bound its score.
    #[inline]
    pub(crate) fn try_tablebase<N: NodeType>(&mut self, node: &mut Unevaluated<'_>) -> Option<Score> {
        let probing = self.probing?;
        let pieces = node.board.occupied().count();
        let probes = !N::ROOT
            && pieces <= probing.pieces
            && (pieces < probing.pieces || node.depth >= probing.depth)
            && node.board.halfmove_clock() == 0
            && node.excluded.is_none();
        if probes { self.probe_tablebase(probing, node) } else { None }
    }

    #[inline(never)]
    fn probe_tablebase(&mut self, probing: Probing<'_>, node: &mut Unevaluated<'_>) -> Option<Score> {
        let wdl = probing.tables.wdl(node.board)?;
        self.watch.check_soon();
        self.watch.tablebase_hits += 1;
        let mut score = score(wdl, probing.fifty_moves, node.ply);
        if !score.is_decisive() {
            score = score + self.draw_score(node.ply).0;
        }
        let bound = match wdl {
            _ if !score.is_decisive() => Bound::Exact,
            Wdl::Win | Wdl::CursedWin => Bound::Lower,
            _ => Bound::Upper,
        };
        if bound.allows(score, node.alpha, node.beta) {
            let depth = (node.depth + params::tablebase_depth()).min(MAX_PLY as i32 - 1);
            let entry = TTEntry { mv: None, score, bound, raw_eval: None, depth, pv: node.tt_pv };
            self.table.store(tt_key(node.board), node.ply, &entry);
            return Some(score);
        }
        // A mate may be better than a table win, and there is a line to report.
        if node.pv && bound == Bound::Lower {
            node.least = score;
            node.alpha = node.alpha.max(score);
        } else if node.pv {
            node.most = score;
        }
        None
    }
}
