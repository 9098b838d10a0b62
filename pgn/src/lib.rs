//! Games and positions as files keep them.
//!
//! [`PgnReader`] takes a PGN file of any size game by game; a broken game is an error with its line, and the next is
//! read. A [`PgnGame`] writes itself in the export format. Both walk the tree of moves with a list of their own instead
//! of the call stack, so that no nesting of variations can exhaust it.
//!
//! The reader is our own because it must name the line of every fault and lose nothing: `pgn-reader`, which the tests
//! compare it with, skips words it cannot read, gives no lines, and stops at a comment that is not closed.
//!
//! [`Epd`] is a line of a test suite, [`Openings`] a file of positions or games to start from, and [`PolyglotBook`] an
//! opening book with weighted moves. [`OpeningName`] tells what an opening is called.
//!
//! Source: S. Edwards, "PGN Standard" (1994), which defines EPD too; commands in comments as Lichess and ChessBase write
//! them.

mod builder;
mod comment;
mod cut;
mod date;
mod eco;
mod epd;
mod fault;
mod files;
mod game;
mod input;
mod invisible;
mod letters;
mod limit;
mod line;
mod name;
mod of_game;
mod openings;
mod read;
mod remark;
mod result;
mod sign;
mod tags;
#[cfg(test)]
mod tests;
mod text;
mod time;
mod tree;
mod variant;
mod word;
mod write;
mod zip;

pub use date::{Date, DateError};
pub use eco::OpeningName;
pub use epd::{Epd, EpdError, Operation, is_comment};
pub use fault::{LineFault, PgnError, PgnFault};
pub use files::{FileKind, files};
pub use formats::{EngineScore, Evaluation, PolyglotBook, decode};
pub use game::PgnGame;
pub use input::{InputText, check_kind, open, text_of};
pub use limit::PgnLimit;
pub use line::{number_moves, numbered_line};
pub use name::comparable_name;
pub use openings::{Opening, OpeningError, Openings, read_positions};
pub use read::PgnReader;
pub use remark::{Remark, RemarkKind};
pub use result::{read_result, result_text};
pub use tags::Tags;
pub use text::{decode_text, read_lines};
pub use tree::{Node, NodeId, Tree};
