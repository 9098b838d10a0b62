//! Following every series of moves, each position once, until a mate is found or nothing is left.
//!
//! Positions are kept whole, not by a key, so none is ever taken for another and an end without a mate is a proof.
//! Positions that the static analysis shows lost are not followed; it is asked whenever a piece is captured or a pawn
//! moves, since nothing else changes what it sees for good.

use std::collections::HashMap;

use arrayvec::ArrayVec;

use super::dive::Dive;
use super::plan::{Aim, Plan};
use super::{blocked, material};
use crate::board::Packed;
use crate::{Board, Color, Key, MAX_MOVES, Move, PieceType};

/// The cost of the root: costs fall while moves bring the pieces nearer to the mate, and rise otherwise.
const START_COST: u16 = 200;
const MAX_COST: i32 = 4_000;

/// How a search of all positions ended.
pub(super) enum End {
    /// A mate, with the moves to it.
    Mate(Vec<Move>),
    /// No position is left.
    Exhausted,
    /// The allowance is used up.
    Open,
}

/// What to try after each capture and pawn move.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Which moves to try first.
    pub(super) aim: Aim,
    /// Whether the position is blocked.
    pub(super) statics: bool,
    /// Whether there is a quick mate.
    pub(super) dives: bool,
}

#[derive(Clone, Copy)]
struct Node {
    position: Packed,
    parent: u32,
    /// The move from the parent; none at the root.
    mv: Option<Move>,
    cost: u16,
}

/// A search over all positions that may follow.
pub(super) struct Closure {
    winner: Color,
    nodes: Vec<Node>,
    /// Open addressing: indices of nodes plus one, 0 where there is none.
    index: Vec<u32>,
    /// Nodes to follow, by cost; the latest of a cost first.
    open: Vec<Vec<u32>>,
    /// No cheaper node is open.
    lowest: usize,
    /// What to aim at in each stage of the game.
    plans: HashMap<(Key, u64), Plan>,
    effort: Effort,
    /// Positions looked at.
    pub(super) visited: u64,
    /// Those of them that the searches for a quick mate have looked at.
    dived: u64,
}

impl Closure {
    pub(super) fn new(winner: Color, effort: Effort) -> Self {
        Self {
            winner,
            nodes: Vec::new(),
            index: vec![0; 256],
            open: Vec::new(),
            lowest: usize::MAX,
            plans: HashMap::new(),
            effort,
            visited: 0,
            dived: 0,
        }
    }

    /// Follows the positions after `board` until a mate, the end, or `limit` positions.
    pub(super) fn run(&mut self, board: &Board, limit: u64) -> End {
        self.insert(board.pack(), 0, None, START_COST);
        while self.lowest < self.open.len() {
            let Some(at) = self.open[self.lowest].pop() else {
                self.lowest += 1;
                continue;
            };
            if let Some(line) = self.expand(at) {
                return End::Mate(line);
            }
            if self.visited > limit {
                return End::Open;
            }
        }
        End::Exhausted
    }

    /// Adds the positions after a node, or finds a mate.
    fn expand(&mut self, at: u32) -> Option<Vec<Move>> {
        let node = self.nodes[at as usize];
        let board = node.position.unpack();
        let winner = self.winner;
        let plan = self.plans.entry(stage(&board)).or_insert_with(|| Plan::new(&board, winner, self.effort.aim));
        let moves = board.legal_moves();
        let ratings: ArrayVec<i32, MAX_MOVES> = moves.iter().map(|&mv| plan.rate(&board, mv)).collect();
        for (mv, rating) in moves.into_iter().zip(ratings) {
            let child = board.after(mv);
            if board.turn() == winner && child.in_check() && !child.has_legal_move() {
                return Some(self.line_to(at, &[mv]));
            }
            let is_final = board.is_noisy(mv) || board.pieces(PieceType::Pawn).contains(mv.from());
            if is_final && material::is_insufficient(&child, winner) {
                continue;
            }
            let cost = (i32::from(node.cost) + 1 - rating).clamp(0, MAX_COST) as u16;
            if !self.insert(child.pack(), at, Some(mv), cost) || !is_final {
                continue;
            }
            if self.effort.statics && blocked::is_plausible(&child, winner) && blocked::prove(&child, winner).is_some()
            {
                self.open[usize::from(cost)].pop();
            } else if self.effort.dives && (mv.promotes_to().is_some() || 2 * self.dived < self.visited) {
                let (line, visited) = Dive::find(&child, winner, 1, 100);
                self.visited += visited;
                self.dived += visited;
                if let Some(line) = line {
                    let rest: Vec<Move> = std::iter::once(mv).chain(line).collect();
                    return Some(self.line_to(at, &rest));
                }
            }
        }
        None
    }

    fn line_to(&self, mut at: u32, rest: &[Move]) -> Vec<Move> {
        let mut line: Vec<Move> = rest.iter().rev().copied().collect();
        while let Some(mv) = self.nodes[at as usize].mv {
            line.push(mv);
            at = self.nodes[at as usize].parent;
        }
        line.reverse();
        line
    }

    /// Adds a position, to be followed later; false if it was there.
    fn insert(&mut self, position: Packed, parent: u32, mv: Option<Move>, cost: u16) -> bool {
        let mask = self.index.len() - 1;
        let mut slot = position.hash() as usize & mask;
        while self.index[slot] != 0 {
            if self.nodes[self.index[slot] as usize - 1].position == position {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.visited += 1;
        self.nodes.push(Node { position, parent, mv, cost });
        self.index[slot] = self.nodes.len() as u32;
        let cost = usize::from(cost);
        if self.open.len() <= cost {
            self.open.resize_with(cost + 1, Vec::new);
        }
        self.open[cost].push(self.nodes.len() as u32 - 1);
        self.lowest = self.lowest.min(cost);
        if 2 * self.nodes.len() > self.index.len() {
            self.grow();
        }
        true
    }

    fn grow(&mut self) {
        let mask = 2 * self.index.len() - 1;
        self.index.clear();
        self.index.resize(mask + 1, 0);
        for (number, node) in self.nodes.iter().enumerate() {
            let mut slot = node.position.hash() as usize & mask;
            while self.index[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.index[slot] = number as u32 + 1;
        }
    }
}

/// What only captures and pawn moves change: the pawns, and how many officers of each kind there are.
fn stage(board: &Board) -> (Key, u64) {
    let kinds = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    let counts =
        kinds.into_iter().flat_map(|kind| Color::ALL.map(|color| board.colored_pieces(color, kind).count() as u64));
    (board.keys().pawn(), counts.fold(0, |all, count| all << 4 | count))
}
