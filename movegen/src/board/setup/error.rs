//! Errors and warnings about arrangements of pieces.

use super::arrangement::CastlingFlag;
use crate::board::state::Board;
use crate::{Color, Square};

/// The most pieces, and the most pawns among them, of a side.
pub(super) const MAX_PIECES: usize = 16;
pub(super) const MAX_PAWNS: usize = 8;

/// Why an arrangement of pieces is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A side has no king.
    #[error("{} has no king", name(*.color))]
    NoKing {
        /// The side without a king.
        color: Color,
    },
    /// A side has more than one king.
    #[error("{} has {count} kings", name(*.color))]
    SeveralKings {
        /// The side.
        color: Color,
        /// How many it has.
        count: usize,
    },
    /// A side has more than sixteen pieces.
    #[error("{} has {count} pieces, more than {MAX_PIECES}", name(*.color))]
    TooManyPieces {
        /// The side.
        color: Color,
        /// How many it has, including king and pawns.
        count: usize,
    },
    /// A side has more than eight pawns.
    #[error("{} has {count} pawns, more than {MAX_PAWNS}", name(*.color))]
    TooManyPawns {
        /// The side.
        color: Color,
        /// How many it has.
        count: usize,
    },
    /// A pawn is on the first or last rank.
    #[error("a pawn is on {square}")]
    PawnOnBackRank {
        /// The square of the pawn.
        square: Square,
    },
    /// The kings are next to each other.
    #[error("the kings on {white} and {black} are next to each other")]
    AdjacentKings {
        /// The square of White's king.
        white: Square,
        /// The square of Black's king.
        black: Square,
    },
    /// The side that is not to move is in check, so its king could be captured.
    #[error("the king on {king} is in check from {checker}, but it is the other side's turn")]
    OpponentInCheck {
        /// The square of the king.
        king: Square,
        /// The square of a piece that attacks it.
        checker: Square,
    },
}

/// What was changed to get a legal position from an arrangement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupWarning {
    /// The king or the rook is not where castling needs it.
    #[error("castling right {} dropped: the king or the rook is not in place", .flag.letter())]
    CastlingDropped {
        /// The flag.
        flag: CastlingFlag,
    },
    /// There already was a right for the same side of the same king, with this rook or another.
    #[error("castling right {} dropped: there already is one on that side", .flag.letter())]
    CastlingRepeated {
        /// The later flag.
        flag: CastlingFlag,
    },
    /// No pawn can have just moved two squares past this square.
    #[error("en passant square {square} dropped: no pawn has just passed it")]
    EnPassantDropped {
        /// The en passant square.
        square: Square,
    },
    /// The halfmove clock exceeded [`Board::MAX_HALFMOVE_CLOCK`].
    #[error("halfmove clock too large; using {}", Board::MAX_HALFMOVE_CLOCK)]
    HalfmoveClockClamped,
    /// The move number exceeded [`Board::MAX_FULLMOVE_NUMBER`].
    #[error("fullmove number too large; using {}", Board::MAX_FULLMOVE_NUMBER)]
    FullmoveNumberClamped,
    /// There was text after the last field of a FEN.
    #[error("text after the FEN ignored: {text:?}")]
    TrailingText {
        /// The text.
        text: String,
    },
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
