//! Reviews of games: `vancura analyse` in a process of its own, which goes on when the page is closed, and what it has found,
//! which is kept beside the games.
//!
//! A page sends the game and how much to search. It names no file and no program.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use fs_err as fs;
use pgn::PgnReader;
use platform::write_file;
use serde::{Deserialize, Serialize};

use crate::library::Identity;

/// The folder in that of the user's data.
const FOLDER: &str = "reviews";
/// The most reviews at a time: each uses all cores.
const MAX_RUNNING: usize = 2;
/// Nodes a position that a page may ask for.
const NODES: RangeInclusive<u64> = 1_000..=100_000_000;
/// So many positions are told of at once by `analyse`.
const SEGMENT: usize = 8;
/// The most bytes of a result, and of the log of a run.
const MAX_RESULT: u64 = 256 << 20;
const MAX_LOG: u64 = 1 << 20;

/// All reviews of a user.
pub(super) struct Reviews {
    folder: Option<PathBuf>,
    /// Options for every run.
    options: Vec<std::ffi::OsString>,
    running: Mutex<Vec<Running>>,
}

struct Running {
    id: Identity,
    process: Child,
    positions: usize,
}

/// What a page asks for.
#[derive(Deserialize)]
pub(super) struct Order {
    /// The game.
    pub pgn: String,
    /// Nodes a position.
    pub nodes: u64,
}

/// How far a review is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub(super) enum Progress {
    /// There is none.
    None,
    /// So many of the positions are done.
    Running { done: usize, total: usize },
    /// It came so far when something ended it, and can go on from there.
    Interrupted { done: usize, total: usize },
    /// It can be read.
    Done,
    /// It has ended without a result.
    Failed { reason: String },
}

/// A review that is done.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub(super) struct Done {
    /// Of the game.
    id: String,
    /// When it was done, in milliseconds since 1970.
    changed: u64,
}

/// Why a review cannot be begun or read.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReviewError {
    #[error("there is no folder for reviews; name one with --data")]
    NoFolder,
    #[error("there is no review of this game")]
    NoReview,
    #[error("{MAX_RUNNING} reviews are running; wait for one to end")]
    Busy,
    #[error("another program is reviewing this game; wait for it to end")]
    Elsewhere,
    #[error("there is nothing to go on with")]
    NothingBegun,
    #[error("there is no game to review")]
    NoGame,
    #[error("a review takes from {} to {} nodes a position", NODES.start(), NODES.end())]
    Nodes,
    #[error("the review cannot be kept: {0}")]
    Write(#[source] io::Error),
    #[error("the review cannot be read: {0}")]
    Read(#[source] io::Error),
    #[error("the analysis cannot be started: {0}")]
    Start(#[source] io::Error),
}

/// The files of a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// The game as it was when the review was begun.
    Game,
    /// What was found, for the page.
    Result,
    /// The same as a page of its own.
    Report,
    /// What the analysis has said.
    Log,
    /// What an interrupted run has found.
    Journal,
}

impl Part {
    const fn ending(self) -> &'static str {
        match self {
            Self::Game => "pgn",
            Self::Result => "json",
            Self::Report => "html",
            Self::Log => "log",
            Self::Journal => "json.partial",
        }
    }
}

impl Reviews {
    /// The reviews in the folder of the user's data.
    pub fn new(folder: Option<&Path>, syzygy: Option<&std::ffi::OsStr>) -> Self {
        let options = syzygy.into_iter().flat_map(|folders| ["--syzygy".into(), folders.to_owned()]).collect();
        let folder = folder.map(|folder| folder.join(FOLDER));
        if let Some(folder) = &folder {
            platform::remove_leftovers(folder);
        }
        Self { folder, options, running: Mutex::default() }
    }

    fn path(&self, id: &Identity, part: Part) -> Result<PathBuf, ReviewError> {
        let folder = self.folder.as_ref().ok_or(ReviewError::NoFolder)?;
        Ok(folder.join(format!("{id}.{}", part.ending())))
    }

    /// Those that run, without those that have ended.
    fn running(&self) -> MutexGuard<'_, Vec<Running>> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain_mut(|each| matches!(each.process.try_wait(), Ok(None)));
        running
    }

    /// The reviews that are done.
    pub fn done(&self) -> Result<Vec<Done>, ReviewError> {
        let Some(folder) = &self.folder else { return Err(ReviewError::NoFolder) };
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(ReviewError::Read)?,
        };
        let done = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            let id = Identity::new(name.strip_suffix(&format!(".{}", Part::Result.ending()))?)?.to_string();
            let changed = entry.metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
            Some(Done { id, changed: u64::try_from(changed.as_millis()).ok()? })
        };
        let mut all: Vec<_> = entries.flatten().filter_map(done).collect();
        all.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(all)
    }

    /// Whether any runs.
    pub fn is_busy(&self) -> bool {
        !self.running().is_empty()
    }

    /// How far the review of a game is.
    pub fn progress(&self, id: &Identity) -> Result<Progress, ReviewError> {
        // Nobody begins one while its journal is looked at.
        let running = self.running();
        let total = running.iter().find(|each| each.id == *id).map(|each| each.positions);
        let journal = self.path(id, Part::Journal)?;
        if let Some(total) = total {
            return Ok(Progress::Running { done: done(&journal, total), total });
        }
        // The journal goes last: with one, what else is there may not be all.
        let has_journal = journal.is_file();
        if !has_journal && self.path(id, Part::Result)?.is_file() {
            return Ok(Progress::Done);
        }
        if has_journal && is_locked(&journal) {
            // Of a program that was killed: its analysis goes on.
            let total = self.begun(id).map_or(0, |order| positions(&order.pgn).unwrap_or(0));
            return Ok(Progress::Running { done: done(&journal, total), total });
        }
        let log = read(&self.path(id, Part::Log)?, MAX_LOG).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        if let Some(reason) = log.lines().rev().map(str::trim).find(|line| !line.is_empty()).filter(is_fault) {
            return Ok(Progress::Failed { reason: reason.to_owned() });
        }
        let total = self.begun(id).and_then(|order| positions(&order.pgn));
        Ok(total.map_or(Progress::None, |total| Progress::Interrupted { done: done(&journal, total), total }))
    }

    /// What was asked for when the review of a game was begun.
    fn begun(&self, id: &Identity) -> Option<Order> {
        let game = read(&self.path(id, Part::Game).ok()?, MAX_RESULT).ok()?;
        Order::read(&String::from_utf8(game).ok()?)
    }

    /// Goes on with a review that was interrupted: the game and the nodes are those of then.
    pub fn resume(&self, id: &Identity) -> Result<Progress, ReviewError> {
        match self.progress(id)? {
            Progress::Interrupted { .. } => self.start(id, &self.begun(id).ok_or(ReviewError::NothingBegun)?),
            running @ Progress::Running { .. } => Ok(running),
            _ => Err(ReviewError::NothingBegun),
        }
    }

    /// Begins a review, or goes on with one that was interrupted; one that runs already goes on.
    pub fn start(&self, id: &Identity, order: &Order) -> Result<Progress, ReviewError> {
        if !NODES.contains(&order.nodes) {
            return Err(ReviewError::Nodes);
        }
        let positions = positions(&order.pgn).ok_or(ReviewError::NoGame)?;
        let [game, result, report, log, journal] =
            [Part::Game, Part::Result, Part::Report, Part::Log, Part::Journal].map(|part| self.path(id, part));
        let (game, result, report, log, journal) = (game?, result?, report?, log?, journal?);
        let mut running = self.running();
        if running.iter().any(|each| each.id == *id) {
            drop(running);
            return self.progress(id);
        }
        if is_locked(&journal) {
            return Err(ReviewError::Elsewhere);
        }
        if running.len() >= MAX_RUNNING {
            return Err(ReviewError::Busy);
        }
        fs::create_dir_all(game.parent().unwrap_or(&game)).map_err(ReviewError::Write)?;
        // Of the same game what was found is taken up; `analyse` refuses it for other settings.
        let text = order.write(&self.options);
        let is_same = fs::read_to_string(&game).is_ok_and(|known| known == text);
        if !is_same {
            remove(&journal).map_err(ReviewError::Write)?;
        }
        [&result, &report].into_iter().try_for_each(|path| remove(path)).map_err(ReviewError::Write)?;
        write_file(&game, text).map_err(ReviewError::Write)?;
        let told = File::create(&log).map_err(ReviewError::Write)?;
        let mut command = Command::new(std::env::current_exe().map_err(ReviewError::Start)?);
        command.arg("analyse").arg(&game).arg("--json").arg(&result).arg("--html").arg(&report);
        command.args(["--nodes", &order.nodes.to_string(), "--multipv", "2", "--resume"]).args(&self.options);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(told);
        set_apart(&mut command);
        let process = command.spawn().map_err(ReviewError::Start)?;
        running.push(Running { id: id.clone(), process, positions });
        Ok(Progress::Running { done: 0, total: positions })
    }

    /// Ends a review, and forgets what it has found.
    pub fn remove(&self, id: &Identity) -> Result<(), ReviewError> {
        let mut running = self.running();
        if let Some(place) = running.iter().position(|each| each.id == *id) {
            end(running.swap_remove(place));
        }
        if is_locked(&self.path(id, Part::Journal)?) {
            return Err(ReviewError::Elsewhere);
        }
        for part in [Part::Game, Part::Result, Part::Report, Part::Log, Part::Journal] {
            remove(&self.path(id, part)?).map_err(ReviewError::Write)?;
        }
        Ok(())
    }

    /// A file of a review that is done.
    pub fn read(&self, id: &Identity, part: Part) -> Result<Vec<u8>, ReviewError> {
        read(&self.path(id, part)?, MAX_RESULT).map_err(|error| match error.kind() {
            ErrorKind::NotFound => ReviewError::NoReview,
            _ => ReviewError::Read(error),
        })
    }

    /// Ends all that run. What they have found is kept, and the same review goes on from there.
    pub fn end(&self) {
        self.running().drain(..).for_each(end);
    }
}

impl Order {
    /// As it is kept: all that the analysis depends on in the first line, below it the game.
    fn write(&self, options: &[std::ffi::OsString]) -> String {
        let version = env!("CARGO_PKG_VERSION");
        format!("% {} nodes, Vancura {version} {options:?}\n{}", self.nodes, self.pgn)
    }

    fn read(text: &str) -> Option<Self> {
        let (first, pgn) = text.split_once('\n')?;
        let nodes = first.strip_prefix("% ")?.split(' ').next()?.parse().ok()?;
        Some(Self { pgn: pgn.to_owned(), nodes })
    }
}

/// Ctrl-C in the terminal of this program is for this program, which ends the analysis when it ends itself.
fn set_apart(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(command, 0x0000_0200);
    #[cfg(not(any(unix, windows)))]
    let _ = command;
}

/// How many positions of a run its journal has, of so many.
fn done(journal: &Path, total: usize) -> usize {
    let journal = fs::read(journal).unwrap_or_default();
    // The first line has the settings.
    let lines = journal.iter().filter(|byte| **byte == b'\n').count().saturating_sub(1);
    (lines * SEGMENT).min(total)
}

/// Whether the last line of a log says why a run cannot go on. It may also be a warning, or say that somebody has ended it.
fn is_fault(line: &&str) -> bool {
    line.strip_prefix("error: ").is_some_and(|text| !text.starts_with("interrupted"))
}

/// Whether a process is writing a journal.
fn is_locked(journal: &Path) -> bool {
    File::open(journal).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

fn end(mut running: Running) {
    let _ = running.process.kill();
    let _ = running.process.wait();
}

/// How many positions the first game of a text has; `None` if there is no game with moves.
fn positions(pgn: &str) -> Option<usize> {
    let game = PgnReader::new(pgn.as_bytes()).next()?.ok()?;
    let moves = game.tree.main_moves().count();
    (moves > 0).then_some(moves + 1)
}

fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if fs::metadata(path)?.len() > limit {
        return Err(io::Error::new(ErrorKind::FileTooLarge, "it is too long"));
    }
    fs::read(path)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_is_told_by_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let reviews = Reviews::new(Some(folder.path()), None);
        let id = Identity::new("game").unwrap();
        assert_eq!(reviews.progress(&id).unwrap(), Progress::None);
        assert!(reviews.done().unwrap().is_empty());
        assert!(matches!(reviews.read(&id, Part::Result), Err(ReviewError::NoReview)));
        let path = |part| reviews.path(&id, part).unwrap();
        std::fs::create_dir(folder.path().join(FOLDER)).unwrap();
        std::fs::write(path(Part::Log), "1 game\nerror: the disk is full\n\n").unwrap();
        let reason = "error: the disk is full".to_owned();
        assert_eq!(reviews.progress(&id).unwrap(), Progress::Failed { reason });
        std::fs::remove_file(path(Part::Log)).unwrap();
        std::fs::write(path(Part::Result), "{}").unwrap();
        assert_eq!(reviews.progress(&id).unwrap(), Progress::Done);
        assert_eq!(reviews.read(&id, Part::Result).unwrap(), b"{}");
        let done = reviews.done().unwrap();
        assert!(done.len() == 1 && done[0].id == "game" && done[0].changed > 0, "{done:?}");
        reviews.remove(&id).unwrap();
        assert_eq!(reviews.progress(&id).unwrap(), Progress::None);
        assert!(!reviews.is_busy());
    }

    #[test]
    fn a_review_that_was_interrupted_is_told_from_one_that_runs_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let reviews = Reviews::new(Some(folder.path()), None);
        let id = Identity::new("game").unwrap();
        assert!(matches!(reviews.resume(&id), Err(ReviewError::NothingBegun)));
        let path = |part| reviews.path(&id, part).unwrap();
        std::fs::create_dir(folder.path().join(FOLDER)).unwrap();
        let order = Order { pgn: "1. e4 e5 2. Nf3 *\n".to_owned(), nodes: 5000 };
        std::fs::write(path(Part::Game), order.write(&["--syzygy".into()])).unwrap();
        std::fs::write(path(Part::Log), "").unwrap();
        let begun = reviews.begun(&id).unwrap();
        assert_eq!((begun.nodes, begun.pgn), (5000, order.pgn));
        assert_eq!(reviews.progress(&id).unwrap(), Progress::Interrupted { done: 0, total: 4 });
        // A result may be written when the page of it is not.
        std::fs::write(path(Part::Journal), "{}\n{}\n").unwrap();
        std::fs::write(path(Part::Result), "{}").unwrap();
        assert_eq!(reviews.progress(&id).unwrap(), Progress::Interrupted { done: 4, total: 4 });
        let journal = File::open(path(Part::Journal)).unwrap();
        journal.lock().unwrap();
        assert_eq!(reviews.progress(&id).unwrap(), Progress::Running { done: 4, total: 4 });
        assert_eq!(reviews.resume(&id).unwrap(), Progress::Running { done: 4, total: 4 });
        assert!(matches!(reviews.remove(&id), Err(ReviewError::Elsewhere)));
        drop(journal);
        for log in ["warning: a table is damaged\n", "error: interrupted; --resume goes on\n"] {
            std::fs::write(path(Part::Log), log).unwrap();
            assert!(matches!(reviews.progress(&id).unwrap(), Progress::Interrupted { .. }), "{log}");
        }
        std::fs::write(path(Part::Log), "error: the disk is full\n").unwrap();
        assert!(matches!(reviews.progress(&id).unwrap(), Progress::Failed { .. }));
        std::fs::write(path(Part::Log), "").unwrap();
        std::fs::remove_file(path(Part::Journal)).unwrap();
        assert_eq!(reviews.progress(&id).unwrap(), Progress::Done);
        std::fs::write(path(Part::Game), "1. e4 *").unwrap();
        std::fs::remove_file(path(Part::Result)).unwrap();
        assert_eq!(reviews.progress(&id).unwrap(), Progress::None, "a game without its first line");
    }

    #[test]
    fn what_is_no_order_starts_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let reviews = Reviews::new(Some(folder.path()), None);
        let id = Identity::new("game").unwrap();
        let order = |pgn: &str, nodes| Order { pgn: pgn.to_owned(), nodes };
        for nodes in [0, 999, 100_000_001, u64::MAX] {
            assert!(matches!(reviews.start(&id, &order("1. e4 *", nodes)), Err(ReviewError::Nodes)));
        }
        for pgn in ["", "nothing", "[White \"x\"]\n\n*\n"] {
            assert!(matches!(reviews.start(&id, &order(pgn, 1000)), Err(ReviewError::NoGame)), "{pgn}");
        }
        assert!(matches!(Reviews::new(None, None).progress(&id), Err(ReviewError::NoFolder)));
        assert!(!folder.path().join(FOLDER).exists());
        assert_eq!(positions("1. e4 e5 (1... c5) 2. Nf3 *"), Some(4));
    }
}
