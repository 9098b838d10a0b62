//! Why a match could not be played to its end.

use std::io;

use movegen::FenError;
use pgn::OpeningError;

use crate::client::UciError;

/// Why a match could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The position to start from.
    #[error("--fen: {0}")]
    Fen(#[from] FenError),
    /// The openings.
    #[error("--openings: {0}")]
    Openings(#[from] OpeningError),
    /// An engine that cannot be started, or not again.
    #[error("{command}: {error}")]
    Engine {
        /// Its command line.
        command: String,
        /// What went wrong.
        error: UciError,
    },
    /// An option that an engine does not have.
    #[error("{command} has no option {name:?}")]
    NoOption {
        /// The engine's command line.
        command: String,
        /// The option.
        name: String,
    },
    /// The games could not be written.
    #[error("cannot write the games: {0}")]
    Write(#[from] io::Error),
}
