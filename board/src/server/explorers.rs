//! What was played from a position: in the games of the user, which are read into memory when somebody first asks, and in the
//! indices that the command line names.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use explorer::{Answer, Collection, Index, IndexError, Kind};
use movegen::{Board, FenError};
use pgn::PgnReader;
use serde::Serialize;

use crate::library::{Identity, Library, LibraryError};

/// The source that the games of the user are.
const MINE: &str = "mine";

/// All sources of answers.
pub(super) struct Explorers {
    mine: Mutex<Collection>,
    indices: Vec<(String, Index)>,
}

/// A source.
#[derive(Serialize)]
pub(super) struct Source {
    id: String,
    /// What it is called; `None` for the games of the user.
    name: Option<String>,
    /// How many games it has, where that is known.
    games: Option<u64>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum ExploreError {
    #[error("there is no explorer {0:?}")]
    NoSource(String),
    #[error("{0}")]
    Fen(#[from] FenError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Library(#[from] LibraryError),
}

impl Explorers {
    /// Opens the indices.
    pub fn open(paths: &[PathBuf]) -> Result<Self, IndexError> {
        let name = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let indices = paths.iter().map(|path| Ok((name(path), Index::open(path)?))).collect::<Result<_, _>>()?;
        Ok(Self { mine: Mutex::default(), indices })
    }

    /// All sources, the games of the user first.
    pub fn list(&self) -> Vec<Source> {
        let mine = Source { id: MINE.to_owned(), name: None, games: None };
        let indices = self.indices.iter().enumerate().map(|(number, (name, index))| Source {
            id: number.to_string(),
            name: Some(name.clone()),
            games: Some(index.games()),
        });
        std::iter::once(mine).chain(indices).collect()
    }

    fn index(&self, source: &str) -> Result<&Index, ExploreError> {
        let number = source.parse::<usize>().ok();
        let found = number.and_then(|number| self.indices.get(number));
        found.map(|(_, index)| index).ok_or_else(|| ExploreError::NoSource(source.to_owned()))
    }

    /// What a source says of a position. Of the games of the user, the one that is open is left out.
    pub fn look_up(
        &self,
        library: Option<&Library>,
        source: &str,
        question: &Question,
    ) -> Result<Answer, ExploreError> {
        let board = Board::from_fen(&question.fen)?;
        let kind = if question.is_chess960 { Kind::Chess960 } else { Kind::of_board(&board) };
        if source != MINE {
            return Ok(self.index(source)?.look_up(&board, kind)?);
        }
        let mut mine = self.mine.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = library {
            refresh(&mut mine, library)?;
        }
        Ok(mine.look_up(&board, kind, &question.open))
    }

    /// A game of an index, as PGN.
    pub fn game(&self, source: &str, game: &str) -> Result<String, ExploreError> {
        Ok(self.index(source)?.game(game)?)
    }
}

/// What is asked of a source.
pub(super) struct Question {
    pub fen: String,
    pub is_chess960: bool,
    /// The game of the user that is open.
    pub open: String,
}

/// Reads those games of the user that are new or have been changed. One that cannot be read is not among them.
fn refresh(mine: &mut Collection, library: &Library) -> Result<(), LibraryError> {
    let revisions = library.revisions()?;
    mine.retain(|id| revisions.contains_key(id));
    for (id, &revision) in revisions.iter().filter(|(id, revision)| !mine.has(id, **revision)).collect::<Vec<_>>() {
        let stored = Identity::new(id).and_then(|id| library.get(&id).ok());
        if let Some(Ok(game)) = stored.and_then(|stored| PgnReader::new(stored.pgn.as_bytes()).next()) {
            mine.put(id, revision, &game);
        }
    }
    Ok(())
}
