//! Games to learn from, and their files.
//!
//! A [`game`] is a start and moves with scores, in viriformat; [`blocks`] are the files: games in compressed blocks, each of
//! which can be read without those before it, and a journal beside them of what is no whole block yet; [`packed`] is their
//! other form, a quarter as long, for keeping and carrying. Games come from self-play, or from PGN files.

pub mod blocks;
pub mod game;
mod import;
pub(crate) mod journal;
mod matches;
pub mod packed;
mod stats;

pub use import::{Imported, import};
pub use matches::import_matches;
pub use stats::{Stats, stats};
