//! Castling rights as the set of rooks that may still castle.
//!
//! A rook's rank tells the colour, its place relative to the king tells the side. This covers Chess960 too, and losing
//! a right is removing a square from the set.

use crate::{Bitboard, Color, File, Rank, Square};

/// A side to castle on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the h-file; the king lands on the g-file.
    King,
    /// Towards the a-file; the king lands on the c-file.
    Queen,
}

impl CastlingSide {
    /// Both sides, the king's first, as FEN writes them.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side of the king that a rook is on.
    #[inline]
    #[must_use]
    pub const fn of(king: Square, rook: Square) -> Self {
        if rook as u8 > king as u8 { Self::King } else { Self::Queen }
    }

    /// The file the king lands on.
    #[inline]
    #[must_use]
    pub const fn king_file(self) -> File {
        match self {
            Self::King => File::G,
            Self::Queen => File::C,
        }
    }

    /// The file the rook lands on.
    #[inline]
    #[must_use]
    pub const fn rook_file(self) -> File {
        match self {
            Self::King => File::F,
            Self::Queen => File::D,
        }
    }
}

/// The rooks that may still castle: at most one on each side of each king, all on their back ranks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights(pub(crate) Bitboard);

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: Self = Self(Bitboard::EMPTY);

    /// The rooks of both sides that may castle.
    #[inline]
    #[must_use]
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    /// The rooks of one side that may castle.
    #[inline]
    #[must_use]
    pub fn rooks_of(self, color: Color) -> Bitboard {
        self.0 & Bitboard::rank(Rank::One.relative_to(color))
    }

    /// The rook of `color` that may castle on this side of the king, if any.
    #[must_use]
    pub fn rook(self, color: Color, side: CastlingSide, king: Square) -> Option<Square> {
        self.rooks_of(color).into_iter().find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// Whether nobody may castle.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}
