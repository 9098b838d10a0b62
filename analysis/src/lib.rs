//! Games and positions analysed move by move.
//!
//! Games are read one after the other (`queue`), cut into segments that are searched in parallel (`analyst`), put
//! together again (`assemble`) with what the laws say (`laws`) and how good each move was ([`judge`]), and written in the
//! order of the file (`output`) as annotated PGN (`annotate`), JSON ([`model`]) or a page ([`report`]). What has been
//! searched is kept in a journal (`journal`) until the run is over, so that an interrupted run can go on, and if wanted in
//! a store for later runs (`archive`). [`arbiter`] asks the laws alone. [`profile`] sums one
//! player's games up.

mod analyst;
mod annotate;
pub mod arbiter;
mod archive;
mod arguments;
mod assemble;
mod coordinator;
mod error;
mod journal;
pub mod judge;
mod laws;
mod main_line;
pub mod model;
mod output;
pub mod profile;
mod provenance;
mod queue;
pub mod report;
mod run;
mod search_arguments;
pub mod session_store;
mod source;
pub mod store_command;
mod summary;
mod temp_file;
mod worth;

pub use arguments::{AnalyseArguments, CommentStyle};
pub use error::AnalyseError;
pub use journal::JournalError;
pub use run::{run, run_until};
pub use search_arguments::Parallel;
