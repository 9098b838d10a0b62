//! Games cut into segments, and read only as fast as those are done.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cli::tell;
use indicatif::ProgressBar;

use crate::error::AnalyseError;
use crate::model::BrokenGame;
use crate::read::games::{FoundGame, Games, Reading};
use crate::read::main_line::MainLine;
use crate::search::journal::Journal;
use crate::search::segment::Segment;

/// The greatest number of games that are read and not yet written: a bound on what is kept, should one position take very
/// long.
const MAX_GAMES: u32 = 256;
/// No further game is read while those have more moves, variations among them: some games are as large as a thousand.
const MAX_NODES: usize = 1 << 17;

/// How often a queue that waits for room checks whether the run is to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// What is to be done next, in the order of the file.
pub(crate) enum WorkItem {
    /// A segment of a game that is to be searched, unless the journal knows it.
    Segment(Arc<Reading>, Range<usize>, Option<Segment>),
    /// A game that could not be read.
    Broken(BrokenGame),
    /// The journal cannot be read.
    Failed(AnalyseError),
}

/// Room for games that are read and not yet written.
#[derive(Default)]
pub(crate) struct Room {
    taken: Mutex<Taken>,
    /// A game has been written.
    has_changed: Condvar,
}

#[derive(Default)]
struct Taken {
    games: u32,
    nodes: usize,
}

impl Room {
    /// Waits until another game may be read, or the run is to stop.
    fn wait(&self, stop: &AtomicBool) {
        let mut taken = self.lock();
        while (taken.games >= MAX_GAMES || taken.nodes > MAX_NODES) && !stop.load(Relaxed) {
            taken = self.has_changed.wait_timeout(taken, STOP_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn take(&self, reading: &Reading) {
        let mut taken = self.lock();
        taken.games += 1;
        taken.nodes += reading.game.tree.len();
    }

    /// A game has been written.
    pub fn give_back(&self, reading: &Reading) {
        let mut taken = self.lock();
        taken.games -= 1;
        taken.nodes -= reading.game.tree.len();
        self.has_changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Estimates how many positions there will be.
pub(crate) struct Forecast<'a> {
    pub progress: &'a ProgressBar,
    pub bytes_read: Arc<AtomicU64>,
    /// `None` if unknown.
    pub bytes: Option<u64>,
}

impl Forecast<'_> {
    fn see(&self, positions: u64) {
        let read = self.bytes_read.load(Relaxed).max(1);
        if let Some(bytes) = self.bytes {
            let total = u128::from(positions) * u128::from(bytes.max(read)) / u128::from(read);
            self.progress.set_length(u64::try_from(total).unwrap_or(u64::MAX));
        }
    }
}

/// The segments of all games, in order. Takes a game only when there is room for it. When the run is to stop, only those come
/// that the journal knows, so that all that is known is still written.
///
/// One segment is asked for after another: of equal games the first ones get all that is known, whichever thread works on
/// what, so a game that was done once stays so.
pub(crate) struct SegmentQueue<'a> {
    games: Games,
    room: &'a Room,
    journal: Option<&'a Mutex<Journal>>,
    stop: &'a AtomicBool,
    forecast: Forecast<'a>,
    /// The last game taken, and what is left of it.
    current: Option<(Arc<Reading>, Segments)>,
    positions: u64,
    /// The number of the first game with a segment that was left out because the run is to stop.
    first_unwanted: Option<u32>,
}

type Segments = Box<dyn Iterator<Item = Range<usize>> + Send>;

impl<'a> SegmentQueue<'a> {
    pub const fn new(
        games: Games,
        room: &'a Room,
        journal: Option<&'a Mutex<Journal>>,
        stop: &'a AtomicBool,
        forecast: Forecast<'a>,
    ) -> Self {
        Self { games, room, journal, stop, forecast, current: None, positions: 0, first_unwanted: None }
    }

    /// Takes the next game, whose segments will come; at once one that could not be read. `None` if there is none.
    fn take_game(&mut self) -> Option<Option<WorkItem>> {
        self.room.wait(self.stop);
        let Some(found) = self.games.next() else {
            self.forecast.progress.set_length(self.positions);
            return None;
        };
        for remark in found.remarks() {
            self.forecast.progress.suspend(|| tell(&remark));
        }
        let FoundGame { number, file, line, game, label } = found;
        let broken = match game {
            Ok(game) => {
                let whole = MainLine::of(&game);
                let main_line = if label.is_some() { whole.last_alone() } else { whole };
                let reading = Arc::new(Reading { number, file, line, main_line, game, label });
                self.positions += (reading.main_line.boards.len() - reading.main_line.first) as u64;
                self.room.take(&reading);
                self.current = Some((Arc::clone(&reading), Box::new(reading.main_line.segments())));
                None
            }
            Err(error) => {
                let fault = file.map_or_else(|| error.to_string(), |file| format!("{file}: {error}"));
                self.forecast.progress.suspend(|| tell(&fault));
                Some(WorkItem::Broken(BrokenGame { number, line: error.start(), fault, in_part: false }))
            }
        };
        self.forecast.see(self.positions);
        Some(broken)
    }

    /// A segment, with what the journal knows of it; `None` if it needs a search and the run is to stop.
    fn work_item(&self, reading: &Arc<Reading>, range: Range<usize>) -> Option<WorkItem> {
        let take = |journal: &Mutex<Journal>| {
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            journal.take(reading.main_line.key(&range))
        };
        let known = match self.journal.map(take).transpose() {
            Ok(known) => known.flatten().filter(|segment| segment.fits(&reading.main_line, &range)),
            Err(error) => return Some(WorkItem::Failed(error.into())),
        };
        let is_wanted = known.is_some() || !self.stop.load(Relaxed);
        is_wanted.then(|| WorkItem::Segment(Arc::clone(reading), range, known))
    }
}

impl Iterator for SegmentQueue<'_> {
    type Item = WorkItem;

    fn next(&mut self) -> Option<WorkItem> {
        loop {
            let next =
                self.current.as_mut().and_then(|(reading, segments)| Some((Arc::clone(reading), segments.next()?)));
            if let Some((reading, range)) = next {
                if let Some(item) = self.work_item(&reading, range) {
                    return Some(item);
                }
                let first = *self.first_unwanted.get_or_insert(reading.number);
                // Segments end in any order, so those of games after this one may be known; but no run has more in work at once.
                if reading.number - first >= MAX_GAMES {
                    return None;
                }
            } else if let Some(broken) = self.take_game()? {
                return Some(broken);
            }
        }
    }
}
