//! What the caller asks for: a position, limits and settings.

use std::time::{Duration, Instant};

use movegen::Position;

use crate::types::limits::Limits;
use crate::types::strength::Strength;

/// One search to be done.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position to search, with the game so far.
    pub position: Position,
    /// When to end.
    pub limits: Limits,
    /// How to search.
    pub settings: Settings,
    /// When the request arrived: the clock has been running since.
    pub received: Instant,
}

/// What the owner of a search may want of it while it runs on the owner's own thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupt {
    /// To end, and to answer.
    Stop,
    /// To go on on its own time: the opponent played the expected move.
    PonderHit,
}

/// Where a search on its owner's thread looks, about every millisecond, for what the owner wants.
pub type Inbox = Box<dyn Fn() -> Option<Interrupt> + Send + Sync>;

/// How endgame tables are used, where there are any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TablebaseSettings {
    /// The least depth to probe at inside the tree, for positions with as many pieces as `probe_limit` allows.
    pub probe_depth: i32,
    /// The most pieces, kings included, to probe with; 0 for never.
    pub probe_limit: usize,
    /// Whether a win that takes more than fifty moves without capture or pawn move counts as a draw.
    pub fifty_moves: bool,
}

impl Default for TablebaseSettings {
    fn default() -> Self {
        Self { probe_depth: 1, probe_limit: 7, fifty_moves: true }
    }
}

/// Settings that hold for many searches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How many best lines to report, at least 1.
    pub multi_pv: usize,
    /// Time lost between the engine's answer and the clock; it is held in reserve.
    pub move_overhead: Duration,
    /// Nodes that count as a millisecond on the clock; 0 for real time.
    pub nodes_per_millisecond: u64,
    /// How endgame tables are used.
    pub tablebase: TablebaseSettings,
    /// How many centipawns a draw is worth less than an even game to the side that searches; negative if it is worth
    /// more.
    pub contempt: i32,
    /// A limited playing strength; `None` for full strength.
    pub strength: Option<Strength>,
    /// The position is known not to be dead, so nothing has to be proven before a report.
    pub is_alive: bool,
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
            is_alive: false,
        }
    }
}
