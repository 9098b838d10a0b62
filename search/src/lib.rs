//! Choosing a move: never prints, never parses.

mod limits;
mod report;
mod score;
mod searcher;

pub use limits::{Limits, Settings};
pub use report::{Bound, Report, Reporter};
pub use score::{MAX_PLY, Score};
pub use searcher::{Request, Searcher};
