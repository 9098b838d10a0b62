//! What was played from a position: in the games of the user, which are read into memory when somebody first asks, and in the
//! indices that the command line names.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use explorer::{Answer, Collection, Index, IndexError, Kind};
use movegen::{Board, FenError};
use pgn::PgnReader;
use serde::Serialize;

use crate::library::{Identity, Library, LibraryError, Revisions};

/// The source that the games of the user are.
const MINE: &str = "mine";

/// All sources of answers.
pub(super) struct Explorers {
    mine: Mutex<Mine>,
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
    pub fn look_up(&self, library: Option<&Library>, source: &str, question: &Question) -> Result<Found, ExploreError> {
        let board = Board::from_fen(&question.fen)?;
        let kind = if question.is_chess960 { Kind::Chess960 } else { Kind::of_board(&board) };
        if source != MINE {
            return Ok(Found { answer: self.index(source)?.look_up(&board, kind)?, left_out: 0 });
        }
        let mut mine = self.mine.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = library {
            mine.refresh(library)?;
        }
        Ok(Found { answer: mine.games.look_up(&board, kind, &question.open), left_out: mine.left_out() })
    }

    /// A game of an index, as PGN.
    pub fn game(&self, source: &str, game: &str) -> Result<String, ExploreError> {
        Ok(self.index(source)?.game(game)?)
    }
}

/// What a source says of a position.
#[derive(Serialize)]
pub(super) struct Found {
    #[serde(flatten)]
    answer: Answer,
    /// How many games of the user are not among them, since there was no room in memory.
    left_out: usize,
}

/// What is asked of a source.
pub(super) struct Question {
    pub fen: String,
    pub is_chess960: bool,
    /// The game of the user that is open.
    pub open: String,
}

/// The games of the user, as they were read.
#[derive(Default)]
struct Mine {
    games: Collection,
    /// The number that the library had for its games then.
    generation: Option<u64>,
    /// Games that are not among them, with their revisions, so that they are not read again and again.
    missing: HashMap<String, (u64, Why)>,
}

/// Why a game is missing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    Unreadable,
    NoRoom,
}

impl Mine {
    /// Reads those games that are new or have been changed, the one changed last first.
    fn refresh(&mut self, library: &Library) -> Result<(), LibraryError> {
        let Some(Revisions { generation, games }) = library.revisions(self.generation)? else { return Ok(()) };
        let names: HashSet<_> = games.iter().map(|(id, _)| &id[..]).collect();
        let count = self.games.len();
        self.games.retain(|id| names.contains(id));
        let has_more_room = self.games.len() < count;
        self.missing.retain(|id, &mut (_, why)| names.contains(&id[..]) && !(has_more_room && why == Why::NoRoom));
        for (id, revision) in &games {
            if self.games.has(id, *revision) || self.missing.get(id).is_some_and(|missing| missing.0 == *revision) {
                continue;
            }
            self.missing.remove(id);
            let stored = Identity::new(id).and_then(|id| library.get(&id).ok());
            match stored.and_then(|stored| PgnReader::new(stored.pgn.as_bytes()).next()?.ok()) {
                Some(game) if self.games.put(id, *revision, &game) => {}
                Some(_) => self.leave_out(id, *revision, Why::NoRoom),
                None => self.leave_out(id, *revision, Why::Unreadable),
            }
        }
        self.generation = Some(generation);
        Ok(())
    }

    fn leave_out(&mut self, id: &str, revision: u64, why: Why) {
        self.games.remove(id);
        self.missing.insert(id.to_owned(), (revision, why));
    }

    /// For how many games there was no room.
    fn left_out(&self) -> usize {
        self.missing.values().filter(|missing| missing.1 == Why::NoRoom).count()
    }
}
