//! Files that are open: large ones as an index, of which a page is shown and a game is read when it is asked for.
//!
//! A plain file is read where it lies. What comes compressed, over the network or from a pipe is unpacked once into a file
//! without a name, which the system removes when it is closed: reading a game in the middle of a compressed file would mean
//! to unpack all before it.

mod entry;
mod pieces;
mod scan;
mod text;

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pgn::{InputText, PgnReader};

use self::entry::{Batch, is_too_large};
use self::scan::{Scan, scan};
use self::text::StoredText;
use crate::list::{Index, Query, Sort};
use crate::paste::Problem;
use crate::positions::read_position;

/// The most games of a file that are listed: an index of them takes half a gigabyte.
const MAX_GAMES: usize = 10_000_000;
/// The most things that are said about a file.
const MAX_PROBLEMS: usize = 1000;
/// Of a game in a list so much is read, in bytes, which holds its tags.
const HEADING: u64 = 1 << 16;
/// The longest game that is read, in bytes; what is longer is damaged.
const MAX_GAME: u64 = 32 << 20;

/// A file that is open.
pub struct OpenFile {
    /// What it is called.
    pub name: String,
    state: Mutex<State>,
    is_closed: AtomicBool,
    found: Mutex<Option<Found>>,
}

/// What is known of a file so far.
#[derive(Default)]
struct State {
    text: Option<Arc<StoredText>>,
    are_positions: bool,
    index: Index,
    /// Where each game begins in the text.
    starts: Vec<u64>,
    /// In which line each game begins.
    lines: Vec<u32>,
    /// Where the text ends of which the games are known.
    end: u64,
    problems: Vec<Problem>,
    problem_count: usize,
    is_done: bool,
    /// There is no room for more games.
    is_full: bool,
}

/// The games that were looked for last.
struct Found {
    query: Query,
    sort: Sort,
    /// How many games were known.
    known: usize,
    places: Arc<Vec<u32>>,
}

/// How far a file has been read.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Progress {
    pub name: String,
    pub games: usize,
    pub done: bool,
    pub problem_count: usize,
    pub problems: Vec<Problem>,
}

/// A game of a list.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Listed {
    pub id: usize,
    pub line: u32,
    pub tags: BTreeMap<String, String>,
    pub plies: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Why a game of a file cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum OpenedError {
    /// There is none of this number.
    #[error("there is no game {0} in this file")]
    NoGame(usize),
    /// The file cannot be read any more.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl OpenFile {
    /// A file of which nothing is known yet.
    pub fn new(name: &str) -> Self {
        let (state, found) = (Mutex::default(), Mutex::default());
        Self { name: name.to_owned(), state, is_closed: AtomicBool::new(false), found }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends reading it.
    pub fn close(&self) {
        self.is_closed.store(true, Relaxed);
    }

    /// Reads a file from its path, or the standard input for `-`; `scratch` is where what must be unpacked goes.
    pub fn read_path(&self, path: &Path, scratch: &Path) {
        if let Err(error) = self.try_path(path, scratch) {
            self.fail(&error);
        }
        self.state().is_done = true;
    }

    fn try_path(&self, path: &Path, scratch: &Path) -> io::Result<()> {
        if path.as_os_str() == "-" {
            return self.try_text(InputText::new(io::BufReader::new(io::stdin()))?, StoredText::scratch(scratch)?);
        }
        pgn::check_kind(path)?;
        if std::fs::metadata(path)?.is_file() {
            let text = InputText::new(io::BufReader::new(fs_err::File::open(path)?))?;
            if text.is_as_stored() && self.scan(text, StoredText::original(path)?)?.is_whole {
                return Ok(());
            }
            // Parts of it are in another encoding.
            *self.state() = State::default();
        }
        let text = InputText::new(io::BufReader::new(fs_err::File::open(path)?))?;
        self.try_text(text, StoredText::scratch(scratch)?)
    }

    /// Reads a file as it comes; `scratch` is where it goes.
    ///
    /// # Errors
    ///
    /// If it breaks off, or there is no room for it. What came before stays.
    pub fn read_stream(&self, input: impl io::Read + Send + 'static, scratch: &Path) -> io::Result<()> {
        let result = InputText::new(io::BufReader::new(input))
            .and_then(|text| self.try_text(text, StoredText::scratch(scratch)?))
            .inspect_err(|error| self.fail(error));
        self.state().is_done = true;
        result
    }

    fn try_text(&self, text: InputText, stored: StoredText) -> io::Result<()> {
        self.scan(text, stored).map(|_| ())
    }

    fn scan(&self, text: InputText, stored: StoredText) -> io::Result<Scan> {
        let stored = Arc::new(stored);
        self.state().text = Some(Arc::clone(&stored));
        let begin = |are_positions| self.state().are_positions = are_positions;
        scan(text, &stored, &self.is_closed, begin, |batch| self.add(batch))
    }

    /// Notes what ended the reading of the file.
    fn fail(&self, error: &io::Error) {
        let mut state = self.state();
        let line = state.lines.last().copied().unwrap_or(1).into();
        state.insist(Problem { line, text: format!("the file cannot be read on: {error}") });
    }

    fn add(&self, batch: Batch) {
        if !self.state().add(batch, MAX_GAMES) {
            self.close();
        }
    }

    /// Whether all of it has been read that can be.
    pub fn is_done(&self) -> bool {
        self.state().is_done
    }

    /// How far it has been read, with what could not be.
    pub fn progress(&self) -> Progress {
        let state = self.state();
        Progress {
            name: self.name.clone(),
            games: state.index.len(),
            done: state.is_done,
            problem_count: state.problem_count,
            problems: state.problems.clone(),
        }
    }

    /// A page of the games that are looked for, and how many there are so far.
    ///
    /// # Errors
    ///
    /// If the file cannot be read any more.
    pub fn list(&self, query: &Query, sort: Sort, from: usize, count: usize) -> io::Result<(usize, Vec<Listed>)> {
        let (total, places) = self.places(query, sort, from, count);
        let games = places.into_iter().map(|place| self.listed(place)).collect::<io::Result<_>>()?;
        Ok((total, games))
    }

    fn places(&self, query: &Query, sort: Sort, from: usize, count: usize) -> (usize, Vec<usize>) {
        let mut state = self.state();
        let known = state.index.len();
        if query.is_empty() && sort.is_plain() {
            return (known, (from..known).take(count).collect());
        }
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let last = found.as_ref().filter(|found| (&found.query, found.sort, found.known) == (query, sort, known));
        let places = match last {
            Some(found) => Arc::clone(&found.places),
            None => {
                let places = Arc::new(state.index.find(query, sort));
                *found = Some(Found { query: query.clone(), sort, known, places: Arc::clone(&places) });
                places
            }
        };
        (places.len(), places.iter().skip(from).take(count).map(|&place| place as usize).collect())
    }

    fn listed(&self, place: usize) -> io::Result<Listed> {
        let game = self.state().game(place).ok_or(io::ErrorKind::NotFound)?;
        let length = game.range.end - game.range.start;
        let bytes = game.text.read(game.range.start, length.min(HEADING))?;
        let (tags, problem) =
            if game.are_positions { position_heading(&bytes) } else { heading(&bytes, game.line, length <= HEADING) };
        Ok(Listed { id: place, line: game.line, tags, plies: game.plies, problem })
    }

    /// A game as it stands in the file; one made of a line, where that is a position.
    ///
    /// # Errors
    ///
    /// If there is no such game, or the file cannot be read any more.
    pub fn game(&self, place: usize) -> Result<String, OpenedError> {
        let game = self.state().game(place).ok_or(OpenedError::NoGame(place))?;
        let length = game.range.end - game.range.start;
        if length > MAX_GAME {
            return Err(is_too_large(length).into());
        }
        let bytes = game.text.read(game.range.start, length)?;
        let (text, _) = pgn::decode_text(&bytes[..], usize::MAX);
        if game.are_positions
            && let Some(Ok(found)) = read_position(&text)
        {
            return Ok(found.game.to_string());
        }
        Ok(text.trim_matches(['\n', '\r', ' ', '\u{FEFF}']).to_owned())
    }
}

/// Where a game is to be read.
struct Place {
    text: Arc<StoredText>,
    range: Range<u64>,
    line: u32,
    plies: u32,
    are_positions: bool,
}

impl State {
    /// Adds games; whether there is room for more than these.
    fn add(&mut self, batch: Batch, most: usize) -> bool {
        for entry in batch.entries {
            if self.is_full {
                return false;
            }
            if self.index.len() >= most {
                (self.is_full, self.end) = (true, entry.start);
                let text = format!("the file has more than {most} games; the others are not listed");
                self.insist(Problem { line: entry.line, text });
                return false;
            }
            self.index.push(&entry.heading);
            self.starts.push(entry.start);
            self.lines.push(u32::try_from(entry.line).unwrap_or(u32::MAX));
            self.problem_count += entry.problem_count - entry.problems.len();
            entry.problems.into_iter().for_each(|problem| self.tell(problem));
        }
        if !self.is_full {
            self.end = batch.end;
        }
        true
    }

    fn tell(&mut self, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.insist(problem);
        } else {
            self.problem_count += 1;
        }
    }

    /// Tells something that is to be known however much has been told.
    fn insist(&mut self, problem: Problem) {
        self.problem_count += 1;
        self.problems.push(problem);
    }

    fn game(&self, place: usize) -> Option<Place> {
        let start = *self.starts.get(place)?;
        let end = self.starts.get(place + 1).copied().unwrap_or(self.end);
        let text = Arc::clone(self.text.as_ref()?);
        let (line, plies) = (self.lines[place], self.index.plies(place));
        Some(Place { text, range: start..end, line, plies, are_positions: self.are_positions })
    }
}

/// The tags of a game, and what is wrong with it.
fn heading(bytes: &[u8], line: u32, is_whole: bool) -> (BTreeMap<String, String>, Option<String>) {
    let mut reader = PgnReader::new(bytes).from_line(line.into());
    let game = reader.next();
    let owned = |tags: &pgn::Tags| tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    match game {
        Some(Ok(game)) => {
            let loss = game.remarks.iter().find(|remark| is_whole && remark.is_loss());
            (owned(&game.tags), loss.map(ToString::to_string))
        }
        Some(Err(error)) => (owned(reader.lost_tags()), Some(error.to_string())),
        None => (BTreeMap::new(), None),
    }
}

/// The same of a line that is a position.
fn position_heading(bytes: &[u8]) -> (BTreeMap<String, String>, Option<String>) {
    let (text, _) = pgn::decode_text(bytes, usize::MAX);
    match read_position(&text) {
        Some(Ok(found)) => {
            let tags = found.game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
            (tags.collect(), found.notes.into_iter().next())
        }
        Some(Err(error)) => (BTreeMap::from([("Event".to_owned(), text.trim().to_owned())]), Some(error.to_string())),
        None => (BTreeMap::new(), None),
    }
}

#[cfg(test)]
mod tests;
