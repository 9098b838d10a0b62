//! Why a match could not be played to its end.

use std::io;
use std::path::PathBuf;

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
    /// The file with the first games could not be read.
    #[error("--resume: {0}")]
    Read(#[source] io::Error),
    /// A game of the file is none of this match.
    #[error("--resume: game {number} of {} is not of this match: {fault}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The number of the game in it.
        number: usize,
        /// Why not.
        fault: String,
    },
    /// There are no endgame tables where they are said to be.
    #[error("--tb: no endgame tables in {0}")]
    NoTables(String),
    /// The results would destroy the games.
    #[error("--pgn and --json name the same file")]
    SameFile,
    /// A test of hypotheses compares two engines, no more.
    #[error("--sprt is for two engines, not for {0}")]
    Sprt(usize),
    /// The user ended the match before its time.
    #[error("interrupted{}", if *.is_in_file { "; go on with --resume" } else { "" })]
    Interrupted {
        /// Whether the games are in a file, with which the match can go on.
        is_in_file: bool,
    },
    /// The system grants no threads.
    #[error("cannot start threads: {0}")]
    Threads(#[source] io::Error),
}
