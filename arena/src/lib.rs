//! Engines against engines and against test positions.
//!
//! A [`client`] speaks UCI with an engine, Vancura in this process or any other program, and always gets an answer in
//! time. [`play`] referees games between two of them by the laws of chess and writes PGN; [`suite`] lets them solve test
//! positions with known solutions. Both are commands of the program, each with its arguments and a `run`.

mod child;
pub mod client;
pub mod interruption;
mod markdown;
pub mod play;
pub mod statistics;
pub mod suite;
