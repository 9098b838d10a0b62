//! The games and positions of files, one after the other.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use fs_err::File;
use pgn::{InputText, PgnError, PgnFault, PgnGame, PgnReader, Remark, check_kind};

use crate::model::BrokenGame;
use crate::read::format::Format;
use crate::read::main_line::MainLine;
use crate::read::positions::{Label, PositionError, positions};

/// A game as it comes from a file.
pub(crate) struct FoundGame {
    /// Its place in the input, from 1; those that cannot be read count.
    pub number: u32,
    /// The file, where there are several.
    pub file: Option<Arc<str>>,
    /// The line it begins in.
    pub line: u64,
    pub game: Result<PgnGame, ReadError>,
    /// What is said of it, if only its last position is asked for.
    pub label: Option<Label>,
}

/// Why a game or a position cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    #[error(transparent)]
    Game(#[from] PgnError),
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl ReadError {
    /// The line in which the game or the position begins.
    pub const fn start(&self) -> u64 {
        match self {
            Self::Game(error) => error.start,
            Self::Position(error) => error.line,
        }
    }
}

/// A game as it was read.
pub(crate) struct Reading {
    /// From 1, broken games counted.
    pub number: u32,
    /// The file it is from, where there are several.
    pub file: Option<Arc<str>>,
    /// The line it begins in.
    pub line: u64,
    pub game: PgnGame,
    pub main_line: MainLine,
    /// What is said of it, if only its last position is asked for.
    pub label: Option<Label>,
}

impl FoundGame {
    /// What the reader has to say of it, each with the file and the line.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let file = self.file.as_deref();
        let remarks = self.game.iter().flat_map(|game| &game.remarks);
        remarks.map(move |remark| placed(file, remark, self.line))
    }
}

impl Reading {
    /// What of the file is not among its moves.
    pub fn losses(&self) -> impl Iterator<Item = BrokenGame> {
        let losses = self.game.remarks.iter().filter(|remark| remark.is_loss());
        losses.map(|loss| BrokenGame {
            number: self.number,
            line: self.line,
            fault: placed(self.file.as_deref(), loss, self.line),
            in_part: true,
        })
    }
}

/// A remark on the game that begins in the line `start`, with its file.
fn placed(file: Option<&str>, remark: &Remark, start: u64) -> String {
    let file = file.map_or_else(String::new, |file| format!("{file}: "));
    format!("{file}{remark} (in the game that begins in line {start})")
}

/// Games one after the other.
pub(crate) type Games = Box<dyn Iterator<Item = FoundGame> + Send>;

/// The text of a file.
pub(crate) type Text = Box<dyn BufRead + Send>;

/// A file of the input.
pub(crate) struct InputFile {
    pub path: PathBuf,
    pub format: Format,
    /// How many bytes the files before it have.
    before: u64,
    /// Its text, if it has been opened already: what is no regular file can be read only once.
    pub text: Option<io::Result<Text>>,
}

impl InputFile {
    /// A file, `-` for the standard input, and what it holds. `place` is told where in the input the reader is; the files
    /// before it have so many bytes.
    pub fn new(path: PathBuf, before: u64, place: &Arc<AtomicU64>) -> Self {
        let is_regular = path.is_file();
        if let Some(format) = Format::of_name(&path) {
            return Self { path, format, before, text: None };
        }
        // What is only looked at does not count.
        let place = if is_regular { Arc::default() } else { Arc::clone(place) };
        match open(&path, before, place).and_then(Format::of_text) {
            Ok((format, text)) => Self { path, format, before, text: (!is_regular).then_some(Ok(text)) },
            Err(error) => Self { path, format: Format::Games, before, text: Some(Err(error)) },
        }
    }

    fn open(&mut self, place: &Arc<AtomicU64>) -> io::Result<Text> {
        self.text.take().unwrap_or_else(|| open(&self.path, self.before, Arc::clone(place)))
    }
}

/// The games of files. Each file is opened when those before it are done; one that cannot be read counts as a game that
/// cannot. `place` is told where in the input the reader is.
pub(crate) fn games(files: Vec<InputFile>, place: Arc<AtomicU64>, is_strict: bool) -> Games {
    let are_several = files.len() > 1;
    let games = files.into_iter().flat_map(move |mut input| {
        let file = are_several.then(|| Arc::from(input.path.display().to_string()));
        let unreadable = {
            let file = file.clone();
            move |error| {
                let error = PgnError { line: 1, start: 1, fault: PgnFault::Io(error) };
                FoundGame { number: 0, file, line: 1, game: Err(error.into()), label: None }
            }
        };
        let games = input.open(&place).and_then(|text| games_of(text, input.format, file, is_strict));
        games.unwrap_or_else(|error| Box::new(std::iter::once(unreadable(error))))
    });
    Box::new(games.zip(1..).map(|(found, number)| FoundGame { number, ..found }))
}

fn games_of(text: Text, format: Format, file: Option<Arc<str>>, is_strict: bool) -> io::Result<Games> {
    if format.is_of_positions() {
        return Ok(Box::new(positions(text, format)?.map(move |(line, found)| {
            let (game, label) =
                found.map_or_else(|error| (Err(error.into()), None), |(game, label)| (Ok(game), Some(label)));
            FoundGame { number: 0, file: file.clone(), line, game, label }
        })));
    }
    let mut reader = PgnReader::new(text).strict(is_strict);
    Ok(Box::new(std::iter::from_fn(move || {
        let game = reader.next()?.map_err(ReadError::from);
        Some(FoundGame { number: 0, file: file.clone(), line: reader.game_line(), game, label: None })
    })))
}

fn open(path: &Path, before: u64, place: Arc<AtomicU64>) -> io::Result<Text> {
    check_kind(path)?;
    let input: Box<dyn Read + Send> =
        if path.as_os_str() == "-" { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let stored = Arc::new(AtomicU64::new(0));
    let input = Counted { input, fills: path.is_file(), read: Arc::clone(&stored) };
    Ok(Box::new(Placed { text: InputText::new(BufReader::new(input))?, stored, taken: 0, before, place }))
}

/// Counts the bytes that go by.
struct Counted<R> {
    input: R,
    /// Reads as much as is asked for, so that the counts are the same wherever the file lies.
    fills: bool,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut length = self.input.read(buffer)?;
        while self.fills && length < buffer.len() {
            match self.input.read(&mut buffer[length..]) {
                Ok(0) => break,
                Ok(more) => length += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.read.fetch_add(length as u64, Relaxed);
        Ok(length)
    }
}

/// Tells where in the input the reader is: after the bytes it has taken, or, of what is not stored as it is read, after those
/// that had to be read for them.
struct Placed {
    text: InputText,
    /// How many bytes of the file have been read.
    stored: Arc<AtomicU64>,
    /// How many bytes of text have been taken.
    taken: u64,
    before: u64,
    place: Arc<AtomicU64>,
}

impl Read for Placed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let text = self.fill_buf()?;
        let length = text.len().min(buffer.len());
        buffer[..length].copy_from_slice(&text[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Placed {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.text.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        self.text.consume(length);
        self.taken += length as u64;
        let place = if self.text.is_as_stored() { self.taken } else { self.stored.load(Relaxed) };
        self.place.store(self.before + place, Relaxed);
    }
}
