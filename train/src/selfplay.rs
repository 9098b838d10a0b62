//! Self-play: the games from which a network learns.
//!
//! Every game is played by one thread on its own, both sides with one searcher but a table of their own, from an
//! opening drawn at random. Games are written as they end.

mod harvest;
mod limits;
mod node_time;
mod opening;
mod play;
mod run;

pub use harvest::{HarvestSettings, descend};
pub use limits::Limits;
pub use node_time::NodeTime;
pub use opening::Openings;
pub use play::{Adjudication, Player, Settings};
pub use run::{GenerateError, Plan, Progress, Summary, generate};
