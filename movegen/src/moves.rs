//! A move in 16 bits, and lists of moves.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use crate::{PieceType, Square};

/// The most moves a list must hold: no board has more than 318.
///
/// A game reaches 218 at most, but a board may have pieces that no game has, fifteen queens among them. Take each rank,
/// file and diagonal by itself. A square of a line of length `n` is reached along it by the nearest piece on either side
/// at most, so one piece on it has `n - 1` moves along it, and `k` of them have `2 * (n - k)`: the second adds `n - 3`,
/// each further one takes two away. Fifteen queens, spread over the lines in the best way, thus have at most
/// 2 * 91 moves along ranks and files and 2 * 64 along the diagonals; their king has 8. The fifteenth adds 14 to this
/// bound, more than any other piece in its place: a knight has 8 moves and a pawn 12, and a rook, castling included, or
/// a bishop adds less than a queen there.
pub const MAX_MOVES: usize = 320;

/// The moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// What a move does beyond carrying a piece from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// Nothing: a step or a capture.
    Normal,
    /// A pawn reaches the last rank and becomes another piece.
    Promotion,
    /// A pawn captures a pawn that has just passed it.
    EnPassant,
    /// King takes own rook: both jump to their castled squares.
    Castling,
}

/// A move: six bits from, six bits to, two bits for the promotion, two for the kind.
///
/// Castling is written as the king taking its own rook, which is exact in Chess960 too. Not every value is a
/// possible move: [`Board::is_legal`](crate::Board::is_legal) judges any of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

impl Move {
    const PROMOTION_SHIFT: u16 = 12;
    const KIND_SHIFT: u16 = 14;

    #[inline]
    const fn pack(from: Square, to: Square, kind: MoveKind, promotion: u16) -> Self {
        let bits =
            from as u16 | (to as u16) << 6 | promotion << Self::PROMOTION_SHIFT | (kind as u16) << Self::KIND_SHIFT;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            // Only a1 to a1 packs to zero, which is no move; any other non-move stands in for it.
            None => Self(NonZeroU16::MAX),
        }
    }

    /// A step or a capture.
    #[inline]
    #[must_use]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::pack(from, to, MoveKind::Normal, 0)
    }

    /// A promotion to a knight, bishop, rook or queen; a pawn or king is taken for a queen.
    #[inline]
    #[must_use]
    pub const fn promotion(from: Square, to: Square, piece_type: PieceType) -> Self {
        let bits = match piece_type {
            PieceType::Knight => 0,
            PieceType::Bishop => 1,
            PieceType::Rook => 2,
            _ => 3,
        };
        Self::pack(from, to, MoveKind::Promotion, bits)
    }

    /// A capture en passant; `to` is the square behind the captured pawn.
    #[inline]
    #[must_use]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self::pack(from, to, MoveKind::EnPassant, 0)
    }

    /// Castling, from the king's square to the rook's.
    #[inline]
    #[must_use]
    pub const fn castling(king: Square, rook: Square) -> Self {
        Self::pack(king, rook, MoveKind::Castling, 0)
    }

    /// The move of these 16 bits, as a transposition table stores it; zero is none.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The move as 16 bits, never zero.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square it leaves.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_index(self.0.get() as u8)
    }

    /// The square it reaches; for castling, the rook's.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_index((self.0.get() >> 6) as u8)
    }

    /// What it does besides.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> Self::KIND_SHIFT {
            0 => MoveKind::Normal,
            1 => MoveKind::Promotion,
            2 => MoveKind::EnPassant,
            _ => MoveKind::Castling,
        }
    }

    /// What a pawn becomes, if it does.
    #[inline]
    #[must_use]
    pub const fn promotes_to(self) -> Option<PieceType> {
        match self.kind() {
            MoveKind::Promotion => Some(PieceType::PROMOTIONS[(self.0.get() >> Self::PROMOTION_SHIFT & 3) as usize]),
            _ => None,
        }
    }

    /// Whether it castles.
    #[inline]
    #[must_use]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), MoveKind::Castling)
    }

    /// Whether the two promotion bits are used by a move that is no promotion, which no generator writes.
    #[inline]
    pub(crate) const fn has_stray_bits(self) -> bool {
        !matches!(self.kind(), MoveKind::Promotion) && self.0.get() >> Self::PROMOTION_SHIFT & 3 != 0
    }
}

/// From, to and the promotion's letter, castling as king takes rook: `e2e4`, `e7e8q`, `e1h1`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotes_to() {
            Some(piece_type) => write!(f, "{}", piece_type.letter()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}({:?})", self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most moves that so many pieces can have along lines of these lengths.
    fn most_along(lengths: &[usize], pieces: usize) -> usize {
        let mut gains: Vec<_> = lengths.iter().flat_map(|&length| [length - 1, length.saturating_sub(3)]).collect();
        gains.sort_unstable();
        gains.into_iter().rev().take(pieces).sum()
    }

    #[test]
    fn lists_hold_the_moves_of_any_men() {
        let straight = [8; 8];
        let slanting = [1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1];
        let queens = |count| 2 * most_along(&straight, count) + 2 * most_along(&slanting, count);
        assert_eq!(queens(15) + 8, 318);
        assert!((1..=15).all(|count| queens(count) - queens(count - 1) >= 14));
        assert!(queens(15) + 8 <= MAX_MOVES);
    }
}
