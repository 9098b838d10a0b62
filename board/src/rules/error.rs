//! Why a request has no answer.

use movegen::{FenError, MoveError};
use pgn::PgnError;

/// The most moves of a request; no game by the laws has so many.
pub(super) const MAX_MOVES: usize = 20_000;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// The request itself cannot be read.
    #[error("not a request: {0}")]
    Request(#[from] serde_json::Error),
    /// The bytes of a file are not in base64.
    #[error("not base64: {0}")]
    Base64(#[from] base64::DecodeError),
    /// The position cannot be read.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A move cannot be played.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// A turn cannot be passed in check.
    #[error("a null move in check")]
    PassInCheck,
    /// There are more moves than a game can have.
    #[error("more than {MAX_MOVES} moves")]
    TooLong,
    /// No start position has this number.
    #[error("{0} is no number of a Chess960 position: they are 0 to 959")]
    Chess960(u16),
    /// There is no game in the text.
    #[error("no game was found")]
    NoGame,
    /// The game cannot be read.
    #[error("{0}")]
    Pgn(#[from] PgnError),
    /// A move of a game follows none that is there.
    #[error("move {0} of the game follows none before it")]
    Parent(usize),
}
