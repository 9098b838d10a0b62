//! A position of a query in the queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::query::Query;
use crate::queue::{Job, Queue};
use crate::session::Session;

/// The positions of all sessions that are to be searched.
pub(crate) type PositionQueue = Queue<PositionJob>;

/// A position to be searched.
pub(crate) struct PositionJob {
    pub query: Arc<Query>,
    /// After how many moves.
    pub turn: usize,
    /// Whose it is.
    pub session: Arc<Session>,
    /// The search is to end, or not to begin.
    pub is_cancelled: AtomicBool,
}

impl PositionJob {
    pub const fn new(query: Arc<Query>, turn: usize, session: Arc<Session>) -> Self {
        Self { query, turn, session, is_cancelled: AtomicBool::new(false) }
    }
}

impl Job for PositionJob {
    fn priority(&self) -> i64 {
        self.query.priority
    }

    /// Only the last position of a query to be taken gives its memory back: the share of each is good enough.
    fn size(&self) -> usize {
        self.query.size() / self.query.turns.len()
    }

    fn cancel(&self) {
        self.is_cancelled.store(true, Relaxed);
    }
}
