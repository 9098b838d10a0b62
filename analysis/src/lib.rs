//! Games and positions analysed move by move.
//!
//! # How a game flows through the rooms
//!
//! 1. `read`: the games of files come one after the other, each with the positions of its main line.
//! 2. `search`: those positions are searched in segments, unless the journal of an interrupted run or a store of earlier
//!    runs knows what a search would find.
//! 3. `reasons`: why a bad move is bad, where the lines that searches found prove it.
//! 4. `judge`: what the searches found and what the laws say become a game of the `model`, with how good each move was.
//! 5. `review`: all of this for one game, in pieces that others may share out among threads.
//! 6. `write`: the game goes out as annotated PGN, JSON, tables or a page; `report` is that page, `rows` are those of tables.
//!
//! `run` is the command `analyse`, which leads games through all of these in parallel and in order. Other commands do
//! other things with the same parts: `arbiter` asks the laws alone, `profile` sums up the games of one player, `explain` judges
//! one move, `puzzles` makes exercises of what was analysed, `store_command` passes on what searches found, `tree`
//! grows a tree of analysis from a position.
//!
//! # The order of the rooms
//!
//! Each room imports only those before it: the data of `model` and the errors, then `read`, `search`, `reasons`, `judge`, `review`, `rows`, `report`,
//! `write`, `run`, and the other commands. A test holds it to that (`tests/tests/crates/layers.rs`).

pub mod arbiter;
mod error;
pub mod explain;
pub mod judge;
pub mod model;
pub mod profile;
pub mod puzzles;
mod read;
mod reasons;
pub mod report;
pub mod review;
pub mod rows;
mod run;
mod search;
pub mod store_command;
mod temp_file;
pub mod tree;
mod write;

pub use self::error::{AnalyseError, JournalError};
pub use self::run::arguments::AnalyseArguments;
pub use self::run::{run, run_until};
pub use self::search::search_arguments::Parallel;
pub use self::search::session_store;
pub use self::write::annotate::CommentStyle;
