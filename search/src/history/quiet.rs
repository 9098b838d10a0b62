//! Quiet history (butterfly history): by side to move, whether the opponent attacks the squares left and reached, from
//! and to.
//!
//! Source: J. Schaeffer, "The History Heuristic" (1983); the index by threats follows Stockfish and Reckless.

use bytemuck::allocation::try_zeroed_box;
use bytemuck::write_zeroes;
use movegen::{Bitboard, Color, Move, Square};

use crate::history::stat::Stat;
use crate::types::params;
use crate::types::params::QUIET_LIMIT;

type Butterfly = [[Stat<QUIET_LIMIT>; 64]; 64];

pub(crate) struct QuietHistory(Box<[[Butterfly; 4]; 2]>);

/// The quiet history of one side.
#[derive(Clone, Copy)]
pub(crate) struct QuietHistoryOfSide<'a>(&'a [Butterfly; 4]);

/// The quiet history of the moves from one square.
#[derive(Clone, Copy)]
pub(crate) struct QuietHistoryFrom<'a> {
    threats: Bitboard,
    /// To squares that the opponent does not attack, and to those it does.
    safe: &'a [Stat<QUIET_LIMIT>; 64],
    attacked: &'a [Stat<QUIET_LIMIT>; 64],
}

impl QuietHistory {
    /// An empty history; `None` without memory for it.
    pub(crate) fn try_new() -> Option<Self> {
        try_zeroed_box().ok().map(Self)
    }

    pub(crate) fn clear(&mut self) {
        write_zeroes(&mut *self.0);
    }

    /// Moves all scores towards zero.
    pub(crate) fn age(&mut self) {
        let stats = self.0.as_flattened_mut().as_flattened_mut().as_flattened_mut();
        stats.iter_mut().for_each(|stat| stat.keep(params::quiet_kept()));
    }

    #[inline]
    pub(crate) fn of(&self, color: Color) -> QuietHistoryOfSide<'_> {
        QuietHistoryOfSide(&self.0[color as usize])
    }

    /// `threats` are the squares that the opponent attacks.
    #[inline]
    pub(crate) fn update(&mut self, color: Color, threats: Bitboard, mv: Move, bonus: i32) {
        let bonus = bonus * params::quiet_share() / 1024;
        let (from, to) = (mv.from(), mv.to());
        self.0[color as usize][threat_index(threats, from, to)][from as usize][to as usize].update(bonus);
    }
}

impl<'a> QuietHistoryOfSide<'a> {
    /// `threats` are the squares that the opponent attacks.
    #[inline]
    pub(crate) fn from(self, threats: Bitboard, from: Square) -> QuietHistoryFrom<'a> {
        let [safe, attacked] = [0, 1].map(|to| &self.0[usize::from(threats.contains(from)) * 2 + to][from as usize]);
        QuietHistoryFrom { threats, safe, attacked }
    }
}

impl QuietHistoryFrom<'_> {
    #[inline]
    pub(crate) fn get(&self, to: Square) -> i32 {
        let stats = if self.threats.contains(to) { self.attacked } else { self.safe };
        stats[to as usize].get()
    }
}

/// Whether the opponent attacks the squares left and reached, as two bits.
#[inline]
fn threat_index(threats: Bitboard, from: Square, to: Square) -> usize {
    usize::from(threats.contains(from)) * 2 + usize::from(threats.contains(to))
}
