//! Reading an index. Nothing of it is kept in memory but the paths of the files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use movegen::Board;
use pgn::PgnReader;

use super::entry::find;
use super::{BLOCK_LEN, END, IndexError, MAGIC, Parts, TEXTS, VERSION};
use crate::answer::Answer;
use crate::bytes::Bytes;
use crate::facts::{Listing, MAX_LISTING, RECORD_LEN, Record};
use crate::notes::Kind;
use crate::pages::{CONTENTS, PageReader};
use crate::reading::read_again;
use crate::tally::Tally;

/// The longest part that is read at once, in bytes; what is longer is damaged.
const MAX_PART: u64 = 1 << 24;
/// The longest game that is read again, in bytes.
const MAX_GAME: u64 = 1 << 25;

/// A block: its first key, and where it lies.
struct Block {
    first: u64,
    start: u64,
    end: u64,
}

/// An index that is open.
pub struct Index {
    path: PathBuf,
    pages: PageReader,
    parts: Parts,
    files: Vec<String>,
}

impl Index {
    /// Opens an index.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is none, is of another version, or is damaged where that can be seen at once.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        let read = |error| IndexError::Read { path: path.to_owned(), error };
        let mut file = platform::open_regular_file(path).map_err(read)?;
        check_heading(&mut file, path)?;
        let length = file.metadata().map_err(read)?.len();
        let damaged = || IndexError::Damaged(path.to_owned());
        let pages = PageReader::new(file, length).filter(|pages| pages.pages() > 1).ok_or_else(damaged)?;
        let unread = |error| error_of(path, error);
        pages.read(0, TEXTS).map_err(unread)?;
        let last = (pages.pages() - 1) * CONTENTS as u64;
        let parts = read_parts(&pages.read(last, CONTENTS as u64).map_err(unread)?, last).ok_or_else(damaged)?;
        let text = pages.read(parts.paths, parts.end - parts.paths).map_err(unread)?;
        let (mut text, mut files) = (Bytes(&text), Vec::new());
        while !text.0.is_empty() {
            files.push(text.text().ok_or_else(damaged)?);
        }
        Ok(Self { path: path.to_owned(), pages, parts, files })
    }

    /// How many games it has.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.parts.game_count
    }

    /// How many half-moves of each game it has.
    #[must_use]
    pub const fn plies(&self) -> u64 {
        self.parts.plies
    }

    fn damaged(&self) -> IndexError {
        IndexError::Damaged(self.path.clone())
    }

    fn read(&self, position: u64, length: u64) -> Result<Vec<u8>, IndexError> {
        self.pages.read(position, length).map_err(|error| error_of(&self.path, error))
    }

    /// What the games say of a position.
    ///
    /// # Errors
    ///
    /// If the index cannot be read or is damaged.
    pub fn look_up(&self, board: &Board, kind: Kind) -> Result<Answer, IndexError> {
        let key = kind.key(board);
        let tallies = match self.block_of(key)? {
            Some(Block { first, start, end }) => {
                let block = self.read(start, end - start)?;
                find(&block, first, key, |game| Ok(self.record(game)?.facts))?.ok_or_else(|| self.damaged())?
            }
            None => BTreeMap::<u16, Tally>::new(),
        };
        Answer::new(board, kind, &tallies, |game| {
            let listing = self.listing(game)?;
            Ok((game.to_string(), self.files.get(listing.place.file).cloned(), listing))
        })
    }

    /// The block in which a position would be; `None` if all keys are higher.
    fn block_of(&self, key: u64) -> Result<Option<Block>, IndexError> {
        let (mut low, mut high) = (0, self.parts.block_count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.block(middle)?.0 <= key { low = middle + 1 } else { high = middle }
        }
        let Some(number) = low.checked_sub(1) else { return Ok(None) };
        let (first, start) = self.block(number)?;
        let end = if low < self.parts.block_count { self.block(low)?.1 } else { self.parts.blocks };
        let is_sound = self.parts.positions <= start && start < end && end <= self.parts.blocks;
        if !is_sound || end - start > MAX_PART {
            return Err(self.damaged());
        }
        Ok(Some(Block { first, start, end }))
    }

    fn block(&self, number: u64) -> Result<(u64, u64), IndexError> {
        let bytes = self.read(self.parts.blocks + number * BLOCK_LEN, BLOCK_LEN)?;
        let mut bytes = Bytes(&bytes);
        bytes.fixed(8).zip(bytes.fixed(8)).ok_or_else(|| self.damaged())
    }

    fn record(&self, game: u32) -> Result<Record, IndexError> {
        if u64::from(game) >= self.parts.game_count {
            return Err(self.damaged());
        }
        let bytes = self.read(self.parts.records + u64::from(game) * RECORD_LEN, RECORD_LEN)?;
        Record::from_bytes(&bytes).ok_or_else(|| self.damaged())
    }

    fn listing(&self, game: u32) -> Result<Listing, IndexError> {
        let start = self.record(game)?.text;
        let left = self.parts.positions.checked_sub(start).filter(|_| start >= TEXTS).ok_or_else(|| self.damaged())?;
        Listing::read(&self.read(start, left.min(MAX_LISTING))?).ok_or_else(|| self.damaged())
    }

    /// A game as it stands in its file, by the `id` of a [`GameRow`](crate::GameRow). A path that does not begin with the root
    /// leads from the working folder, or else from the folder of the index.
    ///
    /// # Errors
    ///
    /// If there is no such game, or its file cannot be read or has been changed.
    pub fn game(&self, id: &str) -> Result<String, IndexError> {
        let number = id.parse().ok().filter(|&number: &u32| u64::from(number) < self.parts.game_count);
        let listing = self.listing(number.ok_or_else(|| IndexError::NoGame(id.to_owned()))?)?;
        let file = self.files.get(listing.place.file).ok_or_else(|| self.damaged())?;
        let mut path = PathBuf::from(file);
        if !path.exists() {
            path = self.path.parent().unwrap_or(Path::new("")).join(file);
        }
        if listing.place.length > MAX_GAME {
            return Err(self.damaged());
        }
        let text = read_again(&path, listing.place).map_err(|error| IndexError::Read { path: path.clone(), error })?;
        let is_same = match PgnReader::new(text.as_bytes()).next() {
            Some(Ok(game)) => {
                let found = Listing::of(&game, listing.place);
                (found.white, found.black) == (listing.white, listing.black)
            }
            _ => false,
        };
        if is_same { Ok(text) } else { Err(IndexError::Changed(path)) }
    }
}

fn error_of(path: &Path, error: io::Error) -> IndexError {
    let path = path.to_owned();
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => IndexError::Damaged(path),
        _ => IndexError::Read { path, error },
    }
}

/// Whether a file is an index of this version, before anything else is believed.
fn check_heading(file: &mut File, path: &Path) -> Result<(), IndexError> {
    let read = |error| IndexError::Read { path: path.to_owned(), error };
    let mut heading = Vec::new();
    file.seek(SeekFrom::Start(0)).map_err(read)?;
    file.by_ref().take(28).read_to_end(&mut heading).map_err(read)?;
    let mut heading = Bytes(&heading);
    if heading.take(MAGIC.len()) != Some(&MAGIC[..]) {
        return Err(IndexError::Foreign(path.to_owned()));
    }
    let found = heading.fixed(4).zip(heading.fixed(8)).ok_or_else(|| IndexError::Damaged(path.to_owned()))?;
    // The bytes of the keys are part of the form.
    if found.0 != u64::from(VERSION) || found.1 != Board::start().key() {
        return Err(IndexError::Version { path: path.to_owned(), found: found.0 as u32 });
    }
    Ok(())
}

/// Where the parts begin, by the last page, which begins at `last`; `None` if that cannot be.
fn read_parts(page: &[u8], last: u64) -> Option<Parts> {
    let mut bytes = Bytes(page);
    if bytes.take(END.len())? != END {
        return None;
    }
    let mut numbers = [0; 10];
    for number in &mut numbers {
        *number = bytes.fixed(8)?;
    }
    let parts = Parts::from_numbers(numbers);
    let starts = [TEXTS, parts.positions, parts.blocks, parts.records, parts.paths, parts.end, last];
    let is_long = |from: u64, to: u64, count: u64, each: u64| count.checked_mul(each) == Some(to - from);
    let is_sound = starts.is_sorted()
        && is_long(parts.blocks, parts.records, parts.block_count, BLOCK_LEN)
        && is_long(parts.records, parts.paths, parts.game_count, RECORD_LEN)
        && parts.end - parts.paths <= MAX_PART;
    is_sound.then_some(parts)
}
