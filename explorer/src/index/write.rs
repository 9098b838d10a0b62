//! Writing an index.

use std::io;
use std::path::{Path, PathBuf};

use movegen::Board;
use pgn::PgnGame;
use platform::OutputFile;

use super::entry::{MoveEntry, put_position};
use super::{END, MAGIC, Parts, TEXTS, VERSION};
use crate::bytes::put_text;
use crate::facts::{Facts, Listing, Record};
use crate::notes::notes_of;
use crate::pages::PageWriter;
use crate::reading::GamePlace;
use crate::sorter::{Note, Sorter};

/// A block ends when it has so many bytes.
const BLOCK: usize = 4000;
/// After so many moves it is told how many are sorted.
const TELL_EVERY: u64 = 1 << 14;
/// The most letters of a path.
const MAX_PATH: usize = 4096;

/// An index in the making. It comes to its place when all of it is written.
pub struct IndexWriter {
    pages: PageWriter<OutputFile>,
    sorter: Sorter,
    games: Vec<Record>,
    plies: usize,
    text: Vec<u8>,
}

impl IndexWriter {
    /// Begins an index, of so many half-moves of each game.
    ///
    /// # Errors
    ///
    /// If it cannot be written there.
    pub fn create(path: &Path, plies: usize) -> io::Result<Self> {
        let mut pages = PageWriter::new(OutputFile::create(path)?);
        pages.put(&MAGIC)?;
        pages.put(&VERSION.to_le_bytes())?;
        pages.put(&Board::start().key().to_le_bytes())?;
        pages.end_page()?;
        Ok(Self { pages, sorter: Sorter::default(), games: Vec::new(), plies, text: Vec::new() })
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// If there is neither memory nor space for it.
    pub fn add(&mut self, game: &PgnGame, place: GamePlace) -> io::Result<()> {
        let full = || io::Error::new(io::ErrorKind::FileTooLarge, "more games than an index can have");
        let number = u32::try_from(self.games.len()).map_err(|_| full())?;
        if self.games.len() == self.games.capacity() {
            self.games.try_reserve(1).map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        }
        self.games.push(Record { facts: Facts::of(game), text: self.pages.position() });
        self.text.clear();
        Listing::of(game, place).put(&mut self.text);
        self.pages.put(&self.text)?;
        notes_of(game, self.plies).try_for_each(|(key, mv)| self.sorter.add(Note { key, mv: mv.bits(), value: number }))
    }

    /// How many moves are to be sorted before the index is whole.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.sorter.len()
    }

    /// Writes what is left and puts the index in its place. Returns how many positions it has.
    ///
    /// # Errors
    ///
    /// If something cannot be read back or written. What was there before stays.
    pub fn commit(self, files: &[PathBuf]) -> io::Result<u64> {
        self.commit_telling(files, |_| {})
    }

    /// The same, and `tell` is told now and then how many of the [`moves`](Self::moves) are sorted.
    ///
    /// # Errors
    ///
    /// As [`commit`](Self::commit).
    pub fn commit_telling(self, files: &[PathBuf], mut tell: impl FnMut(u64)) -> io::Result<u64> {
        let Self { mut pages, sorter, games, plies, .. } = self;
        let positions = pages.position();
        debug_assert!(positions >= TEXTS);
        let mut blocks = Blocks::new(&mut pages);
        let mut last = None;
        for (done, note) in (0..).zip(sorter.sorted()?) {
            let note = note?;
            if done % TELL_EVERY == 0 {
                tell(done);
            }
            // A game that comes to a position again and makes the same move counts once.
            if last.replace(note) != Some(note) {
                let facts = games.get(note.value as usize).map(|game| game.facts);
                blocks.add(note, facts.ok_or(io::ErrorKind::InvalidData)?)?;
            }
        }
        let Blocks { table, positions: position_count, moves: move_count, .. } = blocks.finish()?;
        let blocks = pages.position();
        for (key, start) in &table {
            pages.put(&key.to_le_bytes())?;
            pages.put(&start.to_le_bytes())?;
        }
        let records = pages.position();
        games.iter().try_for_each(|game| pages.put(&game.to_bytes()))?;
        let paths = pages.position();
        let mut text = Vec::new();
        files.iter().for_each(|path| put_text(&mut text, &path.to_string_lossy(), MAX_PATH));
        pages.put(&text)?;
        let parts = Parts {
            positions,
            blocks,
            records,
            paths,
            end: pages.position(),
            block_count: table.len() as u64,
            game_count: games.len() as u64,
            position_count,
            move_count,
            plies: plies as u64,
        };
        pages.end_page()?;
        pages.put(&END)?;
        parts.to_numbers().iter().try_for_each(|number| pages.put(&number.to_le_bytes()))?;
        pages.end_page()?;
        pages.into_inner().commit()?;
        Ok(position_count)
    }
}

/// Puts notes together to positions, and positions to blocks.
struct Blocks<'a> {
    pages: &'a mut PageWriter<OutputFile>,
    /// The first key of each block, and where it begins.
    table: Vec<(u64, u64)>,
    /// The block that is being made, and the last key in it.
    block: Vec<u8>,
    last: u64,
    /// The position that is being made.
    key: u64,
    entries: Vec<MoveEntry>,
    positions: u64,
    moves: u64,
}

impl<'a> Blocks<'a> {
    fn new(pages: &'a mut PageWriter<OutputFile>) -> Self {
        let (table, block, entries) = (Vec::new(), Vec::new(), Vec::new());
        Self { pages, table, block, last: 0, key: 0, entries, positions: 0, moves: 0 }
    }

    fn add(&mut self, note: Note, facts: Facts) -> io::Result<()> {
        if self.key != note.key {
            self.end_position()?;
            self.key = note.key;
        }
        match self.entries.last_mut() {
            Some(entry) if entry.mv() == note.mv => entry.add(note.value, facts),
            _ => {
                let mut entry = MoveEntry::new(note.mv);
                entry.add(note.value, facts);
                self.entries.push(entry);
            }
        }
        Ok(())
    }

    fn end_position(&mut self) -> io::Result<()> {
        if self.entries.is_empty() {
            return Ok(());
        }
        if self.block.is_empty() {
            self.table.push((self.key, self.pages.position()));
            self.last = self.key;
        }
        put_position(&mut self.block, self.key - self.last, &self.entries);
        self.last = self.key;
        self.positions += 1;
        self.moves += self.entries.len() as u64;
        self.entries.clear();
        if self.block.len() >= BLOCK { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> io::Result<()> {
        self.pages.put(&self.block)?;
        self.block.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<Self> {
        self.end_position()?;
        self.end_block()?;
        Ok(self)
    }
}
