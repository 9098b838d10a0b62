//! `vancura book`: opening books in Polyglot's format, made from games, merged and read.

mod dump;
mod make;
mod merge;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use cli::{counted, tell};
use formats::{BookEntry, PolyglotBook};
use movegen::FenError;
use platform::OutputFile;

/// One of each.
const EXAMPLES: &str = "\
Examples:
  vancura book make games.pgn -o book.bin --min-games 1 --max-ply 30
  vancura book merge book.bin other.bin -o merged.bin
  vancura book dump book.bin --plies 6";

/// Makes opening books from games, merges them, and shows what is in them. The format is Polyglot's, which most programs read.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct BookArguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// Make a book from the games of PGN files
    Make(make::MakeArguments),
    /// Merge books: where several have a position, the first one named counts
    Merge(merge::MergeArguments),
    /// Show the lines of a book, with the share of each move
    Dump(dump::DumpArguments),
}

/// Why there is no book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The files of games cannot be found.
    #[error("{0}")]
    Find(#[source] io::Error),
    /// The position cannot be read.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// No move was played often enough.
    #[error("no move to keep: of {}, none was played in {min_games} games or more with a score of {min_score} % or more", counted(*games, "game"))]
    Nothing {
        /// How many games were read.
        games: usize,
        /// In how many games a move must have been played.
        min_games: u32,
        /// What it must have scored.
        min_score: f64,
    },
    /// The output would overwrite an input.
    #[error("the output would overwrite the input {}", .0.display())]
    Overwrite(PathBuf),
    /// The book is made, but of some games something is lost.
    #[error("{0}")]
    Lost(String),
    /// The book or the text cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[from] io::Error),
}

impl From<(PathBuf, io::Error)> for BookError {
    fn from((path, error): (PathBuf, io::Error)) -> Self {
        Self::Read { path, error }
    }
}

/// Carries out what was asked for.
///
/// # Errors
///
/// If something cannot be read or written, or no move is left for a book.
pub fn run(arguments: &BookArguments) -> Result<(), BookError> {
    match &arguments.task {
        Task::Make(arguments) => make::run(arguments),
        Task::Merge(arguments) => merge::run(arguments),
        Task::Dump(arguments) => dump::run(arguments),
    }
}

fn open(path: &Path) -> Result<PolyglotBook, BookError> {
    let read = |error| BookError::Read { path: path.to_owned(), error };
    PolyglotBook::new(File::open(path).map_err(read)?).map_err(read)
}

/// A book in the making. Entries must come in order.
struct BookWriter {
    file: OutputFile,
    entries: usize,
}

impl BookWriter {
    fn create(path: &Path, inputs: &[PathBuf]) -> Result<Self, BookError> {
        if let Some(input) = platform::FileIdentity::overwritten(path, inputs.iter().map(PathBuf::as_path)) {
            return Err(BookError::Overwrite(input.to_owned()));
        }
        Ok(Self { file: OutputFile::create(path)?, entries: 0 })
    }

    fn add(&mut self, entry: BookEntry) -> io::Result<()> {
        self.entries += 1;
        self.file.write_all(&entry.to_bytes())
    }

    fn commit(self) -> io::Result<()> {
        self.file.commit()?;
        tell(counted(self.entries, "move"));
        Ok(())
    }
}
