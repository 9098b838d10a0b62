//! The input: files of games or positions, or one position, read as fast as they are asked for, and the main line of each
//! game as the positions to search. Here lies nothing that has been thought about a game.

pub(crate) mod format;
pub(crate) mod games;
pub(crate) mod main_line;
pub(crate) mod positions;
pub(crate) mod shard;
pub(crate) mod source;
mod table;
