//! Quiet history (butterfly history): by side to move, whether the opponent attacks the squares left and reached, from
//! and to.
//!
//! Source: J. Schaeffer, "The History Heuristic" (1983); the index by threats follows Stockfish and Reckless. Not
//! measured by itself.

use bytemuck::allocation::try_zeroed_box;
use bytemuck::write_zeroes;
use movegen::{Bitboard, Color, Move};

use crate::history::stat::Stat;
use crate::types::params::QUIET_LIMIT;
use crate::types::{params, switch};

type Butterfly = [[Stat<QUIET_LIMIT>; 64]; 64];

pub(crate) struct QuietHistory(Box<[[Butterfly; 4]; 2]>);

/// The quiet history of one side.
#[derive(Clone, Copy)]
pub(crate) struct QuietHistoryOfSide<'a>(&'a [Butterfly; 4]);

impl QuietHistory {
    /// An empty history; `None` without memory for it.
    pub(crate) fn try_new() -> Option<Self> {
        try_zeroed_box().ok().map(Self)
    }

    pub(crate) fn clear(&mut self) {
        write_zeroes(&mut *self.0);
    }

    #[inline]
    pub(crate) fn of(&self, color: Color) -> QuietHistoryOfSide<'_> {
        QuietHistoryOfSide(&self.0[color as usize])
    }

    /// `threats` are the squares that the opponent attacks.
    #[inline]
    pub(crate) fn update(&mut self, color: Color, threats: Bitboard, mv: Move, bonus: i32) {
        let bonus = bonus * params::quiet_share() / 1024;
        self.0[color as usize][threat_index(threats, mv)][mv.from() as usize][mv.to() as usize].update(bonus);
    }
}

impl QuietHistoryOfSide<'_> {
    #[inline]
    pub(crate) fn get(self, threats: Bitboard, mv: Move) -> i32 {
        if !switch::quiet_history() {
            return 0;
        }
        self.0[threat_index(threats, mv)][mv.from() as usize][mv.to() as usize].get()
    }
}

/// Whether the opponent attacks the squares left and reached, as two bits.
#[inline]
fn threat_index(threats: Bitboard, mv: Move) -> usize {
    if !switch::threat_history() {
        return 0;
    }
    usize::from(threats.contains(mv.from())) * 2 + usize::from(threats.contains(mv.to()))
}
