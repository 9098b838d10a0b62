//! What a search found out about a position, as data.

use movegen::{Board, Move};

use crate::types::report::Report;
use crate::types::score::{Bound, Score};

/// What a search found out about a position: the newest of each of its lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// The plies of the best line's iteration.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The best lines, the best first; each has a move.
    pub lines: Vec<FoundLine>,
}

/// A line and its score for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundLine {
    /// The score.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The moves.
    pub moves: Vec<Move>,
}

impl Found {
    /// Takes over what a report says. One without a move says nothing.
    pub fn hear(&mut self, report: &Report<'_>) {
        if report.pv.is_empty() {
            return;
        }
        let number = |value: i32| u32::try_from(value).unwrap_or_default();
        if report.multi_pv == 1 {
            self.depth = number(report.depth);
            self.seldepth = number(report.seldepth);
        }
        self.nodes = report.nodes;
        let line = FoundLine { score: report.score, bound: report.bound, moves: report.pv.to_vec() };
        match self.lines.get_mut(report.multi_pv - 1) {
            Some(old) => *old = line,
            None => self.lines.push(line),
        }
    }

    /// Whether no score is a bound.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.lines.iter().all(|line| line.bound == Bound::Exact)
    }

    /// Whether all its lines can be played in this position, and there are any.
    #[must_use]
    pub fn fits(&self, board: &Board) -> bool {
        let plays = |line: &FoundLine, mut board: Board| {
            let is_legal = line.moves.iter().all(|&mv| {
                let is_legal = board.is_legal(mv);
                if is_legal {
                    board.play(mv, &mut ());
                }
                is_legal
            });
            is_legal && !line.moves.is_empty()
        };
        !self.lines.is_empty() && self.lines.iter().all(|line| plays(line, *board))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn report(depth: i32, multi_pv: usize, score: i32, bound: Bound, pv: &[Move]) -> Report<'_> {
        Report {
            depth,
            seldepth: depth + 3,
            multi_pv,
            score: Score(score),
            bound,
            nodes: 100 * depth as u64,
            elapsed: Duration::ZERO,
            hashfull: 0,
            tablebase_hits: 0,
            from_tables: false,
            is_dead: false,
            pv,
        }
    }

    #[test]
    fn the_newest_of_each_line_counts() {
        let board = Board::start();
        let [one, other] = ["e2e4", "d2d4"].map(|text| board.parse_uci(text).unwrap());
        let mut found = Found::default();
        assert!(!found.fits(&board));
        found.hear(&report(4, 1, 20, Bound::Exact, &[one]));
        found.hear(&report(4, 2, 10, Bound::Exact, &[other]));
        assert!(found.is_exact() && found.fits(&board));
        found.hear(&report(5, 1, 30, Bound::Lower, &[other]));
        found.hear(&report(6, 1, 30, Bound::Lower, &[]));
        assert_eq!((found.depth, found.seldepth, found.nodes), (5, 8, 500));
        let lines: Vec<_> = found.lines.iter().map(|line| (line.score.0, line.bound, line.moves[0])).collect();
        assert_eq!(lines, [(30, Bound::Lower, other), (10, Bound::Exact, other)]);
        assert!(!found.is_exact() && !found.fits(&board.after(one)));
    }
}
