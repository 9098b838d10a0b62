//! Extending the lines to report by endgame tables, to the mate at their end.

use std::time::{Duration, Instant};

use movegen::Move;

use crate::root::root_search::RootSearch;
use crate::state::root_move::RootMove;
use crate::types::line::{Line, MAX_LINE};

/// The maximum time for the lines of one report.
const PATIENCE: Duration = Duration::from_millis(50);
/// The same when the search has been told to end.
const PATIENCE_AT_END: Duration = Duration::from_millis(2);

/// How long lines may be extended.
#[derive(Clone, Copy)]
struct Budget {
    deadline: Instant,
    /// The search has already been told to end. If not, a stop ends the extension too.
    is_last: bool,
}

impl RootSearch<'_> {
    /// Extends the lines about to be reported, as far as time allows: the rest comes with a later report.
    pub(crate) fn extend_lines(&mut self, line_count: usize) {
        if self.worker.job.tablebase.is_none() {
            return;
        }
        let budget = self.line_budget();
        for index in 0..line_count.min(self.worker.root.moves.len()) {
            if is_decided_by_tables(&self.worker.root.moves[index]) {
                let line = std::mem::take(&mut self.worker.root.moves[index].line);
                self.worker.root.moves[index].line = self.extended(line, budget);
            }
        }
    }

    /// As [`extend_lines`](Self::extend_lines), for a line of another thread.
    pub(crate) fn extend_line(&mut self, root_move: &mut RootMove) {
        if self.worker.job.tablebase.is_some() && is_decided_by_tables(root_move) {
            let line = std::mem::take(&mut root_move.line);
            root_move.line = self.extended(line, self.line_budget());
        }
    }

    fn line_budget(&self) -> Budget {
        let is_last = self.worker.watch.stopped || self.worker.job.control.is_stopped();
        let saves_time = self.worker.job.clock.saves_time();
        let usual = if saves_time { PATIENCE.min(self.worker.job.settings.move_overhead / 2) } else { PATIENCE };
        let patience = match self.worker.job.clock.left() {
            _ if is_last => PATIENCE_AT_END,
            // While pondering there is no hurry.
            Some(left) if !self.worker.job.control.is_pondering() => usual.min(left),
            _ => usual,
        };
        Budget { deadline: Instant::now() + patience, is_last }
    }

    /// The moves up to the first position that the tables know, and from there on what they recommend.
    fn extended(&mut self, line: Vec<Move>, budget: Budget) -> Vec<Move> {
        let job = self.worker.job;
        let Some(tables) = &job.tablebase else { return line };
        let settings = &job.settings.tablebase;
        let most_pieces = tables.largest().min(settings.probe_limit);
        let mut position = (*job.position).clone();
        let mut extended = Vec::new();
        let mut is_known = false;
        for &mv in &line {
            position.play(mv);
            extended.push(mv);
            is_known = position.board().occupied().count() <= most_pieces && tables.covers(position.board());
            if is_known {
                break;
            }
        }
        if !is_known {
            return line;
        }
        let key = position.board().key();
        let index = self.known_lines.iter().position(|(entry, _)| *entry == key).unwrap_or_else(|| {
            self.known_lines.push((key, Line::new()));
            self.known_lines.len() - 1
        });
        let rest = &mut self.known_lines[index].1;
        let may_go_on = || Instant::now() < budget.deadline && (budget.is_last || !job.control.is_stopped());
        tables.extend_line(rest, position, settings.fifty_moves, may_go_on);
        if rest.is_empty() {
            return line;
        }
        let room = MAX_LINE.saturating_sub(extended.len());
        extended.extend(rest.iter().copied().take(room));
        extended
    }
}

/// A win or loss that the search has not turned into a mate.
fn is_decided_by_tables(root_move: &RootMove) -> bool {
    let score = root_move.last_score.unwrap_or_default();
    let (score, _) = root_move.shown(score, root_move.bound);
    score.is_decisive() && score.moves_to_mate().is_none()
}
