//! What is different at the root: which moves are searched, and what is kept of each.
//!
//! Source: the Chess Programming Wiki, "Root".

use movegen::Move;

use crate::state::root_state::CURRENT_EVERY;
use crate::state::worker::Worker;
use crate::tree::node::Node;
use crate::types::score::{Bound, Score};

impl Worker<'_> {
    /// Reports which root move is about to be searched, once the search takes long, and not too often.
    pub(crate) fn report_current(&mut self, mv: Move, number: usize) {
        // Without a reporter the clock is not read: at few nodes a move that would cost some percent.
        if !self.takes_long() {
            return;
        }
        let elapsed = self.job.clock.elapsed();
        if self.root.last_current.is_none_or(|last| elapsed >= last + CURRENT_EVERY)
            && let Some(reporter) = &mut self.root.reporter
        {
            self.root.last_current = Some(elapsed);
            reporter.current(self.root.depth, mv, self.root.line_index + number);
        }
    }

    /// Whether a root move is to be searched: not one of a better MultiPV line, nor one that endgame tables rank lower.
    pub(crate) fn is_searched_at_root(&self, mv: Move) -> bool {
        let rest = &self.root.moves[self.root.line_index..];
        let are_all_searched = self.root.line_index == 0 && self.root.has_all_moves && rest[0].rank.is_none();
        are_all_searched || rest.iter().any(|root_move| root_move.mv == mv && root_move.rank == rest[0].rank)
    }

    /// Updates a root move's nodes, and its score and line if it is the first or beats alpha.
    pub(crate) fn update_root_move(&mut self, mv: Move, move_count: usize, score: Score, node: &Node<'_>, nodes: u64) {
        let (seldepth, root_depth) = (self.root.seldepth, self.root.depth);
        let Some(root_move) = self.root.moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += nodes;
        if move_count > 1 && score <= node.alpha {
            root_move.score = -Score::INFINITE;
            return;
        }
        if move_count > 1 && self.root.line_index == 0 {
            self.root.best_move_changes += 1.0;
        }
        root_move.score = score;
        root_move.last_score = Some(score);
        root_move.average = Some(root_move.average.map_or(score.0, |average| (average + score.0) / 2));
        root_move.seldepth = seldepth;
        root_move.bound = if score >= node.beta {
            Bound::Lower
        } else if score <= node.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        if root_move.bound == Bound::Exact {
            root_move.last_exact = Some(score);
            root_move.exact_depth = root_depth;
        }
        // A move that failed low has no line of its own: the earlier one says more.
        if root_move.bound != Bound::Upper {
            root_move.line.clear();
            root_move.line.push(mv);
            root_move.line.extend_from_slice(self.data.pv.after(node.ply));
        }
    }
}
