//! The moves at the root: their lines, their scores, and which thread's choice to trust.

use std::cmp::Reverse;
use std::collections::HashMap;

use movegen::{Board, Move, MoveList};

use crate::node::Node;
use crate::tablebase::Rank;
use crate::worker::Worker;
use crate::{Bound, Score};

/// A move at the root and what has been found out about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// What endgame tables say about it, if they know all root moves.
    pub(crate) rank: Option<Rank>,
    /// The score of the last search of it, or minus infinity where it only proved worse than another.
    pub(crate) score: Score,
    /// The last score it had of its own, with its bound.
    pub(crate) last_score: Option<Score>,
    pub(crate) bound: Bound,
    /// The last score that was no bound: it belongs to `line` even after the move has failed low.
    pub(crate) last_exact: Option<Score>,
    /// A running average of its scores, the centre of the next window.
    pub(crate) average: Option<i32>,
    pub(crate) seldepth: i32,
    /// Nodes spent on it in the present search.
    pub(crate) nodes: u64,
    /// The line, which starts with the move itself; elsewhere, to keep the root moves close together.
    pub(crate) line: Vec<Move>,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            rank: None,
            score: -Score::INFINITE,
            last_score: None,
            bound: Bound::Exact,
            last_exact: None,
            average: None,
            seldepth: 0,
            nodes: 0,
            line: vec![mv],
        }
    }

    /// The score that goes with `line`, be it that the search was cut short just after the move had failed low; `None`
    /// before it has any.
    pub(crate) fn settled(&self) -> Option<(Score, Bound)> {
        let exact = self.last_exact.map(|score| (score, Bound::Exact));
        let last = self.last_score.map(|score| (score, self.bound));
        if self.bound == Bound::Upper { exact.or(last) } else { last }
    }

    /// Sorts the better move first: what endgame tables say counts more than what a search does.
    pub(crate) const fn order(&self) -> Reverse<(Option<Rank>, Score)> {
        Reverse((self.rank, self.score))
    }
}

/// Sorts root moves by [`RootMove::order`] and leaves equals as they stand. Most moves are in order from the start:
/// only those that are not cost more than a comparison.
pub(crate) fn sort(root_moves: &mut [RootMove]) {
    for index in 1..root_moves.len() {
        let (sorted, rest) = root_moves.split_at(index);
        let order = rest[0].order();
        if order < sorted[index - 1].order() {
            let place = sorted.partition_point(|root_move| root_move.order() <= order);
            root_moves[place..=index].rotate_right(1);
        }
    }
}

/// The legal root moves, restricted to `wanted` where that leaves any.
pub(crate) fn root_moves(board: &Board, wanted: &MoveList) -> Vec<RootMove> {
    let legal = board.legal_moves();
    let restricted: Vec<_> = legal.iter().filter(|mv| wanted.contains(mv)).copied().map(RootMove::new).collect();
    if restricted.is_empty() { legal.into_iter().map(RootMove::new).collect() } else { restricted }
}

impl Worker<'_> {
    /// Whether a move is among those still to be told apart, the best by the tables that are left.
    pub(crate) fn is_wanted_at_root(&self, mv: Move) -> bool {
        let rest = &self.root_moves[self.line_index..];
        let is_any_wanted = self.line_index == 0 && self.sees_all_moves && rest[0].rank.is_none();
        is_any_wanted || rest.iter().any(|root_move| root_move.mv == mv && root_move.rank == rest[0].rank)
    }

    /// Keeps a root move's score and line, if it is the first or better than those before it.
    pub(crate) fn note_root_move(&mut self, mv: Move, move_count: usize, score: Score, node: &Node<'_>, nodes: u64) {
        let seldepth = self.seldepth;
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += nodes;
        if move_count > 1 && score <= node.alpha {
            root_move.score = -Score::INFINITE;
            return;
        }
        root_move.score = score;
        root_move.last_score = Some(score);
        root_move.average = Some(root_move.average.map_or(score.0, |average| (average + score.0) / 2));
        root_move.seldepth = seldepth;
        root_move.bound = if score >= node.beta {
            Bound::Lower
        } else if score <= node.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        if root_move.bound == Bound::Exact {
            root_move.last_exact = Some(score);
        }
        // A move that failed low has no line of its own: the one before it says more.
        if root_move.bound != Bound::Upper {
            root_move.line.clear();
            root_move.line.push(mv);
            root_move.line.extend_from_slice(self.memory.lines.after(node.ply));
        }
    }
}

/// What one thread found.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// The last full iteration.
    pub(crate) depth: i32,
    pub(crate) best: RootMove,
}

/// The outcome most threads stand behind, weighed by depth and score. A mate counts for itself.
///
/// Source: the thread voting of Stockfish.
pub(crate) fn vote(outcomes: &[Outcome]) -> Option<&Outcome> {
    // A thread that has not ended an iteration has no say, unless none has.
    let any = outcomes.iter().any(|outcome| outcome.depth > 0);
    let outcomes: Vec<_> = outcomes.iter().filter(|outcome| outcome.depth > 0 || !any).collect();
    let least = outcomes.iter().map(|outcome| outcome.best.score).min()?;
    let weight = |outcome: &Outcome| i64::from(outcome.best.score.0 - least.0 + 14) * i64::from(outcome.depth.max(1));
    let mut votes: HashMap<Move, i64> = HashMap::new();
    for outcome in &outcomes {
        *votes.entry(outcome.best.mv).or_default() += weight(outcome);
    }
    // Of equals the first thread's stands, since its lines are the ones reported.
    outcomes.into_iter().rev().max_by_key(|outcome| {
        let score = outcome.best.score;
        let certain = if score.is_decisive() { score.0 } else { 0 };
        (certain, votes.get(&outcome.best.mv).copied().unwrap_or_default(), weight(outcome))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(board: &Board, index: usize, depth: i32, score: Score) -> Outcome {
        let mut best = RootMove::new(board.legal_moves()[index]);
        best.score = score;
        Outcome { depth, best }
    }

    #[test]
    fn the_move_with_most_weight_wins_and_a_mate_beats_it() {
        let board = Board::start();
        let mut outcomes = vec![
            outcome(&board, 0, 10, Score(20)),
            outcome(&board, 1, 10, Score(20)),
            outcome(&board, 1, 10, Score(18)),
        ];
        assert_eq!(vote(&outcomes).unwrap().best.mv, board.legal_moves()[1]);
        outcomes.push(outcome(&board, 2, 8, Score::mate_in(5)));
        assert_eq!(vote(&outcomes).unwrap().best.mv, board.legal_moves()[2]);
        assert!(vote(&[]).is_none());
    }

    #[test]
    fn a_move_that_failed_low_keeps_its_last_exact_score() {
        let mut root_move = RootMove::new(Board::start().legal_moves()[0]);
        assert_eq!(root_move.settled(), None);
        (root_move.last_score, root_move.bound) = (Some(Score(5)), Bound::Upper);
        assert_eq!(root_move.settled(), Some((Score(5), Bound::Upper)));
        root_move.last_exact = Some(Score(30));
        assert_eq!(root_move.settled(), Some((Score(30), Bound::Exact)));
        (root_move.last_score, root_move.bound) = (Some(Score(60)), Bound::Lower);
        assert_eq!(root_move.settled(), Some((Score(60), Bound::Lower)));
    }

    #[test]
    fn of_equals_the_first_thread_stands() {
        let board = Board::start();
        let outcomes = [outcome(&board, 3, 10, Score(5)), outcome(&board, 4, 10, Score(5))];
        assert_eq!(vote(&outcomes).unwrap().best.mv, board.legal_moves()[3]);
    }

    #[test]
    fn unknown_wishes_leave_all_moves() {
        let board = Board::start();
        assert_eq!(root_moves(&board, &MoveList::new()).len(), 20);
        let wish: MoveList = board.legal_moves().into_iter().take(2).collect();
        assert_eq!(root_moves(&board, &wish).len(), 2);
        let foreign: MoveList = Move::from_bits(0x0FFF).into_iter().collect();
        assert_eq!(root_moves(&board, &foreign).len(), 20);
    }
}
