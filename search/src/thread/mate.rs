//! Is there a mate in a given number of moves? A search that the caller waits for, and what it proved.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use movegen::{Board, Move, Position};

use crate::thread::pool::Searcher;
use crate::types::limits::Limits;
use crate::types::report::{Report, Reporter};
use crate::types::request::{Request, Settings};
use crate::types::score::Bound;

/// Where there is no mate in this many moves, nodes at most to look for one that is a move longer.
const LONGER_NODES: u64 = 50_000;

/// A mate that a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundMate {
    /// In how many moves of the side that mates; negative if the side to move is mated.
    pub moves: i32,
    /// The line to it, which may end before it.
    pub line: Vec<Move>,
}

/// What was found out about a mate.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MateAnswer {
    /// The last mate that is more than a bound; it may be longer than the one that was asked for.
    pub mate: Option<FoundMate>,
    /// It is proved that there is no mate in as many moves as were asked for.
    pub is_denied: bool,
    /// Nodes visited when the search last reported.
    pub nodes: u64,
}

impl FoundMate {
    /// The most moves that can be asked for.
    pub const MAX_MOVES: i32 = 120;

    /// Whether it is as short as the mate that was asked for, and by the same side.
    #[must_use]
    pub const fn answers(&self, wanted: i32) -> bool {
        self.moves.signum() == wanted.signum() && self.moves.unsigned_abs() <= wanted.unsigned_abs()
    }

    /// As `mate in 3` or `mated in 3`.
    pub fn name(moves: i32) -> impl fmt::Display {
        fmt::from_fn(move |f| write!(f, "{} in {}", if moves < 0 { "mated" } else { "mate" }, moves.unsigned_abs()))
    }
}

impl MateAnswer {
    /// Whether the mate that was asked for is there.
    #[must_use]
    pub fn is_found(&self, wanted: i32) -> bool {
        self.mate.as_ref().is_some_and(|mate| mate.answers(wanted))
    }
}

impl Reporter for MateAnswer {
    fn line(&mut self, report: &Report<'_>) {
        self.nodes = report.nodes;
        if report.bound == Bound::Exact {
            self.mate = report.score.moves_to_mate().map(|moves| FoundMate { moves, line: report.pv.to_vec() });
        }
    }

    fn no_mate(&mut self) {
        self.is_denied = true;
    }

    fn finished(&mut self, _: Option<Move>, _: Option<Move>) {}
}

impl Searcher {
    /// Looks for a mate in at most `wanted` moves, not 0, in a position with a legal move; negative if the side to move is to be
    /// mated. Who asks for too few moves is told of a mate that is one move longer, where it is found at once. Nothing is
    /// forgotten before: [`Searcher::new_game`] does that.
    pub fn find_mate(&mut self, board: &Board, wanted: i32, limits: &Limits, stop: &AtomicBool) -> MateAnswer {
        let began = Instant::now();
        let mut answer = self.ask_for_mate(board, wanted, limits, stop);
        if answer.is_denied && answer.mate.is_none() && wanted.abs() < FoundMate::MAX_MOVES {
            // Within what is left of the limits.
            let most = limits.nodes.map_or(LONGER_NODES, |limit| limit.saturating_sub(answer.nodes));
            let left = Limits {
                nodes: Some(most.clamp(1, LONGER_NODES)),
                move_time: limits.move_time.map(|time| time.saturating_sub(began.elapsed())),
                ..limits.clone()
            };
            // So that it depends on nothing but the question.
            self.new_game();
            answer.mate = self.ask_for_mate(board, wanted + wanted.signum(), &left, stop).mate;
        }
        answer
    }

    fn ask_for_mate(&mut self, board: &Board, wanted: i32, limits: &Limits, stop: &AtomicBool) -> MateAnswer {
        let limits = Limits { mate: Some(wanted), ..limits.clone() };
        let settings = Settings { move_overhead: Duration::ZERO, ..Settings::default() };
        let request = Request { position: Position::from(*board), limits, settings, received: Instant::now() };
        self.search(request, MateAnswer::default(), stop).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_answers_if_it_comes_in_time() {
        let answers = |moves, wanted| FoundMate { moves, line: Vec::new() }.answers(wanted);
        assert!(answers(2, 3) && answers(3, 3) && !answers(4, 3) && !answers(-1, 3));
        assert!(answers(-2, -3) && !answers(-4, -3) && !answers(1, -3));
    }

    #[test]
    fn a_mate_is_found_denied_or_left_open() {
        let board = Board::from_fen("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1").unwrap();
        let mut searcher = Searcher::on_this_thread(1);
        let mut find = |wanted, nodes| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            searcher.new_game();
            searcher.find_mate(&board, wanted, &limits, &AtomicBool::new(false))
        };
        let found = find(3, 200_000);
        assert!(found.is_found(3) && found.mate.unwrap().moves == 3);
        let denied = find(2, 200_000);
        assert!(denied.is_denied && !denied.is_found(2) && denied.mate.is_some_and(|mate| mate.moves == 3));
        assert!(!find(2, 1).is_found(2));
    }
}
