//! Why a suite could not be run.

use std::io;
use std::path::PathBuf;

use crate::client::EngineError;

/// Why a suite could not be run.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A file that cannot be read.
    #[error("{0}")]
    Read(#[source] io::Error),
    /// A file without a position to solve.
    #[error("{}: no position to solve", .0.display())]
    Empty(PathBuf),
    /// An engine that cannot be used.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The threads that were asked for are not to be had.
    #[error("cannot start threads: {0}")]
    Threads(#[source] io::Error),
    /// The results cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[from] io::Error),
    /// The user ended the run before its time.
    #[error("interrupted")]
    Interrupted,
}
