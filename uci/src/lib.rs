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
mod input;
mod limits;
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

pub use bench::{BENCH_DEPTH, BENCH_POSITIONS, Bench, BenchPositions, BenchWork, SpeedTest};
pub use command::{Command, Parsed, PositionCommand};
pub use error::{CommandError, Token};
pub use genfens::GenFens;
pub use limits::Go;
pub use memory::{AnalysisMemory, MemoryError, OpenMemory, Subject, Tell};
pub use option::{Options, Setting};
pub use piece_values::PieceValues;
pub use print::engine_score;
pub use session::Session;
