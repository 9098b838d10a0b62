//! Writing games so that a killed process loses none that had ended.
//!
//! The pool is a sequence of zstd frames (see [`crate::games::blocks`]), which compress well only when they hold many games.
//! So finished games go to a journal beside the pool at once, uncompressed; when it has grown enough, its games become
//! a frame of the pool and it starts anew. A journal left behind by a killed process is taken up by the next one.
//!
//! The journal begins with the pool's length without its games, in eight bytes, so that a frame written half or whole
//! is not written twice. Whatever else lies behind that length, others have joined to the pool, and it stays.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fs_err::{File, OpenOptions};

use crate::games::blocks::{BLOCK_LEN, write_block};
use crate::games::game::Game;

/// The longest pool in bytes, far above what disks hold: what claims a longer one is no journal, but a text, say.
const MAX_POOL: u64 = 1 << 48;

/// The length of a pool, in front of the games of its journal.
const HEADER_LEN: usize = size_of::<u64>();

/// A pool of games open for appending, by one process at a time.
pub(crate) struct Journal {
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
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let journal_path = journal_path(path);
        let open = |path: &Path| OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let (pool, mut journal) = (open(path)?, open(&journal_path)?);
        if journal.file().try_lock().is_err() {
            let text = format!("{} is being written by another process", path.display());
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, text));
        }

        let mut left = Vec::new();
        journal.read_to_end(&mut left)?;
        let mut this = Self { pool, journal, journal_path, pending: Vec::new(), written: 0 };
        if let Some((header, games)) = left.split_first_chunk() {
            let before = u64::from_le_bytes(*header);
            if before > MAX_POOL {
                let text = format!("{} is not a journal of games: rename it", this.journal_path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidData, text));
            }
            let before = before.min(this.pool.metadata()?.len());
            let games = whole_games(games).0;
            let tail = Tail::read(&mut this.pool, before, games)?;
            if tail == Tail::Torn {
                this.pool.file().set_len(before)?;
            }
            if tail != Tail::Frame {
                this.pending.extend_from_slice(games);
            }
        }
        this.flush()?;
        Ok(this)
    }

    /// The pool's length in bytes.
    pub(crate) const fn written(&self) -> u64 {
        self.written
    }

    /// Adds a game. If that fails, pool and journal hold what they held before.
    pub(crate) fn append(&mut self, game: &Game) -> io::Result<()> {
        let start = self.pending.len();
        game.encode(&mut self.pending);
        if let Err(error) = self.journal.write_all(&self.pending[start..]) {
            self.pending.truncate(start);
            // What keeps bytes from being added does not keep them from being taken away.
            let _ = self.journal.file().set_len((HEADER_LEN + start) as u64);
            let _ = self.journal.seek(SeekFrom::End(0));
            return Err(error);
        }
        if self.pending.len() >= BLOCK_LEN { self.flush() } else { Ok(()) }
    }

    /// Writes what is pending to the pool and ends the journal.
    pub(crate) fn close(mut self) -> io::Result<()> {
        self.flush()?;
        fs_err::remove_file(&self.journal_path)
    }

    /// Makes a frame of the journal's games and begins a new journal.
    fn flush(&mut self) -> io::Result<()> {
        // Perhaps not where the last frame ended: others may have joined games to the pool since.
        self.written = self.pool.seek(SeekFrom::End(0))?;
        if !self.pending.is_empty() {
            // If this process is killed now, the next one is to look for the frame behind those games.
            self.journal.seek(SeekFrom::Start(0))?;
            self.journal.write_all(&self.written.to_le_bytes())?;
            let frame = write_block(&mut self.pool, &self.pending).and_then(|()| self.pool.file().sync_data());
            if let Err(error) = frame {
                let _ = self.pool.file().set_len(self.written);
                let _ = self.journal.seek(SeekFrom::End(0));
                return Err(error);
            }
            self.written = self.pool.stream_position()?;
            self.pending.clear();
        }
        // Emptied before its header is new: with that, the games still there would become a second frame.
        self.journal.file().set_len(0)?;
        self.journal.seek(SeekFrom::Start(0))?;
        self.journal.write_all(&self.written.to_le_bytes())
    }
}

/// What a pool holds behind the length in a journal's header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tail {
    /// The frame of the journal's games, and whatever was joined to it.
    Frame,
    /// The beginning of that frame, or nothing.
    Torn,
    /// Something else: games from elsewhere, or a frame as another version of zstd writes it. If that one is torn,
    /// readers skip it; if it is whole, its games come twice, and [`prepare`](crate::records::prepare) takes them once.
    Foreign,
}

impl Tail {
    /// Compares what the pool holds behind `length` with the frame of `games`.
    fn read(pool: &mut File, length: u64, games: &[u8]) -> io::Result<Self> {
        let (mut frame, mut tail) = (Vec::new(), Vec::new());
        write_block(&mut frame, games)?;
        pool.seek(SeekFrom::Start(length))?;
        pool.take(frame.len() as u64).read_to_end(&mut tail)?;
        if tail == frame {
            Ok(Self::Frame)
        } else if frame.starts_with(&tail) {
            Ok(Self::Torn)
        } else {
            Ok(Self::Foreign)
        }
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
    let (Ok(left), Ok(mut pool)) = (fs_err::read(journal_path(path)), File::open(path)) else { return 0 };
    let Some((header, games)) = left.split_first_chunk() else { return 0 };
    let (games, count) = whole_games(games);
    let tail = Tail::read(&mut pool, u64::from_le_bytes(*header), games);
    if tail.is_ok_and(|tail| tail == Tail::Frame) { 0 } else { count }
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
    use crate::games::blocks::{read_games, write_games};
    use crate::records::synthetic::random_games;

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
    fn a_journal_torn_at_any_byte_keeps_its_whole_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pool");
        let games = random_games(8, 3);
        let mut ends = vec![HEADER_LEN];
        let mut journal = Journal::open(&path).unwrap();
        for game in &games {
            journal.append(game).unwrap();
            ends.push(HEADER_LEN + journal.pending.len());
        }
        drop(journal);
        let left = fs::read(journal_path(&path)).unwrap();
        for cut in 0..=left.len() {
            fs::write(&path, "").unwrap();
            fs::write(journal_path(&path), &left[..cut]).unwrap();
            Journal::open(&path).unwrap().close().unwrap();
            let whole = ends.iter().filter(|&&end| end <= cut).count().saturating_sub(1);
            assert_eq!(games_in(&path), games[..whole], "{cut} bytes");
        }
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
            let pending = if length == whole.len() { 0 } else { games.len() };
            assert_eq!(pending_games(&path), pending, "{length} bytes of the frame");
            Journal::open(&path).unwrap().close().unwrap();
            assert_eq!(games_in(&path), games, "{length} bytes of the frame");
        }
    }

    /// The bytes of a pool from elsewhere, and its games.
    fn elsewhere(seed: u64) -> (Vec<u8>, Vec<Game>) {
        let (mut bytes, games) = (Vec::new(), random_games(seed, 8));
        write_games(&mut bytes, &games).unwrap();
        (bytes, games)
    }

    fn join(path: &Path, bytes: &[u8]) {
        OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
    }

    #[test]
    fn games_joined_to_the_pool_of_a_killed_process_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pool");
        let (first, games, (other, others)) = (random_games(7, 5), random_games(8, 12), elsewhere(9));
        let mut journal = Journal::open(&path).unwrap();
        first.iter().for_each(|game| journal.append(game).unwrap());
        journal.flush().unwrap();
        let before = fs::read(&path).unwrap();
        games.iter().for_each(|game| journal.append(game).unwrap());
        let left = fs::read(journal_path(&path)).unwrap();
        journal.flush().unwrap();
        drop(journal);
        let frame = fs::read(&path).unwrap().split_off(before.len());
        // Another version of the library may compress the same games to other bytes.
        let other_frame = zstd::bulk::compress(&left[8..], 1).unwrap();
        assert_ne!(other_frame, frame);
        let torn = other_frame.len() / 2;
        for (own, is_whole) in [
            (&frame[..0], false),
            (&frame[..1], false),
            (&frame[..frame.len() / 2], false),
            (&frame[..], true),
            (&other_frame[..torn], false),
        ] {
            fs::write(&path, [&before[..], own, &other].concat()).unwrap();
            fs::write(journal_path(&path), &left).unwrap();
            let case = format!("{} bytes of a frame", own.len());
            assert_eq!(pending_games(&path), if is_whole { 0 } else { games.len() }, "{case}");
            Journal::open(&path).unwrap().close().unwrap();
            let expected =
                if is_whole { [&first[..], &games, &others].concat() } else { [&first[..], &others, &games].concat() };
            let read: Vec<_> = read_games(&path).unwrap().filter_map(Result::ok).collect();
            assert_eq!(read, expected, "{case}");
        }
        // Nothing joined, but a torn frame that is not recognised: a damaged part before the games that it was to hold.
        fs::write(&path, [&before[..], &other_frame[..torn]].concat()).unwrap();
        fs::write(journal_path(&path), &left).unwrap();
        Journal::open(&path).unwrap().close().unwrap();
        let (read, damages): (Vec<_>, Vec<_>) = read_games(&path).unwrap().partition(Result::is_ok);
        assert!(read.into_iter().map(Result::unwrap).eq([&first[..], &games].concat()));
        assert_eq!(damages.len(), 1, "{damages:?}");
    }

    #[test]
    fn games_joined_to_the_pool_of_a_running_process_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pool");
        let games = random_games(10, 20);
        let [(one, ones), (two, twos)] = [elsewhere(11), elsewhere(12)];
        let mut journal = Journal::open(&path).unwrap();
        games[..9].iter().for_each(|game| journal.append(game).unwrap());
        join(&path, &one);
        journal.flush().unwrap();
        games[9..].iter().for_each(|game| journal.append(game).unwrap());
        join(&path, &two);
        assert_eq!(pending_games(&path), 11);
        journal.close().unwrap();
        assert_eq!(games_in(&path), [&ones[..], &games[..9], &twos, &games[9..]].concat());
    }

    #[test]
    fn a_process_killed_while_it_writes_behind_joined_games_writes_no_game_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pool");
        let (games, (other, others)) = (random_games(13, 12), elsewhere(14));
        let mut frame = Vec::new();
        write_games(&mut frame, &games).unwrap();
        for length in [0, 1, frame.len() / 2, frame.len()] {
            fs::write(&path, "").unwrap();
            let mut journal = Journal::open(&path).unwrap();
            games.iter().for_each(|game| journal.append(game).unwrap());
            join(&path, &other);
            // As if killed after this many bytes: the rest cannot be written.
            journal.pool = File::open(&path).unwrap();
            assert!(journal.flush().is_err());
            drop(journal);
            join(&path, &frame[..length]);
            Journal::open(&path).unwrap().close().unwrap();
            assert_eq!(games_in(&path), [&others[..], &games].concat(), "{length} bytes of the frame");
        }
    }

    #[test]
    fn a_pool_that_has_lost_its_end_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pool");
        let games = random_games(15, 6);
        let mut journal = Journal::open(&path).unwrap();
        games[..3].iter().for_each(|game| journal.append(game).unwrap());
        journal.flush().unwrap();
        games[3..].iter().for_each(|game| journal.append(game).unwrap());
        drop(journal);
        fs::write(&path, "").unwrap();
        assert_eq!(pending_games(&path), 3);
        Journal::open(&path).unwrap().close().unwrap();
        assert_eq!(games_in(&path), games[3..]);
    }

    #[test]
    fn what_is_no_journal_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pool");
        fs::write(journal_path(&path), "Dear diary, today").unwrap();
        let error = Journal::open(&path).err().unwrap().to_string();
        assert!(error.contains("pool.journal is not a journal of games"), "{error}");
        assert_eq!(fs::read(journal_path(&path)).unwrap(), b"Dear diary, today");
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
