//! The handle on a pool of search threads.

use std::time::Instant;

use movegen::Position;

use crate::{Limits, Reporter, Settings};

/// One search to be done.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where to search, with the game so far.
    pub position: Position,
    /// When to end.
    pub limits: Limits,
    /// How to go about it.
    pub settings: Settings,
    /// When the request arrived: the clock has been running since.
    pub received: Instant,
}

/// Threads that search, and the transposition table they share. Dropping it stops and joins them.
pub struct Searcher {}

impl Searcher {
    /// A pool of `threads` threads (at least 1) with a table of `hash_mib` MiB, or the largest that can be had.
    #[must_use]
    pub fn new(_threads: usize, _hash_mib: usize) -> Self {
        todo!()
    }

    /// The table's size in MiB, which may be less than was asked for.
    #[must_use]
    pub fn hash_mib(&self) -> usize {
        todo!()
    }

    /// Waits until the pool is idle, then resizes the table. Returns the size it has now, in MiB.
    pub fn set_hash_mib(&mut self, _mib: usize) -> usize {
        todo!()
    }

    /// Waits until the pool is idle, then changes the number of threads.
    pub fn set_threads(&mut self, _threads: usize) {
        todo!()
    }

    /// Waits until the pool is idle, then forgets all that was learnt: the table and every history.
    pub fn new_game(&mut self) {
        todo!()
    }

    /// Starts a search and returns at once; waits out one that is still running.
    pub fn start(&mut self, _request: Request, _reporter: Box<dyn Reporter>) {
        todo!()
    }

    /// Whether a search runs whose best move has not been reported yet.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        todo!()
    }

    /// Ends the running search, if there is one, which then reports its best move.
    pub fn stop(&self) {
        todo!()
    }

    /// The opponent played the expected move: the running search is now on our own clock.
    pub fn ponder_hit(&self) {
        todo!()
    }

    /// Waits until the running search, if there is one, has reported its best move.
    pub fn wait(&mut self) {
        todo!()
    }
}
