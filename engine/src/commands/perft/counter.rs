//! Counting on several threads.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use movegen::{Board, FenError, Move, perft};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError};

/// Why nothing could be counted.
#[derive(Debug, thiserror::Error)]
pub enum PerftError {
    /// The position to start from.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// The suite cannot be read.
    #[error("{0}")]
    Read(#[source] io::Error),
    /// The suite holds no counts.
    #[error("{}: no perft counts in the file", .0.display())]
    Empty(PathBuf),
    /// The threads that were asked for are not to be had.
    #[error("cannot start threads: {0}")]
    Threads(#[from] ThreadPoolBuildError),
    /// The results cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[from] io::Error),
}

/// Counts on threads of its own: the common pool cannot be refused by the system without a panic.
pub struct Counter(pub ThreadPool);

/// Trees up to this depth are counted on one thread: they take less than a millisecond.
const LEAF_DEPTH: u8 = 3;

impl Counter {
    pub fn count(&self, board: &Board, depth: u8) -> u64 {
        self.0.install(|| count(board, depth))
    }

    pub fn divide(&self, board: &Board, depth: u8) -> Vec<(Move, u64)> {
        // The position itself has no first move.
        let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
        let moves = board.legal_moves();
        self.0.install(|| moves.par_iter().map(|&mv| (mv, count(&board.after(mv), rest))).collect())
    }
}

/// Shares out moves down to the leaves, so that one big branch does not keep a single thread busy.
fn count(board: &Board, depth: u8) -> u64 {
    if depth <= LEAF_DEPTH {
        return perft(board, depth);
    }
    board.legal_moves().par_iter().map(|&mv| count(&board.after(mv), depth - 1)).sum()
}

/// How long it took.
pub struct Speed {
    pub nodes: u64,
    pub elapsed: Duration,
}

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = self.elapsed.as_secs_f64();
        let rate = self.nodes as f64 / seconds.max(1e-9) / 1e6;
        write!(f, "Time: {seconds:.3} s, {rate:.0} million nodes a second")
    }
}
