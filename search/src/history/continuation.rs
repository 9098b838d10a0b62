//! Continuation history: by piece and target square of a move one, two, four or six plies ago, and of this move.
//!
//! Source: the Chess Programming Wiki, "Countermove Heuristic"; Stockfish.

use crate::history::piece_to::{CONTINUATION_PLIES, Context, PieceTo, PieceToTable};
use crate::history::tables::Tables;
use crate::types::params;

/// By [`PieceTo::index_or_none`] of the earlier move. After a null move, or before the root, there is no
/// earlier move: the table for none stays empty.
pub(crate) struct ContinuationHistory(Tables<PieceToTable, { PieceTo::COUNT + 1 }>);

/// The tables of one context.
pub(crate) type ContinuationTables<'a> = [&'a PieceToTable; CONTINUATION_PLIES.len()];

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
        Tables::try_new().map(Self)
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub(crate) fn of(&self, context: &Context) -> ContinuationTables<'_> {
        context.map(|earlier| self.0.of(PieceTo::index_or_none(earlier)))
    }

    pub(crate) fn update(&mut self, context: &Context, piece_to: PieceTo, bonus: i32) {
        for (&earlier, share) in context.iter().zip(shares()) {
            if earlier.is_some() {
                self.0.of_mut(PieceTo::index_or_none(earlier))[piece_to.index()].update(bonus * share / 1024);
            }
        }
    }
}
