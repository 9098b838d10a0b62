//! Looking for a helpmate: the most promising moves first, few detours.
//!
//! Both sides work together, so a mate is found by walking towards one: the loser's king goes to a corner, the
//! winner's pieces gather there. Each move is rated by how much nearer it brings its piece, and the search allows a growing
//! number of departures from the best rated move (limited discrepancy search: W. D. Harvey and M. L. Ginsberg, 1995).
//! It finds mates and proves nothing when it finds none.

use crate::attacks::king_attacks;
use crate::{Board, Color, Move, MoveList};

use super::material;
use super::plan::{Aim, Plan};

const TABLE_SIZE: usize = 1 << 10;
const MAX_PLY: usize = 160;

/// A search for a helpmate.
pub(super) struct Dive {
    winner: Color,
    plan: Plan,
    /// Positions met with how many departures were allowed from there; what is overwritten is merely met again.
    met: Box<[(u64, u8); TABLE_SIZE]>,
    line: Vec<Move>,
    /// Positions looked at.
    pub(super) nodes: u64,
    limit: u64,
}

impl Dive {
    /// A mate by `winner` from this board, within so many positions.
    pub(super) fn find(board: &Board, winner: Color, departures: u8, limit: u64) -> (Option<Vec<Move>>, u64) {
        let mut dive = Self {
            winner,
            plan: Plan::new(board, winner, Aim::Corner),
            met: Box::new([(0, 0); TABLE_SIZE]),
            line: Vec::new(),
            nodes: 0,
            limit: 0,
        };
        for allowed in 0..=departures {
            dive.limit = (limit * u64::from(allowed + 1) / u64::from(departures + 1)).max(dive.nodes);
            if dive.descend(board, allowed + 1) {
                return (Some(dive.line), dive.nodes);
            }
        }
        (None, dive.nodes)
    }

    /// `budget` is one more than the departures still allowed.
    fn descend(&mut self, board: &Board, budget: u8) -> bool {
        self.nodes += 1;
        if self.nodes > self.limit || self.line.len() >= MAX_PLY {
            return false;
        }
        let met = &mut self.met[board.key() as usize % TABLE_SIZE];
        if met.0 == board.key() && met.1 >= budget {
            return false;
        }
        *met = (board.key(), budget);
        let mut moves = board.legal_moves();
        if moves.is_empty() {
            return board.in_check() && board.turn() != self.winner;
        }
        if board.turn() == self.winner && self.mates_at_once(board, &moves) {
            return true;
        }
        let mut ratings: arrayvec::ArrayVec<i32, { crate::MAX_MOVES }> =
            moves.iter().map(|&mv| self.plan.rate(board, mv)).collect();
        for nth in 0..moves.len() {
            let cost = match nth {
                0 => 0,
                1..4 => 1,
                _ => 2,
            };
            if cost >= budget {
                break;
            }
            let mut best = nth;
            for index in nth + 1..moves.len() {
                if ratings[index] > ratings[best] {
                    best = index;
                }
            }
            moves.swap(nth, best);
            ratings.swap(nth, best);
            let child = board.after(moves[nth]);
            if material::is_insufficient(&child, self.winner) {
                continue;
            }
            self.line.push(moves[nth]);
            if self.descend(&child, budget - cost) {
                return true;
            }
            self.line.pop();
            if self.nodes > self.limit {
                break;
            }
        }
        false
    }

    fn mates_at_once(&mut self, board: &Board, moves: &MoveList) -> bool {
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
