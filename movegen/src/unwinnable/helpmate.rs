//! A quick search for a helpmate, along the best rated moves.
//!
//! Both sides cooperate: the loser's king goes to a corner, and the winner's pieces gather there. Each move is rated by
//! how much nearer it brings its piece, and the search allows a growing number of deviations from the best rated move.
//! If it finds no mate, that proves nothing. Source: limited discrepancy search, W. D. Harvey and M. L. Ginsberg
//! (1995).

use crate::attacks::king_attacks;
use crate::{Board, Color, Move, MoveList};

use super::effort::Effort;
use super::material;
use super::plan::{Aim, Plan};

const TABLE_SIZE: usize = 1 << 10;
const MAX_PLY: usize = 160;

/// A search for a helpmate.
pub(super) struct HelpmateSearch {
    winner: Color,
    plan: Plan,
    /// Keys of visited positions, each with its budget. An overwritten position may be searched again.
    visited: Box<[(u64, u8); TABLE_SIZE]>,
    line: Vec<Move>,
    /// The moves that are left to try along the line, each with its rating, those of the last position last. On the heap,
    /// so that the search is deep on a small stack too.
    untried: Vec<(i32, Move)>,
    /// Positions searched.
    pub(super) nodes: u64,
    limit: u64,
}

impl HelpmateSearch {
    /// The moves to a mate by `winner`, within a node limit, and the number of positions searched.
    pub(super) fn find(
        board: &Board,
        winner: Color,
        deviations: u8,
        limit: u64,
        effort: &mut Effort<'_>,
    ) -> (Option<Vec<Move>>, u64) {
        let mut search = Self {
            winner,
            plan: Plan::new(board, winner, Aim::Corner),
            visited: Box::new([(0, 0); TABLE_SIZE]),
            line: Vec::new(),
            untried: Vec::new(),
            nodes: 0,
            limit: 0,
        };
        for allowed in 0..=deviations {
            search.limit = (limit * u64::from(allowed + 1) / u64::from(deviations + 1)).max(search.nodes);
            if search.descend(board, allowed + 1, effort) {
                return (Some(search.line), search.nodes);
            }
        }
        (None, search.nodes)
    }

    /// `budget` is one more than the deviations still allowed.
    fn descend(&mut self, board: &Board, budget: u8, effort: &mut Effort<'_>) -> bool {
        self.nodes += 1;
        if self.nodes > self.limit || self.line.len() >= MAX_PLY || effort.must_end() {
            return false;
        }
        let entry = &mut self.visited[board.key() as usize % TABLE_SIZE];
        if entry.0 == board.key() && entry.1 >= budget {
            return false;
        }
        *entry = (board.key(), budget);
        let first = self.untried.len();
        if let Some(is_mate) = self.list_moves(board) {
            return is_mate;
        }
        let is_found = self.try_moves(board, first, budget, effort);
        self.untried.truncate(first);
        is_found
    }

    /// Lists the moves with their ratings, or says whether the line ends here with the mate that is looked for. Never part of
    /// its caller, whose place on the stack would hold the moves of the whole line.
    #[inline(never)]
    fn list_moves(&mut self, board: &Board) -> Option<bool> {
        let moves = board.legal_moves();
        if moves.is_empty() {
            return Some(board.in_check() && board.turn() != self.winner);
        }
        if board.turn() == self.winner && self.mates_in_one(board, &moves) {
            return Some(true);
        }
        self.untried.extend(moves.iter().map(|&mv| (self.plan.rate(board, mv), mv)));
        None
    }

    /// Tries the moves listed from `first` on, the best rated ones first.
    fn try_moves(&mut self, board: &Board, first: usize, budget: u8, effort: &mut Effort<'_>) -> bool {
        for nth in 0..self.untried.len() - first {
            let cost = match nth {
                0 => 0,
                1..4 => 1,
                _ => 2,
            };
            if cost >= budget {
                break;
            }
            let moves = &mut self.untried[first + nth..];
            let mut best = 0;
            for index in 1..moves.len() {
                if moves[index].0 > moves[best].0 {
                    best = index;
                }
            }
            moves.swap(0, best);
            let mv = moves[0].1;
            let child = board.after(mv);
            if material::is_insufficient(&child, self.winner) {
                continue;
            }
            self.line.push(mv);
            if self.descend(&child, budget - cost, effort) {
                return true;
            }
            self.line.pop();
            if self.nodes > self.limit {
                break;
            }
        }
        false
    }

    fn mates_in_one(&mut self, board: &Board, moves: &MoveList) -> bool {
        let king = board.king(!self.winner);
        if (king_attacks(king) - board.colors(!self.winner)).count() > 5 {
            return false;
        }
        for &mv in moves {
            if board.gives_check(mv) {
                let child = board.after(mv);
                if !child.has_legal_move() {
                    self.line.push(mv);
                    return true;
                }
            }
        }
        false
    }
}
