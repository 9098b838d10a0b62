//! What earlier runs found, for the positions of this one.
//!
//! A segment is searched with one table, from its last position to its first, so the result of a position depends on
//! those after it too, and on the history of them all. That is its context, with the settings of the run: the positions
//! and moves since the last capture or pawn move before it, and the moves to the end of the segment. If the store has all
//! of a segment in this context, its results are what a search would find, to the node.
//!
//! A position may also be known from another run with other limits, in whatever game. Such a result is taken if it is of
//! more nodes or depth than is asked for now, the tables are the same, and the score is no bound. Neither game may have
//! repeated a position since the last capture or pawn move, nor have come within forty moves of the fifty-move rule.
//! What is searched beside it then has another context, of which the known results are a part: a run without them would
//! not find the same.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use cli::tell;
use eval::Network;
use movegen::{Board, Position};
use search::{Bound, Found};
use sha2::{Digest, Sha256};
use store::{Key, Record, Store, StoreError};

use crate::model::{Run, RunLimits};
use crate::read::main_line::MainLine;
use crate::search::provenance::{self, context_of, identity, number_of, number_of_tables};
use crate::search::segment::Segment;

/// The store of a run.
pub(crate) struct Archive {
    store: Store,
    path: PathBuf,
    /// What all contexts of the run begin with.
    settings: Vec<u8>,
    limits: RunLimits,
    /// The same as a number.
    limits_number: u64,
    multi_pv: usize,
    /// The endgame tables; 0 for none.
    tables: u64,
    /// It could not be read or written, and is left alone.
    has_failed: AtomicBool,
}

/// What is known of a segment.
#[derive(Default)]
pub(crate) struct Known {
    /// For each position what is known of it.
    pub found: Vec<Option<Found>>,
    /// Nothing has to be searched.
    pub is_whole: bool,
    /// Under what the others are to be kept; `None` where there is nothing to search.
    keys: Vec<Option<Key>>,
}

impl Archive {
    /// Opens the store of a run, or makes it.
    pub fn open(path: &Path, run: &Run) -> Result<Self, StoreError> {
        let store = Store::open(path, &identity(&Network::embedded()))?;
        if store.is_read_only() {
            tell(format_args!("{} may only be read: what is found is not kept", path.display()));
        }
        let settings = (run.limits, run.multipv, run.hash_mib, run.threads_per_position, run.tablebase);
        let settings = serde_json::to_vec(&settings).map_err(std::io::Error::from)?;
        let limits = serde_json::to_vec(&run.limits).map_err(std::io::Error::from)?;
        Ok(Self {
            store,
            path: path.to_owned(),
            settings,
            limits: run.limits,
            limits_number: number_of(&limits),
            multi_pv: run.multipv as usize,
            tables: number_of_tables(run.tablebase).map_err(std::io::Error::from)?,
            has_failed: AtomicBool::new(false),
        })
    }

    /// Whether it could not be read or written, and is left alone since then.
    pub fn has_failed(&self) -> bool {
        self.has_failed.load(Relaxed)
    }

    /// What is known of a segment. The first error is reported, and from then on nothing is known.
    pub fn recall(&self, main_line: &MainLine, range: &Range<usize>, tell: impl Fn(&str)) -> Known {
        self.tried(|| self.try_recall(main_line, range), tell)
    }

    fn try_recall(&self, main_line: &MainLine, range: &Range<usize>) -> Result<Known, StoreError> {
        let mut known = Known { found: vec![None; range.len()], is_whole: true, keys: vec![None; range.len()] };
        let mut exact = vec![None; range.len()];
        let context = self.context_of(main_line, range);
        // The same, and the results from other runs.
        let mut aided = context.clone();
        for (slot, index) in range.clone().enumerate().rev() {
            let board = &main_line.boards[index];
            if !board.has_legal_move() {
                continue;
            }
            if let Some(found) = self.deeper(main_line, index)? {
                aided.update([slot as u8]);
                aided.update(found.nodes.to_le_bytes());
                known.found[slot] = Some(found);
                continue;
            }
            for context in [&context, &aided] {
                let mut own = context.clone();
                own.update([slot as u8]);
                let key = Key::new(board, context_of(own));
                known.keys[slot] = Some(key);
                if exact[slot].is_none() {
                    exact[slot] = self.store.get(&key)?.map(Found::from).filter(|found| found.fits(board));
                }
            }
            known.is_whole &= exact[slot].is_some();
        }
        if known.is_whole {
            for (slot, found) in known.found.iter_mut().zip(exact) {
                *slot = slot.take().or(found);
            }
        }
        Ok(known)
    }

    /// What the results of a segment depend on.
    fn context_of(&self, main_line: &MainLine, range: &Range<usize>) -> Sha256 {
        let (first, last) = (main_line.first_reachable(range.start), range.end - 1);
        let mut hash = Sha256::new();
        hash.update(&self.settings);
        hash.update([0]);
        hash.update(main_line.boards[first].packed());
        hash.update(main_line.boards[first].halfmove_clock().to_le_bytes());
        hash.update(u64::try_from(range.start - first).unwrap_or_default().to_le_bytes());
        for mv in &main_line.moves[first..last] {
            hash.update(mv.map_or(0, |mv| mv.bits()).to_le_bytes());
        }
        hash
    }

    /// What is known of a position that is searched by itself, with nothing before it.
    pub fn recall_alone(&self, board: &Board, tell: impl Fn(&str)) -> Option<Found> {
        let recall = || {
            let known = self.store.get(&self.key_alone(board))?.map(Found::from).filter(|found| found.fits(board));
            let lines = board.count_legal_moves().min(self.multi_pv);
            match known.filter(|found| found.lines.len() >= lines) {
                None if is_general_alone(board) => self.deeper_of(board),
                known => Ok(known),
            }
        };
        self.tried(recall, tell)
    }

    /// Keeps what was found of such a position.
    pub fn keep_alone(&self, board: &Board, found: &Found, tell: impl Fn(&str)) {
        let record = self.record(found, is_general_alone(board));
        self.tried(|| self.store.add([(self.key_alone(board), record)]), tell);
    }

    /// The settings and, where it matters, how long ago the last capture or pawn move was.
    fn key_alone(&self, board: &Board) -> Key {
        let mut hash = Sha256::new();
        hash.update(&self.settings);
        hash.update([1]);
        if !is_general_alone(board) {
            hash.update(board.halfmove_clock().to_le_bytes());
        }
        Key::new(board, context_of(hash))
    }

    /// A result of a position of a game that goes further than is asked for now.
    fn deeper(&self, main_line: &MainLine, index: usize) -> Result<Option<Found>, StoreError> {
        if is_general(main_line, index) { self.deeper_of(&main_line.boards[index]) } else { Ok(None) }
    }

    /// The same of a position, whatever came before it.
    fn deeper_of(&self, board: &Board) -> Result<Option<Found>, StoreError> {
        let Some(record) = self.store.deepest(board)? else { return Ok(None) };
        let RunLimits { nodes, depth, .. } = self.limits;
        let goes_further =
            nodes.is_some_and(|nodes| record.nodes > nodes) || depth.is_some_and(|depth| record.depth > depth);
        let lines = board.count_legal_moves().min(self.multi_pv);
        let is_exact = record.lines.iter().take(lines).all(|line| line.bound == Bound::Exact);
        // With equal limits it would be chance which of several games another one takes it from.
        let is_alike = record.tables == self.tables && record.limits != self.limits_number;
        if !goes_further || !is_exact || record.lines.len() < lines || !is_alike {
            return Ok(None);
        }
        let mut found = Found::from(record);
        found.lines.truncate(lines);
        Ok(Some(found).filter(|found| found.fits(board)))
    }

    /// Keeps what was found in a segment.
    pub fn keep(
        &self,
        main_line: &MainLine,
        range: &Range<usize>,
        known: &Known,
        segment: &Segment,
        tell: impl Fn(&str),
    ) {
        if !segment.is_complete {
            return;
        }
        let records = range.clone().zip(&known.keys).zip(&segment.found).filter_map(|((index, key), found)| {
            Some(((*key)?, self.record(found.as_ref()?, is_general(main_line, index))))
        });
        self.tried(|| self.store.add(records), tell);
    }

    /// Writes what is left.
    pub fn flush(&self, tell: impl Fn(&str)) {
        self.tried(|| self.store.flush(), tell);
    }

    fn record(&self, found: &Found, is_general: bool) -> Record {
        let Found { depth, seldepth, nodes, ref lines } = *found;
        let (limits, tables, lines) = (self.limits_number, self.tables, lines.clone());
        Record { depth, seldepth, nodes, limits, tables, is_general, lines }
    }

    fn tried<T: Default>(&self, act: impl FnOnce() -> Result<T, StoreError>, tell: impl Fn(&str)) -> T {
        if self.has_failed.load(Relaxed) {
            return T::default();
        }
        act().unwrap_or_else(|error| {
            if !self.has_failed.swap(true, Relaxed) {
                tell(&format!("{}: {error}; going on without the store", self.path.display()));
            }
            T::default()
        })
    }
}

fn is_general_alone(board: &Board) -> bool {
    provenance::is_general(&Position::from(*board))
}

/// Whether what came before a position of a game is no part of what it is worth.
fn is_general(main_line: &MainLine, index: usize) -> bool {
    provenance::is_general(&main_line.position(index))
}
