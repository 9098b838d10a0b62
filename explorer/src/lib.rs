//! Which moves are played from a position, in any number of games, and how they fare: the command `explorer`.
//!
//! Positions are found by their keys, whichever moves led to them. Each game leaves notes, a note for each move of its main
//! line ([`notes_of`]). What notes say of one position is an [`Answer`]. There are two sources of answers:
//!
//! - an [`Index`] is a file. Reading the games, a [`Sorter`] keeps the notes on disk in sorted runs; merged, they are written
//!   position by position. So memory does not grow with the moves, and a question costs a search in the file;
//! - a [`Collection`] is in memory, for as many games as one person plays. Its notes are looked through one after the
//!   other, so that games can come and go at any time.
//!
//! Games of Chess960 are told from those of standard chess: their positions have other keys.

mod answer;
mod bytes;
mod collection;
mod command;
mod facts;
mod filter;
mod index;
mod notes;
mod pages;
mod reading;
mod sorter;
mod tally;

pub use answer::{Answer, GameRow, MoveRow};
pub use collection::Collection;
pub use command::{ExplorerArguments, ExplorerError, run};
pub use index::{Index, IndexError, IndexWriter};
pub use notes::{Kind, notes_of};
pub use reading::{GamePlace, Losses, read_games, read_games_on_terminal};
pub use sorter::{Note, Sorter};

#[cfg(test)]
mod tests;
