//! The games of files, one after the other.

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use fs_err::File;
use pgn::{PgnError, PgnFault, PgnGame, PgnReader, Remark, check_kind, text_of};

use crate::model::BrokenGame;
use crate::read::main_line::MainLine;

/// A game as it comes from a file.
pub(crate) struct FoundGame {
    /// The file, where there are several.
    pub file: Option<Arc<str>>,
    /// The line it begins in.
    pub line: u64,
    pub game: Result<PgnGame, PgnError>,
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

/// The games of files, `-` for the standard input, and how many bytes of them have been read. Each file is opened when those
/// before it are done; one that cannot be read counts as a game that cannot.
pub(crate) fn games(files: Vec<PathBuf>, is_strict: bool) -> (Games, Arc<AtomicU64>) {
    let bytes = Arc::new(AtomicU64::new(0));
    let (are_several, counter) = (files.len() > 1, Arc::clone(&bytes));
    let games = files.into_iter().flat_map(move |path| {
        let file = are_several.then(|| Arc::from(path.display().to_string()));
        games_of_file(&path, file, &counter, is_strict)
    });
    (Box::new(games), bytes)
}

fn games_of_file(path: &Path, file: Option<Arc<str>>, bytes: &Arc<AtomicU64>, is_strict: bool) -> Games {
    match open(path, Arc::clone(bytes)).map(|reader| reader.strict(is_strict)) {
        Ok(mut reader) => Box::new(std::iter::from_fn(move || {
            let game = reader.next()?;
            Some(FoundGame { file: file.clone(), line: reader.game_line(), game })
        })),
        Err(error) => {
            let error = PgnError { line: 1, start: 1, fault: PgnFault::Io(error) };
            Box::new(std::iter::once(FoundGame { file, line: 1, game: Err(error) }))
        }
    }
}

fn open(path: &Path, read: Arc<AtomicU64>) -> io::Result<PgnReader<Box<dyn io::BufRead + Send>>> {
    check_kind(path)?;
    let input: Box<dyn Read + Send> =
        if path.as_os_str() == "-" { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    Ok(PgnReader::new(text_of(BufReader::new(Counted { input, read }))?))
}

/// Counts the bytes that go by.
struct Counted<R> {
    input: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.read.fetch_add(length as u64, Relaxed);
        Ok(length)
    }
}
