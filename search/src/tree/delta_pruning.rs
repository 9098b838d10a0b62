//! Delta pruning: in quiescence search, captures that gain too little to reach alpha are skipped.
//!
//! `stand_pat + margin + captured + promotion <= alpha`, or `stand_pat + margin <= alpha` and the exchange gains nothing.
//!
//! Source: the Chess Programming Wiki, "Delta Pruning".

use movegen::{Board, Move};

use crate::ordering::see::{piece_value, see_ge};
use crate::types::params;
use crate::types::score::Score;

/// The score that a capture is not expected to exceed, if that is no more than alpha.
pub(crate) fn delta_pruning(board: &Board, mv: Move, stand_pat: Score, alpha: Score) -> Option<Score> {
    let futility = stand_pat + params::quiescence_futility();
    if futility.is_decisive() {
        return None;
    }
    // Not even winning the captured piece for nothing reaches alpha.
    let gain = board.captured_by(mv).map_or(0, piece_value) + mv.promotes_to().map_or(0, piece_value);
    if futility + gain <= alpha {
        return Some(futility + gain);
    }
    (futility <= alpha && !see_ge(board, mv, 1)).then_some(futility)
}
