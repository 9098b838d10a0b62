//! An index of games as a file, and how it is written and read.
//!
//! The file is made of [pages](crate::pages) with checksums. In these stand, one behind the other,
//!
//! - what it is, its version and the key of the start position, in a page of its own;
//! - the names and places of the games ([`Listing`](crate::facts::Listing));
//! - the positions, sorted by their keys, in blocks of a few thousand bytes;
//! - the first key of each block and where the block begins;
//! - the numbers of the games ([`Record`](crate::facts::Record)), which memory holds while the index is written;
//! - the paths of the files that the games are from;
//! - where all of these begin, in the last page.
//!
//! A position is the difference of its key to the one before, the number of its moves, and the moves. Of a move in few
//! games these are listed, and summed up when somebody asks; of others the sums are there, and the games of its lists.

mod entry;
mod read;
mod write;

use std::io;
use std::path::PathBuf;

pub use self::read::Index;
pub use self::write::IndexWriter;
use crate::pages::CONTENTS;

/// How each index begins.
const MAGIC: [u8; 16] = *b"Vancura explorer";
/// The version of the form. It changes with the form, the keys and the bits of moves.
const VERSION: u32 = 1;
/// How the last page begins.
const END: [u8; 16] = *b"the index ends..";
/// Where the names of the games begin: in the second page.
const TEXTS: u64 = CONTENTS as u64;
/// What an entry of the table of blocks takes, in bytes: a key, and where the block begins.
const BLOCK_LEN: u64 = 16;

/// Why an index cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The system does not give it.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// It is something else.
    #[error("{} is no index that `vancura explorer build` wrote", .0.display())]
    Foreign(PathBuf),
    /// It has a form that this version does not know.
    #[error("{} was written by another version (form {found}, and this version reads {VERSION}): build it again", path.display())]
    Version {
        /// Which.
        path: PathBuf,
        /// Its form.
        found: u32,
    },
    /// Some of it is not as it was written.
    #[error("the index {} is damaged: build it again", .0.display())]
    Damaged(PathBuf),
    /// The file of games is not as it was.
    #[error("{} has been changed since the index was built", .0.display())]
    Changed(PathBuf),
    /// There is no game of this number.
    #[error("the index has no game {0}")]
    NoGame(String),
}

/// Where the parts begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Parts {
    positions: u64,
    blocks: u64,
    records: u64,
    paths: u64,
    /// Where the paths end.
    end: u64,
    /// How many blocks, games, positions and moves there are.
    block_count: u64,
    game_count: u64,
    position_count: u64,
    move_count: u64,
    /// Half-moves of each game that were read.
    plies: u64,
}

impl Parts {
    fn to_numbers(self) -> [u64; 10] {
        let Self { positions, blocks, records, paths, end, block_count, game_count, position_count, move_count, plies } =
            self;
        [positions, blocks, records, paths, end, block_count, game_count, position_count, move_count, plies]
    }

    const fn from_numbers(numbers: [u64; 10]) -> Self {
        let [positions, blocks, records, paths, end, block_count, game_count, position_count, move_count, plies] =
            numbers;
        Self { positions, blocks, records, paths, end, block_count, game_count, position_count, move_count, plies }
    }
}
