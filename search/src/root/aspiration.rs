//! Aspiration windows: the root is searched with a narrow window around the average of its scores.
//!
//! `delta + average^2 / divisor + an offset by thread` to either side. After a failure the window is widened.
//!
//! Source: the Chess Programming Wiki, "Aspiration Windows"; the width and its shift from thread to thread follow
//! Stockfish.

use crate::root::root_search::RootSearch;
use crate::state::root_move::sort;
use crate::tree::node::{Root, SearchArgs};
use crate::types::params;
use crate::types::score::Score;

impl RootSearch<'_> {
    /// Searches the root with a window around the expected score, wider each time the score lies outside.
    pub(crate) fn aspirate(&mut self, depth: i32) {
        let board = *self.worker.job.position.board();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let average = self.worker.root.moves[self.worker.root.line_index].average;
        let mut delta =
            params::aspiration_delta() + average.map_or(0, |average| average * average / params::aspiration_average());
        // Threads with different windows search different trees.
        delta += self.worker.job.id as i32 % params::aspiration_threads();
        if let Some(average) = average.filter(|_| depth >= params::aspiration_depth()) {
            alpha = Score((average - delta).max(alpha.0));
            beta = Score((average + delta).min(beta.0));
        }
        loop {
            self.worker.root.width = (beta.0 - alpha.0).max(1);
            let args = SearchArgs { board: &board, ply: 0, alpha, beta, depth, cut_node: false };
            let score = self.worker.search::<Root>(args);
            let line_index = self.worker.root.line_index;
            sort(&mut self.worker.root.moves[line_index..]);
            if self.worker.watch.stopped {
                return;
            }
            if score <= alpha {
                beta = Score((alpha.0 + beta.0) / 2);
                alpha = Score((score.0 - delta).max(-Score::INFINITE.0));
            } else if score >= beta {
                alpha = Score((beta.0 - delta).max(alpha.0));
                beta = Score((score.0 + delta).min(Score::INFINITE.0));
            } else {
                return;
            }
            delta += delta / params::aspiration_widening();
            if self.worker.takes_long() && self.worker.job.settings.multi_pv == 1 {
                let best = &self.worker.root.moves[0];
                let score = best.last_score.map(|score| (score, best.bound));
                self.report(self.worker.root.depth, 0, &best.clone(), score);
            }
        }
    }
}
