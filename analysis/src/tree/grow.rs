//! Growing a tree: batches of positions, searched on all threads, from the store where it knows them.
//!
//! How many positions a batch has depends on the size of the tree alone, and results are noted in the order of the batch. So
//! the tree does not depend on the threads, nor on how often it was interrupted: a run with a store chooses the same positions
//! again, and has them without a search until it comes to new ones.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use cli::{in_order, tell};
use indicatif::ProgressBar;
use movegen::Board;
use platform::has_room;
use search::{Found, STACK_SIZE};

use crate::error::AnalyseError;
use crate::search::analyst::{Analyst, SearchMethod};
use crate::search::archive::Archive;
use crate::tree::graph::{Graph, Place, Width};

/// The least positions of a batch: as many as a small machine has threads.
const MIN_BATCH: usize = 8;
/// A batch is this part of the tree, if that is more.
const PART: usize = 32;
/// What is found waits so long for the disk at most.
const FLUSHED_EVERY: Duration = Duration::from_secs(1);
/// How often the end of the time is looked for.
const TICK: Duration = Duration::from_millis(100);
/// Memory that must be left, in bytes, for the tree to grow.
const MIN_MEMORY: usize = 64 << 20;

/// How a tree grows.
pub(super) struct Growth<'a> {
    pub width: Width,
    pub method: &'a SearchMethod,
    pub threads: usize,
    pub archive: Option<&'a Archive>,
    /// As many positions as the tree may have.
    pub positions: usize,
    /// When the time is up.
    pub until: Option<Instant>,
    pub stop: &'a AtomicBool,
    pub progress: &'a ProgressBar,
}

/// Why a tree has stopped growing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// It has as many positions as it was to have.
    Full,
    /// Nothing is left within its margin, or all is decided.
    Complete,
    /// The time is up, or the user has stopped it.
    Stopped,
    /// The store cannot be read or written any more.
    WithoutStore,
    /// There is not enough memory.
    OutOfMemory,
}

/// What a run had from its store, and what it did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counts {
    /// Positions that needed no search.
    pub known: usize,
    /// Nodes of the searches of the others.
    pub nodes: u64,
}

/// What came of a position: what is known of it, unless its search was stopped, and whether it was known before.
type Answer = (Option<Found>, bool, Vec<String>);

impl Growth<'_> {
    /// Lets a tree grow.
    ///
    /// # Errors
    ///
    /// If the system grants no threads.
    pub fn grow(&self, graph: &mut Graph) -> Result<(End, Counts), AnalyseError> {
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let clock = thread::Builder::new().spawn_scoped(scope, || self.watch(&is_over));
            clock.map_err(AnalyseError::Threads)?;
            let result = self.grow_by_batches(graph);
            is_over.store(true, Relaxed);
            result
        })
    }

    /// Looks at the clock, and writes what waits for the disk.
    fn watch(&self, is_over: &AtomicBool) {
        let mut flushed = Instant::now();
        while !is_over.load(Relaxed) {
            thread::park_timeout(TICK);
            if self.until.is_some_and(|until| Instant::now() >= until) {
                self.stop.store(true, Relaxed);
            }
            if let Some(archive) = self.archive.filter(|_| flushed.elapsed() >= FLUSHED_EVERY) {
                archive.flush(|text| self.say(text));
                flushed = Instant::now();
            }
        }
    }

    fn say(&self, text: &str) {
        self.progress.suspend(|| tell(text));
    }

    fn grow_by_batches(&self, graph: &mut Graph) -> Result<(End, Counts), AnalyseError> {
        let mut analysts: Vec<_> = (0..self.threads).map(|_| Analyst::new(self.method)).collect();
        let mut counts = Counts::default();
        loop {
            let room = self.positions.saturating_sub(graph.searched());
            if room == 0 {
                return Ok((End::Full, counts));
            }
            if self.archive.is_some_and(Archive::has_failed) {
                return Ok((End::WithoutStore, counts));
            }
            if !has_room(MIN_MEMORY) {
                return Ok((End::OutOfMemory, counts));
            }
            let batch = graph.next(&self.width, (graph.searched() / PART).max(MIN_BATCH).min(room));
            if batch.is_empty() {
                return Ok((End::Complete, counts));
            }
            let before = graph.searched();
            self.search(graph, &batch, &mut analysts, &mut counts)?;
            graph.back_up();
            if self.stop.load(Relaxed) {
                return Ok((End::Stopped, counts));
            }
            if graph.searched() == before {
                let error = io::Error::other("the searches ended without a result");
                return Err(AnalyseError::Threads(error));
            }
        }
    }

    /// Searches the positions of a batch and notes what is found.
    fn search(
        &self,
        graph: &mut Graph,
        batch: &[Place],
        analysts: &mut [Analyst<'_>],
        counts: &mut Counts,
    ) -> Result<(), AnalyseError> {
        let boards: Vec<_> = batch.iter().filter_map(|&place| Some((place, graph.board(place)?))).collect();
        let workers = analysts.iter_mut().take(boards.len()).collect();
        let work = |analyst: &mut &mut Analyst<'_>, (place, board): (Place, Board)| {
            (place, board, self.answer(analyst, &board))
        };
        let take = |(place, board, (found, was_known, complaints)): (Place, Board, Answer)| {
            complaints.iter().for_each(|complaint| self.say(complaint));
            if let Some(found) = found {
                let is_exact = self.method.tablebase.as_ref().is_some_and(|tables| tables.covers(&board));
                graph.note(place, &found, is_exact);
                counts.known += usize::from(was_known);
                counts.nodes += if was_known { 0 } else { found.nodes };
                self.progress.inc(1);
            }
            ControlFlow::Continue(())
        };
        in_order(boards.into_iter(), workers, Some(STACK_SIZE), work, take).map_err(AnalyseError::Threads)
    }

    /// What is known of a position, or a search finds.
    fn answer(&self, analyst: &mut Analyst<'_>, board: &Board) -> Answer {
        let say = |text: &str| self.say(text);
        if let Some(found) = self.archive.and_then(|archive| archive.recall_alone(board, say)) {
            return (Some(found), true, Vec::new());
        }
        let found = if self.stop.load(Relaxed) { None } else { analyst.search_alone(board, self.stop) };
        if let (Some(archive), Some(found)) = (self.archive, &found) {
            archive.keep_alone(board, found, say);
        }
        (found, false, analyst.take_complaints())
    }
}
