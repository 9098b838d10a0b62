//! What can be wrong with an arrangement of pieces.

use super::arrangement::CastlingFlag;
use crate::board::state::Board;
use crate::{Color, Square};

/// The most pieces, and the most pawns among them, that a side may have.
pub(super) const MAX_PIECES: usize = 16;
pub(super) const MAX_PAWNS: usize = 8;

/// Why an arrangement of pieces is no position of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A side has no king.
    #[error("{} has no king", name(*.color))]
    NoKing {
        /// The side without one.
        color: Color,
    },
    /// A side has more than one king.
    #[error("{} has {count} kings", name(*.color))]
    SeveralKings {
        /// The side that has them.
        color: Color,
        /// How many there are.
        count: usize,
    },
    /// A side has more than sixteen pieces.
    #[error("{} has {count} pieces, more than {MAX_PIECES}", name(*.color))]
    TooManyPieces {
        /// The side that has them.
        color: Color,
        /// How many there are, king and pawns included.
        count: usize,
    },
    /// A side has more than eight pawns.
    #[error("{} has {count} pawns, more than {MAX_PAWNS}", name(*.color))]
    TooManyPawns {
        /// The side that has them.
        color: Color,
        /// How many there are.
        count: usize,
    },
    /// A pawn stands on the first or last rank.
    #[error("a pawn stands on {square}")]
    PawnOnBackRank {
        /// Where the pawn stands.
        square: Square,
    },
    /// The kings stand side by side.
    #[error("the kings on {white} and {black} stand side by side")]
    AdjacentKings {
        /// Where White's king stands.
        white: Square,
        /// Where Black's king stands.
        black: Square,
    },
    /// The side that is not to move is in check, so its king could be captured.
    #[error("the king on {king} is in check from {checker}, and its side is not to move")]
    OpponentInCheck {
        /// Where the king stands.
        king: Square,
        /// Where one piece that attacks it stands.
        checker: Square,
    },
}

/// What was changed to make a legal position of an arrangement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupWarning {
    /// King or rook does not stand where castling needs it.
    #[error("castling right {} dropped: king or rook out of place", .flag.letter())]
    CastlingDropped {
        /// The claim.
        flag: CastlingFlag,
    },
    /// A right for the same side of the same king came before, with this rook or another.
    #[error("castling right {} dropped: that side has one already", .flag.letter())]
    CastlingRepeated {
        /// The later claim.
        flag: CastlingFlag,
    },
    /// No pawn can just have passed the square.
    #[error("en passant square {square} dropped: no pawn has just passed it")]
    EnPassantDropped {
        /// The square given.
        square: Square,
    },
    /// The halfmove clock exceeded [`Board::MAX_HALFMOVE_CLOCK`].
    #[error("halfmove clock taken as {}", Board::MAX_HALFMOVE_CLOCK)]
    HalfmoveClockClamped,
    /// The move number exceeded [`Board::MAX_FULLMOVE_NUMBER`].
    #[error("fullmove number taken as {}", Board::MAX_FULLMOVE_NUMBER)]
    FullmoveNumberClamped,
    /// Something followed the last field of a FEN.
    #[error("{text:?} after the FEN ignored")]
    TrailingText {
        /// All that followed.
        text: String,
    },
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
