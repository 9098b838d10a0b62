//! What is known of the games of a folder, so that not all are read for a list.

use std::collections::{BTreeMap, HashMap};
use std::fs::Metadata;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use movegen::GameResult;
use pgn::{NodeId, PgnReader, Tags};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Identity, Listed};
use crate::list::{Heading, Index, Query, Sort};

/// How the names of games end.
pub(super) const ENDING: &str = ".pgn";
/// The longest file that is taken for a game, in bytes.
pub(super) const MAX_GAME: u64 = 16 << 20;
/// The longest file with a list that is believed, in bytes.
const MAX_LIST: u64 = 1 << 30;
/// How many games must have been read anew to write the list again.
const WORTH_WRITING: usize = 32;
/// What lists are written as; others are not read.
const VERSION: u32 = 1;

/// What is known of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    pub revision: u64,
    /// When its file was changed, in milliseconds since 1970.
    pub changed: u64,
    pub tags: BTreeMap<String, String>,
    pub plies: usize,
    /// What is wrong with the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// By what it is seen whether a file has been changed: its length, and when it was.
type Stamp = (u64, u64);

/// That of no file.
const NEVER: Stamp = (u64::MAX, 0);

/// A list as a file.
#[derive(Serialize, Deserialize, Default)]
struct List {
    version: u32,
    games: HashMap<String, (Stamp, Entry)>,
}

/// The games of a folder.
pub(super) struct Cache {
    folder: PathBuf,
    file: PathBuf,
    known: HashMap<String, (Stamp, Entry)>,
    /// Those that are there, the one changed last first.
    order: Vec<String>,
    index: Index,
    /// How many are not in the file.
    unwritten: usize,
    is_loaded: bool,
    /// When the folder was looked through, and when it was changed last by then; `None` if it must be looked through again.
    looked: Option<(Instant, Option<SystemTime>)>,
    /// Another number whenever the games are others than before.
    generation: u64,
}

/// Whether a file holds one game, and what is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Contents {
    One,
    /// More than one, none, or one that cannot be read.
    Other,
}

impl Contents {
    pub fn is_one_game(self) -> bool {
        self == Self::One
    }
}

impl Cache {
    pub fn new(folder: &Path, file: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            file: file.to_owned(),
            known: HashMap::new(),
            order: Vec::new(),
            index: Index::default(),
            unwritten: 0,
            is_loaded: false,
            looked: None,
            generation: 0,
        }
    }

    /// A game was saved, moved or deleted by this program. Its file is read again even if it looks the same: two changes may
    /// fall into one tick of the file system's clock.
    pub fn touch(&mut self, id: &str) {
        self.looked = None;
        if let Some((stamp, _)) = self.known.get_mut(id) {
            *stamp = NEVER;
        }
    }

    /// Looks which games are there, unless it did so a moment ago, not longer than this, and no file has come or gone since.
    /// What others write into a file that stays is seen when the moment is over.
    pub fn refresh_after(&mut self, moment: Duration) -> io::Result<()> {
        let changed = std::fs::metadata(&self.folder).and_then(|folder| folder.modified()).ok();
        let is_known = self.looked.is_some_and(|(when, known)| when.elapsed() < moment && known == changed);
        if is_known { Ok(()) } else { self.refresh() }
    }

    /// Looks which games are there, and reads those that are not known as they are.
    pub fn refresh(&mut self) -> io::Result<()> {
        if !self.is_loaded {
            self.known = load(&self.file);
            self.is_loaded = true;
        }
        // As it is before the look: what comes later is a change.
        let changed = std::fs::metadata(&self.folder).and_then(|folder| folder.modified()).ok();
        let mut found = HashMap::new();
        let mut is_changed = false;
        for (id, stamp) in files(&self.folder)? {
            let known = self.known.remove(&id).filter(|(known, _)| *known == stamp);
            let entry = match known {
                Some((_, entry)) => entry,
                None => {
                    is_changed = true;
                    self.unwritten += 1;
                    read(&self.folder, &id, stamp)
                }
            };
            found.insert(id, (stamp, entry));
        }
        is_changed |= !self.known.is_empty() || self.order.len() != found.len();
        self.known = found;
        if is_changed {
            self.generation += 1;
            self.rebuild();
        }
        self.looked = Some((Instant::now(), changed));
        if self.unwritten >= WORTH_WRITING {
            // It is only there to be quick. Where it cannot be written, files are read again.
            let _ = self.write();
            self.unwritten = 0;
        }
        Ok(())
    }

    fn rebuild(&mut self) {
        let mut order: Vec<_> =
            self.known.iter().map(|(id, (stamp, _))| (std::cmp::Reverse(stamp.1), id.clone())).collect();
        order.sort_unstable();
        self.order = order.into_iter().map(|(_, id)| id).collect();
        self.index = Index::default();
        for id in &self.order {
            let entry = &self.known[id].1;
            self.index.push(&entry.heading());
        }
    }

    fn write(&self) -> io::Result<()> {
        let list = List { version: VERSION, games: self.known.clone() };
        platform::write_file(&self.file, serde_json::to_vec(&list)?)
    }

    /// A page of the games that are looked for, and how many there are.
    pub fn list(&mut self, query: &Query, sort: Sort, from: usize, count: usize) -> (usize, Vec<Listed>) {
        let places = self.index.find(query, sort);
        let page = places.iter().skip(from).take(count).map(|&place| {
            let id = &self.order[place as usize];
            Listed { id: id.clone(), entry: self.known[id].1.clone() }
        });
        (places.len(), page.collect())
    }

    /// A number that is another one whenever the games are others than before.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The games that can be read, the one changed last first, each with its revision.
    pub fn revisions(&self) -> impl Iterator<Item = (String, u64)> {
        let all = self.order.iter().map(|id| (id.clone(), self.known[id].1.revision));
        all.filter(|(_, revision)| *revision != 0)
    }
}

impl Entry {
    fn heading(&self) -> Heading {
        let mut tags = Tags::default();
        self.tags.iter().for_each(|(name, value)| tags.set(name, value.clone()));
        let result = tags.get("Result").and_then(pgn::read_result);
        Heading::new(&tags, result, self.plies)
    }
}

/// The list of a file; an empty one if it is missing or damaged.
fn load(file: &Path) -> HashMap<String, (Stamp, Entry)> {
    let bytes = std::fs::metadata(file).ok().filter(|metadata| metadata.len() <= MAX_LIST);
    let bytes = bytes.and_then(|_| std::fs::read(file).ok());
    let list = bytes.and_then(|bytes| serde_json::from_slice::<List>(&bytes).ok());
    list.filter(|list| list.version == VERSION).unwrap_or_default().games
}

/// The games of a folder by their files; none if it is not there. A file that cannot be called so is there by its whole name.
fn files(folder: &Path) -> io::Result<Vec<(String, Stamp)>> {
    let entries = match fs_err::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || !name.to_lowercase().ends_with(ENDING) {
            continue;
        }
        let id = name.strip_suffix(ENDING).filter(|id| Identity::new(id).is_some()).map(str::to_owned);
        // A link is what it leads to. A file that is removed meanwhile is not there.
        let metadata =
            entry.metadata().and_then(|own| if own.is_symlink() { std::fs::metadata(entry.path()) } else { Ok(own) });
        if let Ok(metadata) = metadata {
            found.push((id.unwrap_or(name), stamp(&metadata)));
        }
    }
    Ok(found)
}

fn stamp(metadata: &Metadata) -> Stamp {
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    (metadata.len(), changed.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)))
}

/// What is to be known of a game. One that cannot be read is listed, too, with the reason.
fn read(folder: &Path, id: &str, (length, changed): Stamp) -> Entry {
    let bytes = std::fs::File::open(folder.join(format!("{id}{ENDING}"))).and_then(|file| {
        if length > MAX_GAME {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has {length} bytes")));
        }
        let mut bytes = Vec::new();
        file.take(MAX_GAME).read_to_end(&mut bytes)?;
        Ok(bytes)
    });
    let of_problem = |text| Entry { revision: 0, changed: 0, tags: BTreeMap::new(), plies: 0, problem: Some(text) };
    let is_named = Identity::new(id).is_some() && !id.to_lowercase().ends_with(ENDING);
    let entry = match bytes {
        _ if !is_named => {
            of_problem(format!("the file has a name that is not safe on every system; rename it, ending in {ENDING}"))
        }
        Ok(bytes) => examine(&bytes).0,
        Err(error) => of_problem(format!("the file cannot be read: {error}")),
    };
    Entry { changed: changed / 1_000_000, ..entry }
}

/// What is to be known of the contents of a file.
pub(super) fn examine(bytes: &[u8]) -> (Entry, Contents) {
    let mut entry = Entry { revision: revision_of(bytes), changed: 0, tags: BTreeMap::new(), plies: 0, problem: None };
    let text = pgn::text_of(io::Cursor::new(bytes.to_vec()));
    let mut games = text.ok().map(|text| PgnReader::new(text.take(MAX_GAME)));
    let owned = |tags: &Tags, result: Option<GameResult>| {
        let mut tags: BTreeMap<_, _> = tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        tags.entry("Result".to_owned()).or_insert_with(|| pgn::result_text(result));
        tags
    };
    match games.as_mut().and_then(Iterator::next) {
        Some(Ok(game)) => {
            let tree = &game.tree;
            entry.tags = owned(&game.tags, game.result);
            entry.plies = std::iter::successors(tree.main_child(NodeId::ROOT), |&id| tree.main_child(id)).count();
            entry.problem = game.remarks.iter().find(|remark| remark.is_loss()).map(ToString::to_string);
        }
        Some(Err(error)) => {
            entry.tags = games.as_ref().map(|games| owned(games.lost_tags(), None)).unwrap_or_default();
            entry.problem = Some(error.to_string());
            return (entry, Contents::Other);
        }
        None => {
            entry.problem = Some("there is no game in the file".to_owned());
            return (entry, Contents::Other);
        }
    }
    let others = games.map_or(0, Iterator::count);
    if others > 0 {
        entry.problem = Some(format!("there are {} games in the file; it is shown by the first", others + 1));
        return (entry, Contents::Other);
    }
    (entry, Contents::One)
}

/// The revision of a game: a number made from its contents, never 0 and exact in JavaScript.
pub(super) fn revision_of(bytes: &[u8]) -> u64 {
    let digest = Sha256::digest(bytes);
    let number = digest.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte));
    (number >> 11).max(1)
}
