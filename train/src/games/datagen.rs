//! Self-play: the games from which a network learns.
//!
//! Every game is played by one thread on its own, both sides with one searcher but a table of their own, from an
//! opening drawn at random. Games are written as they end.

mod harvest;
mod import;
mod journal;
mod limits;
mod matches;
mod node_time;
mod opening;
mod play;
mod run;
mod stats;

pub use harvest::{HarvestSettings, descend};
pub use import::{Imported, import};
pub(crate) use journal::pending_games;
pub use limits::Limits;
pub use matches::import_matches;
pub use node_time::NodeTime;
pub use opening::Openings;
pub use play::{Adjudication, Player, Settings};
pub use run::{GenerateError, Plan, Progress, Summary, generate};
pub use stats::{Stats, stats};
