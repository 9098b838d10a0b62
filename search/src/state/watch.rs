//! Watching the limits of a search: the stop flag at each node, the clock and the node limit every thousand nodes.

use crate::state::control::total;
use crate::state::job::Job;

/// Nodes between two checks of the clock and the node limit.
const CHECK_INTERVAL: u64 = 1024;

/// Nodes, about a millisecond, during which the first iteration cannot be stopped; a limit of nodes holds from the start.
const FIRST_ITERATION_NODES: u64 = 2_000;

/// The same for what is read from endgame tables: their disk may be slow.
const FIRST_ITERATION_HITS: u64 = 8;

/// Between two looks at the clock by work that asks about as often as positions are visited.
const QUESTIONS_BETWEEN_CHECKS: u32 = 16;

/// The counts of one thread, and whether its search has to end.
pub(crate) struct LimitWatch<'a> {
    job: &'a Job<'a>,
    pub(crate) nodes: u64,
    pub(crate) tablebase_hits: u64,
    next_check: u64,
    /// How often work without nodes has asked whether to end.
    questions: u32,
    /// The move needs no more time, and would be played if the search were not pondering: it will be as soon as the
    /// opponent has moved.
    pub(crate) has_thought_enough: bool,
    /// The search has to end: scores from the tree no longer count.
    pub(crate) stopped: bool,
}

impl<'a> LimitWatch<'a> {
    pub(crate) const fn new(job: &'a Job<'a>) -> Self {
        Self {
            job,
            nodes: 0,
            tablebase_hits: 0,
            next_check: 0,
            questions: 0,
            has_thought_enough: false,
            stopped: false,
        }
    }

    /// Whether the search has to end in the iteration of `root_depth`; once true, it stays so.
    #[inline]
    pub(crate) fn must_stop(&mut self, root_depth: i32) -> bool {
        if self.nodes >= self.next_check {
            self.check_limits(root_depth);
        }
        self.stopped |= self.job.control.is_stopped() && !self.is_beginning(root_depth);
        self.stopped
    }

    /// Whether the first iteration still runs: even a search that is stopped at once should return a sensible move.
    const fn is_beginning(&self, root_depth: i32) -> bool {
        root_depth <= 1 && self.nodes < FIRST_ITERATION_NODES && self.tablebase_hits < FIRST_ITERATION_HITS
    }

    /// Makes the next node check the limits, after something that may have taken long.
    pub(crate) const fn check_soon(&mut self) {
        self.next_check = self.nodes;
    }

    /// Whether work that visits no nodes, such as a proof, has to end: asked again and again meanwhile. Unlike the first
    /// iteration, no such work is worth waiting for. The first question looks at the clock.
    pub(crate) fn must_break_off(&mut self) -> bool {
        if self.job.control.is_stopped() {
            return true;
        }
        let number = self.questions;
        self.questions = number.wrapping_add(1);
        if !number.is_multiple_of(QUESTIONS_BETWEEN_CHECKS) {
            return false;
        }
        self.job.look_for_orders();
        self.job.control.is_stopped()
            || !self.job.control.is_pondering() && self.job.clock.is_over(|| total(&self.job.counts))
    }

    #[cold]
    fn check_limits(&mut self, root_depth: i32) {
        self.publish();
        self.job.look_for_orders();
        self.next_check = self.nodes + CHECK_INTERVAL;
        let mut is_over = false;
        if let Some(limit) = self.job.limits.nodes {
            let total = total(&self.job.counts);
            is_over = total >= limit;
            // With one thread the search ends exactly at the limit.
            self.next_check = self.next_check.min(self.nodes + limit.saturating_sub(total).max(1));
        }
        is_over |= !self.job.control.is_pondering()
            && (self.has_thought_enough || self.job.clock.is_over(|| total(&self.job.counts)))
            && !self.is_beginning(root_depth);
        if is_over {
            // The first thread to see it stops all threads: on a busy machine the main thread may not run for a while.
            self.stopped = true;
            self.job.control.end();
        }
    }

    /// Publishes the counts to the other threads.
    pub(crate) fn publish(&self) {
        self.job.counts[self.job.id].set(self.nodes, self.tablebase_hits);
    }
}
