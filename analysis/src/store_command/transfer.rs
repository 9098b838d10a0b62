//! Results out of a store, into one, and from one to another.
//!
//! What is added is written in transactions of a bounded size. So memory does not grow with what is read, and whatever ends
//! the process leaves a store with all that it had: the same command again adds the rest.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use cli::{printable, tell};
use eval::Network;
use store::{Identity, Key, Pruning, Record, Store, StoreError, StoreReader};

use crate::error::AnalyseError;
use crate::read::positions::Lines;
use crate::run::check_files;
use crate::search::provenance::identity;
#[cfg(feature = "parquet")]
use crate::store_command::row::LineOfResult;
use crate::store_command::row::ResultRow;
use crate::store_command::{count, size};
use crate::write::output::Sink;
#[cfg(feature = "parquet")]
use crate::write::parquet::ParquetTable;

/// So many results are written at once, if they are not large.
const BATCH: usize = 4096;
/// So many moves of lines are kept until they are written.
const BATCH_MOVES: usize = 1 << 21;

/// Writes all results of a store, as JSON Lines or as a table.
#[derive(Args, Debug)]
pub(super) struct ExportArguments {
    /// The store
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where to write them: as a table in Parquet if the name ends in `.parquet`; `-` is the standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Adds results of JSON Lines to a store.
#[derive(Args, Debug)]
pub(super) struct ImportArguments {
    /// The store, which is made if it is missing
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What `vancura store export` has written, compressed or not; `-` is the standard input
    #[arg(value_name = "FILE.jsonl", required = true)]
    inputs: Vec<PathBuf>,
}

/// Adds the results of other stores to a store.
#[derive(Args, Debug)]
pub(super) struct MergeArguments {
    /// The store, which is made if it is missing
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The other stores, which stay as they are
    #[arg(value_name = "OTHER", required = true)]
    others: Vec<PathBuf>,
}

/// Takes results out of a store.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("which").required(true).multiple(true).args(["older", "min_nodes", "min_depth", "max_size"]))]
pub(super) struct PruneArguments {
    /// The store
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Take out results of other versions and other networks than this program's
    #[arg(long)]
    older: bool,
    /// Take out results of fewer nodes
    #[arg(long, value_name = "COUNT", value_parser = cli::read_count)]
    min_nodes: Option<u64>,
    /// Take out results of less depth
    #[arg(long, visible_alias = "before", value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(1..=246))]
    min_depth: Option<u32>,
    /// Take out results of the fewest nodes until the file has at most so many bytes, as in 500M
    #[arg(long, value_name = "BYTES", value_parser = cli::read_count)]
    max_size: Option<u64>,
}

fn store_error(path: &Path) -> impl Fn(StoreError) -> AnalyseError {
    let path = path.to_owned();
    move |error| AnalyseError::Store { path: path.clone(), error }
}

pub(super) fn export(arguments: &ExportArguments) -> Result<(), AnalyseError> {
    let ExportArguments { file, output } = arguments;
    check_files(std::slice::from_ref(file), std::iter::once(output.as_path()))?;
    let store = StoreReader::open(file).map_err(store_error(file))?;
    let mut results = results_of(output).map_err(AnalyseError::Write)?;
    let mut broken = 0;
    let write = |identity: &Identity, key: Key, record: Option<Record>| {
        let Some(row) = record.and_then(|record| ResultRow::of(identity, &key, &record)) else {
            broken += 1;
            return Ok(());
        };
        results.add(&row).map_err(|error| Ended::Here(AnalyseError::Write(error)))
    };
    store.try_for_each(write).map_err(|ended| ended.while_reading(file))?;
    results.finish().map_err(AnalyseError::Write)?;
    check(broken)
}

/// What results are written to.
trait Results {
    fn add(&mut self, row: &ResultRow) -> io::Result<()>;

    /// Writes the rest and puts the file in its place.
    fn finish(&mut self) -> io::Result<()>;
}

fn results_of(path: &Path) -> io::Result<Box<dyn Results>> {
    let sink = Sink::create(path)?;
    #[cfg(feature = "parquet")]
    if path.extension().is_some_and(|ending| ending == "parquet") {
        return Ok(Box::new(ParquetTable::begin(sink, Vec::new())?));
    }
    Ok(Box::new(sink))
}

/// JSON Lines.
impl Results for Sink {
    fn add(&mut self, row: &ResultRow) -> io::Result<()> {
        serde_json::to_writer(&mut *self, row)?;
        self.write_all(b"\n")
    }

    fn finish(&mut self) -> io::Result<()> {
        self.commit(false)
    }
}

#[cfg(feature = "parquet")]
impl Results for ParquetTable<LineOfResult> {
    fn add(&mut self, row: &ResultRow) -> io::Result<()> {
        Self::add(self, row.lines())
    }

    fn finish(&mut self) -> io::Result<()> {
        Self::finish(self)?;
        self.commit(false)
    }
}

/// Why the results of a store were not all passed on.
enum Ended {
    /// They cannot be read.
    Read(StoreError),
    /// What was to be done with them failed.
    Here(AnalyseError),
}

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Self {
        Self::Read(error)
    }
}

impl Ended {
    fn while_reading(self, path: &Path) -> AnalyseError {
        match self {
            Self::Read(error) => store_error(path)(error),
            Self::Here(error) => error,
        }
    }
}

/// An error if some results could not be read.
fn check(broken: usize) -> Result<(), AnalyseError> {
    if broken > 0 { Err(AnalyseError::BrokenResults { count: broken }) } else { Ok(()) }
}

/// Results on their way into a store.
struct Intake {
    store: Store,
    path: PathBuf,
    waiting: BTreeMap<Identity, Vec<(Key, Record)>>,
    /// How many results wait, and how many moves they have.
    records: usize,
    moves: usize,
    /// How many came, and how many of them were new or better.
    seen: u64,
    taken: u64,
}

impl Intake {
    fn open(path: &Path) -> Result<Self, AnalyseError> {
        let store = Store::open(path, &identity(&Network::embedded())).map_err(store_error(path))?;
        if store.is_read_only() {
            let error = io::Error::new(io::ErrorKind::PermissionDenied, "it may only be read");
            return Err(store_error(path)(error.into()));
        }
        let (path, waiting) = (path.to_owned(), BTreeMap::new());
        Ok(Self { store, path, waiting, records: 0, moves: 0, seen: 0, taken: 0 })
    }

    fn add(&mut self, identity: Identity, key: Key, record: Record) -> Result<(), AnalyseError> {
        self.seen += 1;
        self.records += 1;
        self.moves += record.lines.iter().map(|line| line.moves.len()).sum::<usize>();
        self.waiting.entry(identity).or_default().push((key, record));
        if self.records >= BATCH || self.moves >= BATCH_MOVES { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), AnalyseError> {
        for (identity, records) in std::mem::take(&mut self.waiting) {
            let taken = self.store.improve(&identity, &records).map_err(store_error(&self.path))?;
            self.taken += taken as u64;
        }
        (self.records, self.moves) = (0, 0);
        Ok(())
    }

    fn finish(mut self) -> Result<(), AnalyseError> {
        self.write()?;
        let Self { seen, taken, .. } = self;
        tell(format_args!("{}, {taken} of them new or better", count(seen, "result")));
        Ok(())
    }
}

pub(super) fn import(arguments: &ImportArguments) -> Result<(), AnalyseError> {
    let ImportArguments { file, inputs } = arguments;
    check_files(inputs, std::iter::once(file.as_path()))?;
    // All of them, before anything is changed.
    for path in inputs.iter().filter(|path| path.as_os_str() != "-") {
        fs_err::File::open(path).map_err(AnalyseError::Open)?;
    }
    let mut intake = Intake::open(file)?;
    let mut broken = 0;
    for path in inputs {
        for (number, line) in Lines::new(pgn::open(path).map_err(AnalyseError::Open)?) {
            let result = match line {
                Ok(line) if line.trim().is_empty() => continue,
                line => line.and_then(|line| ResultRow::read(&line)),
            };
            match result {
                Ok((identity, key, record)) => intake.add(identity, key, record)?,
                Err(fault) => {
                    broken += 1;
                    tell(format_args!("{}: line {number}: {}", path.display(), printable(&fault)));
                }
            }
        }
    }
    intake.finish()?;
    check(broken)
}

pub(super) fn merge(arguments: &MergeArguments) -> Result<(), AnalyseError> {
    let MergeArguments { file, others } = arguments;
    check_files(others, std::iter::once(file.as_path()))?;
    // All of them, before anything is changed.
    for other in others {
        StoreReader::open(other).map_err(store_error(other))?;
    }
    let mut intake = Intake::open(file)?;
    let mut broken = 0;
    for other in others {
        let reader = StoreReader::open(other).map_err(store_error(other))?;
        let take = |identity: &Identity, key: Key, record: Option<Record>| match record {
            Some(record) => intake.add(identity.clone(), key, record).map_err(Ended::Here),
            None => {
                broken += 1;
                Ok(())
            }
        };
        reader.try_for_each(take).map_err(|ended| ended.while_reading(other))?;
    }
    intake.finish()?;
    check(broken)
}

pub(super) fn prune(arguments: &PruneArguments) -> Result<(), AnalyseError> {
    let PruneArguments { file, older, min_nodes, min_depth, max_size } = arguments;
    let pruning = Pruning {
        all_but: older.then(|| identity(&Network::embedded())),
        min_nodes: min_nodes.unwrap_or_default(),
        min_depth: min_depth.unwrap_or_default(),
        max_bytes: *max_size,
    };
    let reader = StoreReader::open(file).map_err(store_error(file))?;
    let pruned = reader.prune(file, &pruning).map_err(store_error(file))?;
    for (number, reason) in [
        (pruned.of_others, "of other versions and networks"),
        (pruned.of_few_nodes, "of fewer nodes"),
        (pruned.shallow, "of less depth"),
        (pruned.without_room, "for which there was no room"),
        (pruned.unreadable, "that could not be read"),
    ] {
        if number > 0 {
            tell(format_args!("removed {} {reason}", count(number, "result")));
        }
    }
    tell(format_args!(
        "{} left; {} before, {} now",
        count(pruned.kept, "result"),
        size(pruned.bytes_before),
        size(pruned.bytes)
    ));
    match max_size {
        Some(max) if pruned.bytes > *max => {
            let bytes = pruned.bytes;
            Err(AnalyseError::TooLarge { path: file.clone(), bytes })
        }
        _ => Ok(()),
    }
}
