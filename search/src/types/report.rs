//! What a search reports while it runs.

use std::time::Duration;

use movegen::Move;

use crate::types::score::{Bound, Score};
use crate::types::tablebase::TablebaseFault;

/// One line of analysis.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// Full plies searched.
    pub depth: i32,
    /// The deepest ply reached.
    pub seldepth: i32,
    /// The rank of this line among the best, from 1.
    pub multi_pv: usize,
    /// For the side to move.
    pub score: Score,
    /// Whether `score` is exact or a bound.
    pub bound: Bound,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// The time since the request arrived.
    pub elapsed: Duration,
    /// Used share of the transposition table, in thousandths.
    pub hashfull: usize,
    /// Endgame table hits of all threads.
    pub tablebase_hits: u64,
    /// Whether the result that the score stands for comes from endgame tables.
    pub from_tables: bool,
    /// Whether the position searched is dead: neither side can mate any more. The score is a draw then.
    pub is_dead: bool,
    /// The best line, never empty unless there is no legal move.
    pub pv: &'a [Move],
}

/// Receives what a search reports, on the thread that searches.
pub trait Reporter: Send {
    /// An iteration or a fail high or low has changed a line.
    fn line(&mut self, report: &Report<'_>);

    /// A root move is about to be searched at a depth; `number` counts from 1. Called only in
    /// searches that take long.
    fn current(&mut self, _depth: i32, _mv: Move, _number: usize) {}

    /// There is no mate in the number of moves that was asked for. This is proven, and ends the search.
    fn no_mate(&mut self) {}

    /// An endgame table that was needed cannot be used. Called once for each table, at the end of a search.
    fn tablebase_fault(&mut self, _: &TablebaseFault) {}

    /// The search has ended. `best` is `None` only without a legal move; `ponder` is the expected answer.
    ///
    /// The searcher counts as idle by the time of this call.
    fn finished(&mut self, best: Option<Move>, ponder: Option<Move>);
}
