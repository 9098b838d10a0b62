//! The moves at the root, with their lines and scores.

use std::cmp::Reverse;

use movegen::{Board, Move, MoveList};

use crate::tablebase::rank::Rank;
use crate::types::score::{Bound, Score};

/// A move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// Its rank by endgame tables, if they know all root moves.
    pub(crate) rank: Option<Rank>,
    /// The score of the last search; minus infinity if it only proved worse than another move.
    pub(crate) score: Score,
    /// The last score of the move itself, with its bound.
    pub(crate) last_score: Option<Score>,
    pub(crate) bound: Bound,
    /// The last exact score: it belongs to `line` even after the move has failed low.
    pub(crate) last_exact: Option<Score>,
    /// The iteration that found it.
    pub(crate) exact_depth: i32,
    /// A running average of its scores, the centre of the next window.
    pub(crate) average: Option<i32>,
    pub(crate) seldepth: i32,
    /// Nodes spent on it in the current search.
    pub(crate) nodes: u64,
    /// The line, which starts with the move itself; elsewhere, to keep the root moves close together.
    pub(crate) line: Vec<Move>,
}

impl RootMove {
    pub(crate) fn new(mv: Move) -> Self {
        Self {
            mv,
            rank: None,
            score: -Score::INFINITE,
            last_score: None,
            bound: Bound::Exact,
            last_exact: None,
            exact_depth: 0,
            average: None,
            seldepth: 0,
            nodes: 0,
            line: vec![mv],
        }
    }

    /// The score that belongs to `line`, even if the search was stopped just after the move had failed low; `None` before
    /// it has any.
    pub(crate) fn line_score(&self) -> Option<(Score, Bound)> {
        let exact = self.last_exact.map(|score| (score, Bound::Exact));
        let last = self.last_score.map(|score| (score, self.bound));
        if self.bound == Bound::Upper { exact.or(last) } else { last }
    }

    /// The same after iteration `depth`, if the next one was stopped: an exact score of that depth says more than a lower
    /// bound from the next, unless that is of a win.
    pub(crate) fn line_score_at(&self, depth: i32) -> Option<(Score, Bound)> {
        let (score, bound) = self.line_score()?;
        let exact = self.last_exact.filter(|_| self.exact_depth >= depth && !score.is_decisive());
        match exact {
            Some(exact) if bound == Bound::Lower => Some((exact, Bound::Exact)),
            _ => Some((score, bound)),
        }
    }

    /// The score to show: that of the endgame tables, unless the search has found a mate, and not only a bound for one.
    pub(crate) fn shown(&self, score: Score, bound: Bound) -> (Score, Bound) {
        match self.rank {
            Some(rank) if bound != Bound::Exact || score.moves_to_mate().is_none() => (rank.score, Bound::Exact),
            _ => (score, bound),
        }
    }

    /// The sorting key, the better move first: by the rank of endgame tables, then by score.
    pub(crate) const fn order(&self) -> Reverse<(Option<Rank>, Score)> {
        Reverse((self.rank, self.score))
    }
}

/// Sorts root moves by [`RootMove::order`], stably. Most are in order from the start; only the others cost more than a
/// comparison.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_failed_low_keeps_its_last_exact_score() {
        let mut root_move = RootMove::new(Board::start().legal_moves()[0]);
        assert_eq!(root_move.line_score(), None);
        (root_move.last_score, root_move.bound) = (Some(Score(5)), Bound::Upper);
        assert_eq!(root_move.line_score(), Some((Score(5), Bound::Upper)));
        root_move.last_exact = Some(Score(30));
        assert_eq!(root_move.line_score(), Some((Score(30), Bound::Exact)));
        (root_move.last_score, root_move.bound) = (Some(Score(60)), Bound::Lower);
        assert_eq!(root_move.line_score(), Some((Score(60), Bound::Lower)));
        root_move.exact_depth = 8;
        assert_eq!(root_move.line_score_at(8), Some((Score(30), Bound::Exact)));
        assert_eq!(root_move.line_score_at(9), Some((Score(60), Bound::Lower)));
        root_move.last_score = Some(Score::mate_in(9));
        assert_eq!(root_move.line_score_at(8), Some((Score::mate_in(9), Bound::Lower)));
    }

    #[test]
    fn without_a_legal_wanted_move_all_moves_are_searched() {
        let board = Board::start();
        assert_eq!(root_moves(&board, &MoveList::new()).len(), 20);
        let wanted: MoveList = board.legal_moves().into_iter().take(2).collect();
        assert_eq!(root_moves(&board, &wanted).len(), 2);
        let foreign: MoveList = Move::from_bits(0x0FFF).into_iter().collect();
        assert_eq!(root_moves(&board, &foreign).len(), 20);
    }
}
