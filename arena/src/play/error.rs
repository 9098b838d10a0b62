//! Why a match could not be played to its end.

use std::io;

use movegen::FenError;
use pgn::OpeningError;

use crate::client::EngineError;

/// Why a match could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The position to start from.
    #[error("--fen: {0}")]
    Fen(#[from] FenError),
    /// The openings.
    #[error("--openings: {0}")]
    Openings(#[from] OpeningError),
    /// An engine that cannot be used.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The games could not be written.
    #[error("cannot write the games: {0}")]
    Write(#[from] io::Error),
}
