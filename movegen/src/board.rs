//! The board: a small value that always holds a legal position.
//!
//! Bitboards by type and by colour answer questions about many squares, a mailbox those about one. Moves are played on
//! a copy, so nothing is ever taken back.

mod fen;
mod generate;
mod legal;
mod packed;
mod pasted;
mod play;
mod setup;
mod state;
mod threats;

pub use fen::{FenError, FenStyle};
pub use generate::{MoveSink, MovesOf};
pub use legal::Checks;
pub(crate) use packed::Packed;
pub use play::Observer;
pub use setup::{CastlingFlag, CastlingRook, Setup, SetupError, SetupWarning};
pub use state::Board;
pub use threats::Threats;
