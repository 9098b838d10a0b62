//! The database: opened with care, asked and added to by many threads.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use movegen::Board;
use platform::OutputFile;
use redb::backends::FileBackend;
use redb::{Builder, Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition};

use crate::check::{CACHE, examine, open};
use crate::error::StoreError;
use crate::key::{Context, KEY, Key, POSITION};
use crate::record::Record;

/// The format of the tables below.
const FORMAT: &str = "1";

/// The results, by position and context.
const RECORDS: TableDefinition<'_, &[u8; KEY], &[u8]> = TableDefinition::new("records");
/// The context of the deepest result of each position.
const DEEPEST: TableDefinition<'_, &[u8; POSITION], &Context> = TableDefinition::new("deepest");
/// What the store is, by name.
const ABOUT: TableDefinition<'_, &str, &str> = TableDefinition::new("vancura analysis store");

/// So many records are written at once, if there are no others for [`MAX_WAIT`].
const BATCH: usize = 4096;
/// How long a record may wait to be written: what a kill can cost.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// Whose results a store has. Only equal ones share a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The program, its version and that of its search.
    pub engine: String,
    /// The network.
    pub network: String,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, network {}", self.engine, self.network)
    }
}

/// What is in a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Whose results it has.
    pub identity: Identity,
    /// Different positions.
    pub positions: u64,
    /// Results, several of some positions.
    pub records: u64,
    /// The size of the file.
    pub bytes: u64,
}

/// An open store. No other process can open it meanwhile, unless both may only read it.
pub struct Store {
    database: Database,
    is_read_only: bool,
    pending: Mutex<Pending>,
}

/// What is still to be written.
struct Pending {
    records: Vec<(Key, Record)>,
    /// When the last were written.
    written: Instant,
}

impl Store {
    /// Opens a store, or makes one if there is no file or an empty one. One that may not be written is read.
    ///
    /// # Errors
    ///
    /// If the file is no store, is damaged, belongs to somebody else, is in use, or cannot be read or written. It stays
    /// as it was.
    pub fn open(path: &Path, identity: &Identity) -> Result<Self, StoreError> {
        if is_missing(path)? {
            create(path, identity)?;
        }
        // The lock goes with it, so another process may come between: then the next line says so.
        let examined = examine(path)?;
        identify(&examined, Some(identity))?;
        let pending = Mutex::new(Pending { records: Vec::new(), written: Instant::now() });
        if open(path)?.is_read_only {
            return Ok(Self { database: examined, is_read_only: true, pending });
        }
        drop(examined);
        let file = FileBackend::new(open(path)?.file)?;
        let database = Builder::new().set_cache_size(CACHE).create_with_backend(file)?;
        Ok(Self { database, is_read_only: false, pending })
    }

    /// Whether the file may only be read: then what is added is forgotten.
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// What is in a store, whosever it is. The file stays as it is.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and if there is no file.
    pub fn summary(path: &Path) -> Result<Summary, StoreError> {
        let bytes = open(path)?.file.metadata()?.len();
        let database = examine(path)?;
        let identity = identify(&database, None)?;
        let read = database.begin_read()?;
        let (positions, records) = (read.open_table(DEEPEST)?.len()?, read.open_table(RECORDS)?.len()?);
        Ok(Summary { identity, positions, records, bytes })
    }

    /// The result of just this search. What was added a moment ago may not be found yet.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn get(&self, key: &Key) -> Result<Option<Record>, StoreError> {
        let records = self.database.begin_read()?.open_table(RECORDS)?;
        Ok(records.get(key.bytes())?.and_then(|bytes| Record::from_bytes(bytes.value())))
    }

    /// The result of the most nodes that holds whatever came before the position.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn deepest(&self, board: &Board) -> Result<Option<Record>, StoreError> {
        let read = self.database.begin_read()?;
        let position = board.packed();
        let context = read.open_table(DEEPEST)?.get(&position)?.map(|context| *context.value());
        let Some(context) = context else { return Ok(None) };
        let bytes = read.open_table(RECORDS)?.get(Key::of_parts(position, context).bytes())?;
        Ok(bytes.and_then(|bytes| Record::from_bytes(bytes.value())).filter(|record| record.is_general))
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
        due.map_or(Ok(()), |records| self.write(&records))
    }

    /// Writes what has been added and waits.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn flush(&self) -> Result<(), StoreError> {
        let records = self.pending().take();
        self.write(&records)
    }

    fn write(&self, records: &[(Key, Record)]) -> Result<(), StoreError> {
        if records.is_empty() || self.is_read_only {
            return Ok(());
        }
        let write = self.database.begin_write()?;
        {
            let (mut table, mut deepest) = (write.open_table(RECORDS)?, write.open_table(DEEPEST)?);
            for (key, record) in records {
                let Some(bytes) = record.to_bytes() else { continue };
                let old = deepest.get(&key.position())?.map(|context| *context.value());
                let old = match old {
                    Some(context) => table.get(Key::of_parts(key.position(), context).bytes())?,
                    None => None,
                };
                let old = old.and_then(|bytes| Record::from_bytes(bytes.value()));
                table.insert(key.bytes(), &bytes[..])?;
                if old.is_none_or(|old| record.is_better_than(&old)) {
                    deepest.insert(&key.position(), &key.context())?;
                }
            }
        }
        Ok(write.commit()?)
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
    let database = Builder::new().set_cache_size(CACHE).create_with_backend(FileBackend::new(file.try_clone()?)?)?;
    let write = database.begin_write()?;
    {
        let mut about = write.open_table(ABOUT)?;
        for (name, value) in [("format", FORMAT), ("engine", &identity.engine), ("network", &identity.network)] {
            about.insert(name, value)?;
        }
        write.open_table(RECORDS)?;
        write.open_table(DEEPEST)?;
    }
    write.commit()?;
    drop(database);
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

fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// Whose store this is; an error if that is not `wanted`, or if it is none.
fn identify(database: &Database, wanted: Option<&Identity>) -> Result<Identity, StoreError> {
    let read = database.begin_read()?;
    let about = read.open_table(ABOUT)?;
    let value = |name| -> Result<String, StoreError> {
        about.get(name)?.map(|value| value.value().to_owned()).ok_or(StoreError::Foreign)
    };
    let found = Identity { engine: value("engine")?, network: value("network")? };
    let format = value("format")?;
    if format != FORMAT {
        let wanted = format!("a program for format {FORMAT}");
        return Err(StoreError::Other { found: format!("{found}, format {format}"), wanted });
    }
    match wanted {
        Some(wanted) if *wanted != found => {
            Err(StoreError::Other { found: found.to_string(), wanted: wanted.to_string() })
        }
        _ => Ok(found),
    }
}
