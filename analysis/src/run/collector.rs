//! What the searches found, put together game by game and handed to the outputs in the order of the file.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use cli::{counted, tell};
use search::Found;

use crate::error::AnalyseError;
use crate::judge::assemble::assemble;
use crate::read::games::Reading;
use crate::read::source::SourceKind;
use crate::run::practice::PracticeSearch;
use crate::run::queue::Room;
use crate::run::searching::{Finished, StoreCounts};
use crate::search::segment::Segment;
use crate::write::output::Output;

/// The counts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    /// Games written in full.
    pub games: usize,
    /// Games written in part, since the run was interrupted.
    pub partial: usize,
    /// Positions in them.
    pub positions: usize,
    /// How many of the games are positions of a file or in words, without a game.
    pub alone: usize,
    /// Games or positions that could not be read.
    pub broken: usize,
    /// Games that are written, but could not be read in full.
    pub cut: usize,
    /// What came from a store and what did not, if there was one.
    pub store: Option<StoreCounts>,
}

impl Counts {
    /// An error if something of the input was lost.
    pub fn check(&self, kind: SourceKind) -> Result<(), AnalyseError> {
        if kind != SourceKind::Games && self.broken > 0 {
            return Err(AnalyseError::BrokenPositions { count: self.broken });
        }
        match (self.broken, self.cut) {
            (0, 0) => Ok(()),
            (0, count) => Err(AnalyseError::Cut { count }),
            (count, cut) => {
                if cut > 0 {
                    tell(AnalyseError::Cut { count: cut });
                }
                Err(AnalyseError::Broken { count })
            }
        }
    }
}

/// As a sentence: `2 games, 85 positions`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.alone < self.games + self.partial || self.games + self.partial == 0 {
            write!(f, "{}, ", counted(self.games, "game"))?;
        }
        write!(f, "{}", counted(self.positions, "position"))?;
        if self.partial > 0 {
            let noun = if self.alone > 0 { "position" } else { "game" };
            write!(f, ", {} in part", counted(self.partial, noun))?;
        }
        if let Some(StoreCounts { known, nodes }) = self.store {
            write!(f, "; {known} from the store, {} searched", counted(nodes as usize, "node"))?;
        }
        Ok(())
    }
}

/// Takes what is finished, one piece after the other.
pub(crate) struct Collector<'a> {
    outputs: Vec<Box<dyn Output>>,
    room: &'a Room,
    /// Raised to end the run.
    stop: &'a AtomicBool,
    /// The game whose segments come.
    open: Option<OpenGame>,
    counts: Counts,
    /// What ended the run.
    error: Option<AnalyseError>,
    /// How mistakes are searched again, if they are.
    practice: Option<PracticeSearch>,
}

struct OpenGame {
    reading: Arc<Reading>,
    found: Vec<Option<Found>>,
    /// The segments that have not come yet.
    missing: usize,
    /// No search of it was cut short.
    is_whole: bool,
}

impl OpenGame {
    fn new(reading: Arc<Reading>) -> Self {
        let found = vec![None; reading.main_line.boards.len()];
        let missing = reading.main_line.segments().count();
        Self { reading, found, missing, is_whole: true }
    }

    fn put(&mut self, range: Range<usize>, segment: Segment) {
        for (slot, found) in self.found[range].iter_mut().zip(segment.found) {
            *slot = found;
        }
        self.missing -= 1;
        self.is_whole &= segment.is_complete;
    }
}

impl<'a> Collector<'a> {
    pub fn new(
        outputs: Vec<Box<dyn Output>>,
        has_store: bool,
        room: &'a Room,
        stop: &'a AtomicBool,
        practice: Option<PracticeSearch>,
    ) -> Self {
        let counts = Counts { store: has_store.then(StoreCounts::default), ..Counts::default() };
        Self { outputs, room, stop, open: None, counts, error: None, practice }
    }

    /// Takes a finished piece of work, and writes its game if this was the last one.
    pub fn take(&mut self, finished: Finished) {
        match finished {
            Finished::Segment(reading, range, segment, store) => {
                if let Some(counts) = &mut self.counts.store {
                    counts.known += store.known;
                    counts.nodes += store.nodes;
                }
                if self.open.as_ref().is_some_and(|game| game.reading.number != reading.number) {
                    self.write_open();
                }
                let game = self.open.get_or_insert_with(|| OpenGame::new(reading));
                game.put(range, segment);
                if game.missing == 0 {
                    self.write_open();
                }
            }
            Finished::Broken(game) => {
                self.write_open();
                self.counts.broken += 1;
                self.write(|output| output.broken(&game));
            }
            Finished::Failed(error) => self.fail(error),
        }
    }

    /// Writes the game whose segments came, or the part of it that was searched.
    fn write_open(&mut self) {
        let Some(OpenGame { reading, found, missing, is_whole }) = self.open.take() else { return };
        if missing == 0 || found.iter().any(Option::is_some) {
            let mut game = assemble(&reading, &found);
            game.complete &= is_whole;
            let practised = self.practice.as_ref().map(|practice| practice.add(&mut game, &reading, self.stop));
            if let Some(Err(error)) = practised {
                self.fail(AnalyseError::Threads(error));
            }
            *if game.complete { &mut self.counts.games } else { &mut self.counts.partial } += 1;
            self.counts.alone += usize::from(reading.label.is_some());
            let is_analysed = game.positions.iter().filter(|position| position.analysis.is_some());
            self.counts.positions += is_analysed.count();
            self.write(|output| output.game(&game, &reading));
            self.counts.cut += usize::from(reading.game.has_losses());
            for loss in reading.losses() {
                self.write(|output| output.broken(&loss));
            }
        }
        self.room.give_back(&reading);
    }

    fn write(&mut self, write: impl FnMut(&mut Box<dyn Output>) -> io::Result<()>) {
        if self.error.is_none()
            && let Err(error) = self.outputs.iter_mut().try_for_each(write)
        {
            self.fail(AnalyseError::Write(error));
        }
    }

    /// Ends the run because of an error; the first one counts.
    fn fail(&mut self, error: AnalyseError) {
        self.error.get_or_insert(error);
        self.stop.store(true, Relaxed);
    }

    /// Writes what was found of the last game, ends all files and puts them in their places. Nothing takes the place of an
    /// older file if no game was written. Returns the counts of the run.
    pub fn close(mut self) -> Result<Counts, AnalyseError> {
        self.write_open();
        if let Some(error) = self.error {
            return Err(error);
        }
        let Self { mut outputs, counts, .. } = self;
        outputs.iter_mut().try_for_each(|output| output.finish()).map_err(AnalyseError::Write)?;
        let keeps_old = counts.games + counts.partial == 0;
        outputs.iter_mut().try_for_each(|output| output.commit(keeps_old)).map_err(AnalyseError::Write)?;
        Ok(counts)
    }
}
