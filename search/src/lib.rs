//! Choosing a move: never prints, never parses.
//!
//! A [`Searcher`] owns the threads and the transposition table; a [`Request`] starts a search, and a [`Reporter`]
//! hears what it finds; a [`Tablebase`] tells it how endgames end. Inside, `deepen` drives `node`, which is made of the
//! steps in `prune`, `shallow`, `extend` and `reduce`, and ends in `quiesce`; `mate` answers those who ask for a mate.

mod clock;
mod correction;
mod deepen;
mod extend;
mod history;
mod learn;
mod limits;
mod mate;
mod node;
mod params;
mod picker;
mod prune;
mod quiesce;
mod reduce;
mod report;
mod root;
mod score;
mod searcher;
mod see;
mod shallow;
mod shared;
mod solo;
mod stack;
mod strength;
mod table;
mod tablebase;
mod worker;

pub use limits::{Limits, Settings, TablebaseSettings};
pub use params::{TUNABLES, Tunable};
pub use report::{Bound, Report, Reporter};
pub use score::{MAX_PLY, Score};
pub use searcher::{Request, Searcher};
pub use solo::{Found, SingleThreadedSearcher};
pub use strength::Strength;
pub use tablebase::{RankedMove, Tablebase, TablebaseFault, Wdl};
