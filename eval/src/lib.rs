//! How good a board looks to the side to move.

mod accumulator;
pub mod arch;
mod bootstrap;
mod evaluator;
pub mod feature;
mod forward;
pub mod network;
mod simd;

use movegen::{Board, Observer};

pub use bootstrap::evaluate;
pub use evaluator::NetworkEvaluator;
pub use network::{Network, NetworkError};
pub use simd::Path;

/// Follows the board from move to move and evaluates it: one for each search thread.
///
/// The search tells it each move as it is played and taken back, so that an evaluation which keeps state between
/// positions can do so.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {}

impl Evaluator {
    /// Starts anew from a board.
    pub fn reset(&mut self, _board: &Board) {}

    /// Opens a new level; the observer is to hear the move played on it.
    #[inline]
    pub fn push(&mut self) -> impl Observer + use<> {}

    /// Closes the newest level.
    #[inline]
    pub fn pop(&mut self) {}

    /// The worth of the newest level's board for the side to move, in centipawns.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        evaluate(board)
    }
}
