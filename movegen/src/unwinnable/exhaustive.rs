//! Exhaustive search: every position that can follow, each once, until a mate is found or no position is left.
//!
//! Whole positions are stored instead of hash keys, so there are no collisions and an end without a mate is a proof.
//! Positions that the static proof shows unwinnable are cut off. It is tried after each capture and pawn move, since
//! only these change its result for good.

use std::collections::HashMap;

use arrayvec::ArrayVec;

use super::effort::Effort;
use super::helpmate::HelpmateSearch;
use super::memory::{has_room, make_room};
use super::plan::{Aim, Plan};
use super::{blocked, material};
use crate::board::Packed;
use crate::{Board, Color, Key, MAX_MOVES, Move, PieceType};

/// The cost of the root: costs fall as moves bring the pieces nearer to the mate, and rise otherwise.
const START_COST: u16 = 200;
const MAX_COST: i32 = 4_000;

/// How an exhaustive search ended.
pub(super) enum End {
    /// A mate, with the moves to it.
    Mate(Vec<Move>),
    /// No position is left.
    Exhausted,
    /// The node limit was reached, the examination had to end, or there was no memory for more.
    Open,
}

/// How to search.
#[derive(Clone, Copy)]
pub(super) struct Options {
    /// Which moves to try first.
    pub(super) aim: Aim,
    /// Whether to try the static proof after each capture and pawn move.
    pub(super) static_proofs: bool,
    /// Whether to search for a quick helpmate after captures and pawn moves.
    pub(super) helpmates: bool,
}

#[derive(Clone, Copy)]
struct Node {
    position: Packed,
    parent: u32,
    /// The move from the parent; none at the root.
    mv: Option<Move>,
    cost: u16,
}

/// A search of all positions that can follow.
pub(super) struct ExhaustiveSearch {
    winner: Color,
    nodes: Vec<Node>,
    /// A hash table with open addressing: indices of nodes plus one, 0 for an empty slot.
    table: Vec<u32>,
    /// Nodes to expand, by cost; the latest of each cost first.
    open: Vec<Vec<u32>>,
    /// No open node has a lower cost.
    lowest: usize,
    /// The plan for each pawn structure and material.
    plans: HashMap<(Key, u64), Plan>,
    /// A position was left out for lack of memory.
    is_cut: bool,
    options: Options,
    /// Positions searched, including those of the helpmate searches.
    pub(super) visited: u64,
    /// Positions searched by the helpmate searches.
    helpmate_nodes: u64,
}

impl ExhaustiveSearch {
    pub(super) fn new(winner: Color, options: Options) -> Self {
        Self {
            winner,
            nodes: Vec::new(),
            table: vec![0; 2 * MAX_MOVES.next_power_of_two()],
            open: Vec::new(),
            lowest: usize::MAX,
            plans: HashMap::new(),
            is_cut: false,
            options,
            visited: 0,
            helpmate_nodes: 0,
        }
    }

    /// Searches the positions after `board` until a mate, the end, or `limit` positions.
    pub(super) fn run(&mut self, board: &Board, limit: u64, effort: &mut Effort<'_>) -> End {
        self.insert(board.pack(), 0, None, START_COST);
        while self.lowest < self.open.len() {
            let Some(at) = self.open[self.lowest].pop() else {
                self.lowest += 1;
                continue;
            };
            if !self.make_room() {
                return End::Open;
            }
            if let Some(line) = self.expand(at, effort) {
                return End::Mate(line);
            }
            if self.visited > limit || self.is_cut || effort.must_end() {
                return End::Open;
            }
        }
        End::Exhausted
    }

    /// Makes room for all positions after one and their plan; `false` if there is no memory for them.
    fn make_room(&mut self) -> bool {
        let plans = self.plans.capacity();
        let has_plans = self.plans.len() < plans
            || has_room(2 * plans * size_of::<((Key, u64), Plan)>()) && self.plans.try_reserve(1).is_ok();
        has_plans && make_room(&mut self.nodes, MAX_MOVES) && (!self.is_crowded(MAX_MOVES) || self.grow())
    }

    /// Whether the table would be more than half full with so many positions more.
    const fn is_crowded(&self, more: usize) -> bool {
        2 * (self.nodes.len() + more) > self.table.len()
    }

    /// Adds the positions after a node, or finds a mate.
    fn expand(&mut self, at: u32, effort: &mut Effort<'_>) -> Option<Vec<Move>> {
        let node = self.nodes[at as usize];
        let board = node.position.unpack();
        let winner = self.winner;
        let plan = self.plans.entry(stage(&board)).or_insert_with(|| Plan::new(&board, winner, self.options.aim));
        let moves = board.legal_moves();
        let ratings: ArrayVec<i32, MAX_MOVES> = moves.iter().map(|&mv| plan.rate(&board, mv)).collect();
        for (mv, rating) in moves.into_iter().zip(ratings) {
            let child = board.after(mv);
            if board.turn() == winner && child.in_check() && !child.has_legal_move() {
                return Some(self.line_to(at, &[mv]));
            }
            let is_irreversible = board.is_noisy(mv) || board.pieces(PieceType::Pawn).contains(mv.from());
            if is_irreversible && material::is_insufficient(&child, winner) {
                continue;
            }
            let cost = (i32::from(node.cost) + 1 - rating).clamp(0, MAX_COST) as u16;
            if !self.insert(child.pack(), at, Some(mv), cost) || !is_irreversible {
                continue;
            }
            if self.options.static_proofs
                && blocked::is_plausible(&child, winner)
                && !effort.must_end()
                && blocked::prove(&child, winner).is_some()
            {
                self.open[usize::from(cost)].pop();
            } else if self.options.helpmates && (mv.promotes_to().is_some() || 2 * self.helpmate_nodes < self.visited) {
                let (line, visited) = HelpmateSearch::find(&child, winner, 1, 100, effort);
                self.visited += visited;
                self.helpmate_nodes += visited;
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

    /// Adds a position, to be expanded later; false if it was there already.
    fn insert(&mut self, position: Packed, parent: u32, mv: Option<Move>, cost: u16) -> bool {
        let mask = self.table.len() - 1;
        let mut slot = position.hash() as usize & mask;
        while self.table[slot] != 0 {
            if self.nodes[self.table[slot] as usize - 1].position == position {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.visited += 1;
        self.nodes.push(Node { position, parent, mv, cost });
        self.table[slot] = self.nodes.len() as u32;
        let place = usize::from(cost);
        if self.open.len() <= place {
            self.open.resize_with(place + 1, Vec::new);
        }
        if !make_room(&mut self.open[place], 1) {
            self.is_cut = true;
            return false;
        }
        self.open[place].push(self.nodes.len() as u32 - 1);
        self.lowest = self.lowest.min(place);
        true
    }

    /// Makes the table larger; `false` if there is no memory for that.
    fn grow(&mut self) -> bool {
        let mask = 2 * self.table.len() - 1;
        if !has_room((mask + 1) * size_of::<u32>())
            || self.table.try_reserve_exact(mask + 1 - self.table.len()).is_err()
        {
            return false;
        }
        self.table.clear();
        self.table.resize(mask + 1, 0);
        for (number, node) in self.nodes.iter().enumerate() {
            let mut slot = node.position.hash() as usize & mask;
            while self.table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = number as u32 + 1;
        }
        true
    }
}

/// What only captures and pawn moves change: the pawns, and the number of other pieces of each type.
fn stage(board: &Board) -> (Key, u64) {
    let kinds = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    let counts =
        kinds.into_iter().flat_map(|kind| Color::ALL.map(|color| board.colored_pieces(color, kind).count() as u64));
    (board.keys().pawn(), counts.fold(0, |all, count| all << 4 | count))
}
