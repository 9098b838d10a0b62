//! Iterative deepening: the root is searched one ply deeper again and again, until a limit is reached.
//!
//! Source: the Chess Programming Wiki, "Iterative Deepening".

use crate::mate::hunt::MateStatus;
use crate::root::root_search::{RootSearch, ThreadResult};
use crate::root::time::Stability;
use crate::state::root_move::{RootMove, sort};
use crate::strength::handicap::Handicap;
use crate::types::score::MAX_PLY;

impl RootSearch<'_> {
    /// Searches deeper and deeper until a limit is reached; `None` without a legal move.
    pub(crate) fn deepen(&mut self) -> Option<ThreadResult> {
        let job = self.worker.job;
        let deepest = job.limits.depth.unwrap_or(MAX_PLY as i32 - 1).clamp(1, MAX_PLY as i32 - 1);
        let move_count = self.worker.root.moves.len().max(1);
        let shown = job.settings.multi_pv.clamp(1, move_count);
        let mut stability = Stability::default();
        let mut completed = 0;
        let mut hunt = self.worker.begin_hunt();
        for depth in 1..=deepest {
            self.worker.root.depth = depth;
            self.worker.root.best_move_changes /= 2.0;
            let last_best = self.worker.root.moves.first()?.mv;
            let watched = self.handicap.as_ref().map_or(shown, Handicap::line_count);
            let line_count = shown.max(watched).min(move_count);
            self.search_lines(depth, line_count);
            if self.worker.watch.stopped {
                break;
            }
            completed = depth;
            if let Some(handicap) = &mut self.handicap {
                handicap.watch(depth, &self.worker.root.moves[..line_count], self.worker.watch.nodes);
            }
            let mate = hunt.as_mut().map_or(MateStatus::Open, |hunt| self.worker.hunt(hunt));
            self.report_lines(depth, shown);
            if mate == MateStatus::Never
                && let Some(reporter) = &mut self.worker.root.reporter
            {
                reporter.no_mate();
            }
            if mate != MateStatus::Open {
                break;
            }
            let is_same_move = last_best == self.worker.root.moves[0].mv;
            if self.worker.is_main() && self.is_done(depth, is_same_move, &mut stability) {
                break;
            }
        }
        self.worker.watch.publish();
        if self.worker.watch.stopped || completed == 0 {
            self.report_lines(completed.max(1), shown);
        }
        self.choose(completed, shown)
    }

    /// One iteration: the best line, then the second best, and so on.
    fn search_lines(&mut self, depth: i32, line_count: usize) {
        for line_index in 0..line_count {
            self.worker.root.line_index = line_index;
            self.worker.root.seldepth = 0;
            self.aspirate(depth);
            sort(&mut self.worker.root.moves[..=line_index]);
            if self.worker.watch.stopped {
                return;
            }
        }
    }

    /// The best move, or the one that a handicap chooses.
    fn choose(&mut self, completed: i32, shown: usize) -> Option<ThreadResult> {
        let moves = &self.worker.root.moves;
        let position = &self.worker.job.position;
        let chosen = self.handicap.as_mut().and_then(|handicap| handicap.choose(position, moves));
        let is_best = |root_move: &&RootMove| chosen.is_none_or(|chosen| root_move.mv == chosen);
        let result = ThreadResult { depth: completed, best: moves.iter().find(is_best)?.clone() };
        // The last line reported is that of the move to be played, unless the client wants several lines, or the search went
        // on at full strength.
        let has_gone_on = self.worker.job.limits.soft_nodes.is_none();
        if shown == 1 && result.best.mv != self.worker.root.moves[0].mv && !has_gone_on {
            self.report_result(&result);
        }
        Some(result)
    }
}
