//! How good a board looks to the side to move.
//!
//! A [`Network`], trained on nothing but the engine's own games, says it; an [`Evaluator`] follows a search and keeps
//! the network's neurons up to date from move to move.

mod accumulator;
pub mod arch;
mod embedded;
mod evaluator;
pub mod feature;
pub mod network;
mod output_layer;
mod simd;
#[cfg(test)]
mod testing;
pub mod wdl;

pub use evaluator::Evaluator;
pub use network::{Network, NetworkError};
pub use simd::Path;
