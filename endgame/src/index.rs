//! A number for each placement of the pieces of a material.
//!
//! The board is turned so that White's king stands in a corner of it: on the files a to d where there are pawns, in the
//! triangle a1-d1-d4 elsewhere. With it on the diagonal of that triangle a placement and its mirror image have two
//! numbers.

use arrayvec::ArrayVec;
use movegen::{Color, Piece, PieceType, Rank, Square};

use crate::MAX_PIECES;
use crate::material::Material;
use crate::placement::Placement;

/// The squares of the triangle, in order of their numbers.
const TRIANGLE: [Square; 10] = [
    Square::A1,
    Square::B1,
    Square::C1,
    Square::D1,
    Square::B2,
    Square::C2,
    Square::D2,
    Square::C3,
    Square::D3,
    Square::D4,
];

/// How the board is turned for one square of White's king.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// Flips bits of square indices: 7 mirrors left to right, 56 top to bottom.
    flip: u8,
    /// Mirrors along the diagonal from a1 to h8, after that.
    transpose: bool,
    /// The number of the square where the king comes to stand.
    king: u32,
}

impl Turn {
    fn apply(self, square: Square) -> Square {
        let square = square as u8 ^ self.flip;
        Square::from_index(if self.transpose { square >> 3 | square << 3 } else { square })
    }
}

/// The numbering of one material's placements.
#[derive(Clone, Debug)]
pub(crate) struct Indexing {
    pieces: ArrayVec<Piece, MAX_PIECES>,
    turns: [Turn; 64],
    /// White's king by number.
    kings: Vec<Square>,
    has_pawns: bool,
}

impl Indexing {
    pub(crate) fn new(material: &Material) -> Self {
        let has_pawns = material.has_pawns();
        let kings: Vec<Square> = if has_pawns {
            Square::ALL.into_iter().filter(|&square| square as u8 & 7 < 4).collect()
        } else {
            TRIANGLE.to_vec()
        };
        let turns = Square::ALL.map(|square| {
            let (file, rank) = (square as u8 & 7, square as u8 >> 3);
            let flip = if file < 4 { 0 } else { 7 } | if has_pawns || rank < 4 { 0 } else { 56 };
            let transpose = !has_pawns && rank.min(7 - rank) > file.min(7 - file);
            let turn = Turn { flip, transpose, king: 0 };
            let king = kings.iter().position(|&king| king == turn.apply(square)).unwrap_or_default();
            Turn { king: king as u32, ..turn }
        });
        Self { pieces: material.pieces(), turns, kings, has_pawns }
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        (2 * self.kings.len()) << (6 * (self.pieces.len() - 1))
    }

    /// The number of a placement, whose pieces are in this material's order.
    #[inline]
    pub(crate) fn index(&self, placement: &Placement) -> u32 {
        let turn = self.turns[placement.squares[0] as usize];
        let mut index = placement.turn as u32 * self.kings.len() as u32 + turn.king;
        for (piece, &square) in placement.squares[..self.pieces.len()].iter().enumerate().skip(1) {
            let square = if placement.passed == Some(piece) {
                passed_square(self.pieces[piece].color(), square)
            } else {
                square
            };
            index = index << 6 | turn.apply(square) as u32;
        }
        index
    }

    /// The placement of a number; `None` if two pieces share a square, kings touch, a pawn stands on a last rank, or
    /// no pawn can have passed where one is said to have. A king may still be open to capture.
    pub(crate) fn placement(&self, mut index: u32) -> Option<Placement> {
        let mut placement = Placement { turn: Color::White, squares: [Square::A1; MAX_PIECES], passed: None };
        for square in placement.squares[1..self.pieces.len()].iter_mut().rev() {
            *square = Square::from_index(index as u8);
            index >>= 6;
        }
        let kings = self.kings.len() as u32;
        placement.turn = Color::ALL[(index / kings) as usize];
        placement.squares[0] = self.kings[(index % kings) as usize];
        for (piece, kind) in self.pieces.iter().enumerate() {
            if kind.piece_type() != PieceType::Pawn {
                continue;
            }
            let square = &mut placement.squares[piece];
            match square.rank().relative_to(kind.color()) {
                Rank::Eight => return None,
                Rank::One => {
                    *square = passed_square(kind.color(), *square);
                    placement.passed = Some(piece);
                }
                _ => {}
            }
        }
        placement.is_sound(&self.pieces).then_some(placement)
    }

    /// The other number of the same placement, if it has two.
    pub(crate) fn twin(&self, placement: &Placement) -> Option<u32> {
        let king = self.turns[placement.squares[0] as usize].apply(placement.squares[0]);
        if self.has_pawns || king as u8 >> 3 != king as u8 & 7 {
            return None;
        }
        let mirrored = placement.squares.map(|square| Square::from_index(square as u8 >> 3 | (square as u8) << 3));
        // On the other diagonal it is the number of the mirror image along that one; both turn to the same.
        Some(self.index(&Placement { squares: mirrored, ..*placement }))
    }
}

/// Where the index has a pawn that has just stepped from its second rank to its fourth: on its first, where no pawn can
/// stand. And the way back.
const fn passed_square(color: Color, square: Square) -> Square {
    let steps = match color {
        Color::White => 24,
        Color::Black => -24,
    };
    match (color, square.rank()) {
        (Color::White, Rank::One) | (Color::Black, Rank::Eight) => square.offset(steps),
        _ => square.offset(-steps),
    }
}
