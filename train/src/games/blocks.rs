//! Files of games: a sequence of blocks, each holding whole games and a checksum. A block is a zstd frame of games in
//! viriformat, as they are played, or a [packed] one.
//!
//! A block is written in one go, so a killed program loses only the games it had not yet written. What is torn or
//! damaged is skipped when reading, up to the next block that is whole. Files of either form, and the outputs of several
//! programs, may be joined end to end.

use std::io::{self, Read, Write};
use std::path::Path;

use fs_err::File;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::{self, CParameter};

use crate::games::game::{Game, GameError};
use crate::games::packed::{self, Found, PackedBlock};

/// The bytes of games in a block before compression: more compress little better, and would be lost together.
pub const BLOCK_LEN: usize = 1 << 20;

/// The most bytes of games accepted from a block: guards against a frame that claims to hold gigabytes.
const MAX_BLOCK_LEN: usize = 16 << 20;

/// The bytes at hand when a block is looked for: more than any block takes.
const WINDOW: usize = MAX_BLOCK_LEN + (1 << 20);

const FRAME_MAGIC: [u8; 4] = 0xFD2F_B528u32.to_le_bytes();

/// The most bytes of the mark that a block begins with.
pub(crate) const MARK_LEN: u64 = packed::MAGIC.len() as u64;

/// Whether these bytes, at most [`MARK_LEN`] of them, begin a file of games or are too few to tell.
pub(crate) fn begins_block(bytes: &[u8]) -> bool {
    [&FRAME_MAGIC[..], &packed::MAGIC].iter().any(|mark| mark.starts_with(bytes) || bytes.starts_with(mark))
}

/// Self-play is far slower than any level, and games are kept for long.
const LEVEL: i32 = 12;

/// Writes the bytes of whole games as one block, in one go.
///
/// # Errors
///
/// If they cannot be written.
pub fn write_block(writer: &mut impl Write, games: &[u8]) -> io::Result<()> {
    let mut compressor = Compressor::new(LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    writer.write_all(&compressor.compress(games)?)
}

/// Writes games, in as many blocks as they need.
///
/// # Errors
///
/// If they cannot be written.
pub fn write_games(writer: &mut impl Write, games: &[Game]) -> io::Result<()> {
    let mut bytes = Vec::new();
    for game in games {
        if !bytes.is_empty() && bytes.len() + game.encoded_len() > BLOCK_LEN {
            write_block(writer, &bytes)?;
            bytes.clear();
        }
        game.encode(&mut bytes);
    }
    if bytes.is_empty() { Ok(()) } else { write_block(writer, &bytes) }
}

/// Why a part of a file gave no games.
#[derive(Debug, thiserror::Error)]
pub enum BlockError {
    /// Reading failed; nothing follows.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// These bytes hold no whole block: torn, damaged or foreign. They were skipped.
    #[error("block {number}, bytes {start} to {end}: no whole block of games: skipped")]
    Damaged {
        /// Which block of the file they are instead of, from 1; whatever is skipped at once counts as one.
        number: u64,
        /// The first byte.
        start: u64,
        /// The byte after the last.
        end: u64,
    },
    /// A block holds something that is no game; the games before it were read, the rest of the block was skipped.
    #[error("block {number} at byte {block}, byte {place} within: {error}")]
    Game {
        /// Which block of the file, from 1.
        number: u64,
        /// Where the block begins in the file.
        block: u64,
        /// Where the game begins in the decompressed block.
        place: usize,
        /// What is wrong with it.
        error: GameError,
    },
    /// A packed block holds something that is no game; the games before it were read, the rest of the block was skipped.
    #[error("block {number} at byte {block}, game {game}: {error}")]
    Packed {
        /// Which block of the file, from 1.
        number: u64,
        /// Where the block begins in the file.
        block: u64,
        /// Which game of the block, from 1.
        game: usize,
        /// What is wrong with it.
        error: GameError,
    },
    /// A packed block of another version; nothing follows, as no other block of its file is likely to be readable.
    #[error(
        "block {number} at byte {block}: packed in format version {version}, this program reads version {}",
        packed::VERSION
    )]
    Version {
        /// Which block of the file, from 1.
        number: u64,
        /// Where the block begins in the file.
        block: u64,
        /// The version of its format.
        version: u32,
    },
}

impl BlockError {
    /// Whether nothing follows it.
    #[must_use]
    pub const fn is_fatal(&self) -> bool {
        matches!(self, Self::Io(_) | Self::Version { .. })
    }
}

impl From<BlockError> for io::Error {
    fn from(error: BlockError) -> Self {
        match error {
            BlockError::Io(error) => error,
            error => Self::new(io::ErrorKind::InvalidData, error),
        }
    }
}

/// A block of games, checked against its checksum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its place among the blocks of the file, from 1.
    number: u64,
    offset: u64,
    content: Content,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Content {
    /// Games in viriformat, decompressed.
    Viriformat(Vec<u8>),
    Packed(PackedBlock),
}

impl Block {
    /// The games in order; ends after the first error.
    pub fn games(&self) -> Box<dyn Iterator<Item = Result<Game, BlockError>> + '_> {
        let (number, block) = (self.number, self.offset);
        match &self.content {
            Content::Viriformat(bytes) => Box::new(
                games_in(bytes)
                    .map(move |game| game.map_err(|(place, error)| BlockError::Game { number, block, place, error })),
            ),
            Content::Packed(packed) => Box::new(
                (1..)
                    .zip(packed.games())
                    .map(move |(game, read)| read.map_err(|error| BlockError::Packed { number, block, game, error })),
            ),
        }
    }

    /// The settings of packed games, as their packer put them; empty for others.
    #[must_use]
    pub fn settings(&self) -> &str {
        match &self.content {
            Content::Viriformat(_) => "",
            Content::Packed(packed) => packed.settings(),
        }
    }
}

/// The games in bytes of viriformat; the first error comes with its place and ends them.
fn games_in(bytes: &[u8]) -> impl Iterator<Item = Result<Game, (usize, GameError)>> + use<'_> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let place = bytes.len() - rest.len();
        Some(Game::decode(&mut rest).map_err(|error| {
            rest = &[];
            (place, error)
        }))
    })
}

/// The games of a file in order. Parts that give no games come as errors, and reading goes on behind them.
///
/// # Errors
///
/// If the file cannot be opened.
pub fn read_games(path: &Path) -> io::Result<impl Iterator<Item = Result<Game, BlockError>>> {
    Ok(Blocks::open(path)?.flat_map(|block| {
        // Collected, as the games borrow from their block.
        match block {
            Ok(block) => block.games().collect(),
            Err(error) => vec![Err(error)],
        }
    }))
}

/// The blocks of a file in order. Parts that are no blocks come as errors, and reading goes on behind them.
pub struct Blocks<R> {
    reader: R,
    decompressor: Decompressor<'static>,
    /// What has been read and not yet been used up to `used`.
    buffer: Vec<u8>,
    used: usize,
    /// Where the buffer begins in the file.
    offset: u64,
    at_end: bool,
    /// Blocks found, and parts skipped.
    count: u64,
    /// A block found behind damage, which was reported first.
    found: Option<Block>,
}

impl Blocks<File> {
    /// The blocks of a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::new(File::open(path)?)
    }
}

impl<R: Read> Blocks<R> {
    /// The blocks in a stream of bytes.
    ///
    /// # Errors
    ///
    /// If memory is lacking.
    pub fn new(reader: R) -> io::Result<Self> {
        let decompressor = Decompressor::new()?;
        Ok(Self { reader, decompressor, buffer: Vec::new(), used: 0, offset: 0, at_end: false, count: 0, found: None })
    }

    /// Bytes of the file used so far, to show progress.
    #[must_use]
    pub const fn consumed(&self) -> u64 {
        self.offset + self.used as u64
    }

    /// Reads until a whole block must be at hand, or the file ends.
    fn fill(&mut self) -> io::Result<()> {
        if self.at_end || self.buffer.len() - self.used >= WINDOW {
            return Ok(());
        }
        self.offset += self.used as u64;
        self.buffer.drain(..self.used);
        self.used = 0;
        let wanted = (2 * WINDOW - self.buffer.len()) as u64;
        let read = self.reader.by_ref().take(wanted).read_to_end(&mut self.buffer)?;
        self.at_end = (read as u64) < wanted;
        Ok(())
    }

    /// The block that begins at the next unused byte.
    fn take_block(&mut self) -> Result<Option<Block>, BlockError> {
        let offset = self.consumed();
        match packed::find(&self.buffer[self.used..]) {
            Found::Block(block, len) => {
                self.used += len;
                Ok(Some(Block { number: self.count + 1, offset, content: Content::Packed(block) }))
            }
            Found::Version(version) => Err(BlockError::Version { number: self.count + 1, block: offset, version }),
            Found::Nothing => Ok(self.take_frame()),
        }
    }

    /// The block in the zstd frame that begins at the next unused byte.
    fn take_frame(&mut self) -> Option<Block> {
        let bytes = &self.buffer[self.used..];
        if !bytes.starts_with(&FRAME_MAGIC) {
            return None;
        }
        let compressed_len = zstd_safe::find_frame_compressed_size(bytes).ok()?;
        let len = usize::try_from(zstd_safe::get_frame_content_size(bytes).ok()??).ok()?;
        if len > MAX_BLOCK_LEN {
            return None;
        }
        let decompressed = self.decompressor.decompress(&bytes[..compressed_len], len).ok()?;
        let content = Content::Viriformat(decompressed);
        let block = Block { number: self.count + 1, offset: self.consumed(), content };
        self.used += compressed_len;
        Some(block)
    }

    /// Goes to the next byte that may begin a block.
    fn skip(&mut self) {
        let bytes = &self.buffer[self.used + 1..];
        let begins_block = |window: &[u8]| window == FRAME_MAGIC || packed::MAGIC.starts_with(window);
        let distance = bytes.windows(FRAME_MAGIC.len()).position(begins_block);
        self.used += 1 + match distance {
            Some(distance) => distance,
            None if self.at_end => bytes.len(),
            // The last bytes may be the beginning of a mark.
            None => bytes.len().saturating_sub(FRAME_MAGIC.len() - 1),
        };
    }

    fn next_block(&mut self) -> Result<Option<Result<Block, BlockError>>, BlockError> {
        self.fill()?;
        let start = self.consumed();
        let number = self.count + 1;
        while self.used < self.buffer.len() {
            if let Some(mut block) = self.take_block()? {
                if block.offset == start {
                    self.count = number;
                    return Ok(Some(Ok(block)));
                }
                let end = block.offset;
                block.number = number + 1;
                self.count = block.number;
                self.found = Some(block);
                return Ok(Some(Err(BlockError::Damaged { number, start, end })));
            }
            self.skip();
            self.fill()?;
        }
        let end = self.consumed();
        Ok((end > start).then_some(Err(BlockError::Damaged { number, start, end })))
    }
}

impl<R: Read> Iterator for Blocks<R> {
    type Item = Result<Block, BlockError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(block) = self.found.take() {
            return Some(Ok(block));
        }
        self.next_block().unwrap_or_else(|error| {
            // Whatever could not be read will not be asked for again.
            self.at_end = true;
            self.used = self.buffer.len();
            Some(Err(error))
        })
    }
}

#[cfg(test)]
mod tests;
