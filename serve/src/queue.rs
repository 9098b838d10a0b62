//! What is still to be searched, by priority and then in the order in which it came.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The most jobs that wait.
pub(crate) const MAX_JOBS: usize = 200_000;
/// The most memory for what waits, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// Something to be done by a thread.
pub trait Job {
    /// Greater ones first.
    fn priority(&self) -> i64;

    /// What it takes to keep it, in bytes, about.
    fn size(&self) -> usize;

    /// It is to end, or not to begin.
    fn cancel(&self);
}

struct Entry<J> {
    order: (i64, Reverse<u64>),
    job: Arc<J>,
}

/// What threads take their work from.
pub struct Queue<J> {
    state: Mutex<State<J>>,
    wake: Condvar,
    is_aborted: AtomicBool,
    count: AtomicU64,
    answered: AtomicU64,
    nodes: AtomicU64,
}

/// What a queue has done, and has to do.
pub(crate) struct Load {
    /// Jobs.
    pub answered: u64,
    /// Of all searches.
    pub nodes: u64,
    /// Jobs.
    pub waiting: u64,
    /// Jobs.
    pub running: u64,
}

struct State<J> {
    waiting: BinaryHeap<Entry<J>>,
    running: Vec<Arc<J>>,
    bytes: usize,
    /// No more will come.
    is_closed: bool,
}

impl<J> Default for Queue<J> {
    fn default() -> Self {
        let state = State { waiting: BinaryHeap::new(), running: Vec::new(), bytes: 0, is_closed: false };
        Self {
            state: Mutex::new(state),
            wake: Condvar::new(),
            is_aborted: AtomicBool::new(false),
            count: AtomicU64::new(0),
            answered: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
        }
    }
}

impl<J: Job> Queue<J> {
    fn state(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds jobs that belong together; false, and none of them, if there are too many already.
    pub fn push(&self, jobs: impl ExactSizeIterator<Item = J>) -> bool {
        let mut state = self.state();
        if state.waiting.len() + jobs.len() > MAX_JOBS || state.bytes > MAX_BYTES {
            return false;
        }
        for job in jobs {
            state.bytes += job.size();
            let order = (job.priority(), Reverse(self.count.fetch_add(1, Relaxed)));
            state.waiting.push(Entry { order, job: Arc::new(job) });
        }
        self.wake.notify_all();
        true
    }

    /// The next job, as soon as there is one; `None` at the end.
    pub fn take(&self) -> Option<Arc<J>> {
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

    /// A job that was taken is done, with this many nodes.
    pub fn done(&self, job: &Arc<J>, nodes: u64) {
        self.state().running.retain(|other| !Arc::ptr_eq(other, job));
        self.answered.fetch_add(1, Relaxed);
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub(crate) fn load(&self) -> Load {
        let state = self.state();
        Load {
            answered: self.answered.load(Relaxed),
            nodes: self.nodes.load(Relaxed),
            waiting: state.waiting.len() as u64,
            running: state.running.len() as u64,
        }
    }

    /// Takes back what waits of these jobs, and ends the searches of those that run.
    pub fn cancel(&self, is_meant: impl Fn(&J) -> bool) -> (Vec<Arc<J>>, usize) {
        let mut state = self.state();
        let (taken, kept): (Vec<_>, _) = state.waiting.drain().partition(|entry| is_meant(&entry.job));
        state.waiting = BinaryHeap::from(kept);
        let taken: Vec<_> = taken.into_iter().map(|entry| entry.job).collect();
        taken.iter().for_each(|job| state.give_back(job));
        let running = state.running.iter().filter(|job| is_meant(job));
        let stopped = running.inspect(|job| job.cancel()).count();
        (taken, stopped)
    }

    /// No more will come: the workers end when all is answered.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.wake.notify_all();
    }

    /// All jobs end, and nothing else begins.
    pub fn abort(&self) {
        self.is_aborted.store(true, Relaxed);
        self.state().running.iter().for_each(|job| job.cancel());
        self.wake.notify_all();
    }

    /// Whether that has been said.
    pub fn is_aborted(&self) -> bool {
        self.is_aborted.load(Relaxed)
    }
}

impl<J: Job> State<J> {
    fn give_back(&mut self, job: &J) {
        self.bytes = self.bytes.saturating_sub(job.size());
    }
}

impl<J> PartialEq for Entry<J> {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl<J> Eq for Entry<J> {}

impl<J> PartialOrd for Entry<J> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<J> Ord for Entry<J> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order.cmp(&other.order)
    }
}
