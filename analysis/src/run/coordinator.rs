//! The games in work: segments go out to the searchers, results come in, and finished games are written in the
//! order of the file.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cli::{counted, tell};
use indicatif::ProgressBar;
use search::Found;

use crate::error::AnalyseError;
use crate::judge::assemble::assemble;
use crate::model::{BrokenGame, Game};
use crate::read::games::Reading;
use crate::search::analyst::{Analyst, Segment};
use crate::search::archive::{Archive, Known};
use crate::search::journal::Journal;
use crate::write::output::Output;

/// The most games that are read and not yet written: a bound on what is kept, should one position take very long.
pub(crate) const MOST_OPEN: u32 = 256;
/// No further game is read while those have more moves, variations among them: some games are as large as a thousand.
const MOST_NODES: usize = 1 << 17;

/// How often a thread that waits for room checks whether the run is to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// A segment of a game that is to be searched, unless a run before has done so.
pub(crate) struct WorkItem {
    pub reading: Arc<Reading>,
    pub range: Range<usize>,
    /// What that run found.
    known: Option<Segment>,
}

/// The counts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    /// Games written in full.
    pub games: usize,
    /// Games written in part, since the run was interrupted.
    pub partial: usize,
    /// Positions in them.
    pub positions: usize,
    /// Games that could not be read.
    pub broken: usize,
    /// What came from a store and what did not, if there was one.
    pub store: Option<StoreCounts>,
}

/// What a run had from its store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct StoreCounts {
    /// Positions that needed no search.
    pub known: usize,
    /// Nodes of the searches of the others.
    pub nodes: u64,
}

/// As a sentence: `2 games, 85 positions`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", counted(self.games, "game"), counted(self.positions, "position"))?;
        if self.partial > 0 {
            write!(f, ", {} in part", counted(self.partial, "game"))?;
        }
        if let Some(StoreCounts { known, nodes }) = self.store {
            write!(f, "; {known} from the store, {} searched", counted(nodes as usize, "node"))?;
        }
        Ok(())
    }
}

/// The games in work.
pub(crate) struct Coordinator<'a> {
    state: Mutex<State>,
    /// A game has been written.
    has_room: Condvar,
    archive: Option<Archive>,
    stop: &'a AtomicBool,
    progress: &'a ProgressBar,
}

struct State {
    /// By their numbers.
    open: BTreeMap<u32, OpenGame>,
    /// Done but not written: one before them is not.
    done: BTreeMap<u32, Done>,
    /// The moves of all these.
    nodes: usize,
    /// The number of the next game to be written.
    next: u32,
    outputs: Vec<Box<dyn Output>>,
    journal: Option<Journal>,
    counts: Counts,
    /// What ended the run.
    error: Option<AnalyseError>,
}

struct OpenGame {
    reading: Arc<Reading>,
    found: Vec<Option<Found>>,
    /// The segments that have not come back.
    missing: usize,
    /// No search of it was cut short.
    is_whole: bool,
}

impl OpenGame {
    fn assembled(self) -> Done {
        let mut game = assemble(&self.reading, &self.found);
        game.complete &= self.is_whole;
        Done::Game(Box::new(game), self.reading)
    }
}

enum Done {
    Game(Box<Game>, Arc<Reading>),
    Broken(BrokenGame),
}

impl<'a> Coordinator<'a> {
    pub fn new(
        outputs: Vec<Box<dyn Output>>,
        journal: Option<Journal>,
        archive: Option<Archive>,
        stop: &'a AtomicBool,
        progress: &'a ProgressBar,
    ) -> Self {
        let (open, done) = (BTreeMap::new(), BTreeMap::new());
        let counts = Counts { store: archive.as_ref().map(|_| StoreCounts::default()), ..Counts::default() };
        let state = State { open, done, nodes: 0, next: 1, outputs, journal, counts, error: None };
        Self { state: Mutex::new(state), has_room: Condvar::new(), archive, stop, progress }
    }

    /// A segment to work on, with what the journal knows of it; when the run is to stop, `None` for one that needs a
    /// search, so that all that is known is still written.
    ///
    /// The queue asks for one segment after another: of equal games the first ones get all that is known, whichever thread
    /// works on what, so a game that was done once stays so.
    pub fn work_item(&self, reading: &Arc<Reading>, range: Range<usize>) -> Option<WorkItem> {
        let mut state = self.lock();
        let known = match state.journal.as_mut().map(|journal| journal.take(reading.main_line.key(&range))) {
            Some(Ok(known)) => known.filter(|segment| segment.fits(&reading.main_line, &range)),
            Some(Err(error)) => {
                self.fail(&mut state, error.into());
                None
            }
            None => None,
        };
        let is_wanted = state.error.is_none() && (known.is_some() || !self.is_stopped());
        is_wanted.then(|| WorkItem { reading: Arc::clone(reading), range, known })
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Says something to the user, beside the progress.
    pub fn say(&self, text: &str) {
        self.progress.suspend(|| tell(text));
    }

    /// Waits until another game may be taken, or the run is to stop.
    pub fn wait_for_room(&self) {
        let mut state = self.lock();
        let is_full =
            |state: &State| state.open.len() + state.done.len() >= MOST_OPEN as usize || state.nodes > MOST_NODES;
        while is_full(&state) && !self.is_stopped() {
            state = self.has_room.wait_timeout(state, STOP_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes a game in work, whose segments will come.
    pub fn open(&self, reading: Arc<Reading>) {
        let found = vec![None; reading.main_line.boards.len()];
        let missing = reading.main_line.segments().count();
        let mut state = self.lock();
        state.nodes += reading.game.tree.len();
        state.open.insert(reading.number, OpenGame { reading, found, missing, is_whole: true });
    }

    /// Adds a game that could not be read.
    pub fn open_broken(&self, game: BrokenGame) {
        self.say(&game.fault);
        let mut state = self.lock();
        state.done.insert(game.number, Done::Broken(game));
        self.write(&mut state);
    }

    /// Searches a segment unless it is known, and writes its game if this was the last one.
    pub fn work(&self, analyst: &mut Analyst<'_>, item: WorkItem) {
        if let Err(error) = self.try_work(analyst, item) {
            self.fail(&mut self.lock(), error);
        }
    }

    fn try_work(&self, analyst: &mut Analyst<'_>, item: WorkItem) -> Result<(), AnalyseError> {
        let WorkItem { reading, range, known } = item;
        let segment = match known {
            Some(segment) => segment,
            None => {
                let segment = self.segment(analyst, &reading, &range);
                if segment.is_complete
                    && let Some(journal) = &mut self.lock().journal
                {
                    journal.add(reading.main_line.key(&range), &segment)?;
                }
                segment
            }
        };
        self.progress.inc(range.len() as u64);
        if let Some(game) = self.put(reading.number, range, segment) {
            let done = game.assembled();
            let mut state = self.lock();
            state.done.insert(reading.number, done);
            self.write(&mut state);
        }
        Ok(())
    }

    /// What the store knows of a segment, and for the rest a search.
    fn segment(&self, analyst: &mut Analyst<'_>, reading: &Reading, range: &Range<usize>) -> Segment {
        let say = |text: &str| self.say(text);
        let mut known = match &self.archive {
            Some(archive) => archive.recall(&reading.main_line, range, say),
            None => Known::default(),
        };
        let given = std::mem::take(&mut known.found);
        let is_given: Vec<_> = given.iter().map(Option::is_some).collect();
        let segment = if known.is_whole {
            Segment { found: given, is_complete: true }
        } else {
            analyst.search(&reading.main_line, range.clone(), given, self.stop)
        };
        analyst.take_complaints().iter().for_each(|complaint| self.say(complaint));
        if let Some(archive) = &self.archive {
            if !known.is_whole {
                archive.keep(&reading.main_line, range, &known, &segment, say);
            }
            if let Some(counts) = &mut self.lock().counts.store {
                let is_given = is_given.into_iter().chain(std::iter::repeat(false));
                for (found, is_given) in segment.found.iter().zip(is_given) {
                    match found {
                        Some(_) if is_given => counts.known += 1,
                        Some(found) => counts.nodes += found.nodes,
                        None => {}
                    }
                }
            }
        }
        segment
    }

    /// Puts the results of a segment to its game, and takes the game from the coordinator when it was the last.
    fn put(&self, number: u32, range: Range<usize>, segment: Segment) -> Option<OpenGame> {
        let mut state = self.lock();
        let game = state.open.get_mut(&number)?;
        for (slot, found) in game.found[range].iter_mut().zip(segment.found) {
            *slot = found;
        }
        game.missing -= 1;
        game.is_whole &= segment.is_complete;
        if game.missing == 0 { state.open.remove(&number) } else { None }
    }

    /// Writes the games whose turn it is.
    fn write(&self, state: &mut State) {
        while let Some(done) = state.done.remove(&state.next) {
            state.next += 1;
            if let Done::Game(_, reading) = &done {
                state.nodes -= reading.game.tree.len();
            }
            self.write_one(state, &done);
        }
        self.has_room.notify_all();
    }

    fn write_one(&self, state: &mut State, done: &Done) {
        if state.error.is_some() {
            return;
        }
        let State { outputs, counts, .. } = state;
        let result = match done {
            Done::Game(game, reading) => {
                *if game.complete { &mut counts.games } else { &mut counts.partial } += 1;
                counts.positions += game.positions.iter().filter(|position| position.analysis.is_some()).count();
                outputs.iter_mut().try_for_each(|output| output.game(game, reading))
            }
            Done::Broken(game) => {
                counts.broken += 1;
                outputs.iter_mut().try_for_each(|output| output.broken(game))
            }
        };
        if let Err(error) = result {
            self.fail(state, AnalyseError::Write(error));
        }
    }

    /// Ends the run because of an error; the first one counts.
    fn fail(&self, state: &mut State, error: AnalyseError) {
        state.error.get_or_insert(error);
        self.stop.store(true, Relaxed);
    }

    /// Writes the finished parts of the other games, ends all files and puts them in their places. Nothing takes the place
    /// of an older file if no game was written. Returns the counts of the run, and the journal, with which it can go on.
    pub fn close(&self) -> Result<(Counts, Option<Journal>), AnalyseError> {
        if let Some(archive) = &self.archive {
            archive.flush(|text| self.say(text));
        }
        let mut state = self.lock();
        for (number, game) in std::mem::take(&mut state.open) {
            if game.found.iter().any(Option::is_some) {
                state.done.insert(number, game.assembled());
            }
        }
        for done in std::mem::take(&mut state.done).into_values() {
            self.write_one(&mut state, &done);
        }
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        state.outputs.iter_mut().try_for_each(|output| output.finish()).map_err(AnalyseError::Write)?;
        let keeps_old = state.counts.games + state.counts.partial == 0;
        let commit = |output: &mut Box<dyn Output>| output.commit(keeps_old);
        state.outputs.iter_mut().try_for_each(commit).map_err(AnalyseError::Write)?;
        Ok((state.counts, state.journal.take()))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
