//! What is still to be searched, by priority and then in the order in which it came.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::query::Query;
use crate::session::Session;

/// The most positions that wait.
pub(crate) const MAX_POSITIONS: usize = 200_000;
/// The most memory for what waits, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// A position to be searched.
pub(crate) struct Job {
    pub query: Arc<Query>,
    /// After how many moves.
    pub turn: usize,
    /// Whose it is.
    pub session: Arc<Session>,
    /// The search is to end, or not to begin.
    pub is_cancelled: AtomicBool,
}

struct Entry {
    order: (i64, Reverse<u64>),
    job: Arc<Job>,
}

/// The queue of all sessions.
#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    wake: Condvar,
    is_aborted: AtomicBool,
    count: AtomicU64,
    answered: AtomicU64,
    nodes: AtomicU64,
}

/// What a queue has done, and has to do.
pub(crate) struct Load {
    /// Positions.
    pub answered: u64,
    /// Of all searches.
    pub nodes: u64,
    /// Positions.
    pub waiting: u64,
    /// Positions.
    pub running: u64,
}

#[derive(Default)]
struct State {
    waiting: BinaryHeap<Entry>,
    running: Vec<Arc<Job>>,
    bytes: usize,
    /// No more will come.
    is_closed: bool,
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the positions of a query; false if there are too many already.
    pub fn push(&self, query: &Arc<Query>, session: &Arc<Session>) -> bool {
        let mut state = self.state();
        let (size, count) = (query.size(), query.turns.len());
        if state.waiting.len() + count > MAX_POSITIONS || state.bytes + size > MAX_BYTES {
            return false;
        }
        // Only the last position of a query to be taken gives its memory back: the share of each is good enough.
        state.bytes += size;
        for &turn in &query.turns {
            let order = (query.priority, Reverse(self.count.fetch_add(1, Relaxed)));
            let job = Job {
                query: Arc::clone(query),
                turn,
                session: Arc::clone(session),
                is_cancelled: AtomicBool::new(false),
            };
            state.waiting.push(Entry { order, job: Arc::new(job) });
        }
        self.wake.notify_all();
        true
    }

    /// The next position, as soon as there is one; `None` at the end.
    pub fn take(&self) -> Option<Arc<Job>> {
        let mut state = self.state();
        loop {
            if self.is_aborted() {
                return None;
            }
            if let Some(Entry { job, .. }) = state.waiting.pop() {
                state.give_back(&job);
                state.running.push(Arc::clone(&job));
                return Some(job);
            }
            if state.is_closed {
                return None;
            }
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A position that was taken has been searched with this many nodes.
    pub fn done(&self, job: &Arc<Job>, nodes: u64) {
        self.state().running.retain(|other| !Arc::ptr_eq(other, job));
        self.answered.fetch_add(1, Relaxed);
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub fn load(&self) -> Load {
        let state = self.state();
        Load {
            answered: self.answered.load(Relaxed),
            nodes: self.nodes.load(Relaxed),
            waiting: state.waiting.len() as u64,
            running: state.running.len() as u64,
        }
    }

    /// Takes back what waits of these jobs, and ends the searches of those that run.
    pub fn cancel(&self, is_meant: impl Fn(&Job) -> bool) -> (Vec<Arc<Job>>, usize) {
        let mut state = self.state();
        let (taken, kept): (Vec<_>, _) = state.waiting.drain().partition(|entry| is_meant(&entry.job));
        state.waiting = BinaryHeap::from(kept);
        let taken: Vec<_> = taken.into_iter().map(|entry| entry.job).collect();
        taken.iter().for_each(|job| state.give_back(job));
        let running = state.running.iter().filter(|job| is_meant(job));
        let stopped = running.inspect(|job| job.is_cancelled.store(true, Relaxed)).count();
        (taken, stopped)
    }

    /// No more will come: the workers end when all is answered.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.wake.notify_all();
    }

    /// All searches end, and nothing else begins.
    pub fn abort(&self) {
        self.is_aborted.store(true, Relaxed);
        self.state().running.iter().for_each(|job| job.is_cancelled.store(true, Relaxed));
        self.wake.notify_all();
    }

    pub fn is_aborted(&self) -> bool {
        self.is_aborted.load(Relaxed)
    }
}

impl State {
    fn give_back(&mut self, job: &Job) {
        self.bytes = self.bytes.saturating_sub(job.query.size() / job.query.turns.len());
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order.cmp(&other.order)
    }
}
