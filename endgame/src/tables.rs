//! The solved materials, and what they say of a board.

use arrayvec::ArrayVec;
use movegen::{Board, Color, Piece, Square};

use crate::MAX_PIECES;
use crate::index::Indexing;
use crate::material::{Material, Others};
use crate::placement::{Placement, passed_pawn};

/// How a position ends if both sides play their best, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// It mates.
    Win {
        /// Half-moves to the mate.
        plies: u8,
    },
    /// Nobody can force a mate.
    Draw,
    /// It is mated.
    Loss {
        /// Half-moves to the mate, 0 if it is one already.
        plies: u8,
    },
}

/// What is known of a placement, in a byte: 0 a draw, or not known yet; otherwise one more than the half-moves to the
/// mate, and as these are odd in won positions and even in lost ones, nothing else is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Value(pub(crate) u8);

impl Value {
    pub(crate) const DRAW: Self = Self(0);
    /// No position of chess.
    pub(crate) const ILLEGAL: Self = Self(255);

    /// Decided in this many half-moves: lost if they are even.
    pub(crate) const fn decided(plies: u8) -> Self {
        Self(plies + 1)
    }

    /// The half-moves to a mate by the side to move.
    pub(crate) const fn win(self) -> Option<u8> {
        if self.0 != 0 && self.0.is_multiple_of(2) { Some(self.0 - 1) } else { None }
    }

    /// The half-moves to a mate of the side to move.
    pub(crate) const fn loss(self) -> Option<u8> {
        if self.0.is_multiple_of(2) { None } else { Some(self.0 - 1) }
    }
}

/// One material solved.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) material: Material,
    pub(crate) indexing: Indexing,
    pub(crate) values: Vec<u8>,
}

/// Where the table of some pieces is, and how they have to be arranged for it.
#[derive(Clone, Copy, Debug)]
struct Slot {
    table: usize,
    /// Colours change places.
    is_flipped: bool,
    /// The two pieces besides the kings change places.
    is_swapped: bool,
}

/// One more than the number of pieces besides the kings, to count "none" among them.
const CODES: usize = 13;

/// Solved materials, and all those that captures and promotions lead to.
#[derive(Debug)]
pub struct Tables {
    tables: Vec<Table>,
    /// By the codes of the pieces besides the kings, in any order.
    slots: Vec<Option<Slot>>,
}

fn slot_index(others: &[Piece]) -> usize {
    others.iter().fold(0, |index, &piece| index * CODES + piece as usize + 1)
}

impl Tables {
    /// No tables yet.
    pub(crate) fn new() -> Self {
        Self { tables: Vec::new(), slots: vec![None; CODES * CODES] }
    }

    /// Whether a material is among them.
    pub(crate) fn contains(&self, material: &Material) -> bool {
        self.tables.iter().any(|table| table.material == *material)
    }

    /// Adds the table of a material.
    pub(crate) fn push(&mut self, table: Table) {
        let material = table.material.clone();
        self.tables.push(table);
        self.register(&material, self.tables.len() - 1);
    }

    /// Notes the table for each order and colouring of its pieces.
    fn register(&mut self, material: &Material, table: usize) {
        for is_swapped in [false, true] {
            for is_flipped in [false, true] {
                let mut others: Others = material.others().iter().copied().collect();
                if is_swapped {
                    others.reverse();
                }
                if is_flipped {
                    others.iter_mut().for_each(|piece| *piece = Piece::new(!piece.color(), piece.piece_type()));
                }
                self.slots[slot_index(&others)].get_or_insert(Slot { table, is_flipped, is_swapped });
            }
        }
    }

    /// The value of a placement of the kings and these other pieces; `None` if they are not solved.
    pub(crate) fn value(&self, others: &[Piece], placement: &Placement) -> Option<Value> {
        if others.is_empty() {
            return Some(Value::DRAW);
        }
        let Slot { table, is_flipped, is_swapped } = self.slots[slot_index(others)]?;
        let mut placement = if is_flipped { placement.flipped() } else { *placement };
        if is_swapped && others.len() == 2 {
            placement.squares.swap(2, 3);
            placement.passed = placement.passed.map(|piece| 5 - piece);
        }
        let table = &self.tables[table];
        Some(Value(table.values[table.indexing.index(&placement) as usize]))
    }

    /// How a position ends; `None` if its material is not solved or somebody may still castle.
    #[must_use]
    pub fn probe(&self, board: &Board) -> Option<Outcome> {
        if board.occupied().count() > MAX_PIECES || board.castling() != Default::default() {
            return None;
        }
        let mut squares: ArrayVec<Square, MAX_PIECES> = Color::ALL.map(|color| board.king(color)).into_iter().collect();
        let mut others = Others::new();
        for square in board.occupied() {
            let piece = board.piece_on(square)?;
            if !matches!(piece, Piece::WhiteKing | Piece::BlackKing) {
                others.push(piece);
                squares.push(square);
            }
        }
        let passed = board.en_passant().map(passed_pawn);
        let passed = squares.iter().position(|&square| Some(square) == passed);
        squares.extend(std::iter::repeat_n(Square::A1, MAX_PIECES - squares.len()));
        let squares = squares.into_inner().ok()?;
        let value = self.value(&others, &Placement { turn: board.turn(), squares, passed })?;
        Some(match (value.win(), value.loss()) {
            (Some(plies), _) => Outcome::Win { plies },
            (_, Some(plies)) => Outcome::Loss { plies },
            _ => Outcome::Draw,
        })
    }

    /// The materials solved, in the order in which that was done.
    pub fn materials(&self) -> impl Iterator<Item = &Material> {
        self.tables.iter().map(|table| &table.material)
    }

    /// The longest mates with this material, in half-moves: by White to move and by Black to move; 0 where there is none,
    /// `None` if it is not solved.
    #[must_use]
    pub fn longest(&self, material: &Material) -> Option<[u8; 2]> {
        let table = self.tables.iter().find(|table| table.material == *material)?;
        let longest = |values: &[u8]| values.iter().filter_map(|&value| Value(value).win()).max().unwrap_or(0);
        let (white, black) = table.values.split_at(table.values.len() / 2);
        Some([longest(white), longest(black)])
    }
}
