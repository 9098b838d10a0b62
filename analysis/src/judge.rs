//! What searches and laws say about the moves of a game.
//!
//! `assemble` makes the game as it is written from the game as it was read: with a judgement on each move (`judgement`),
//! from points that scores are `worth`, with claims, dead positions and fallen flags by the `laws`, and with a `summary`
//! for each player.

pub(crate) mod assemble;
mod judgement;
pub(crate) mod laws;
mod summary;
mod termination;
pub(crate) mod worth;

pub use self::judgement::{BLUNDER, INACCURACY, MISTAKE, accuracy, judgement};
