//! "My games": one PGN file a game in a folder of the user, and a bin beside it.
//!
//! The files are all there is: they may be copied, edited and added to with any other program. A list of what is in them is
//! kept beside them to be quick; it can be thrown away at any time. A revision is made from the contents of a file, so that
//! it needs no memory, changes by whatever means, and is equal in two programs that look at the same folder.

mod cache;
mod identity;
mod place;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use platform::OutputFile;
use serde::Serialize;

use self::cache::{Cache, Entry, MAX_GAME, examine, revision_of};
pub use self::identity::Identity;
pub(crate) use self::place::DataLock;
use self::place::{Place, file_name, free_name};
use crate::list::{Query, Sort};

/// The file of what the page keeps beside the games.
const SETTINGS: &str = "board.json";

/// For so long it is not looked again whether other programs have written into files.
const MOMENT: Duration = Duration::from_secs(1);

/// The games of a user.
pub struct Library {
    folder: PathBuf,
    games: Mutex<Cache>,
    bin: Mutex<Cache>,
}

/// A game of the list.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    pub id: String,
    #[serde(flatten)]
    pub entry: Entry,
}

/// A game in full.
#[derive(Clone, Debug, Serialize)]
pub struct Stored {
    pub id: String,
    pub revision: u64,
    pub pgn: String,
}

/// The games that can be read.
pub struct Revisions {
    /// A number that is another one whenever the games are others than before.
    pub generation: u64,
    /// Their names and revisions, the game changed last first.
    pub games: Vec<(String, u64)>,
}

/// What became of a game that was saved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Saved {
    pub id: String,
    pub revision: u64,
    /// The game that stayed as it was, since it was another than expected; this one is a second one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
}

/// Why something cannot be done with the games.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// There is no such game.
    #[error("there is no game {0:?}")]
    NoGame(String),
    /// No game can be called so.
    #[error("{0:?} cannot be the name of a game")]
    Name(String),
    /// There is nothing to save.
    #[error("the game is empty, and was not saved")]
    Empty,
    /// It is longer than any game is.
    #[error("the game has {0} bytes, more than {MAX_GAME}")]
    TooLong(u64),
    /// The folder cannot be read.
    #[error("the games cannot be read: {0}")]
    Read(#[source] io::Error),
    /// The game cannot be written; what was there is there still.
    #[error("the game could not be saved: {0}")]
    Write(#[source] io::Error),
    /// The game stays where it was.
    #[error("the game could not be moved: {0}")]
    Move(#[source] io::Error),
}

impl Library {
    /// The games in this folder, which is made when the first is saved. What a program that was killed left there half
    /// written is removed.
    pub fn new(folder: &Path) -> Self {
        for part in [folder.to_owned(), folder.join(Place::Games.folder()), folder.join(Place::Bin.folder())] {
            platform::remove_leftovers(&part);
        }
        let cache = |place: Place| Mutex::new(Cache::new(&folder.join(place.folder()), &folder.join(place.list())));
        Self { folder: folder.to_owned(), games: cache(Place::Games), bin: cache(Place::Bin) }
    }

    fn folder(&self, place: Place) -> PathBuf {
        self.folder.join(place.folder())
    }

    fn cache(&self, place: Place) -> MutexGuard<'_, Cache> {
        let cache = match place {
            Place::Games => &self.games,
            Place::Bin => &self.bin,
        };
        cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page of the games that are looked for, those changed last first, and how many there are.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn list(
        &self,
        is_of_bin: bool,
        query: &Query,
        sort: Sort,
        from: usize,
        count: usize,
    ) -> Result<(usize, Vec<Listed>), LibraryError> {
        let mut cache = self.cache(if is_of_bin { Place::Bin } else { Place::Games });
        cache.refresh().map_err(LibraryError::Read)?;
        Ok(cache.list(query, sort, from, count))
    }

    /// The games that can be read; `None` if they are the same as when their generation was `known`. What another program writes into a file may be
    /// overlooked for a moment; a game that comes or goes, or is saved by this one, never is.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn revisions(&self, known: Option<u64>) -> Result<Option<Revisions>, LibraryError> {
        let mut cache = self.cache(Place::Games);
        cache.refresh_after(MOMENT).map_err(LibraryError::Read)?;
        let generation = cache.generation();
        Ok((known != Some(generation)).then(|| Revisions { generation, games: cache.revisions().collect() }))
    }

    /// A game.
    ///
    /// # Errors
    ///
    /// If there is none, or it cannot be read.
    pub fn get(&self, id: &Identity) -> Result<Stored, LibraryError> {
        let bytes = self.read(Place::Games, id)?.ok_or_else(|| LibraryError::NoGame(id.to_string()))?;
        let (pgn, _) = pgn::text_of(io::Cursor::new(bytes.clone()))
            .map(|text| pgn::decode_text(text, MAX_GAME as usize))
            .map_err(LibraryError::Read)?;
        Ok(Stored { id: id.to_string(), revision: revision_of(&bytes), pgn })
    }

    /// The contents of a file; `None` if there is none.
    fn read(&self, place: Place, id: &Identity) -> Result<Option<Vec<u8>>, LibraryError> {
        let path = self.folder(place).join(file_name(id));
        match fs_err::metadata(&path) {
            Ok(metadata) if metadata.len() > MAX_GAME => Err(LibraryError::TooLong(metadata.len())),
            Ok(_) => fs_err::read(&path).map(Some).map_err(LibraryError::Read),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(LibraryError::Read(error)),
        }
    }

    /// Saves a game in place of the revision that it was made from, 0 for none. If another is there by now, or a file that
    /// holds more than the page can know, that one stays, and this becomes a second game.
    ///
    /// # Errors
    ///
    /// If it cannot be written. What was there stays as it was.
    pub fn put(&self, id: &Identity, revision: u64, pgn: &str) -> Result<Saved, LibraryError> {
        if pgn.trim().is_empty() {
            return Err(LibraryError::Empty);
        }
        if pgn.len() as u64 > MAX_GAME {
            return Err(LibraryError::TooLong(pgn.len() as u64));
        }
        let new = revision_of(pgn.as_bytes());
        let _lock = self.lock().map_err(LibraryError::Write)?;
        let _touched = Touched(self, id);
        let saved = |id: &Identity, forked_from| Saved { id: id.to_string(), revision: new, forked_from };
        let old = match self.read(Place::Games, id) {
            Ok(old) => old,
            // What cannot be read is not overwritten either.
            Err(_) => return self.fork(pgn).map(|second| saved(&second, Some(id.to_string()))),
        };
        match old {
            None => match self.write_new(id, pgn) {
                // By somebody who heeds no lock.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return self.fork(pgn).map(|second| saved(&second, Some(id.to_string())));
                }
                written => written.map_err(LibraryError::Write)?,
            },
            // Sent twice, since the first answer was lost.
            Some(old) if old == pgn.as_bytes() => {}
            Some(old) if revision_of(&old) == revision && examine(&old).1.is_one_game() => {
                let path = self.folder(Place::Games).join(file_name(id));
                platform::write_file(&path, pgn).map_err(LibraryError::Write)?;
            }
            Some(_) => return self.fork(pgn).map(|second| saved(&second, Some(id.to_string()))),
        }
        Ok(saved(id, None))
    }

    /// Saves a game under a name of its own.
    fn fork(&self, pgn: &str) -> Result<Identity, LibraryError> {
        let id = Identity::random().map_err(LibraryError::Write)?;
        self.write_new(&id, pgn).map_err(LibraryError::Write)?;
        Ok(id)
    }

    /// Writes a game where none is.
    fn write_new(&self, id: &Identity, pgn: &str) -> io::Result<()> {
        let mut file = OutputFile::create(&self.folder(Place::Games).join(file_name(id)))?;
        file.write_all(pgn.as_bytes())?;
        file.commit_new()
    }

    /// What the page has put there as its settings; an empty object if that is none.
    pub fn settings(&self) -> Vec<u8> {
        let kept = fs::read(self.folder.join(SETTINGS)).unwrap_or_default();
        let is_object = serde_json::from_slice::<serde_json::Map<_, _>>(&kept).is_ok();
        if is_object { kept } else { b"{}".to_vec() }
    }

    /// Keeps the settings of the page, an object in JSON.
    ///
    /// # Errors
    ///
    /// If they cannot be written. What was there stays as it was.
    pub fn put_settings(&self, settings: &[u8]) -> Result<(), LibraryError> {
        let _lock = self.lock().map_err(LibraryError::Write)?;
        platform::write_file(&self.folder.join(SETTINGS), settings).map_err(LibraryError::Write)
    }

    /// Keeps other programs from changing the games, and makes the folders.
    fn lock(&self) -> io::Result<DataLock> {
        fs_err::create_dir_all(self.folder(Place::Games))?;
        DataLock::take(&self.folder)
    }

    /// Moves a game into the bin. An older one of that name in it gets another.
    ///
    /// # Errors
    ///
    /// If there is no such game, or it cannot be moved.
    pub fn remove(&self, id: &Identity) -> Result<(), LibraryError> {
        let (from, bin) = (self.folder(Place::Games).join(file_name(id)), self.folder(Place::Bin));
        if !exists(&from) {
            return Err(LibraryError::NoGame(id.to_string()));
        }
        let _lock = self.lock().map_err(LibraryError::Move)?;
        let _touched = Touched(self, id);
        let to = bin.join(file_name(id));
        fs_err::create_dir_all(&bin).map_err(LibraryError::Move)?;
        if exists(&to) {
            fs_err::rename(&to, bin.join(file_name(&free_name(&bin, id)))).map_err(LibraryError::Move)?;
        }
        fs_err::rename(&from, &to).map_err(LibraryError::Move)
    }

    /// Brings a game back from the bin; under another name if its own is taken by now.
    ///
    /// # Errors
    ///
    /// If there is no such game in the bin, or it cannot be moved.
    pub fn restore(&self, id: &Identity) -> Result<Saved, LibraryError> {
        let (from, games) = (self.folder(Place::Bin).join(file_name(id)), self.folder(Place::Games));
        let bytes = self.read(Place::Bin, id)?.ok_or_else(|| LibraryError::NoGame(id.to_string()))?;
        let _lock = self.lock().map_err(LibraryError::Move)?;
        let _touched = Touched(self, id);
        let is_taken = exists(&games.join(file_name(id)));
        let name = if is_taken { Identity::random().map_err(LibraryError::Move)? } else { id.clone() };
        fs_err::rename(&from, games.join(file_name(&name))).map_err(LibraryError::Move)?;
        let forked_from = is_taken.then(|| id.to_string());
        Ok(Saved { id: name.to_string(), revision: revision_of(&bytes), forked_from })
    }
}

/// Makes the folders be looked through again after a game was changed in them, however that ends.
struct Touched<'a>(&'a Library, &'a Identity);

impl Drop for Touched<'_> {
    fn drop(&mut self) {
        [Place::Games, Place::Bin].into_iter().for_each(|place| self.0.cache(place).touch(&self.1.to_string()));
    }
}

/// Whether something is there, a link to nothing too.
fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

#[cfg(test)]
mod tests;
