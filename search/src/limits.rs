//! When a search has to end, as the one who asks for it says.

use std::time::Duration;

use movegen::{ByColor, MoveList};

use crate::Strength;

/// The bounds of one search; the first one reached ends it. Without any, it runs until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// What each side's clock shows; zero if the flag is about to fall.
    pub remaining: ByColor<Option<Duration>>,
    /// What each move adds to each side's clock.
    pub increment: ByColor<Duration>,
    /// Moves until the next time control, at least 1; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// This long, less the overhead.
    pub move_time: Option<Duration>,
    /// No iteration deeper than this.
    pub depth: Option<i32>,
    /// No more nodes than this, exact with one thread.
    pub nodes: Option<u64>,
    /// No new iteration after so many nodes.
    pub soft_nodes: Option<u64>,
    /// Until a mate in so many moves, or fewer, is found; negative to be mated.
    pub mate: Option<i32>,
    /// Keep the best move back until told to stop.
    pub infinite: bool,
    /// Keep the best move back until the opponent plays the expected move, or a stop.
    pub ponder: bool,
    /// Only these root moves, if there are any.
    pub search_moves: MoveList,
}

/// How endgame tables are used, where there are any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TablebaseSettings {
    /// The least depth to ask at inside the tree, where there are as many pieces as may be asked for.
    pub probe_depth: i32,
    /// The most pieces, kings included, to ask for; 0 for never.
    pub probe_limit: usize,
    /// Whether a win that takes more than fifty moves without capture or pawn move counts as a draw.
    pub fifty_moves: bool,
}

impl Default for TablebaseSettings {
    fn default() -> Self {
        Self { probe_depth: 1, probe_limit: 7, fifty_moves: true }
    }
}

/// What a user sets once for many searches.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many best lines to report, at least 1.
    pub multi_pv: usize,
    /// Time lost between the engine's answer and the clock, kept in reserve.
    pub move_overhead: Duration,
    /// Nodes that count as a millisecond on the clock; 0 for real time.
    pub nodes_per_millisecond: u64,
    /// How endgame tables are used.
    pub tablebase: TablebaseSettings,
    /// How many centipawns a draw is worth less than an even game to the side that searches; negative if it is worth
    /// more.
    pub contempt: i32,
    /// How much weaker than it can the engine plays; none for full strength.
    pub strength: Option<Strength>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            nodes_per_millisecond: 0,
            tablebase: TablebaseSettings::default(),
            contempt: 0,
            strength: None,
        }
    }
}
