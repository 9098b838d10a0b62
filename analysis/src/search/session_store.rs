//! A store for UCI analysis: the memory of a session (the option `AnalysisStore`), kept as `analyse --store` keeps results.
//!
//! A result is kept under what it depends on: how many lines, contempt, endgame tables, and the history of a position that
//! is not general. What `analyse` has found is taken too, if it holds in other games and is of the same tables; and what
//! is kept here is there for `analyse`, unless contempt is a part of it.
//!
//! What other versions of the search and other networks have found is in the file too. It is given as theirs, and never
//! taken for a result of this one.
//!
//! Records are written by a thread of their own, one transaction after the other, so that no search waits for a disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use eval::Network;
use platform::has_room;
use search::{Bound, Found, Settings, TablebaseSettings};
use sha2::{Digest, Sha256};
use store::{Key, Record, Store, StoreError};
use uci::{AnalysisMemory, MemoryError, OtherFound, Subject, Tell};

use crate::search::provenance::{self, context_of, identity, number_of, number_of_tables, tables_of};

/// What an open store may need, in bytes: what it keeps of its file, twice while it is examined, and a thread.
const MIN_MEMORY: usize = 80 << 20;
/// For the thread that writes, in bytes.
const STACK_SIZE: usize = 1 << 20;

/// The number of the limits in these records: none, since no limit made them what they are, unlike those of `analyse`.
const LIMITS: u64 = 0;

/// Opens a store for a session, or makes it.
///
/// # Errors
///
/// If it cannot be used, in words for the user. The file stays as it was.
pub fn open(path: &Path, network: &Network, tell: Tell) -> Result<Arc<dyn AnalysisMemory>, MemoryError> {
    let fault = |reason: String| MemoryError { reason, is_in_use: false };
    if !has_room(MIN_MEMORY) {
        return Err(fault("there is not enough memory".to_owned()));
    }
    let store = Store::open(path, &identity(network));
    let store = store
        .map_err(|error| MemoryError { reason: error.to_string(), is_in_use: matches!(error, StoreError::InUse) })?;
    if store.is_read_only() {
        tell(&format!("{} may only be read: what is found is not kept", path.display()));
    }
    let shared = Arc::new(Shared {
        path: path.to_owned(),
        store: Mutex::new(Some(Arc::new(store))),
        queue: Mutex::default(),
        wake: Condvar::new(),
        has_failed: AtomicBool::new(false),
        tell,
    });
    let builder = thread::Builder::new().name("store".to_owned()).stack_size(STACK_SIZE);
    let writer = Arc::clone(&shared);
    let writer = builder.spawn(move || writer.write_all()).map_err(|error| fault(error.to_string()))?;
    Ok(Arc::new(SessionStore { shared, writer: Some(writer) }))
}

/// An open store. Dropping it writes what is left.
struct SessionStore {
    shared: Arc<Shared>,
    writer: Option<JoinHandle<()>>,
}

/// What the session and the writing thread share.
struct Shared {
    path: PathBuf,
    /// `None` after an error: then others may open the file. Nobody holds the lock while the disk works, so that a search
    /// which begins does not wait for the results of the last one to be written.
    store: Mutex<Option<Arc<Store>>>,
    queue: Mutex<Queue>,
    /// There is something in the queue, or the end has come.
    wake: Condvar,
    has_failed: AtomicBool,
    tell: Tell,
}

/// What is to be written.
#[derive(Default)]
struct Queue {
    /// These stay until they are in the file, so that they can be found.
    records: BTreeMap<Key, Record>,
    is_closed: bool,
}

impl AnalysisMemory for SessionStore {
    fn recall(&self, subject: &Subject) -> Option<Found> {
        let place = Place::of(subject)?;
        let waiting = self.shared.queue().records.get(&place.key).cloned();
        let stored = self.shared.with_store(|store| {
            let own = store.get(&place.key)?;
            let others = if place.is_general { store.deepest(subject.position.board())? } else { None };
            Ok([own, others])
        });
        let known = stored.into_iter().flatten().flatten().chain(waiting);
        let best = known.filter(|record| place.admits(record)).max_by_key(rank)?;
        let mut found = Found::from(best);
        found.lines.truncate(place.lines);
        Some(found).filter(|found| found.fits(subject.position.board()))
    }

    fn recall_other(&self, subject: &Subject) -> Option<OtherFound> {
        let place = Place::of(subject)?;
        let board = subject.position.board();
        let others = self.shared.with_store(|store| store.of_others(&place.key, place.is_general.then_some(board)))?;
        let others = others.into_iter().filter(|other| place.admits(&other.record));
        let best = others.max_by_key(|other| (rank(&other.record), other.identity.clone()))?;
        let mut found = Found::from(best.record);
        found.lines.truncate(place.lines);
        Some(OtherFound { found, by: best.identity.to_string() }).filter(|other| other.found.fits(board))
    }

    fn keep(&self, subject: &Subject, found: Found) {
        let Some(place) = Place::of(subject).filter(|_| !self.has_failed()) else { return };
        let Found { depth, seldepth, nodes, lines } = found;
        let Place { key, tables, is_general, .. } = place;
        let record = Record { depth, seldepth, nodes, limits: LIMITS, tables, is_general, lines };
        let mut queue = self.shared.queue();
        if queue.records.get(&key).is_none_or(|old| rank(&record) > rank(old)) {
            queue.records.insert(key, record);
            self.shared.wake.notify_one();
        }
    }

    fn has_failed(&self) -> bool {
        self.shared.has_failed.load(Relaxed)
    }
}

impl Drop for SessionStore {
    fn drop(&mut self) {
        self.shared.queue().is_closed = true;
        self.shared.wake.notify_one();
        // A thread that panicked has nothing left to write.
        let _ = self.writer.take().map(JoinHandle::join);
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what comes until the end.
    fn write_all(&self) {
        loop {
            let mut queue = self.queue();
            while queue.records.is_empty() && !queue.is_closed {
                queue = self.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
            if queue.records.is_empty() {
                return;
            }
            let batch = queue.records.clone();
            drop(queue);
            self.with_store(|store| write(store, &batch));
            // What has become better meanwhile is still to be written.
            self.queue().records.retain(|key, record| batch.get(key) != Some(record));
        }
    }

    /// Uses the store. The first error is reported and closes it.
    fn with_store<T>(&self, act: impl FnOnce(&Store) -> Result<T, StoreError>) -> Option<T> {
        let open = || self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let store = open().clone()?;
        match act(&store) {
            Ok(value) => Some(value),
            Err(error) => {
                if self.has_failed.swap(true, Relaxed) {
                    return None;
                }
                *open() = None;
                (self.tell)(&format!("error: {}: {error}; going on without the analysis store", self.path.display()));
                None
            }
        }
    }
}

/// Writes those records that are better than what is there.
fn write(store: &Store, records: &BTreeMap<Key, Record>) -> Result<(), StoreError> {
    let mut better = Vec::new();
    for (key, record) in records {
        if store.get(key)?.is_none_or(|old| rank(record) > rank(&old)) {
            better.push((*key, record.clone()));
        }
    }
    store.add(better)?;
    store.flush()
}

/// The deeper of two results is the better one.
fn rank(record: &Record) -> (u32, u64) {
    (record.depth, record.nodes)
}

/// Where a result belongs.
struct Place {
    key: Key,
    tables: u64,
    /// Whether it holds in other games, and for `analyse`.
    is_general: bool,
    lines: usize,
}

impl Place {
    /// `None` without a legal move.
    fn of(subject: &Subject) -> Option<Self> {
        let Subject { position, settings, tablebase } = subject;
        // Whatever changes scores belongs into the key. What is left out here decides when a search ends, or is not there in
        // analysis.
        let Settings {
            multi_pv,
            contempt,
            tablebase: table_settings,
            move_overhead: _,
            nodes_per_millisecond: _,
            strength: _,
            is_alive: _,
        } = settings;
        let board = position.board();
        let lines = board.count_legal_moves().min(*multi_pv);
        if lines == 0 {
            return None;
        }
        let tables = number_of_tables(tablebase.as_deref().map(tables_of)).ok()?;
        let tables = if tables == 0 { 0 } else { tables_as_used(tables, table_settings) };
        let is_general = provenance::is_general(position);
        let mut context = Sha256::new();
        context.update(b"session");
        context.update((lines as u64).to_le_bytes());
        context.update(contempt.to_le_bytes());
        context.update(tables.to_le_bytes());
        if !is_general {
            context.update(board.halfmove_clock().to_le_bytes());
            position.history().iter().for_each(|key| context.update(key.to_le_bytes()));
        }
        let key = Key::new(board, context_of(context));
        Some(Self { key, tables, is_general: is_general && *contempt == 0, lines })
    }

    /// Whether a record says what is asked for.
    fn admits(&self, record: &Record) -> bool {
        let is_exact = record.lines.iter().take(self.lines).all(|line| line.bound == Bound::Exact);
        record.tables == self.tables && record.lines.len() >= self.lines && is_exact
    }
}

/// The number of endgame tables that are not asked as `analyse` asks them.
fn tables_as_used(tables: u64, settings: &TablebaseSettings) -> u64 {
    if *settings == TablebaseSettings::default() {
        return tables;
    }
    let TablebaseSettings { probe_depth, probe_limit, fifty_moves } = *settings;
    let parts = [tables, probe_depth as u64, probe_limit as u64, u64::from(fifty_moves)];
    number_of(parts.map(u64::to_le_bytes).as_flattened())
}
