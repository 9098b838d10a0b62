//! The database: opened with care, asked and added to by many threads.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use movegen::Board;
use platform::OutputFile;
use redb::backends::FileBackend;
use redb::{Builder, Database, ReadableDatabase};

use crate::check::{CACHE, examine, open};
use crate::error::StoreError;
use crate::key::Key;
use crate::record::Record;
use crate::tables::{self, Identity, Tables};

/// So many records are written at once, if there are no others for [`MAX_WAIT`].
const BATCH: usize = 4096;
/// How long a record may wait to be written: what a kill can cost.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// A store, open for one identity: it asks for its own results and adds to them, and can see those of others. No other
/// process can open the file meanwhile, unless both may only read it.
pub struct Store {
    database: Database,
    identity: Identity,
    /// Whose results there are, by their numbers.
    identities: Mutex<Vec<Identity>>,
    is_read_only: bool,
    pending: Mutex<Pending>,
}

/// What is still to be written.
struct Pending {
    records: Vec<(Key, Record)>,
    /// When the last were written.
    written: Instant,
}

/// A result of another version or network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherRecord {
    /// Whose it is.
    pub identity: Identity,
    /// The result.
    pub record: Record,
}

impl Store {
    /// Opens a store, or makes one if there is no file or an empty one. One that may not be written is read. What others
    /// have found stays in it. A store in the format before is read, and becomes one of this format when something is added.
    ///
    /// # Errors
    ///
    /// If the file is no store, is damaged, is of a later format, is in use, or cannot be read or written. It stays as it
    /// was.
    pub fn open(path: &Path, identity: &Identity) -> Result<Self, StoreError> {
        if is_missing(path)? {
            create(path, identity)?;
        }
        // The lock goes with it, so another process may come between: then the next line says so.
        let examined = examine(path)?;
        let identities = tables::identities(&examined)?;
        let is_read_only = open(path)?.is_read_only;
        let database = if is_read_only {
            examined
        } else {
            drop(examined);
            let file = FileBackend::new(open(path)?.file)?;
            Builder::new().set_cache_size(CACHE).create_with_backend(file)?
        };
        Ok(Self {
            database,
            identity: identity.clone(),
            identities: Mutex::new(identities),
            is_read_only,
            pending: Mutex::new(Pending { records: Vec::new(), written: Instant::now() }),
        })
    }

    /// Whether the file may only be read: then what is added is forgotten.
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// The result of just this search. What was added a moment ago may not be found yet.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn get(&self, key: &Key) -> Result<Option<Record>, StoreError> {
        self.own_tables().map_or(Ok(None), |tables| tables.get(&self.database.begin_read()?, key))
    }

    /// The result of the most nodes that holds whatever came before the position.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn deepest(&self, board: &Board) -> Result<Option<Record>, StoreError> {
        let get = |tables: Tables| tables.get_deepest(&self.database.begin_read()?, board.packed());
        self.own_tables().map_or(Ok(None), get)
    }

    /// What each other version and network has found: by just this search, and, if `board` is given, the result of the most
    /// nodes that holds whatever came before it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn of_others(&self, key: &Key, board: Option<&Board>) -> Result<Vec<OtherRecord>, StoreError> {
        let others: Vec<_> = self.identities().iter().cloned().enumerate().collect();
        let read = self.database.begin_read()?;
        let mut found = Vec::new();
        for (number, identity) in others.into_iter().filter(|(_, identity)| *identity != self.identity) {
            let tables = Tables::of(number);
            let deepest = board.map_or(Ok(None), |board| tables.get_deepest(&read, board.packed()))?;
            let records = [tables.get(&read, key)?, deepest].into_iter().flatten();
            found.extend(records.map(|record| OtherRecord { identity: identity.clone(), record }));
        }
        Ok(found)
    }

    /// Adds results. Those of one call are written together or not at all.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&self, records: impl IntoIterator<Item = (Key, Record)>) -> Result<(), StoreError> {
        let due = {
            let mut pending = self.pending();
            pending.records.extend(records);
            let is_due = pending.records.len() >= BATCH || pending.written.elapsed() >= MAX_WAIT;
            is_due.then(|| pending.take())
        };
        due.map_or(Ok(()), |records| self.write(&self.identity, &records, false).map(|_| ()))
    }

    /// Writes what has been added and waits.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn flush(&self) -> Result<(), StoreError> {
        let records = self.pending().take();
        self.write(&self.identity, &records, false).map(|_| ())
    }

    /// Adds results of any version and network at once, all of them or none; of two of the same search the better one stays.
    /// How many are new or better.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or has results of too many versions and networks.
    pub fn improve(&self, identity: &Identity, records: &[(Key, Record)]) -> Result<usize, StoreError> {
        self.write(identity, records, true)
    }

    fn write(&self, identity: &Identity, records: &[(Key, Record)], only_better: bool) -> Result<usize, StoreError> {
        if records.is_empty() || self.is_read_only {
            return Ok(0);
        }
        let write = self.database.begin_write()?;
        let number = tables::number_of(&write, identity)?;
        let count = Tables::of(number).insert(&write, records, only_better)?;
        write.commit()?;
        let mut identities = self.identities();
        if number == identities.len() {
            identities.push(identity.clone());
        }
        Ok(count)
    }

    /// The tables of the results of this program; `None` before there are any.
    fn own_tables(&self) -> Option<Tables> {
        self.identities().iter().position(|identity| *identity == self.identity).map(Tables::of)
    }

    fn identities(&self) -> MutexGuard<'_, Vec<Identity>> {
        self.identities.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Store {
    /// Writes what is left; [`flush`](Store::flush) says whether that worked.
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

impl Pending {
    fn take(&mut self) -> Vec<(Key, Record)> {
        self.written = Instant::now();
        std::mem::take(&mut self.records)
    }
}

/// Whether there is no file, or one without contents.
fn is_missing(path: &Path) -> io::Result<bool> {
    match std::fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_file() && metadata.len() == 0),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

/// Makes an empty store, which comes to its place when it is whole.
fn create(path: &Path, identity: &Identity) -> Result<(), StoreError> {
    // A folder that is missing is the user's, while the name of the new file is not.
    std::fs::metadata(folder_of(&platform::link_target(path)?))?;
    let file = OutputFile::create(path)?;
    drop(begin(&file, identity)?);
    if file.replaces() {
        // What is there has no contents.
        return Ok(file.commit()?);
    }
    match file.commit_new() {
        // Another process was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        result => Ok(result?),
    }
}

/// An empty store in a new file.
pub(crate) fn begin(file: &OutputFile, identity: &Identity) -> Result<Database, StoreError> {
    let database = Builder::new().set_cache_size(CACHE).create_with_backend(FileBackend::new(file.try_clone()?)?)?;
    let write = database.begin_write()?;
    tables::create(&write, identity)?;
    write.commit()?;
    Ok(database)
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}
