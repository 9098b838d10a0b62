//! The evaluation: an efficiently updatable neural network (NNUE).
//!
//! A [`Network`] evaluates a position in centipawns for the side to move. An [`Evaluator`] does the same during a
//! search, with accumulators that are updated from move to move. [`wdl`] turns a score into win, draw and loss
//! probabilities.
//!
//! ```
//! use eval::{Evaluator, Network};
//! use movegen::Board;
//!
//! let network = Network::embedded();
//! let mut evaluator = Evaluator::new(network.clone());
//! let mut board = Board::start();
//! evaluator.reset(&board);
//! let mv = board.parse_san("e4")?;
//! board.play(mv, &mut evaluator.push());
//! assert_eq!(evaluator.evaluate(&board), network.evaluate(&board));
//! # Ok::<(), movegen::MoveError>(())
//! ```

mod accumulator;
pub mod arch;
mod embedded;
mod evaluator;
pub mod feature;
mod head;
pub mod network;
mod simd;
#[cfg(test)]
mod testing;
pub mod wdl;

pub use evaluator::Evaluator;
pub use network::{Network, NetworkError};
pub use simd::Path;
