//! Reporting lines to the client.

use crate::root::root_search::{RootSearch, ThreadResult};
use crate::state::control::{total, total_hits};
use crate::state::root_move::RootMove;
use crate::types::report::Report;
use crate::types::score::{Bound, Score};

impl RootSearch<'_> {
    /// Reports the best lines after an iteration.
    pub(crate) fn report_lines(&mut self, depth: i32, line_count: usize) {
        if self.worker.root.reporter.is_none() {
            return;
        }
        self.examine_for_report();
        self.extend_lines(line_count);
        for index in 0..line_count {
            self.report_line(depth, index, &self.worker.root.moves[index].clone());
        }
    }

    /// Reports a thread's result as the best line.
    pub(crate) fn report_result(&mut self, result: &ThreadResult) {
        self.report_line(result.depth.max(1), 0, &result.best);
    }

    /// Reports a line with the score that belongs to it.
    fn report_line(&mut self, depth: i32, index: usize, root_move: &RootMove) {
        let score = root_move.line_score_at(depth);
        // A lower bound comes from the iteration that was stopped.
        let is_open = self.worker.watch.stopped && score.is_some_and(|(_, bound)| bound == Bound::Lower);
        self.report(if is_open { depth.max(self.worker.root.depth) } else { depth }, index, root_move, score);
    }

    pub(crate) fn report(&mut self, depth: i32, index: usize, root_move: &RootMove, score: Option<(Score, Bound)>) {
        self.worker.watch.publish();
        // A move that no iteration has scored yet has the static evaluation.
        let (score, bound) = score.unwrap_or_else(|| (self.worker.root_eval(), Bound::Lower));
        let Some(reporter) = &mut self.worker.root.reporter else { return };
        let shown = root_move.shown(score, bound);
        let (score, bound) = if self.is_dead { (Score::DRAW, Bound::Exact) } else { shown };
        reporter.line(&Report {
            depth,
            seldepth: root_move.seldepth,
            multi_pv: index + 1,
            score,
            bound,
            nodes: total(&self.worker.job.counts),
            elapsed: self.worker.job.clock.elapsed(),
            hashfull: self.worker.table.hashfull(),
            tablebase_hits: total_hits(&self.worker.job.counts),
            from_tables: root_move.rank.is_some(),
            is_dead: self.is_dead,
            pv: &root_move.line,
        });
    }
}
