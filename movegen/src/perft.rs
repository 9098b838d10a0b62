//! Counting the leaves of the game tree, the measure of a move generator.
//!
//! Source: the Chess Programming Wiki, "Perft".

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::{Board, Move};

/// From this depth on, root moves are shared out over threads: below it, starting them costs more than it saves.
const PARALLEL_DEPTH: u8 = 5;

/// Below this depth a count is over before anybody could want it to stop.
const UNBROKEN_DEPTH: u8 = 5;

/// The number of move sequences of `depth` half-moves. The last half-move is counted, not played.
///
/// A depth of 0 counts the position itself.
#[must_use]
pub fn perft(board: &Board, depth: u8) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal_moves() as u64,
        _ => board.legal_moves().into_iter().map(|mv| perft(&board.after(mv), depth - 1)).sum(),
    }
}

/// The number of move sequences behind each legal move, in the order of generation, on all cores where the depth
/// makes it pay.
#[must_use]
pub fn divide(board: &Board, depth: u8) -> Vec<(Move, u64)> {
    divide_until(board, depth, &AtomicBool::new(false)).unwrap_or_default()
}

/// As [`divide`], but ends soon after `stop` has been set, and then with nothing.
#[must_use]
pub fn divide_until(board: &Board, depth: u8, stop: &AtomicBool) -> Option<Vec<(Move, u64)>> {
    let count = |mv: Move| Some((mv, perft_until(&board.after(mv), depth.saturating_sub(1), stop)?));
    let moves = board.legal_moves();
    // A pool of its own, since rayon's common one cannot be refused by the system without a panic.
    let pool = (depth >= PARALLEL_DEPTH).then(|| ThreadPoolBuilder::new().build().ok()).flatten();
    match pool {
        Some(pool) => pool.install(|| moves.par_iter().map(|&mv| count(mv)).collect()),
        None => moves.into_iter().map(count).collect(),
    }
}

fn perft_until(board: &Board, depth: u8, stop: &AtomicBool) -> Option<u64> {
    match depth {
        _ if stop.load(Relaxed) => None,
        0..UNBROKEN_DEPTH => Some(perft(board, depth)),
        _ => board.legal_moves().into_iter().map(|mv| perft_until(&board.after(mv), depth - 1, stop)).sum(),
    }
}
