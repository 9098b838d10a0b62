//! When a search has to end.

use std::time::Duration;

use movegen::{ByColor, MoveList};

/// The limits of one search; the first one reached ends it. Without any, it runs until it is stopped.
///
/// ```
/// use std::time::Duration;
///
/// use movegen::ByColor;
/// use search::Limits;
///
/// let fixed = Limits { nodes: Some(10_000), ..Limits::default() };
/// let blitz = Limits {
///     remaining: ByColor([Some(Duration::from_secs(180)); 2]),
///     increment: ByColor([Duration::from_secs(2); 2]),
///     ..Limits::default()
/// };
/// assert!(fixed.depth.is_none() && blitz.nodes.is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The time left on each side's clock; `None` without a clock.
    pub remaining: ByColor<Option<Duration>>,
    /// The increment of each side's clock.
    pub increment: ByColor<Duration>,
    /// Moves until the next time control, at least 1; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Search for this long, less the move overhead.
    pub move_time: Option<Duration>,
    /// No iteration deeper than this.
    pub depth: Option<i32>,
    /// No more nodes than this, exact with one thread.
    pub nodes: Option<u64>,
    /// No new iteration after this many nodes.
    pub soft_nodes: Option<u64>,
    /// Search until a mate in this many moves or fewer is found; negative to be mated.
    pub mate: Option<i32>,
    /// Hold the best move back until told to stop.
    pub infinite: bool,
    /// Hold the best move back until the opponent plays the expected move, or a stop.
    pub ponder: bool,
    /// Search only these root moves, if any of them is legal.
    pub search_moves: MoveList,
}

impl Limits {
    /// Whether they say how far to search, whatever the time: to a depth, so many nodes, or until a stop.
    #[must_use]
    pub const fn names_extent(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.infinite
    }

    /// Whether one of them ends any search within a day or so. A mate that is asked for may not be there, and a number may be
    /// so large that nobody waits for it.
    #[must_use]
    pub fn is_certain_to_end(&self) -> bool {
        const MAX_TIME: Duration = Duration::from_secs(24 * 3600);
        const MAX_NODES: u64 = 100_000_000_000;
        const MAX_DEPTH: i32 = 60;
        let mut times = self.remaining.0.into_iter().chain([self.move_time]).flatten();
        let is_timed = times.any(|time| time <= MAX_TIME);
        let has_extent =
            self.depth.is_some_and(|depth| depth <= MAX_DEPTH) || self.nodes.is_some_and(|nodes| nodes <= MAX_NODES);
        !self.infinite && (is_timed || has_extent)
    }
}
