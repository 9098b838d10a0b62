//! The input of a command: the games or positions of files, or one position.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use cli::{counted, read_position};
use fs_err as fs;
use pgn::FileKind;

use crate::error::AnalyseError;
use crate::read::games::{FoundGame, Games, InputFile, games};
use crate::read::positions::{Label, game_of};
use crate::read::shard::Shard;

/// What the input is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SourceKind {
    /// Files of games.
    Games,
    /// Files of positions.
    Positions,
    /// A position in words.
    Position,
}

/// The input.
pub(crate) struct Source {
    pub games: Games,
    /// None for a position.
    pub files: Vec<PathBuf>,
    /// Its name for those who read the output.
    pub name: String,
    pub kind: SourceKind,
    pub bytes_read: Arc<AtomicU64>,
    pub bytes: Option<u64>,
}

impl Source {
    /// Files and folders, or one position. If it is strict, a game that is not read in full is not read.
    pub fn open(inputs: &[OsString], is_strict: bool) -> Result<Self, AnalyseError> {
        match Self::open_files(inputs, is_strict) {
            Err(AnalyseError::Open(error)) if inputs.len() == 1 && error.kind() == io::ErrorKind::NotFound => {
                Self::position(&inputs[0].to_string_lossy(), error)
            }
            result => result,
        }
    }

    /// Files and folders.
    pub fn open_files(inputs: &[OsString], is_strict: bool) -> Result<Self, AnalyseError> {
        let inputs: Vec<_> = inputs.iter().map(PathBuf::from).collect();
        let files = pgn::files(&inputs, FileKind::Games).or_else(|error| {
            // Folders may hold positions instead.
            pgn::files(&inputs, FileKind::Positions).map_err(|_| AnalyseError::Open(error))
        })?;
        let (mut bytes, mut before) = (Some(0), Vec::new());
        for path in &files {
            before.push(bytes.unwrap_or_default());
            if path.as_os_str() == "-" || !is_regular(path).map_err(AnalyseError::Open)? {
                bytes = None;
            } else {
                let length = fs::metadata(path).map_err(AnalyseError::Open)?.len();
                bytes = bytes.map(|bytes| bytes + length);
            }
        }
        let name = name_of(&files);
        let bytes_read = Arc::default();
        let opened: Vec<_> =
            files.iter().zip(before).map(|(path, before)| InputFile::new(path.clone(), before, &bytes_read)).collect();
        let kind = kind_of(&opened)?;
        let games = games(opened, Arc::clone(&bytes_read), is_strict);
        Ok(Self { games, files, name, kind, bytes_read, bytes })
    }

    /// The part of it that a shard is.
    pub fn shard(mut self, shard: Shard) -> Result<Self, AnalyseError> {
        let bytes = self.bytes.ok_or(AnalyseError::NoShard)?;
        self.games = shard.select(self.games, Arc::clone(&self.bytes_read), bytes);
        Ok(self)
    }

    /// A position instead of a file that is not there.
    fn position(text: &str, not_found: io::Error) -> Result<Self, AnalyseError> {
        // Nothing is no position: it is more likely a name that a script forgot to set.
        if text.trim().is_empty() {
            return Err(AnalyseError::Open(not_found));
        }
        let board = match read_position(&[text.to_owned()]) {
            Ok(board) => board,
            // What has a space and slashes is meant to be a position.
            Err(fen) if text.contains(' ') && text.contains('/') => {
                return Err(AnalyseError::Input { input: text.to_owned(), fen });
            }
            Err(_) => return Err(AnalyseError::Open(not_found)),
        };
        let (game, label) = (Ok(game_of(board, None)), Some(Label::default()));
        let games = Box::new(std::iter::once(FoundGame { number: 1, file: None, line: 0, game, label }));
        let (name, bytes_read) = ("FEN".to_owned(), Arc::default());
        Ok(Self { games, files: Vec::new(), name, kind: SourceKind::Position, bytes_read, bytes: None })
    }
}

/// Whether a file has a length and can be read twice. One that cannot be opened is an error.
fn is_regular(path: &Path) -> io::Result<bool> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() {
        fs::File::open(path)?;
    }
    Ok(metadata.is_file())
}

/// What the files hold: all games or all positions.
fn kind_of(files: &[InputFile]) -> Result<SourceKind, AnalyseError> {
    let of = |is_of_positions: bool| files.iter().find(|file| file.format.is_of_positions() == is_of_positions);
    match (of(false), of(true)) {
        (Some(games), Some(positions)) => {
            Err(AnalyseError::Mixed { games: games.path.clone(), positions: positions.path.clone() })
        }
        (None, Some(_)) => Ok(SourceKind::Positions),
        _ => Ok(SourceKind::Games),
    }
}

/// The name of the input for those who read the output.
fn name_of(files: &[PathBuf]) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    match files {
        [one] => name(one),
        [first, rest @ ..] => format!("{} and {}", name(first), counted(rest.len(), "other file")),
        [] => String::new(),
    }
}
