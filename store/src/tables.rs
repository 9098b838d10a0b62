//! The tables of a store: which there are, and how results get into them.
//!
//! Whose results they are, their [`Identity`], chooses the tables: two for each, with the number of the identity in their
//! names. So results of one version and network are found as fast as if there were no others, and are deleted together. The
//! tables of the first one have no number: they are those of a store in the format before, which becomes one of this format
//! by a list of identities, whatever its size.

use std::fmt;

use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable, TableDefinition, WriteTransaction};

use crate::error::StoreError;
use crate::key::{Context, KEY, Key, POSITION};
use crate::record::Record;

/// The format of these tables.
const FORMAT: &str = "2";
/// The one before: without a list of identities, as all results are of the one that made the store.
const OLD_FORMAT: &str = "1";
/// So many identities have results in one store at the most. Each takes some pages of the file.
const MAX_IDENTITIES: usize = 1000;

/// What the store is, by name. The identity that made it stands here too, for programs that read the format before.
const ABOUT: TableDefinition<'_, &str, &str> = TableDefinition::new("vancura analysis store");
/// Whose results there are, by number: engine and network.
const IDENTITIES: TableDefinition<'_, u32, (&str, &str)> = TableDefinition::new("identities");

/// Whose results these are. Searches of equal ones find the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
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

/// What the tables of an identity are called.
pub(crate) struct Tables {
    results: String,
    deepest: String,
}

impl Tables {
    /// Those of an identity, by its number.
    pub fn of(number: usize) -> Self {
        let name = |kind: &str| if number == 0 { kind.to_owned() } else { format!("{kind} {number}") };
        Self { results: name("records"), deepest: name("deepest") }
    }

    /// The results, by position and context.
    pub fn results(&self) -> TableDefinition<'_, &'static [u8; KEY], &'static [u8]> {
        TableDefinition::new(&self.results)
    }

    /// The context of the deepest result of each position.
    pub fn deepest(&self) -> TableDefinition<'_, &'static [u8; POSITION], &'static Context> {
        TableDefinition::new(&self.deepest)
    }

    /// A result.
    pub fn get(&self, read: &ReadTransaction, key: &Key) -> Result<Option<Record>, StoreError> {
        let bytes = read.open_table(self.results())?.get(key.bytes())?;
        Ok(bytes.and_then(|bytes| Record::from_bytes(bytes.value())))
    }

    /// The deepest result of a position, if it holds whatever came before.
    pub fn get_deepest(&self, read: &ReadTransaction, position: [u8; POSITION]) -> Result<Option<Record>, StoreError> {
        let context = read.open_table(self.deepest())?.get(&position)?.map(|context| *context.value());
        let Some(context) = context else { return Ok(None) };
        Ok(self.get(read, &Key::of_parts(position, context))?.filter(|record| record.is_general))
    }

    /// Adds results: all of them, or only those that are better than what is there of the same search. How many.
    pub fn insert(
        &self,
        write: &WriteTransaction,
        records: &[(Key, Record)],
        only_better: bool,
    ) -> Result<usize, StoreError> {
        let (mut results, mut deepest) = (write.open_table(self.results())?, write.open_table(self.deepest())?);
        let mut count = 0;
        for (key, record) in records {
            let Some(bytes) = record.to_bytes() else { continue };
            let read =
                |bytes: Option<redb::AccessGuard<'_, &[u8]>>| bytes.and_then(|it| Record::from_bytes(it.value()));
            if only_better && read(results.get(key.bytes())?).is_some_and(|old| record.rank() <= old.rank()) {
                continue;
            }
            let context = deepest.get(&key.position())?.map(|context| *context.value());
            let old = match context {
                Some(context) => read(results.get(Key::of_parts(key.position(), context).bytes())?),
                None => None,
            };
            results.insert(key.bytes(), &bytes[..])?;
            count += 1;
            if old.is_none_or(|old| record.is_better_than(&old)) {
                deepest.insert(&key.position(), &key.context())?;
            } else if context == Some(key.context()) {
                // It has taken the place of the deepest one, and is less: another may be it now.
                let best = best_of(&results, key.position())?;
                deepest.insert(&key.position(), &best.unwrap_or(key.context()))?;
            }
        }
        Ok(count)
    }
}

/// The context of the deepest result of a position.
fn best_of(
    results: &impl ReadableTable<&'static [u8; KEY], &'static [u8]>,
    position: [u8; POSITION],
) -> Result<Option<Context>, StoreError> {
    let [first, last] = [0, 0xFF].map(|byte| Key::of_parts(position, [byte; size_of::<Context>()]));
    let mut best: Option<(Context, Record)> = None;
    for entry in results.range::<&[u8; KEY]>(first.bytes()..=last.bytes())? {
        let (key, bytes) = entry?;
        let Some(record) = Record::from_bytes(bytes.value()) else { continue };
        if best.as_ref().is_none_or(|(_, best)| record.is_better_than(best)) {
            best = Some((Key::of_bytes(*key.value()).context(), record));
        }
    }
    Ok(best.map(|(context, _)| context))
}

/// Makes the tables of a new store, whose first identity this is.
pub(crate) fn create(write: &WriteTransaction, identity: &Identity) -> Result<(), StoreError> {
    {
        let mut about = write.open_table(ABOUT)?;
        for (name, value) in [("format", FORMAT), ("engine", &identity.engine), ("network", &identity.network)] {
            about.insert(name, value)?;
        }
    }
    number_of(write, identity).map(|_| ())
}

/// Whose results a store has, by their numbers; an error if it is none, or of a later format.
pub(crate) fn identities(database: &Database) -> Result<Vec<Identity>, StoreError> {
    let read = database.begin_read()?;
    let about = read.open_table(ABOUT)?;
    let value = |name| -> Result<String, StoreError> {
        about.get(name)?.map(|value| value.value().to_owned()).ok_or(StoreError::Foreign)
    };
    let maker = Identity { engine: value("engine")?, network: value("network")? };
    let found = match &value("format")?[..] {
        OLD_FORMAT => vec![maker],
        FORMAT => listed(&read.open_table(IDENTITIES)?)?,
        format => return Err(StoreError::Later { found: format!("{maker}, format {format}") }),
    };
    for number in 0..found.len() {
        let tables = Tables::of(number);
        read.open_table(tables.results())?;
        read.open_table(tables.deepest())?;
    }
    Ok(found)
}

/// The number of an identity, which gets one if it has none. The format becomes this one, if it was the one before.
pub(crate) fn number_of(write: &WriteTransaction, identity: &Identity) -> Result<usize, StoreError> {
    let mut identities = write.open_table(IDENTITIES)?;
    upgrade(write, &mut identities)?;
    let known = listed(&identities)?;
    if let Some(number) = known.iter().position(|other| other == identity) {
        return Ok(number);
    }
    let number = known.len();
    if number >= MAX_IDENTITIES {
        return Err(StoreError::Crowded(number));
    }
    // The limit is far below this.
    let place = u32::try_from(number).unwrap_or(u32::MAX);
    identities.insert(place, (&identity.engine[..], &identity.network[..]))?;
    let tables = Tables::of(number);
    write.open_table(tables.results())?;
    write.open_table(tables.deepest())?;
    Ok(number)
}

/// Whose results a store has that is being written, by their numbers.
pub(crate) fn identities_in(write: &WriteTransaction) -> Result<Vec<Identity>, StoreError> {
    let mut identities = write.open_table(IDENTITIES)?;
    upgrade(write, &mut identities)?;
    listed(&identities)
}

/// Leaves only the tables of these identities, with their numbers, in order. They get the numbers from 0 on. Of a store
/// without results the first one stays, with empty tables.
pub(crate) fn keep_only(write: &WriteTransaction, kept: &[(usize, Identity)]) -> Result<(), StoreError> {
    let found = identities_in(write)?;
    let first = found.first().map(|identity| vec![(0, identity.clone())]).unwrap_or_default();
    let kept = if kept.is_empty() { &first[..] } else { kept };
    for number in (0..found.len()).filter(|number| kept.iter().all(|(other, _)| other != number)) {
        let tables = Tables::of(number);
        write.delete_table(tables.results())?;
        write.delete_table(tables.deepest())?;
    }
    let mut identities = write.open_table(IDENTITIES)?;
    identities.retain(|_, _| false)?;
    for (place, (number, identity)) in (0_u32..).zip(kept) {
        let (old, new) = (Tables::of(*number), Tables::of(place as usize));
        if old.results != new.results {
            write.rename_table(old.results(), new.results())?;
            write.rename_table(old.deepest(), new.deepest())?;
        }
        identities.insert(place, (&identity.engine[..], &identity.network[..]))?;
    }
    Ok(())
}

/// Makes a store of the format before one of this format.
fn upgrade(
    write: &WriteTransaction,
    identities: &mut redb::Table<'_, u32, (&'static str, &'static str)>,
) -> Result<(), StoreError> {
    let mut about = write.open_table(ABOUT)?;
    let text = |value: Option<redb::AccessGuard<'_, &str>>| value.map(|value| value.value().to_owned());
    if text(about.get("format")?).is_none_or(|format| format != OLD_FORMAT) {
        return Ok(());
    }
    let [engine, network] = [text(about.get("engine")?), text(about.get("network")?)];
    identities.insert(0, (&engine.unwrap_or_default()[..], &network.unwrap_or_default()[..]))?;
    about.insert("format", FORMAT)?;
    Ok(())
}

/// The identities of a list, whose numbers must be those from 0 on.
fn listed(table: &impl ReadableTable<u32, (&'static str, &'static str)>) -> Result<Vec<Identity>, StoreError> {
    let mut found = Vec::new();
    for entry in table.iter()? {
        let (number, names) = entry?;
        if usize::try_from(number.value()) != Ok(found.len()) || found.len() >= MAX_IDENTITIES {
            return Err(StoreError::Damaged("its list of versions is not in order".to_owned()));
        }
        let (engine, network) = names.value();
        found.push(Identity { engine: engine.to_owned(), network: network.to_owned() });
    }
    Ok(found)
}
