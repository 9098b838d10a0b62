//! What has been found so far, on disk, so that an interrupted run can go on.
//!
//! Beside the output lies a file with a line for the settings of the run, then one for each finished [`Segment`], in
//! whatever order they came, under a key made of all moves up to it. A run that goes on starts from the beginning of the
//! file of games, but takes from here what it would search: so it writes what an uninterrupted run would. A line that is
//! incomplete, because the process was killed while writing it, does not count.
//!
//! Lines are looked up as the games come, and forgotten when they are taken. No segment was written before all games
//! that may be open before it were done, so those read in search of another are never many, whatever
//! the length of the file.

use std::collections::HashMap;
use std::fs::TryLockError;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use fs_err as fs;
use movegen::Move;
use search::{Bound, Found, FoundLine, Score};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::JournalError;
use crate::search::segment::Segment;

/// What a journal's first line holds besides the settings.
const VERSION: u32 = 1;
/// The longest first line, in bytes, that is taken for one.
const MAX_HEADER: u64 = 1 << 20;

/// How each begins.
const BEGINNING: &[u8] = b"{\"vancura_journal\":";

#[derive(Serialize, Deserialize)]
struct Header {
    vancura_journal: u32,
    settings: Value,
}

/// A segment's line.
#[derive(Serialize, Deserialize)]
struct SegmentLine {
    key: u64,
    found: Vec<Option<FoundText>>,
}

/// One search: depth, greatest depth, nodes and lines.
#[derive(Serialize, Deserialize)]
struct FoundText(u32, u32, u64, Vec<LineText>);

/// Score and moves, as the search has them, and which bound the score is: 0 for none, 1 a lower one, 2 an upper one.
#[derive(Serialize, Deserialize)]
struct LineText(i32, Vec<u16>, #[serde(default)] u8);

const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

/// The journal of a run.
pub(crate) struct Journal {
    path: PathBuf,
    file: fs::File,
    /// Where the lines of a segment begin, and their lengths: those read and not taken yet.
    places: HashMap<u64, Vec<(u64, usize)>>,
    /// How far the file has been read, and how far it goes that earlier runs wrote.
    read: Range<u64>,
    /// The length of the file.
    end: u64,
    is_new: bool,
}

impl Journal {
    /// Opens the journal at a path: a new one, or with `resumes` one that may be there.
    pub fn open(path: PathBuf, settings: Value, resumes: bool) -> Result<Self, JournalError> {
        match fs::OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => {
                let mut journal = Self { path, file, places: HashMap::new(), read: 0..0, end: 0, is_new: true };
                journal.lock()?;
                match journal.append(&Header { vancura_journal: VERSION, settings }) {
                    Ok(()) => Ok(journal),
                    Err(error) => {
                        // There is nothing in it to resume.
                        let _ = journal.remove();
                        Err(error)
                    }
                }
            }
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error.into()),
            Err(_) if resumes => Self::resume(path, settings),
            Err(_) => Err(JournalError::Exists { path }),
        }
    }

    fn resume(path: PathBuf, settings: Value) -> Result<Self, JournalError> {
        let file = fs::OpenOptions::new().read(true).write(true).open(&path)?;
        let mut journal = Self { path, file, places: HashMap::new(), read: 0..0, end: 0, is_new: false };
        journal.lock()?;
        let mut reader = BufReader::new(&journal.file);
        let mut line = Vec::new();
        let mut header = None;
        // What is no journal may have no ends of lines: a first line as long as that is not read to its end.
        let mut first = reader.by_ref().take(MAX_HEADER);
        first.read_until(b'\n', &mut line)?;
        while line.ends_with(b"\n") {
            if journal.end == 0 {
                header = serde_json::from_slice::<Header>(&line).ok();
                journal.read.start = line.len() as u64;
            }
            journal.end += line.len() as u64;
            line.clear();
            reader.read_until(b'\n', &mut line)?;
        }
        if journal.end == 0 {
            // Killed before the first line was whole: nothing is lost by beginning anew. Anything else is not ours.
            let length = line.len().min(BEGINNING.len());
            if line[..length] != BEGINNING[..length] {
                return Err(JournalError::Foreign { path: journal.path });
            }
            journal.file.set_len(0)?;
            journal.append(&Header { vancura_journal: VERSION, settings })?;
            return Ok(journal);
        }
        let path = journal.path.clone();
        match header {
            Some(header) if header.vancura_journal == VERSION => {
                let changes = changes(&header.settings, &settings);
                if !changes.is_empty() {
                    return Err(JournalError::Settings { path, changes: changes.join(", ") });
                }
            }
            _ => return Err(JournalError::Foreign { path }),
        }
        journal.file.set_len(journal.end)?;
        journal.read.end = journal.end;
        Ok(journal)
    }

    /// Keeps other processes from writing it, as long as it is open. Where the system has no locks there is none.
    fn lock(&self) -> Result<(), JournalError> {
        match self.file.file().try_lock() {
            Err(TryLockError::WouldBlock) => Err(JournalError::InUse { path: self.path.clone() }),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    /// Whether a segment was finished before this run, and has not been taken.
    fn knows(&mut self, key: u64) -> Result<bool, JournalError> {
        if self.places.contains_key(&key) || self.read.is_empty() {
            return Ok(self.places.contains_key(&key));
        }
        self.file.seek(SeekFrom::Start(self.read.start))?;
        let mut reader = BufReader::new(&self.file).take(self.read.end - self.read.start);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            let place = (self.read.start, line.len());
            self.read.start += line.len() as u64;
            let entry = serde_json::from_slice::<SegmentLine>(&line).ok();
            line.clear();
            let Some(entry) = entry else { continue };
            self.places.entry(entry.key).or_default().push(place);
            if entry.key == key {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes what was found in a segment, if it was finished before this run: once, for equal games each have their
    /// own. Its moves may be anything if the file was tampered with.
    pub fn take(&mut self, key: u64) -> Result<Option<Segment>, JournalError> {
        if !self.knows(key)? {
            return Ok(None);
        }
        let Some((start, length)) = self.forget(key) else { return Ok(None) };
        let mut line = vec![0; length];
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut line)?;
        let entry: Option<SegmentLine> = serde_json::from_slice(&line).ok();
        Ok(entry.and_then(|entry| {
            let found = entry.found.into_iter().map(|found| match found {
                Some(found) => found.read().map(Some),
                None => Some(None),
            });
            Some(Segment { found: found.collect::<Option<_>>()?, is_complete: true })
        }))
    }

    /// The first place of a segment's lines, which from now on has one less.
    fn forget(&mut self, key: u64) -> Option<(u64, usize)> {
        let places = self.places.get_mut(&key)?;
        let place = if places.is_empty() { None } else { Some(places.remove(0)) };
        if places.is_empty() {
            self.places.remove(&key);
        }
        place
    }

    /// Notes down a finished segment.
    pub fn add(&mut self, key: u64, segment: &Segment) -> Result<(), JournalError> {
        let found = segment.found.iter().map(|found| found.as_ref().map(FoundText::of)).collect();
        self.append(&SegmentLine { key, found })
    }

    /// Deletes the journal of a finished run.
    pub fn remove(self) -> Result<(), JournalError> {
        let Self { path, file, .. } = self;
        // Not every system removes what is open.
        drop(file);
        Ok(fs::remove_file(path)?)
    }

    /// Whether it was begun with this run.
    pub const fn is_new(&self) -> bool {
        self.is_new
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn append(&mut self, entry: &impl Serialize) -> Result<(), JournalError> {
        let mut line = serde_json::to_vec(entry).map_err(io::Error::from)?;
        line.push(b'\n');
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(&line) {
            // What keeps a line from being added does not keep a part of it from being taken away.
            let _ = self.file.set_len(self.end);
            return Err(error.into());
        }
        self.end += line.len() as u64;
        Ok(())
    }
}

impl FoundText {
    fn of(found: &Found) -> Self {
        let line = |line: &FoundLine| {
            let bound = BOUNDS.iter().position(|&bound| bound == line.bound).map_or(0, |index| index as u8);
            LineText(line.score.0, line.moves.iter().map(|mv| mv.bits()).collect(), bound)
        };
        Self(found.depth, found.seldepth, found.nodes, found.lines.iter().map(line).collect())
    }

    /// What was written down; `None` if a move or a bound is none.
    fn read(self) -> Option<Found> {
        let Self(depth, seldepth, nodes, lines) = self;
        let line = |LineText(score, moves, bound): LineText| {
            let moves = moves.into_iter().map(Move::from_bits).collect::<Option<_>>()?;
            Some(FoundLine { score: Score(score), bound: *BOUNDS.get(usize::from(bound))?, moves })
        };
        Some(Found { depth, seldepth, nodes, lines: lines.into_iter().map(line).collect::<Option<_>>()? })
    }
}

/// What differs between two settings, in words.
fn changes(then: &Value, now: &Value) -> Vec<String> {
    match (then, now) {
        (Value::Object(then), Value::Object(now)) => {
            let mut names: Vec<_> = then.keys().chain(now.keys()).collect();
            names.sort_unstable();
            names.dedup();
            let differences = names.into_iter().flat_map(|name| {
                let [then, now] = [then, now].map(|settings| settings.get(name).unwrap_or(&Value::Null));
                changes(then, now).into_iter().map(move |change| format!("{name} {change}"))
            });
            differences.collect()
        }
        (then, now) if then == now => Vec::new(),
        (then, now) => vec![format!("was {then} and is {now}")],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn segment(nodes: u64) -> Segment {
        let line =
            FoundLine { score: Score(-17), bound: Bound::Lower, moves: movegen::Board::start().legal_moves().to_vec() };
        Segment {
            found: vec![Some(Found { depth: 3, seldepth: 9, nodes, lines: vec![line] }), None],
            is_complete: true,
        }
    }

    fn found(journal: &mut Journal, key: u64) -> Option<Vec<Option<Found>>> {
        journal.take(key).unwrap().map(|segment| segment.found)
    }

    #[test]
    fn what_was_found_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pgn.partial");
        let mut journal = Journal::open(path.clone(), json!({"nodes": 9}), false).unwrap();
        for key in [7, u64::MAX, 0] {
            journal.add(key, &segment(key)).unwrap();
        }
        drop(journal);
        assert!(matches!(Journal::open(path.clone(), json!({"nodes": 9}), false), Err(JournalError::Exists { .. })));
        let mut journal = Journal::open(path.clone(), json!({"nodes": 9}), true).unwrap();
        assert_eq!(found(&mut journal, u64::MAX), Some(segment(u64::MAX).found));
        assert_eq!(found(&mut journal, 8), None);
        journal.add(8, &segment(8)).unwrap();
        drop(journal);
        let mut journal = Journal::open(path.clone(), json!({"nodes": 9}), true).unwrap();
        assert_eq!([7, 8].map(|key| found(&mut journal, key)), [7, 8].map(|key| Some(segment(key).found)));
        journal.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn each_line_is_taken_once_and_only_those_ahead_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut journal = Journal::open(path.clone(), json!({}), false).unwrap();
        for key in [1, 3, 2, 2, 4, 5] {
            journal.add(key, &segment(key)).unwrap();
        }
        drop(journal);
        let mut journal = Journal::open(path, json!({}), true).unwrap();
        for (key, is_found, kept) in
            [(1, true, 0), (2, true, 1), (3, true, 0), (2, true, 0), (2, false, 2), (5, true, 1)]
        {
            assert_eq!(journal.knows(key).unwrap(), is_found, "{key}");
            assert_eq!(found(&mut journal, key).is_some(), is_found, "{key}");
            assert_eq!(journal.places.len(), kept, "{key}");
            // What this run adds is not for itself.
            journal.add(9, &segment(9)).unwrap();
        }
        assert_eq!(found(&mut journal, 9), None);
    }

    #[test]
    fn a_file_cut_anywhere_keeps_its_whole_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut journal = Journal::open(path.clone(), json!({"nodes": 9}), false).unwrap();
        journal.add(1, &segment(1)).unwrap();
        journal.add(2, &segment(2)).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let ends: Vec<_> = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut journal = Journal::open(path.clone(), json!({"nodes": 9}), true).unwrap();
            assert_eq!(found(&mut journal, 1).is_some(), length >= ends[1], "{length}");
            assert_eq!(found(&mut journal, 2).is_some(), length >= ends[2], "{length}");
            journal.add(3, &segment(3)).unwrap();
            drop(journal);
            let mut journal = Journal::open(path.clone(), json!({"nodes": 9}), true).unwrap();
            assert_eq!(found(&mut journal, 3), Some(segment(3).found), "{length}");
        }
    }

    #[test]
    fn other_settings_and_other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        drop(Journal::open(path.clone(), json!({"limits": {"nodes": 9}, "multipv": 1}), false).unwrap());
        let error = Journal::open(path.clone(), json!({"limits": {"nodes": 10}, "multipv": 1}), true).err().unwrap();
        assert!(error.to_string().contains("(limits nodes was 9 and is 10)"), "{error}");
        for foreign in ["1. e4 e5\n", "1. e4 e5", "{", "{\"vancura\"", "{\"vancura_journal\"}", "\n", "{}\n{}"] {
            std::fs::write(&path, foreign).unwrap();
            let refused = matches!(Journal::open(path.clone(), json!({}), true), Err(JournalError::Foreign { .. }));
            // What a journal begins with may be the rest of one.
            assert_eq!(refused, !"{\"vancura_journal\":".starts_with(foreign), "{foreign:?}");
            if refused {
                assert_eq!(std::fs::read_to_string(&path).unwrap(), foreign, "and left as it is");
            }
        }
    }

    #[test]
    fn only_one_process_writes_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let journal = Journal::open(path.clone(), json!({}), false).unwrap();
        assert!(matches!(Journal::open(path.clone(), json!({}), true), Err(JournalError::InUse { .. })));
        drop(journal);
        assert!(Journal::open(path, json!({}), true).is_ok());
    }

    #[test]
    fn lines_that_hold_no_moves_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut journal = Journal::open(path.clone(), json!({}), false).unwrap();
        journal.append(&json!({"key": 1, "found": [[1, 1, 1, [[0, [0]]]]]})).unwrap();
        journal.append(&json!({"key": 2, "found": "nonsense"})).unwrap();
        drop(journal);
        let mut journal = Journal::open(path, json!({}), true).unwrap();
        assert_eq!([1, 2].map(|key| found(&mut journal, key)), [None, None]);
    }
}
