//! Perft: counting the leaves of the game tree, the usual test of a move generator.
//!
//! Source: the Chess Programming Wiki, "Perft".

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::{Board, Move};

/// From this depth on, root moves are searched in parallel: below it, starting threads costs more than it saves.
const PARALLEL_DEPTH: u8 = 5;

/// Below this depth a count is too short to be worth stopping.
const STOP_CHECK_DEPTH: u8 = 5;

/// The number of move sequences of `depth` plies. The last ply is counted, not played (bulk counting).
///
/// A depth of 0 counts the position itself.
///
/// ```
/// use movegen::{Board, perft};
///
/// assert_eq!(perft(&Board::start(), 3), 8_902);
/// ```
#[must_use]
pub fn perft(board: &Board, depth: u8) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal_moves() as u64,
        _ => board.legal_moves().into_iter().map(|mv| perft(&board.after(mv), depth - 1)).sum(),
    }
}

/// The perft of the position after each legal move, in the order of generation; on all cores from depth 5 on.
///
/// ```
/// use movegen::{Board, divide, perft};
///
/// let parts = divide(&Board::start(), 3);
/// assert_eq!(parts.len(), 20);
/// assert_eq!(parts.iter().map(|&(_, nodes)| nodes).sum::<u64>(), perft(&Board::start(), 3));
/// ```
#[must_use]
pub fn divide(board: &Board, depth: u8) -> Vec<(Move, u64)> {
    divide_until(board, depth, &AtomicBool::new(false)).unwrap_or_default()
}

/// As [`divide`], but returns `None` soon after `stop` has been set.
#[must_use]
pub fn divide_until(board: &Board, depth: u8, stop: &AtomicBool) -> Option<Vec<(Move, u64)>> {
    let count = |mv: Move| Some((mv, perft_until(&board.after(mv), depth.saturating_sub(1), stop)?));
    let moves = board.legal_moves();
    // A pool of its own: rayon's global pool panics if the system refuses threads.
    let pool = (depth >= PARALLEL_DEPTH).then(|| ThreadPoolBuilder::new().build().ok()).flatten();
    match pool {
        Some(pool) => pool.install(|| moves.par_iter().map(|&mv| count(mv)).collect()),
        None => moves.into_iter().map(count).collect(),
    }
}

fn perft_until(board: &Board, depth: u8, stop: &AtomicBool) -> Option<u64> {
    match depth {
        _ if stop.load(Relaxed) => None,
        0..STOP_CHECK_DEPTH => Some(perft(board, depth)),
        _ => board.legal_moves().into_iter().map(|mv| perft_until(&board.after(mv), depth - 1, stop)).sum(),
    }
}
