//! What a search tells while it runs.

use std::time::Duration;

use movegen::Move;

use crate::{Score, TablebaseFault};

/// What a score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true score is this or less.
    Upper,
    /// The true score is this or more.
    Lower,
    /// The true score is this.
    Exact,
}

impl Bound {
    /// Whether a score of this bound decides a search with the window `alpha..beta`.
    #[inline]
    pub(crate) fn allows(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score <= alpha,
        }
    }

    /// Whether a score of this bound says more than an estimate.
    #[inline]
    pub(crate) fn improves(self, score: Score, estimate: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score > estimate,
            Self::Upper => score < estimate,
        }
    }
}

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
    /// How far `score` may be trusted.
    pub bound: Bound,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Since the search was asked for.
    pub elapsed: Duration,
    /// Used share of the transposition table, in thousandths.
    pub hashfull: usize,
    /// Positions found in endgame tables.
    pub tablebase_hits: u64,
    /// Whether endgame tables vouch for what the score says of the result.
    pub from_tables: bool,
    /// The best line, never empty unless there is no legal move.
    pub pv: &'a [Move],
}

/// Someone who listens to a search, on the thread that searches.
pub trait Reporter: Send {
    /// An iteration or a fail high or low has changed a line.
    fn line(&mut self, report: &Report<'_>);

    /// A root move is about to be searched at a depth; `number` counts from 1. Comes only in searches that take long.
    fn current(&mut self, _depth: i32, _mv: Move, _number: usize) {}

    /// There is no mate in as many moves as were asked for: that is certain, and ends the search.
    fn no_mate(&mut self) {}

    /// An endgame table that was needed cannot be used. Comes once for each, at the end of a search.
    fn tablebase_fault(&mut self, _: &TablebaseFault) {}

    /// The search has ended. `best` is `None` only without a legal move; `ponder` is the expected answer.
    ///
    /// The searcher counts as idle by the time of this call.
    fn finished(&mut self, best: Option<Move>, ponder: Option<Move>);
}
