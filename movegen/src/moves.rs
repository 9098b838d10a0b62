//! A move in 16 bits, and lists of moves.

use std::num::NonZeroU16;
use std::ops::{Deref, DerefMut};
use std::{fmt, slice};

use arrayvec::ArrayVec;

use crate::{PieceType, Square};

/// The capacity of a move list: no board has more than 318 moves.
///
/// No game reaches more than 218, but a board may have pieces that no game has, such as fifteen queens. Take each rank,
/// file and diagonal by itself. A square of a line of length `n` is reached along it by the nearest piece on either
/// side at most, so one piece on it has `n - 1` moves along it, and `k` of them have `2 * (n - k)`: the second adds
/// `n - 3`, each further one takes two away. Fifteen queens, spread over the lines in the best way, thus have at most
/// `2 * 91` moves along ranks and files and `2 * 64` along the diagonals; their king has 8. The fifteenth adds 14 to
/// this bound, more than any other piece in its place: a knight has 8 moves and a pawn 12, and a rook, castling
/// included, or a bishop adds less than a queen there.
pub const MAX_MOVES: usize = 320;

/// The moves of one position: at most [`MAX_MOVES`], kept in place without allocation. It is a slice in all else.
///
/// ```
/// use movegen::{Board, MoveList};
///
/// let moves = Board::start().legal_moves();
/// let pushes: MoveList = moves.into_iter().filter(|mv| mv.from().file() == mv.to().file()).collect();
/// assert_eq!(pushes.len(), 16);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveList(ArrayVec<Move, MAX_MOVES>);

impl MoveList {
    /// A list without moves.
    #[must_use]
    pub fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// Adds a move at the end.
    ///
    /// # Panics
    ///
    /// If the list has [`MAX_MOVES`] moves.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = MoveListIter;

    #[inline]
    fn into_iter(self) -> MoveListIter {
        MoveListIter(self.0.into_iter())
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> slice::Iter<'a, Move> {
        self.iter()
    }
}

impl FromIterator<Move> for MoveList {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        Self(moves.into_iter().collect())
    }
}

/// The moves of a [`MoveList`], by value.
#[derive(Debug)]
pub struct MoveListIter(arrayvec::IntoIter<Move, MAX_MOVES>);

impl Iterator for MoveListIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.0.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for MoveListIter {
    #[inline]
    fn next_back(&mut self) -> Option<Move> {
        self.0.next_back()
    }
}

impl ExactSizeIterator for MoveListIter {}

/// The kinds of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// A quiet move or a capture.
    Normal,
    /// A pawn reaches the last rank and is promoted.
    Promotion,
    /// A pawn captures a pawn that has just moved two squares past it.
    EnPassant,
    /// Castling, encoded as the king taking its own rook.
    Castling,
}

/// A move in 16 bits: six for the from square, six for the to square, two for the promotion, two for the kind.
///
/// Castling is encoded as the king taking its own rook, which is unambiguous in Chess960 too. Not every value is a
/// possible move: [`Board::is_legal`](crate::Board::is_legal) accepts any value.
///
/// ```
/// use movegen::{Board, CastlingStyle, Move, PieceType, Square};
///
/// let promotion = Move::promotion(Square::A7, Square::A8, PieceType::Queen);
/// assert_eq!(promotion.to_string(), "a7a8q");
/// assert_eq!(Move::from_bits(promotion.bits()), Some(promotion));
/// assert!(!Board::start().is_legal(promotion));
///
/// let castling = Move::castling(Square::E1, Square::H1);
/// assert_eq!(castling.uci(CastlingStyle::Standard).to_string(), "e1g1");
/// ```
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
            // Only a1a1 packs to zero, which is not a move; another value that is not a move stands in for it.
            None => Self(NonZeroU16::MAX),
        }
    }

    /// A quiet move or a capture.
    #[inline]
    #[must_use]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::pack(from, to, MoveKind::Normal, 0)
    }

    /// A promotion to a knight, bishop, rook or queen; pawn and king are read as queen.
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

    /// An en passant capture; `to` is the square behind the captured pawn.
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

    /// The move encoded in 16 bits, as a transposition table stores it; none for zero.
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

    /// The from square.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_index(self.0.get() as u8)
    }

    /// The to square; for castling, the rook's.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_index((self.0.get() >> 6) as u8)
    }

    /// The kind of move.
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

    /// The piece type a pawn promotes to, if this is a promotion.
    #[inline]
    #[must_use]
    pub const fn promotes_to(self) -> Option<PieceType> {
        match self.kind() {
            MoveKind::Promotion => Some(PieceType::PROMOTIONS[(self.0.get() >> Self::PROMOTION_SHIFT & 3) as usize]),
            _ => None,
        }
    }

    /// Whether this is castling.
    #[inline]
    #[must_use]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), MoveKind::Castling)
    }

    /// Whether a move other than a promotion has promotion bits set, which no generator does.
    #[inline]
    pub(crate) const fn has_stray_bits(self) -> bool {
        !matches!(self.kind(), MoveKind::Promotion) && self.0.get() >> Self::PROMOTION_SHIFT & 3 != 0
    }
}

/// Coordinate notation, with castling as king takes rook: `e2e4`, `e7e8q`, `e1h1`.
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

    /// The most moves that this many pieces can have along lines of these lengths.
    fn most_along(lengths: &[usize], pieces: usize) -> usize {
        let mut gains: Vec<_> = lengths.iter().flat_map(|&length| [length - 1, length.saturating_sub(3)]).collect();
        gains.sort_unstable();
        gains.into_iter().rev().take(pieces).sum()
    }

    #[test]
    fn move_lists_hold_the_moves_of_any_pieces() {
        let straight = [8; 8];
        let diagonals = [1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1];
        let queens = |count| 2 * most_along(&straight, count) + 2 * most_along(&diagonals, count);
        assert_eq!(queens(15) + 8, 318);
        assert!((1..=15).all(|count| queens(count) - queens(count - 1) >= 14));
        assert!(queens(15) + 8 <= MAX_MOVES);
    }
}
