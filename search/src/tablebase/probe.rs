//! Asking the tables while searching: at the root which moves are best, in the tree what a position is worth.

use super::rank::{By, score};
use super::{Tablebase, Wdl};
use crate::node::{Node, NodeKind};
use crate::root::{RootMove, sort};
use crate::table::Record;
use crate::worker::{Job, Worker, tt_key};
use crate::{Bound, MAX_PLY, Score};

/// Plies by which the result of a table outweighs that of a search when one of them has to make room.
const WORTH_IN_DEPTH: i32 = 6;

/// How one search asks the tables inside its tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probing<'a> {
    tables: &'a Tablebase,
    /// The most pieces to ask for.
    pieces: usize,
    /// The least depth to ask at with that many pieces; with fewer, any depth will do.
    depth: i32,
    fifty_moves: bool,
}

impl<'a> Probing<'a> {
    /// None if there is nothing to ask.
    pub(crate) fn new(job: &'a Job) -> Option<Self> {
        let tables = job.tablebase.as_deref()?;
        let settings = &job.settings.tablebase;
        let pieces = settings.probe_limit.min(tables.largest());
        (pieces > 0).then_some(Self { tables, pieces, depth: settings.probe_depth, fifty_moves: settings.fifty_moves })
    }
}

impl Worker<'_> {
    /// Ranks the root moves by the tables. Those of the best rank come first, and only they are searched.
    pub(crate) fn rank_root_moves(&mut self) {
        let Some(Probing { tables, pieces, fifty_moves, .. }) = self.probing else { return };
        let position = &*self.job.position;
        if position.board().occupied().count() > pieces || !position.board().castling().is_empty() {
            return;
        }
        let moves = || self.root_moves.iter().map(|root_move| root_move.mv);
        let by_dtz = tables.rank_by_dtz(position, moves(), fifty_moves, By::Result);
        let knows_distance = by_dtz.is_some();
        let Some(ranks) = by_dtz.or_else(|| tables.rank_by_wdl(position, moves(), fifty_moves)) else { return };
        self.tablebase_hits += ranks.len() as u64;
        for (root_move, rank) in self.root_moves.iter_mut().zip(ranks) {
            root_move.rank = Some(rank);
        }
        sort(&mut self.root_moves);
        // With distances the ranks see to it that a win makes headway, and the search looks for mates. Without, it
        // has to find its way from one table to the next.
        let wins = self.root_moves.first().and_then(|root_move| root_move.rank).is_some_and(|rank| rank.score.0 > 0);
        if knows_distance || !wins {
            self.probing = None;
        }
    }

    /// The tables may settle a node, or at least narrow what it can be worth.
    #[inline]
    pub(crate) fn try_tablebase<N: NodeKind>(&mut self, node: &mut Node<'_>) -> Option<Score> {
        let probing = self.probing?;
        let pieces = node.board.occupied().count();
        let asks = !N::ROOT
            && pieces <= probing.pieces
            && (pieces < probing.pieces || node.depth >= probing.depth)
            && node.board.halfmove_clock() == 0
            && node.excluded.is_none();
        if asks { self.ask_tables(probing, node) } else { None }
    }

    #[inline(never)]
    fn ask_tables(&mut self, probing: Probing<'_>, node: &mut Node<'_>) -> Option<Score> {
        let wdl = probing.tables.wdl(node.board)?;
        self.check_limits_soon();
        self.tablebase_hits += 1;
        let mut score = score(wdl, probing.fifty_moves, node.ply);
        if !score.is_decisive() {
            score = score + self.draw(node.ply).0;
        }
        let bound = match wdl {
            _ if !score.is_decisive() => Bound::Exact,
            Wdl::Win | Wdl::CursedWin => Bound::Lower,
            _ => Bound::Upper,
        };
        if bound.allows(score, node.alpha, node.beta) {
            let depth = (node.depth + WORTH_IN_DEPTH).min(MAX_PLY as i32 - 1);
            let record = Record { mv: None, score, bound, raw_eval: None, depth, pv: node.tt_pv };
            self.table.store(tt_key(node.board), node.ply, &record);
            return Some(score);
        }
        // A mate may be better than any table, and there is a line to be shown.
        if node.pv && bound == Bound::Lower {
            node.least = score;
            node.alpha = node.alpha.max(score);
        } else if node.pv {
            node.most = score;
        }
        None
    }
}

impl RootMove {
    /// The table's score stands unless the search has found a mate, and not only a bound for one.
    pub(crate) fn shown(&self, score: Score, bound: Bound) -> (Score, Bound) {
        match self.rank {
            Some(rank) if bound != Bound::Exact || score.moves_to_mate().is_none() => (rank.score, Bound::Exact),
            _ => (score, bound),
        }
    }
}
