//! Games to learn from, and where they come from.
//!
//! [`datagen`] plays them, or imports them from PGN files. A [`game`] is a start and moves with scores, in viriformat;
//! [`blocks`] are the files: games in compressed blocks, each of which can be read without those before it; [`packed`] is
//! their other form, a quarter as long, for keeping and carrying.

pub mod blocks;
pub mod datagen;
pub mod game;
pub mod packed;
