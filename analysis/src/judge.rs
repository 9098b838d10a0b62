//! What searches and laws say about the moves of a game.
//!
//! `assemble` makes the game as it is written from the game as it was read: with a judgement on each move (`judgement`),
//! from points that scores are `worth`, and a `label`, with accuracy as `lichess` has it beside our own, with the time each move took (`times`), with claims, dead positions and fallen flags by the `laws`, and with a `summary`
//! for each player.

pub(crate) mod assemble;
pub(crate) mod judged;
mod judgement;
mod label;
pub(crate) mod laws;
pub mod lichess;
mod practice;
mod summary;
mod termination;
pub(crate) mod times;
pub(crate) mod worth;

pub use self::judgement::{BLUNDER, INACCURACY, MISTAKE, accuracy, judgement};
pub use self::label::EXCELLENT;
pub(crate) use self::practice::practice_of;
