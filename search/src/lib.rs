//! Choosing a move: the search of Vancura. It never prints and never parses.
//!
//! # How to use it
//!
//! A [`Searcher`] owns threads and a transposition table; a [`Request`] starts a search, and a [`Reporter`] receives what
//! it finds. A [`SingleThreadedSearcher`] searches on the calling thread. A [`Tablebase`] gives either endgame tables.
//!
//! # How one `go` flows through the folders
//!
//! [`Searcher::start`] (`thread/pool`) makes a job for each thread. A thread (`thread/role`) runs iterative deepening
//! (`root/deepening`) with aspiration windows (`root/aspiration`) and stops between iterations when the time is used up
//! (`root/time`). Each iteration searches the root node by principal variation search (`tree/pvs`), which is a list of
//! steps, each in a file of its own in `tree`, and ends in quiescence search (`tree/qsearch`). A node takes its moves from
//! the move picker (`ordering/movepick`), which orders them by the histories (`history`), and remembers its result in the
//! transposition table (`table`). All steps are methods of a `Worker` (`state`): the position's keys, the search stack,
//! the limits, the root moves. When the main thread is done, the threads vote (`thread/vote`), and the move is reported.
//!
//! # The order of the folders
//!
//! Each folder imports only those above it in this list; a test holds it to that (`tests/tests/crates/layers.rs`).
//!
//! To add a pruning rule, write a file in `tree`, add a `mod` line for it here, and call it from `tree/pvs` or
//! `tree/move_pruning`; its numbers go to `types/params`.

// Scores, limits, settings, reports and parameters: data that everything else uses.
mod types {
    pub(crate) mod found;
    pub(crate) mod limits;
    pub(crate) mod line;
    pub(crate) mod params;
    pub(crate) mod report;
    pub(crate) mod request;
    pub(crate) mod score;
    pub(crate) mod strength;
    pub(crate) mod tablebase;
}

// The transposition table.
mod table {
    pub(crate) mod entry;
    pub(crate) mod key;
    pub(crate) mod memory;
    pub(crate) mod transposition;
}

// Scores of moves by what they did elsewhere in the tree, and corrections of the evaluation.
mod history {
    mod capture;
    mod continuation;
    pub(crate) mod correction;
    pub(crate) mod histories;
    pub(crate) mod low_ply;
    mod pawn;
    pub(crate) mod piece_to;
    pub(crate) mod quiet;
    pub(crate) mod stat;
    mod tables;
}

// The order in which moves are searched.
mod ordering {
    pub(crate) mod movepick;
    pub(crate) mod see;
}

// Syzygy endgame tables.
mod tablebase {
    pub(crate) mod consult;
    pub(crate) mod files;
    mod line;
    mod material;
    pub(crate) mod probe;
    pub(crate) mod rank;
}

// What one thread knows while it searches: the `Worker` and its parts.
mod state {
    pub(crate) mod clock;
    pub(crate) mod control;
    pub(crate) mod job;
    pub(crate) mod probing;
    mod pv_table;
    mod repetition;
    pub(crate) mod root_move;
    pub(crate) mod root_state;
    mod stack;
    pub(crate) mod thread_data;
    mod watch;
    pub(crate) mod worker;
}

// The search of a node, one idea in each file.
mod tree {
    mod draw;
    mod enter;
    pub(crate) mod evaluation;
    mod futility;
    mod hindsight;
    mod history_pruning;
    mod iir;
    mod lmp;
    mod lmr;
    mod lone_king;
    mod mate_distance;
    mod move_pruning;
    pub(crate) mod node;
    mod null_move;
    mod prior_move;
    mod probcut;
    mod pvs;
    mod qsearch;
    mod razoring;
    mod reverse_futility;
    mod root_node;
    mod search_move;
    mod see_pruning;
    mod singular;
    mod store;
    mod tablebase_probe;
    mod tt_cutoff;
    mod update;
}

// The mate search behind `go mate`, which misses no mate.
mod mate {
    pub(crate) mod hunt;
    mod solver;
}

// Playing below full strength.
mod strength {
    pub(crate) mod handicap;
    pub(crate) mod level;
    mod technique;
}

// The driver of the iterations, on each thread.
mod root {
    mod aspiration;
    mod deepening;
    mod lines;
    mod report;
    pub(crate) mod root_search;
    mod time;
}

// The threads: a pool of them, or the caller's.
mod thread {
    mod blocking;
    pub(crate) mod mate;
    mod nodes;
    pub(crate) mod pool;
    mod role;
    pub(crate) mod single;
    mod vote;
}

// Random openings for matches and self-play.
mod openings;

#[cfg(feature = "bench")]
#[doc(hidden)]
pub mod bench;

pub use openings::{RandomMoves, is_balanced, random_opening};
pub use tablebase::consult::{NoTableAnswer, TableAnswer};
pub use tablebase::probe::Tablebase;
pub use thread::mate::{FoundMate, MateAnswer};
pub use thread::pool::{STACK_SIZE, Searcher};
pub use thread::single::{SearchResult, SingleThreadedSearcher};
pub use tree::evaluation::static_evaluation;
pub use types::found::{Found, FoundLine};
pub use types::limits::Limits;
pub use types::params::{TUNABLES, Tunable};
pub use types::report::{Report, Reporter};
pub use types::request::{Inbox, Interrupt, Request, Settings, TablebaseSettings};
pub use types::score::{Bound, MAX_PLY, Score};
pub use types::strength::Strength;
pub use types::tablebase::{RankedMove, TablebaseFault, Wdl};
