//! One thread's search from the root: the worker, and what only its driver needs.

use movegen::Key;
use movegen::unwinnable::{Budget, is_dead_until};

use crate::state::job::Job;
use crate::state::root_move::{RootMove, root_moves};
use crate::state::thread_data::ThreadData;
use crate::state::worker::Worker;
use crate::strength::handicap::Handicap;
use crate::types::line::Line;
use crate::types::report::Reporter;

/// Lines found before, by the key of the position where the tables take over: most iterations ask for the same.
pub(crate) type KnownLines = Vec<(Key, Line)>;

/// A search from the root.
pub(crate) struct RootSearch<'a> {
    pub(crate) worker: Worker<'a>,
    /// Chooses the move at the end, if the engine plays below full strength.
    pub(crate) handicap: Option<Handicap>,
    /// Lines to the mate that endgame tables have shown.
    pub(crate) known_lines: KnownLines,
    /// Neither side can mate any more: whatever the search finds, the score is a draw.
    pub(crate) is_dead: bool,
    /// The most work that has gone into the question whether the position is dead.
    examined: Option<Budget>,
}

impl<'a> RootSearch<'a> {
    pub(crate) fn new(job: &'a Job<'a>, data: &'a mut ThreadData) -> Self {
        let root_moves = root_moves(job.position.board(), &job.limits.search_moves);
        Self {
            worker: Worker::new(job, data, root_moves),
            handicap: job.settings.strength.map(|strength| Handicap::new(strength, &job.position)),
            known_lines: KnownLines::new(),
            is_dead: false,
            examined: None,
        }
    }

    /// Sets the reporter.
    pub(crate) fn report_to(&mut self, reporter: &'a mut (dyn Reporter + 'a)) {
        self.worker.root.reporter = Some(reporter);
    }

    /// Finds out whether the position is dead, as far as there is time. Only reports say it, so nothing waits for the answer:
    /// it is looked for when there is a move to report, and a `stop` or the end of the time breaks the proof off.
    pub(crate) fn examine_for_report(&mut self) {
        let job = self.worker.job;
        let clock = &job.clock;
        let is_unhurried = clock.left().is_none() || !clock.saves_time() && self.worker.takes_long();
        let budget = if is_unhurried { Budget::MEDIUM } else { Budget::FAST };
        if job.settings.is_alive
            || self.is_dead
            || self.examined.is_some_and(|done| done == budget || done == Budget::MEDIUM)
        {
            return;
        }
        self.examined = Some(budget);
        let (board, watch) = (job.position.board(), &mut self.worker.watch);
        self.is_dead = is_dead_until(board, budget, &mut || watch.must_break_off());
    }
}

/// What one thread found.
#[derive(Clone, Debug)]
pub(crate) struct ThreadResult {
    /// The last completed iteration.
    pub(crate) depth: i32,
    pub(crate) best: RootMove,
}
