//! Continuation history: by piece and target square of a move one, two, four or six plies ago, and of this move.
//!
//! Source: the Chess Programming Wiki, "Countermove Heuristic"; Stockfish. Measured: +29 +- 21 Elo for the sixth ply
//! together with upcoming repetitions and the evaluation's bonus for the last move (6f6f793); +29 +- 22 Elo (40,000 nodes
//! a move) for weights and shares of their own together with a tuning of 40 other numbers.

use bytemuck::allocation::try_zeroed_slice_box;
use bytemuck::fill_zeroes;

use crate::history::piece_to::{CONTINUATION_PLIES, Context, PieceTo, PieceToTable};
use crate::history::stat::Stat;
use crate::types::params;

pub(crate) struct ContinuationHistory(Box<[PieceToTable]>);

/// The tables of one context.
pub(crate) type ContinuationTables<'a> = [&'a PieceToTable; CONTINUATION_PLIES.len()];

/// What a null move or the time before the root says of the next moves: nothing.
static NO_CONTEXT: PieceToTable = [Stat::ZERO; PieceTo::COUNT];

/// What the history of each of [`CONTINUATION_PLIES`] counts in the score of a move, in 1/1024.
#[inline]
pub(crate) fn weights() -> [i32; CONTINUATION_PLIES.len()] {
    [
        params::continuation_weight_1(),
        params::continuation_weight_2(),
        params::continuation_weight_4(),
        params::continuation_weight_6(),
    ]
}

/// The share of a bonus or malus that the history of each of [`CONTINUATION_PLIES`] gets, in 1/1024.
#[inline]
fn shares() -> [i32; CONTINUATION_PLIES.len()] {
    [
        params::continuation_share_1(),
        params::continuation_share_2(),
        params::continuation_share_4(),
        params::continuation_share_6(),
    ]
}

impl ContinuationHistory {
    /// An empty history; `None` without memory for it.
    pub(crate) fn try_new() -> Option<Self> {
        try_zeroed_slice_box(PieceTo::COUNT).ok().map(Self)
    }

    pub(crate) fn clear(&mut self) {
        fill_zeroes(&mut self.0);
    }

    #[inline]
    pub(crate) fn of(&self, context: &Context) -> ContinuationTables<'_> {
        context.map(|earlier| earlier.map_or(&NO_CONTEXT, |earlier| &self.0[earlier.index()]))
    }

    pub(crate) fn update(&mut self, context: &Context, piece_to: PieceTo, bonus: i32) {
        for (earlier, share) in context.iter().zip(shares()) {
            if let Some(earlier) = earlier {
                self.0[earlier.index()][piece_to.index()].update(bonus * share / 1024);
            }
        }
    }
}
