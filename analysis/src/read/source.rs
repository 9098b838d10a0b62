//! The input of a command: the games of files, or a position.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use cli::{counted, read_position};
use fs_err as fs;
use pgn::{FileKind, PgnGame, Tags, Tree};

use crate::error::AnalyseError;
use crate::read::games::{FoundGame, Games, games};

/// The input.
pub(crate) struct Source {
    pub games: Games,
    /// None for a position.
    pub files: Vec<PathBuf>,
    /// Its name for those who read the output.
    pub name: String,
    pub is_position: bool,
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
        let files = pgn::files(&inputs, FileKind::Games).map_err(AnalyseError::Open)?;
        let mut bytes = Some(0);
        for path in &files {
            if path.as_os_str() == "-" {
                bytes = None;
            } else {
                let length = fs::File::open(path).and_then(|file| file.metadata()).map_err(AnalyseError::Open)?.len();
                bytes = bytes.map(|bytes| bytes + length);
            }
        }
        let name = name_of(&files);
        let (games, bytes_read) = games(files.clone(), is_strict);
        Ok(Self { games, files, name, is_position: false, bytes_read, bytes })
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
        let mut tags = Tags::default();
        tags.set("SetUp", "1");
        tags.set("FEN", board.fen(movegen::FenStyle::Standard));
        let game = PgnGame { tags, ..PgnGame::new(Tree::new(board)) };
        let games = Box::new(std::iter::once(FoundGame { file: None, line: 0, game: Ok(game) }));
        let (name, bytes_read) = ("FEN".to_owned(), Arc::default());
        Ok(Self { games, files: Vec::new(), name, is_position: true, bytes_read, bytes: None })
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
