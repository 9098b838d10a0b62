//! What can be wrong with a game in a file.

use std::io;

use movegen::{FenError, MoveError};

use crate::limit::PgnLimit;

/// Why a game could not be read, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {fault} (in the game that begins in line {start})")]
pub struct PgnError {
    /// The line of the fault, from 1.
    pub line: u64,
    /// The line in which the game begins.
    pub start: u64,
    /// What is wrong.
    pub fault: PgnFault,
}

/// Why nothing of a game can be read, or by [`PgnReader::strict`](crate::PgnReader::strict) not all of it.
#[derive(Debug, thiserror::Error)]
pub enum PgnFault {
    /// A line of moves cannot be followed to its end.
    #[error(transparent)]
    Line(#[from] LineFault),
    /// The start is no legal position.
    #[error("FEN: {0}")]
    Fen(#[from] FenError),
    /// Not chess, or a kind of chess with other rules.
    #[error("the variant {0:?} is not played here")]
    Variant(String),
    /// A comment that goes on to the end of the file, or up to the next game.
    #[error("the comment that begins here is not closed")]
    OpenComment,
    /// A variation that is not closed when the game ends.
    #[error("the variation that begins here is not closed")]
    OpenVariation,
    /// The file cannot be read any further.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// Why a line of moves ends before its end in the file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineFault {
    /// A word that is no move, or none that can be played.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// A move as English books had it before 1980: `P-K4`.
    #[error("{0:?} is descriptive notation, which is not read")]
    Descriptive(String),
    /// A turn is passed by a side in check.
    #[error("a null move in check")]
    PassInCheck,
    /// Too long, too many moves, or variations nested too deep.
    #[error("{0}")]
    Limit(PgnLimit),
}
