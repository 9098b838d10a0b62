//! All that is in a store, whosever it is, without a change of the file.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTableMetadata};

use crate::check::{examine, open};
use crate::error::StoreError;
use crate::key::{KEY, Key, POSITION};
use crate::record::Record;
use crate::tables::{self, Identity, Tables};

/// What is in a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Different positions.
    pub positions: u64,
    /// Results, several of some positions.
    pub records: u64,
    /// The same for each whose results there are, in the order of their names.
    pub parts: Vec<SummaryPart>,
    /// The size of the file.
    pub bytes: u64,
}

/// The results of one version and network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SummaryPart {
    /// Whose they are.
    pub identity: Identity,
    /// Different positions.
    pub positions: u64,
    /// Results.
    pub records: u64,
}

/// The next position of a list, and which list that is.
type Head = Reverse<([u8; POSITION], usize)>;

/// A store that is only looked into.
pub struct StoreReader {
    database: Database,
    /// With the numbers of their tables, in the order of the names.
    identities: Vec<(Identity, usize)>,
    bytes: u64,
}

impl StoreReader {
    /// Opens a store, whosever results it has. The file stays as it is.
    ///
    /// # Errors
    ///
    /// As [`Store::open`](crate::Store::open), and if there is no file.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let bytes = open(path)?.file.metadata()?.len();
        let database = examine(path)?;
        let identities = tables::identities(&database)?.into_iter();
        let mut identities: Vec<_> = identities.enumerate().map(|(number, identity)| (identity, number)).collect();
        identities.sort();
        Ok(Self { database, identities, bytes })
    }

    /// How much is in it. Whoever made a store and has no result in it is named only if there is no result at all.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn summary(&self) -> Result<Summary, StoreError> {
        let read = self.database.begin_read()?;
        let mut parts = Vec::new();
        for (identity, number) in &self.identities {
            let tables = Tables::of(*number);
            let (positions, records) =
                (read.open_table(tables.deepest())?.len()?, read.open_table(tables.results())?.len()?);
            parts.push(SummaryPart { identity: identity.clone(), positions, records });
        }
        if parts.iter().any(|part| part.records > 0) {
            parts.retain(|part| part.records > 0);
        }
        let records = parts.iter().map(|part| part.records).sum();
        Ok(Summary { positions: self.count_positions()?, records, parts, bytes: self.bytes })
    }

    /// The different positions of all, which are in order in each table.
    fn count_positions(&self) -> Result<u64, StoreError> {
        let read = self.database.begin_read()?;
        let mut lists = Vec::new();
        for (_, number) in &self.identities {
            lists.push(read.open_table(Tables::of(*number).deepest())?.range::<&[u8; POSITION]>(..)?);
        }
        let mut next = |index: usize| -> Result<Option<Head>, StoreError> {
            let Some(list) = lists.get_mut(index) else { return Ok(None) };
            Ok(list.next().transpose()?.map(|(position, _)| Reverse((*position.value(), index))))
        };
        let mut heads = BinaryHeap::new();
        for index in 0..self.identities.len() {
            heads.extend(next(index)?);
        }
        let (mut count, mut last) = (0, None);
        while let Some(Reverse((position, index))) = heads.pop() {
            count += u64::from(last != Some(position));
            last = Some(position);
            heads.extend(next(index)?);
        }
        Ok(count)
    }

    /// Hands over all results, in an order that is the same for equal stores: by the names of those whose they are, then by
    /// position and context. `None` stands for what is no result, as the file was tampered with.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or with the first error of `take`.
    pub fn try_for_each<E: From<StoreError>>(
        &self,
        mut take: impl FnMut(&Identity, Key, Option<Record>) -> Result<(), E>,
    ) -> Result<(), E> {
        let read = self.database.begin_read().map_err(StoreError::from)?;
        for (identity, number) in &self.identities {
            let results = read.open_table(Tables::of(*number).results()).map_err(StoreError::from)?;
            for entry in results.range::<&[u8; KEY]>(..).map_err(StoreError::from)? {
                let (key, bytes) = entry.map_err(StoreError::from)?;
                take(identity, Key::of_bytes(*key.value()), Record::from_bytes(bytes.value()))?;
            }
        }
        Ok(())
    }
}
