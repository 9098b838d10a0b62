//! What the threads of a run do with each segment: a search, unless the journal or the store knows its results.

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use cli::tell;
use indicatif::ProgressBar;

use crate::error::AnalyseError;
use crate::model::BrokenGame;
use crate::read::games::Reading;
use crate::run::queue::WorkItem;
use crate::search::analyst::Analyst;
use crate::search::archive::{Archive, Known};
use crate::search::journal::Journal;
use crate::search::segment::Segment;

/// What a run had from its store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct StoreCounts {
    /// Positions that needed no search.
    pub known: usize,
    /// Nodes of the searches of the others.
    pub nodes: u64,
}

/// What came of a piece of work.
pub(crate) enum Finished {
    /// The results of a segment.
    Segment(Arc<Reading>, Range<usize>, Segment, StoreCounts),
    /// A game that could not be read.
    Broken(BrokenGame),
    /// The run cannot go on.
    Failed(AnalyseError),
}

/// What all threads of a run share.
pub(crate) struct Searching<'a> {
    pub journal: Option<&'a Mutex<Journal>>,
    pub archive: Option<&'a Archive>,
    pub stop: &'a AtomicBool,
    pub progress: &'a ProgressBar,
}

impl Searching<'_> {
    /// Says something to the user, beside the progress.
    pub fn say(&self, text: &str) {
        self.progress.suspend(|| tell(text));
    }

    /// Does a piece of work.
    pub fn work(&self, analyst: &mut Analyst<'_>, item: WorkItem) -> Finished {
        let (reading, range, known) = match item {
            WorkItem::Segment(reading, range, known) => (reading, range, known),
            WorkItem::Broken(game) => return Finished::Broken(game),
            WorkItem::Failed(error) => return Finished::Failed(error),
        };
        let (segment, counts) = match known {
            Some(segment) => (segment, StoreCounts::default()),
            None => {
                let (segment, counts) = self.segment(analyst, &reading, &range);
                if let Err(error) = self.note(&reading, &range, &segment) {
                    return Finished::Failed(error);
                }
                (segment, counts)
            }
        };
        self.progress.inc(range.len() as u64);
        Finished::Segment(reading, range, segment, counts)
    }

    /// Notes a segment in the journal.
    fn note(&self, reading: &Reading, range: &Range<usize>, segment: &Segment) -> Result<(), AnalyseError> {
        if let Some(journal) = self.journal.filter(|_| segment.is_complete) {
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            journal.add(reading.main_line.key(range), segment)?;
        }
        Ok(())
    }

    /// What the store knows of a segment, and for the rest a search.
    fn segment(&self, analyst: &mut Analyst<'_>, reading: &Reading, range: &Range<usize>) -> (Segment, StoreCounts) {
        let say = |text: &str| self.say(text);
        let mut known = match self.archive {
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
        if let Some(archive) = self.archive.filter(|_| !known.is_whole) {
            archive.keep(&reading.main_line, range, &known, &segment, say);
        }
        let mut counts = StoreCounts::default();
        for (found, is_given) in segment.found.iter().zip(is_given.into_iter().chain(std::iter::repeat(false))) {
            match found {
                Some(_) if is_given => counts.known += 1,
                Some(found) => counts.nodes += found.nodes,
                None => {}
            }
        }
        (segment, counts)
    }
}
