//! Making a store smaller: results go by rules, and the file really shrinks.
//!
//! All is done in a copy, which takes the place of the file at the end. So whatever ends the process, the store is as it was
//! or as it was to be.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use platform::OutputFile;
use redb::backends::FileBackend;
use redb::{Builder, Database, ReadableTable, WriteTransaction};

use crate::check::{CACHE, open};
use crate::error::StoreError;
use crate::key::{KEY, Key, POSITION};
use crate::reader::StoreReader;
use crate::record::Record;
use crate::tables::{self, Identity, Tables};

/// How often the store is made smaller until it is as small as it should be: each time it comes nearer.
const MAX_ROUNDS: usize = 20;
/// What a result takes beside its key and its bytes, about, in bytes.
const OVERHEAD: u64 = 60;

/// Which results are to go.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pruning {
    /// All but those of this version and network.
    pub all_but: Option<Identity>,
    /// Those of fewer nodes.
    pub min_nodes: u64,
    /// Those of less depth.
    pub min_depth: u32,
    /// Those of the fewest nodes, until the file has so many bytes at the most.
    pub max_bytes: Option<u64>,
}

/// What has gone, and what is left.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pruned {
    /// Results of other versions and networks.
    pub of_others: u64,
    /// Results of too few nodes.
    pub of_few_nodes: u64,
    /// Results of too little depth.
    pub shallow: u64,
    /// Results for which there was no room.
    pub without_room: u64,
    /// What could not be read, as the file was tampered with.
    pub unreadable: u64,
    /// The results that are left.
    pub kept: u64,
    /// The size of the file before.
    pub bytes_before: u64,
    /// Its size now.
    pub bytes: u64,
}

impl StoreReader {
    /// Takes results out of this store, which lies at `path`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or replaced. It stays as it was.
    pub fn prune(self, path: &Path, pruning: &Pruning) -> Result<Pruned, StoreError> {
        let before = self.summary()?;
        // Elsewhere the lock stays until the end, so that no other process adds to what is to be replaced; here nobody could
        // read what is locked.
        let lock = if cfg!(windows) { None } else { Some(self) };
        let mut aside = OutputFile::create(path)?;
        io::copy(&mut open(path)?.file, &mut aside)?;
        io::Write::flush(&mut aside)?;
        let mut pruned = Pruned { bytes_before: before.bytes, ..Pruned::default() };
        let mut quota = Quota::default();
        for round in 0.. {
            let mut database = database_in(&aside)?;
            let rules = if round == 0 { pruning } else { &Pruning::default() };
            remove(&database, &mut pruned, rules, &mut quota)?;
            database.compact().map_err(|error| StoreError::Io(io::Error::other(error)))?;
            // Its end is cut off when it is closed.
            drop(database);
            pruned.bytes = aside.try_clone()?.metadata()?.len();
            let Some(max) = pruning.max_bytes.filter(|max| pruned.bytes > *max) else { break };
            if pruned.kept == 0 || round == MAX_ROUNDS {
                break;
            }
            quota = Quota::new(&database_in(&aside)?, pruned.bytes, max)?;
        }
        aside.commit()?;
        drop(lock);
        Ok(pruned)
    }
}

fn database_in(file: &OutputFile) -> Result<Database, StoreError> {
    Ok(Builder::new().set_cache_size(CACHE).create_with_backend(FileBackend::new(file.try_clone()?)?)?)
}

/// How many bytes of results have to go: those of the fewest nodes first.
#[derive(Default)]
struct Quota {
    /// Results of fewer nodes, by [`size_of_nodes`], go.
    bound: u32,
    /// Of those at the bound as many as have these bytes.
    bytes_at_bound: u64,
}

impl Quota {
    fn new(database: &Database, size: u64, max: u64) -> Result<Self, StoreError> {
        let (mut total, mut sizes) = (0, BTreeMap::<u32, u64>::new());
        let write = database.begin_write()?;
        for number in 0..tables::identities_in(&write)?.len() {
            let tables = Tables::of(number);
            let results = write.open_table(tables.results())?;
            for entry in results.iter()? {
                let bytes = entry?.1;
                let bytes = bytes.value();
                let nodes = Record::from_bytes(bytes).map_or(0, |record| record.nodes);
                let size = bytes_of(bytes);
                total += size;
                *sizes.entry(size_of_nodes(nodes)).or_default() += size;
            }
        }
        write.abort()?;
        // A little more than the share that is too much: what is left never fits without gaps.
        let share = |of: u64| (u128::from(of) * u128::from(size - max) * 21 / u128::from(size.max(1)) / 20) as u64;
        let mut rest = share(total).clamp(1, total);
        for (bound, size) in sizes {
            if size >= rest {
                return Ok(Self { bound, bytes_at_bound: rest });
            }
            rest -= size;
        }
        Ok(Self { bound: u32::MAX, bytes_at_bound: 0 })
    }

    /// Whether a result has to go.
    fn takes(&mut self, record: &Record, bytes: &[u8]) -> bool {
        let size = size_of_nodes(record.nodes);
        if size == self.bound && self.bytes_at_bound > 0 {
            self.bytes_at_bound = self.bytes_at_bound.saturating_sub(bytes_of(bytes));
            return true;
        }
        size < self.bound
    }
}

/// What a result takes in the file, about.
fn bytes_of(bytes: &[u8]) -> u64 {
    (KEY + bytes.len()) as u64 + OVERHEAD
}

/// A number of nodes to a sixteenth of itself, in order.
fn size_of_nodes(nodes: u64) -> u32 {
    let digits = nodes.max(1).ilog2();
    let rest = if digits < 4 { nodes << (4 - digits) } else { nodes >> (digits - 4) };
    16 * digits + (rest & 15) as u32
}

/// Takes out of a store what is to go, in one transaction.
fn remove(database: &Database, pruned: &mut Pruned, pruning: &Pruning, quota: &mut Quota) -> Result<(), StoreError> {
    let write = database.begin_write()?;
    let identities = tables::identities_in(&write)?;
    let mut kept = Vec::new();
    pruned.kept = 0;
    for (number, identity) in identities.into_iter().enumerate() {
        let is_others = pruning.all_but.as_ref().is_some_and(|own| *own != identity);
        let mut left = 0_u64;
        write.open_table(Tables::of(number).results())?.retain(|_, bytes| {
            let record = Record::from_bytes(bytes);
            let reason = match &record {
                None => &mut pruned.unreadable,
                Some(_) if is_others => &mut pruned.of_others,
                Some(record) if record.nodes < pruning.min_nodes => &mut pruned.of_few_nodes,
                Some(record) if record.depth < pruning.min_depth => &mut pruned.shallow,
                Some(record) if quota.takes(record, bytes) => &mut pruned.without_room,
                Some(_) => {
                    left += 1;
                    return true;
                }
            };
            *reason += 1;
            false
        })?;
        mend_deepest(&write, &Tables::of(number))?;
        pruned.kept += left;
        if left > 0 {
            kept.push((number, identity));
        }
    }
    tables::keep_only(&write, &kept)?;
    Ok(write.commit()?)
}

/// Makes the list of the deepest results true again, after some have gone.
fn mend_deepest(write: &WriteTransaction, tables: &Tables) -> Result<(), StoreError> {
    let results = write.open_table(tables.results())?;
    let mut deepest = write.open_table(tables.deepest())?;
    let mut fault = None;
    deepest.retain(|position, context| match results.get(Key::of_parts(*position, *context).bytes()) {
        Ok(record) => record.is_some(),
        Err(error) => {
            fault.get_or_insert(error);
            true
        }
    })?;
    fault.map_or(Ok(()), Err)?;
    let mut best: Option<(Key, Record)> = None;
    let mut note = |best: Option<(Key, Record)>| -> Result<(), StoreError> {
        let Some((key, _)) = best else { return Ok(()) };
        let position: [u8; POSITION] = key.position();
        if deepest.get(&position)?.is_none() {
            deepest.insert(&position, &key.context())?;
        }
        Ok(())
    };
    for entry in results.iter()? {
        let (key, bytes) = entry?;
        let key = Key::of_bytes(*key.value());
        let Some(record) = Record::from_bytes(bytes.value()) else { continue };
        let is_same = best.as_ref().is_some_and(|(other, _)| other.position() == key.position());
        if is_same && best.as_ref().is_some_and(|(_, other)| !record.is_better_than(other)) {
            continue;
        }
        let last = best.replace((key, record));
        note(last.filter(|_| !is_same))?;
    }
    note(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_nodes_are_in_order() {
        let numbers: Vec<u64> = (0..3000).chain((12..64).flat_map(|digits| [(1 << digits) - 1, 1 << digits])).collect();
        assert!(numbers.iter().map(|nodes| size_of_nodes(*nodes)).is_sorted());
        assert!(size_of_nodes(200_000) < size_of_nodes(220_000) && size_of_nodes(u64::MAX) < 1024);
    }
}
