//! Low-ply history: quiet moves near the root of the current search, by ply, from and to.
//!
//! `weight * value / (1 + ply)`. It starts empty in each search.
//!
//! Source: Stockfish.

use bytemuck::allocation::try_zeroed_box;
use bytemuck::write_zeroes;
use movegen::Move;

use crate::history::stat::Stat;
use crate::types::params;
use crate::types::params::{LOW_PLIES, QUIET_LIMIT};

pub(crate) struct LowPlyHistory(Box<[[Stat<QUIET_LIMIT>; 64 * 64]; LOW_PLIES]>);

/// The low-ply history of one ply.
#[derive(Clone, Copy)]
pub(crate) struct LowPlyScores<'a> {
    stats: Option<&'a [Stat<QUIET_LIMIT>; 64 * 64]>,
    divisor: i32,
}

impl LowPlyHistory {
    /// An empty history; `None` without memory for it.
    pub(crate) fn try_new() -> Option<Self> {
        try_zeroed_box().ok().map(Self)
    }

    pub(crate) fn clear(&mut self) {
        write_zeroes(&mut *self.0);
    }

    /// The scores at `ply`.
    #[inline]
    pub(crate) fn of(&self, ply: usize) -> LowPlyScores<'_> {
        LowPlyScores { stats: self.0.get(ply), divisor: 1 + ply as i32 }
    }

    pub(crate) fn update(&mut self, ply: usize, mv: Move, bonus: i32) {
        if let Some(stats) = self.0.get_mut(ply) {
            stats[index(mv)].update(bonus);
        }
    }
}

impl LowPlyScores<'_> {
    /// The score of a quiet move, weighted; 0 beyond [`LOW_PLIES`].
    #[inline]
    pub(crate) fn get(&self, mv: Move) -> i32 {
        self.stats.map_or(0, |stats| params::low_ply_weight() * stats[index(mv)].get() / self.divisor)
    }
}

#[inline]
fn index(mv: Move) -> usize {
    mv.from() as usize * 64 + mv.to() as usize
}

#[cfg(test)]
mod tests {
    use movegen::Board;

    use super::*;

    #[test]
    fn scores_near_the_root_belong_to_their_ply() {
        let mut history = LowPlyHistory::try_new().unwrap();
        let mv = Board::start().legal_moves()[0];
        for ply in [1, LOW_PLIES] {
            history.update(ply, mv, 500);
        }
        assert!(history.of(1).get(mv) > 0);
        assert_eq!((history.of(0).get(mv), history.of(LOW_PLIES).get(mv)), (0, 0));
        history.clear();
        assert_eq!(history.of(1).get(mv), 0);
    }
}
