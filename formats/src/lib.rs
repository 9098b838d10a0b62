//! What a UCI session and files of games have in common: scores as text, opening books, lines of any encoding.
//!
//! Whoever needs files of games, compressed or not, takes the crate `pgn`, which passes all of this on. It is apart so that
//! the protocol and its WebAssembly builds need no decompression.

mod polyglot;
mod positions;
mod score;
mod text;

pub use polyglot::{BookEntry, PolyglotBook};
pub use positions::{PositionsError, read_positions};
pub use score::{EngineScore, Evaluation};
pub use text::{decode, decode_as_it_is, split_lines};
