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
mod tests {
    use super::*;
    use crate::records::synthetic::random_games;

    /// Six blocks of ten games, as a file's bytes and as games.
    fn file() -> (Vec<u8>, Vec<Game>) {
        let games = random_games(21, 60);
        let mut bytes = Vec::new();
        games.chunks(10).for_each(|games| write_games(&mut bytes, games).unwrap());
        (bytes, games)
    }

    /// Where each block begins, and the end.
    fn bounds(bytes: &[u8]) -> Vec<usize> {
        let mut bounds = vec![0];
        while bounds[bounds.len() - 1] < bytes.len() {
            let start = bounds[bounds.len() - 1];
            bounds.push(start + zstd_safe::find_frame_compressed_size(&bytes[start..]).unwrap());
        }
        bounds
    }

    /// The games in these bytes and the ranges reported as damaged.
    fn read(bytes: &[u8]) -> (Vec<Game>, Vec<(usize, usize)>) {
        let (mut games, mut damages) = (Vec::new(), Vec::new());
        for block in Blocks::new(bytes).unwrap() {
            match block {
                Ok(block) => games.extend(block.games().map(|game| game.unwrap())),
                Err(BlockError::Damaged { start, end, .. }) => damages.push((start as usize, end as usize)),
                Err(error) => panic!("{error}"),
            }
        }
        (games, damages)
    }

    #[test]
    fn games_round_trip() {
        let (bytes, games) = file();
        assert_eq!(bounds(&bytes).len(), 7);
        assert_eq!(read(&bytes), (games, vec![]));
    }

    #[test]
    fn many_games_take_several_blocks() {
        let some = random_games(22, 40);
        let many: Vec<Game> = some.iter().cycle().take(4000).cloned().collect();
        assert!(many.iter().map(Game::encoded_len).sum::<usize>() > 2 * BLOCK_LEN);
        let mut bytes = Vec::new();
        write_games(&mut bytes, &many).unwrap();
        let blocks: Vec<Block> = Blocks::new(&bytes[..]).unwrap().map(|block| block.unwrap()).collect();
        assert!(
            blocks.len() > 2
                && blocks
                    .iter()
                    .all(|block| matches!(&block.content, Content::Viriformat(bytes) if bytes.len() <= BLOCK_LEN))
        );
        assert_eq!(read(&bytes), (many, vec![]));
    }

    #[test]
    fn an_empty_file_holds_no_games() {
        let mut bytes = Vec::new();
        write_games(&mut bytes, &[]).unwrap();
        assert!(bytes.is_empty());
        assert_eq!(read(&bytes), (vec![], vec![]));
    }

    #[test]
    fn files_are_read_by_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (mut bytes, games) = file();
        let start = bounds(&bytes)[2];
        bytes[start + 9] ^= 1;
        fs_err::write(&path, bytes).unwrap();
        let (read, errors): (Vec<_>, Vec<_>) = read_games(&path).unwrap().partition(Result::is_ok);
        assert!(read.into_iter().map(Result::unwrap).eq([&games[..20], &games[30..]].concat()));
        assert_eq!(errors.len(), 1);
        assert!(read_games(&folder.path().join("none")).is_err());
    }

    #[test]
    fn files_join() {
        let (bytes, games) = file();
        let joined = [&bytes[..], &bytes[..]].concat();
        assert_eq!(read(&joined), ([&games[..], &games[..]].concat(), vec![]));
    }

    #[test]
    fn every_truncation_loses_only_the_torn_block() {
        let (bytes, games) = file();
        let bounds = bounds(&bytes);
        for length in 0..bytes.len() {
            let whole = bounds.iter().filter(|&&bound| bound <= length).count() - 1;
            let torn = if bounds[whole] == length { vec![] } else { vec![(bounds[whole], length)] };
            if length % 97 == 0 || length - bounds[whole] < 20 || torn.is_empty() {
                assert_eq!(read(&bytes[..length]), (games[..10 * whole].to_vec(), torn), "length {length}");
            }
        }
    }

    #[test]
    fn writing_goes_on_behind_a_torn_block() {
        let (bytes, games) = file();
        let bounds = bounds(&bytes);
        for torn in (1..bounds[1]).step_by(53).chain([1, 2, 3, 4, 5, bounds[1] - 1]) {
            let joined = [&bytes[..torn], &bytes[bounds[1]..]].concat();
            assert_eq!(read(&joined), (games[10..].to_vec(), vec![(0, torn)]), "torn at {torn}");
        }
    }

    #[test]
    fn a_damaged_byte_loses_only_its_block() {
        let (bytes, games) = file();
        let bounds = bounds(&bytes);
        for place in (bounds[2]..bounds[3]).step_by(29).chain(bounds[2]..bounds[2] + 16) {
            for bit in [0, 5] {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                let (left, damages) = read(&damaged);
                // A bit that means nothing to the decoder may leave the block readable; it must then be right.
                if !damages.is_empty() {
                    assert_eq!(damages, [(bounds[2], bounds[3])], "byte {place}");
                    assert_eq!(left, [&games[..20], &games[30..]].concat(), "byte {place}");
                } else {
                    assert_eq!(left, games, "byte {place}");
                }
            }
        }
    }

    #[test]
    fn foreign_bytes_are_skipped() {
        let (bytes, games) = file();
        let foreign: Vec<u8> = (0..3 * WINDOW).map(|i| ((i * i) >> 7) as u8).collect();
        let joined = [&foreign[..], &bytes[..], b"tail", &FRAME_MAGIC].concat();
        let end = foreign.len() + bytes.len();
        assert_eq!(read(&joined), (games, vec![(0, foreign.len()), (end, end + 8)]));
        let zeros = vec![0; 100];
        assert_eq!(read(&zeros), (vec![], vec![(0, 100)]));
    }

    #[test]
    fn oversized_frames_are_refused() {
        let bomb = zstd::bulk::compress(&vec![0; MAX_BLOCK_LEN + 1], 3).unwrap();
        assert_eq!(read(&bomb), (vec![], vec![(0, bomb.len())]));
    }

    #[test]
    fn a_block_with_something_else_than_games_is_reported() {
        let mut bytes = Vec::new();
        let games = random_games(23, 2);
        games[0].encode(&mut bytes);
        let first = bytes.len();
        bytes.extend([0xAB; 100]);
        let block = zstd::bulk::compress(&bytes, 3).unwrap();
        let block = Blocks::new(&block[..]).unwrap().next().unwrap().unwrap();
        let read: Vec<_> = block.games().collect();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].as_ref().unwrap(), &games[0]);
        assert!(matches!(read[1], Err(BlockError::Game { block: 0, place, .. }) if place == first));
    }

    #[test]
    fn reading_errors_end_the_file() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let (bytes, _) = file();
        let results: Vec<_> = Blocks::new(bytes.chain(Broken)).unwrap().collect();
        assert_eq!(results.len(), 1);
        assert!(matches!(results[0], Err(BlockError::Io(_))));
    }
}
