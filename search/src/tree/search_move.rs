//! Searching one move: reduced with a null window, again at full depth, and with the full window.
//!
//! 1. A late move is searched at reduced depth with a null window. If it beats alpha, it is searched again, a ply deeper
//!    if the score is far above the best so far, a ply shallower if it is hardly above.
//! 2. Other moves, but for the first of a principal variation, are searched with a null window.
//! 3. In a principal variation, the first move and those that beat alpha are searched with the full window.
//!
//! Source: T. A. Marsland, "A Review of Game-Tree Pruning" (1986); the Chess Programming Wiki, "Principal Variation
//! Search"; the deeper and shallower second search follows Stockfish.

use crate::state::worker::Worker;
use crate::tree::node::{MoveInfo, Node, NodeType, NonPv, SearchArgs, Unevaluated};
use crate::types::params;
use crate::types::score::Score;

impl Worker<'_> {
    /// The score of one move for the side that makes it; `best` is the best score so far.
    pub(crate) fn search_move<N: NodeType>(
        &mut self,
        node: &Node<'_>,
        info: &MoveInfo,
        extension: i32,
        best: Score,
    ) -> Score {
        let Unevaluated { ply, alpha, beta, .. } = **node;
        let mut new_depth = node.depth - 1 + extension;
        let child = self.make(node.board, info.mv, ply);
        self.data.stack[ply].move_count = info.move_count;
        let null_window = |depth, cut_node| SearchArgs {
            board: &child,
            ply: ply + 1,
            alpha: -alpha - 1,
            beta: -alpha,
            depth,
            cut_node,
        };

        let mut score = Score::DRAW;
        let mut is_done = false;
        let mut searched_again = false;
        if node.depth >= params::lmr_depth() && info.move_count > 1 + usize::from(N::ROOT) {
            let reduced = (new_depth - info.reduction / 1024).clamp(1, new_depth.max(1) + 1 + i32::from(node.pv));
            self.data.stack[ply].reduction = (new_depth - reduced) * 1024;
            score = -self.search::<NonPv>(null_window(reduced, true));
            self.data.stack[ply].reduction = 0;
            is_done = score <= alpha || reduced >= new_depth;
            if !is_done {
                new_depth += i32::from(score > best + params::deeper_margin());
                new_depth -= i32::from(score < best + params::shallower_margin());
                is_done = reduced >= new_depth;
                searched_again = !is_done;
            }
        } else if info.reduction >= params::lmr_first() && info.move_count == 1 {
            new_depth -= 1;
        }
        let is_first_of_pv = N::PV && info.move_count == 1;
        if !is_done && !is_first_of_pv {
            score = -self.search::<NonPv>(null_window(new_depth, !node.cut_node));
        }
        if searched_again && info.quiet && !self.watch.stopped {
            self.update_after_second_search(node, info.mv, score);
        }
        if is_first_of_pv || N::PV && score > alpha {
            let full_window = SearchArgs {
                board: &child,
                ply: ply + 1,
                alpha: -beta,
                beta: -alpha,
                depth: new_depth,
                cut_node: false,
            };
            score = -self.search::<N::Child>(full_window);
        }
        self.unmake();
        score
    }
}
