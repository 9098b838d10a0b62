//! What the search threads and their owner share: the flags of a running search, and the node counts.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::types::request::{Inbox, Interrupt};

/// The flags that control a running search.
#[derive(Default)]
pub(crate) struct Control {
    /// All threads have to end their search.
    stop: AtomicBool,
    /// The best move is wanted now, even in `go infinite` or while pondering.
    wanted: AtomicBool,
    /// A search runs whose best move has not been reported.
    searching: AtomicBool,
    /// The search runs on the opponent's time.
    pondering: AtomicBool,
    /// Held while one of the flags above changes.
    changing: Mutex<()>,
    changed: Condvar,
    /// Where orders of the owner arrive, if the search runs on the owner's thread.
    inbox: Option<Inbox>,
}

impl Control {
    pub(crate) fn with_inbox(inbox: Inbox) -> Self {
        Self { inbox: Some(inbox), ..Self::default() }
    }

    /// Whether the search runs on its owner's thread.
    pub(crate) const fn has_inbox(&self) -> bool {
        self.inbox.is_some()
    }

    /// Obeys the inbox, if there is one.
    pub(crate) fn look_into_inbox(&self) {
        match self.inbox.as_ref().and_then(|inbox| inbox()) {
            Some(Interrupt::Stop) => self.stop(),
            Some(Interrupt::PonderHit) => self.ponder_hit(),
            None => {}
        }
    }

    pub(crate) fn begin(&self, pondering: bool) {
        self.stop.store(false, SeqCst);
        self.wanted.store(false, SeqCst);
        self.pondering.store(pondering, SeqCst);
        self.searching.store(true, SeqCst);
    }

    pub(crate) fn finish(&self) {
        self.searching.store(false, SeqCst);
    }

    /// Ends the search of all threads, and asks for the answer at once.
    pub(crate) fn stop(&self) {
        self.stop.store(true, SeqCst);
        self.change(|| self.wanted.store(true, SeqCst));
    }

    /// Ends the search of all threads, since a limit has been reached. The answer may still be held back.
    pub(crate) fn end(&self) {
        self.stop.store(true, SeqCst);
    }

    pub(crate) fn ponder_hit(&self) {
        self.change(|| self.pondering.store(false, SeqCst));
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    #[inline]
    pub(crate) fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    pub(crate) fn is_searching(&self) -> bool {
        self.searching.load(SeqCst)
    }

    /// Whether the answer of a search that has ended may be given: the search was stopped, or is on our own time and not
    /// `infinite`.
    pub(crate) fn is_wanted(&self, infinite: bool) -> bool {
        self.wanted.load(SeqCst) || !infinite && !self.pondering.load(SeqCst)
    }

    /// Sleeps until the answer is wanted. On the owner's thread nothing could wake it, so there it returns at once.
    pub(crate) fn sleep_until_wanted(&self, infinite: bool) {
        let mut held = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        while self.inbox.is_none() && !self.is_wanted(infinite) {
            held = self.changed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn change(&self, set: impl FnOnce()) {
        let _held = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        set();
        self.changed.notify_all();
    }
}

/// The counts of one thread, on a cache line of its own, so that threads do not slow each other down.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct NodeCount {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

impl NodeCount {
    #[inline]
    pub(crate) fn set(&self, nodes: u64, tablebase_hits: u64) {
        self.nodes.store(nodes, Relaxed);
        self.tablebase_hits.store(tablebase_hits, Relaxed);
    }
}

/// The nodes visited by all threads.
pub(crate) fn total(counts: &[NodeCount]) -> u64 {
    counts.iter().map(|count| count.nodes.load(Relaxed)).sum()
}

/// The endgame table hits of all threads.
pub(crate) fn total_hits(counts: &[NodeCount]) -> u64 {
    counts.iter().map(|count| count.tablebase_hits.load(Relaxed)).sum()
}
