//! The Universal Chess Interface.
//!
//! A [`Session`] reads lines of bytes, understands them as [`Command`]s, drives a [`search::Searcher`] and answers
//! through the one place that writes. Whatever it is sent, it goes on: what is not understood is named in a single
//! `info string` and skipped.
//!
//! Source: the protocol's description of April 2006 by Stefan Meyer-Kahlen, and what clients really send.

mod analysis;
mod bench;
mod command;
mod error;
mod file;
mod genfens;
mod in_process;
mod input;
mod limits;
mod log;
mod memory;
mod option;
mod piece_values;
mod pool;
mod print;
mod running;
mod session;
mod show;
mod task;
mod words;

/// The name of the program with its version: that of a release, or `Vancura 0.2.0-dev-1a2b3c4` with the commit it is built
/// from.
pub const NAME: &str = concat!("Vancura ", env!("VANCURA_VERSION"));

pub use bench::{BENCH_DEPTH, BENCH_POSITIONS, BENCH_SIGNATURE, Bench, BenchPositions, BenchWork, SpeedTest};
pub use command::{Command, Parsed, PositionCommand};
pub use error::{CommandError, Token};
pub use file::read_network;
pub use genfens::GenFens;
pub use in_process::{LineOutput, TextInput};
pub use limits::Go;
pub use memory::{AnalysisMemory, MemoryError, OpenMemory, OtherFound, Subject, Tell};
pub use option::{Options, Setting, Value, options_without_files};
pub use piece_values::{PieceValues, StaticEvaluation};
pub use print::{claim_for_white, engine_score};
pub use session::Session;
