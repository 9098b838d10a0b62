//! Writing games so that a killed process loses none that had ended.
//!
//! The pool is a sequence of zstd frames (see [`crate::blocks`]), which compress well only when they hold many games.
//! So finished games go to a journal beside the pool at once, uncompressed; when it has grown enough, its games become
//! a frame of the pool and it starts anew. A journal left behind by a killed process is taken up by the next one.
//!
//! The journal begins with the pool's length without its games, in eight bytes, so that a frame written half or whole
//! is not written twice.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fs_err::{File, OpenOptions};

use crate::blocks::write_block;
use crate::game::Game;

/// Bytes of games that make a frame.
const BLOCK_LEN: usize = 1 << 20;

/// A pool of games open for appending, by one process at a time.
pub(super) struct Journal {
    pool: File,
    journal: File,
    journal_path: PathBuf,
    /// Games in the journal, encoded.
    pending: Vec<u8>,
    /// The pool's length.
    written: u64,
}

impl Journal {
    /// Opens or creates the pool at `path`, and takes up what an earlier process left.
    ///
    /// # Errors
    ///
    /// If files cannot be opened, or another process has the pool open.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let journal_path = journal_path(path);
        let open = |path: &Path| OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let (mut pool, mut journal) = (open(path)?, open(&journal_path)?);
        if journal.file().try_lock().is_err() {
            let text = format!("{} is being written by another process", path.display());
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, text));
        }

        let mut left = Vec::new();
        journal.read_to_end(&mut left)?;
        let mut written = pool.seek(SeekFrom::End(0))?;
        let mut pending = Vec::new();
        if let Some((header, games)) = left.split_first_chunk() {
            // Whatever the pool holds beyond this length is the frame of these same games.
            let before = u64::from_le_bytes(*header).min(written);
            pool.file().set_len(before)?;
            written = before;
            pending.extend_from_slice(whole_games(games).0);
        }
        let mut this = Self { pool, journal, journal_path, pending, written };
        this.flush()?;
        Ok(this)
    }

    /// The pool's length in bytes.
    pub(super) const fn written(&self) -> u64 {
        self.written
    }

    /// Adds a game.
    pub(super) fn append(&mut self, game: &Game) -> io::Result<()> {
        let start = self.pending.len();
        game.encode(&mut self.pending);
        self.journal.write_all(&self.pending[start..])?;
        if self.pending.len() >= BLOCK_LEN { self.flush() } else { Ok(()) }
    }

    /// Writes what is pending to the pool and ends the journal.
    pub(super) fn close(mut self) -> io::Result<()> {
        self.flush()?;
        fs_err::remove_file(&self.journal_path)
    }

    /// Makes a frame of the journal's games and begins a new journal.
    fn flush(&mut self) -> io::Result<()> {
        if !self.pending.is_empty() {
            self.pool.seek(SeekFrom::Start(self.written))?;
            write_block(&mut self.pool, &self.pending)?;
            self.pool.file().sync_data()?;
            self.written = self.pool.stream_position()?;
            self.pending.clear();
        }
        // Emptied before its header is new: with that, the games still there would become a second frame.
        self.journal.file().set_len(0)?;
        self.journal.seek(SeekFrom::Start(0))?;
        self.journal.write_all(&self.written.to_le_bytes())
    }
}

/// The journal of the pool at `path`.
fn journal_path(path: &Path) -> PathBuf {
    let mut journal = path.as_os_str().to_owned();
    journal.push(".journal");
    PathBuf::from(journal)
}

/// Games that have ended but are not in the pool at `path` yet, as long as a process plays or after one was killed;
/// none if that cannot be told.
pub(crate) fn pending_games(path: &Path) -> usize {
    let (Ok(left), Ok(pool)) = (fs_err::read(journal_path(path)), fs_err::metadata(path)) else { return 0 };
    match left.split_first_chunk() {
        // A longer pool holds the frame of these same games already.
        Some((header, games)) if pool.len() <= u64::from_le_bytes(*header) => whole_games(games).1,
        _ => 0,
    }
}

/// The games in front of a torn end, and how many they are.
fn whole_games(bytes: &[u8]) -> (&[u8], usize) {
    let (mut rest, mut count) = (bytes, 0);
    while !rest.is_empty() && Game::decode(&mut rest).is_ok() {
        count += 1;
    }
    (&bytes[..bytes.len() - rest.len()], count)
}

#[cfg(test)]
mod tests {
    use fs_err as fs;

    use super::*;
    use crate::blocks::read_games;
    use crate::synthetic::random_games;

    fn games_in(path: &Path) -> Vec<Game> {
        read_games(path).unwrap().map(|game| game.unwrap()).collect()
    }

    #[test]
    fn games_are_appended_across_processes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pool");
        let games = random_games(3, 30);
        for part in games.chunks(7) {
            let mut journal = Journal::open(&path).unwrap();
            part.iter().for_each(|game| journal.append(game).unwrap());
            journal.close().unwrap();
        }
        assert_eq!(games_in(&path), games);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no journal stays behind");
    }

    #[test]
    fn a_killed_process_loses_no_finished_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pool");
        let games = random_games(4, 20);
        let mut journal = Journal::open(&path).unwrap();
        games.iter().for_each(|game| journal.append(game).unwrap());
        // Dropped without being closed, as a killed process leaves it, with a torn write at the end.
        journal.journal.write_all(&[1, 2, 3]).unwrap();
        drop(journal);
        assert!(games_in(&path).is_empty());
        assert_eq!(pending_games(&path), games.len());
        Journal::open(&path).unwrap().close().unwrap();
        assert_eq!(games_in(&path), games);
        assert_eq!(pending_games(&path), 0);
    }

    #[test]
    fn a_process_killed_while_it_begins_a_journal_writes_no_game_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pool");
        let games = random_games(6, 12);
        let mut journal = Journal::open(&path).unwrap();
        games.iter().for_each(|game| journal.append(game).unwrap());
        journal.flush().unwrap();
        drop(journal);
        let begun = fs::read(journal_path(&path)).unwrap();
        assert_eq!(begun, fs::metadata(&path).unwrap().len().to_le_bytes());
        for length in 0..=begun.len() {
            fs::write(journal_path(&path), &begun[..length]).unwrap();
            assert_eq!(pending_games(&path), 0);
            Journal::open(&path).unwrap().close().unwrap();
            assert_eq!(games_in(&path), games, "{length} bytes of the journal");
        }
    }

    #[test]
    fn a_process_killed_between_frame_and_journal_writes_no_game_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pool");
        let journal_path = folder.path().join("pool.journal");
        let games = random_games(5, 12);
        let mut journal = Journal::open(&path).unwrap();
        games.iter().for_each(|game| journal.append(game).unwrap());
        let left = fs::read(&journal_path).unwrap();
        journal.flush().unwrap();
        drop(journal);
        let whole = fs::read(&path).unwrap();
        for length in [whole.len(), whole.len() / 2, 1] {
            fs::write(&path, &whole[..length]).unwrap();
            fs::write(&journal_path, &left).unwrap();
            assert_eq!(pending_games(&path), 0, "{length} bytes of the frame");
            Journal::open(&path).unwrap().close().unwrap();
            assert_eq!(games_in(&path), games, "{length} bytes of the frame");
        }
    }

    #[test]
    fn two_processes_cannot_write_one_pool() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pool");
        let first = Journal::open(&path).unwrap();
        assert!(Journal::open(&path).err().is_some_and(|error| error.to_string().contains("another process")));
        first.close().unwrap();
        assert!(Journal::open(&path).is_ok());
    }
}
