//! Correction history: by how much the static evaluation has been wrong in positions that share a feature.
//!
//! `corrected = eval + sum(weight * value) / 1024`, and after a search each value moves towards the search's error,
//! `(score - corrected) * depth`.
//!
//! Source: the "static evaluation correction history" of Caissa (M. Witanowski), by pawn structure; by the other pieces
//! of each colour, by minor pieces and by continuation it follows Stockfish and Reckless.

use bytemuck::allocation::try_zeroed_box;
use bytemuck::write_zeroes;
use movegen::{Board, Color, Key};
use platform::prefetch;

use crate::history::piece_to::PieceTo;
use crate::history::stat::Stat;
use crate::history::tables::Tables;
use crate::types::params;
use crate::types::params::{CORRECTION_ENTRIES, CORRECTION_LIMIT};

/// Units of a stored correction for one centipawn.
const GRAIN: i32 = 64;

type Table = Box<[[Stat<CORRECTION_LIMIT>; CORRECTION_ENTRIES]; 2]>;

/// The moves one, two and four plies ago.
pub(crate) type LastMoves = [Option<PieceTo>; 3];

/// The corrections of one search thread, by side to move.
///
/// Each thread has its own: shared ones were tried, and lost.
pub(crate) struct CorrectionHistory {
    pawn: Table,
    non_pawn: [Table; 2],
    minor: Table,
    /// By piece and target square two or four plies ago, and those of the last move.
    continuation: Tables<[Stat<CORRECTION_LIMIT>; PieceTo::COUNT], { PieceTo::COUNT }>,
}

impl CorrectionHistory {
    /// Without any corrections; `None` without memory for them.
    pub(crate) fn try_new() -> Option<Self> {
        let table = || -> Option<Table> { try_zeroed_box().ok() };
        Some(Self { pawn: table()?, non_pawn: [table()?, table()?], minor: table()?, continuation: Tables::try_new()? })
    }

    /// Clears all corrections.
    pub(crate) fn clear(&mut self) {
        let Self { pawn, non_pawn: [white, black], minor, continuation } = self;
        for table in [pawn, white, black, minor] {
            write_zeroes(&mut **table);
        }
        continuation.clear();
    }

    /// What to add to the evaluation, in centipawns.
    #[inline]
    pub(crate) fn get(&self, board: &Board, last: LastMoves) -> i32 {
        let side = board.turn() as usize;
        let keys = board.keys();
        let mut sum = self.pawn[side][slot(keys.pawn())].get() * params::correction_pawn();
        for color in Color::ALL {
            let stat = self.non_pawn[color as usize][side][slot(keys.non_pawn(color))];
            sum += stat.get() * params::correction_non_pawn();
        }
        sum += self.minor[side][slot(keys.minor)].get() * params::correction_minor();
        if let [Some(one), earlier @ ..] = last {
            let weights = [params::correction_continuation(), params::correction_continuation_far()];
            for (earlier, weight) in earlier.into_iter().zip(weights) {
                let stat = earlier.map(|earlier| self.continuation.of(earlier.index())[one.index()].get());
                sum += stat.unwrap_or_default() * weight;
            }
        }
        sum / (1024 * GRAIN)
    }

    /// Prefetches what [`get`](Self::get) reads.
    #[inline]
    pub(crate) fn prefetch(&self, board: &Board, last: LastMoves) {
        let side = board.turn() as usize;
        let keys = board.keys();
        prefetch(&self.pawn[side][slot(keys.pawn())]);
        for color in Color::ALL {
            prefetch(&self.non_pawn[color as usize][side][slot(keys.non_pawn(color))]);
        }
        prefetch(&self.minor[side][slot(keys.minor)]);
        if let [Some(one), earlier @ ..] = last {
            for earlier in earlier.into_iter().flatten() {
                prefetch(&self.continuation.of(earlier.index())[one.index()]);
            }
        }
    }

    /// Updates after a search of `depth` found a score `error` centipawns above the corrected evaluation.
    pub(crate) fn update(&mut self, board: &Board, last: LastMoves, depth: i32, error: i32) {
        let limit = params::correction_limit() * GRAIN / 4;
        let most = params::correction_error_max();
        let step =
            (error.clamp(-most, most) * depth).clamp(-params::correction_step_max(), params::correction_step_max());
        let bonus = (step * GRAIN * params::correction_rate() / 1024).clamp(-limit, limit);
        let side = board.turn() as usize;
        let keys = board.keys();
        self.pawn[side][slot(keys.pawn())].update(bonus);
        for color in Color::ALL {
            self.non_pawn[color as usize][side][slot(keys.non_pawn(color))].update(bonus);
        }
        self.minor[side][slot(keys.minor)].update(bonus);
        if let [Some(one), earlier @ ..] = last {
            for earlier in earlier.into_iter().flatten() {
                self.continuation.of_mut(earlier.index())[one.index()].update(bonus);
            }
        }
    }
}

#[inline]
fn slot(key: Key) -> usize {
    key as usize % CORRECTION_ENTRIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_follow_the_error() {
        let mut corrections = CorrectionHistory::try_new().unwrap();
        let board = Board::start();
        assert_eq!(corrections.get(&board, [None; 3]), 0);
        for _ in 0..20 {
            corrections.update(&board, [None; 3], 8, 60);
        }
        assert!(corrections.get(&board, [None; 3]) > 10);
        assert!(corrections.get(&board, [None; 3]) < 1024);
    }
}
