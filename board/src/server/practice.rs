//! The schedule of practice: positions and when each comes back, beside the games. The page plans; the program keeps.

use std::collections::{HashMap, HashSet};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use fs_err as fs;
use platform::write_file;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::library::DataLock;

/// The file in the folder of the user's data.
const FILE: &str = "practice.json";
/// The form of the file.
const SCHEMA: u32 = 1;
/// The most positions, and the most bytes of one and of the file.
const MAX_CARDS: usize = 50_000;
const MAX_CARD: usize = 16 << 10;
const MAX_FILE: u64 = 256 << 20;
/// The most files that are kept aside, each because it could not be read.
const MAX_ASIDE: usize = 100;

/// The schedule of a user.
pub(super) struct Practice {
    folder: Option<PathBuf>,
}

/// What the file holds.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Schedule {
    schema: u32,
    /// Positions with their dates: objects with a member `id`, of which the program reads no more. What is no such object is
    /// damaged, and stays as it is: it is no reason to give up the others.
    cards: Vec<Value>,
    /// The reviews whose mistakes are among them, and when each was done: numbers, as far as they are not damaged.
    seen: Map<String, Value>,
}

/// What is told of it.
#[derive(Serialize)]
pub(super) struct Told {
    #[serde(flatten)]
    schedule: Schedule,
    /// What was wrong with the file, and where it is now.
    problem: Option<String>,
}

/// What has changed.
#[derive(Deserialize)]
pub(super) struct Change {
    cards: Vec<Value>,
    #[serde(default)]
    seen: HashMap<String, u64>,
    /// The names of positions that are deleted, before any are added.
    #[serde(default)]
    removed: HashSet<String>,
}

/// Why the schedule cannot be read or kept.
#[derive(Debug, thiserror::Error)]
pub(super) enum PracticeError {
    #[error("there is no folder for the schedule of practice; name one with --data")]
    NoFolder,
    #[error("a position to practise has no name or is longer than {MAX_CARD} bytes")]
    Card,
    #[error("there are more than {MAX_CARDS} positions to practise")]
    TooMany,
    #[error("the schedule of practice cannot be read: {0}")]
    Read(#[source] io::Error),
    #[error("the schedule of practice cannot be kept: {0}")]
    Write(#[source] io::Error),
}

impl Practice {
    /// The schedule in the folder of the user's data.
    pub fn new(folder: Option<&Path>) -> Self {
        Self { folder: folder.map(Path::to_owned) }
    }

    /// All of it. A file that is damaged or foreign is put aside under another name, and a new schedule begins.
    pub fn read(&self) -> Result<Told, PracticeError> {
        let path = self.path()?;
        if !path.exists() {
            return Ok(Told { schedule: Schedule::new(), problem: None });
        }
        let _lock = self.lock()?;
        load(&path)
    }

    /// Takes what has changed: positions that are deleted, new ones, and known ones as they are now. Says how many there are.
    pub fn keep(&self, change: Change) -> Result<usize, PracticeError> {
        let is_sound = |card: &Value| {
            let length = serde_json::to_vec(card).map_or(usize::MAX, |text| text.len());
            id_of(card).is_some_and(|id| !id.is_empty()) && length <= MAX_CARD
        };
        if !change.cards.iter().all(is_sound) {
            return Err(PracticeError::Card);
        }
        let _lock = self.lock()?;
        let path = self.path()?;
        let Schedule { mut cards, mut seen, .. } = load(&path)?.schedule;
        cards.retain(|card| id_of(card).is_none_or(|id| !change.removed.contains(id)));
        let mut places: HashMap<_, _> =
            cards.iter().enumerate().map(|(place, card)| (id_of(card).map(str::to_owned), place)).collect();
        for card in change.cards {
            let name = id_of(&card).map(str::to_owned);
            if let Some(&place) = places.get(&name) {
                cards[place] = card;
            } else {
                places.insert(name, cards.len());
                cards.push(card);
            }
        }
        // What are too many already may still become fewer.
        if cards.len() > MAX_CARDS && change.removed.is_empty() {
            return Err(PracticeError::TooMany);
        }
        seen.extend(change.seen.into_iter().map(|(review, time)| (review, time.into())));
        let count = cards.len();
        let text = serde_json::to_vec(&Schedule { schema: SCHEMA, cards, seen });
        let text = text.map_err(|error| PracticeError::Write(error.into()))?;
        write_file(&path, text).map_err(PracticeError::Write)?;
        Ok(count)
    }

    fn path(&self) -> Result<PathBuf, PracticeError> {
        Ok(self.folder.as_ref().ok_or(PracticeError::NoFolder)?.join(FILE))
    }

    /// Keeps other programs and threads from changing it, and makes the folder.
    fn lock(&self) -> Result<DataLock, PracticeError> {
        let folder = self.folder.as_ref().ok_or(PracticeError::NoFolder)?;
        fs::create_dir_all(folder).and_then(|()| DataLock::take(folder)).map_err(PracticeError::Write)
    }
}

impl Schedule {
    fn new() -> Self {
        Self { schema: SCHEMA, ..Self::default() }
    }
}

/// The name of a position; `None` if it has none.
fn id_of(card: &Value) -> Option<&str> {
    card.get("id").and_then(Value::as_str)
}

fn load(path: &Path) -> Result<Told, PracticeError> {
    let none = Schedule::new();
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Told { schedule: none, problem: None }),
        Err(error) => return Err(PracticeError::Read(error)),
        Ok(metadata) if metadata.len() > MAX_FILE => Err("it is too long".to_owned()),
        Ok(_) => parse(&fs::read(path).map_err(PracticeError::Read)?),
    };
    let reason = match found {
        Ok(schedule) => return Ok(Told { schedule, problem: None }),
        Err(reason) => reason,
    };
    let aside = put_aside(path).map_err(PracticeError::Read)?;
    let aside = aside.display();
    let problem =
        format!("The schedule of practice cannot be read: {reason}. It is kept as {aside}, and a new one begins.");
    Ok(Told { schedule: none, problem: Some(problem) })
}

fn parse(text: &[u8]) -> Result<Schedule, String> {
    let schedule: Schedule = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    if schedule.schema == SCHEMA {
        Ok(schedule)
    } else {
        Err(format!("it has the form {}, and this version reads {SCHEMA}", schedule.schema))
    }
}

/// Gives a file a name that no other has.
fn put_aside(path: &Path) -> io::Result<PathBuf> {
    let free = (1..=MAX_ASIDE).map(|number| path.with_file_name(format!("practice.unread-{number}.json")));
    let aside = free.into_iter().find(|aside| !aside.exists());
    let aside = aside.ok_or_else(|| io::Error::other("too many schedules that cannot be read lie beside it"))?;
    fs::rename(path, &aside)?;
    Ok(aside)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn change(value: Value) -> Change {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn what_has_changed_takes_the_place_of_what_was() {
        let folder = tempfile::tempdir().unwrap();
        let practice = Practice::new(Some(&folder.path().join("new")));
        assert!(practice.read().unwrap().schedule.cards.is_empty());
        let first = json!({ "cards": [{ "id": "a", "due": 1 }, { "id": "b", "due": 2 }], "seen": { "game": 7 } });
        assert_eq!(practice.keep(change(first)).unwrap(), 2);
        assert_eq!(practice.keep(change(json!({ "cards": [{ "id": "a", "due": 3 }, { "id": "c" }] }))).unwrap(), 3);
        // Another program reads the same.
        let told = serde_json::to_value(Practice::new(Some(&folder.path().join("new"))).read().unwrap()).unwrap();
        let cards = json!([{ "id": "a", "due": 3 }, { "id": "b", "due": 2 }, { "id": "c" }]);
        assert_eq!(told, json!({ "schema": 1, "cards": cards, "seen": { "game": 7 }, "problem": null }));
    }

    #[test]
    fn positions_can_be_deleted_and_had_back() {
        let folder = tempfile::tempdir().unwrap();
        let practice = Practice::new(Some(folder.path()));
        let cards = json!([{ "id": "a", "due": 1 }, { "id": "b" }, { "id": "c" }]);
        practice.keep(change(json!({ "cards": cards, "seen": { "game": 7 } }))).unwrap();
        assert_eq!(practice.keep(change(json!({ "cards": [], "removed": ["a", "c", "none"] }))).unwrap(), 1);
        let told = || serde_json::to_value(practice.read().unwrap()).unwrap();
        assert_eq!((&told()["cards"], &told()["seen"]), (&json!([{ "id": "b" }]), &json!({ "game": 7 })));
        practice.keep(change(json!({ "cards": [{ "id": "a", "due": 1 }] }))).unwrap();
        assert_eq!(told()["cards"], json!([{ "id": "b" }, { "id": "a", "due": 1 }]));
    }

    #[test]
    fn what_is_damaged_stands_in_nobodys_way() {
        let folder = tempfile::tempdir().unwrap();
        let practice = Practice::new(Some(folder.path()));
        let damaged = json!([null, 7, {}, { "id": 5 }, { "id": "a", "fen": 3 }]);
        let text = json!({ "schema": 1, "cards": damaged, "seen": { "one": "x", "two": 2 } }).to_string();
        std::fs::write(folder.path().join(FILE), text).unwrap();
        assert_eq!(practice.keep(change(json!({ "cards": [{ "id": "b" }], "removed": ["a"] }))).unwrap(), 5);
        let told = serde_json::to_value(practice.read().unwrap()).unwrap();
        assert_eq!(told["problem"], Value::Null);
        assert_eq!(told["cards"], json!([null, 7, {}, { "id": 5 }, { "id": "b" }]));
        assert_eq!(told["seen"], json!({ "one": "x", "two": 2 }));
    }

    #[test]
    fn what_is_no_schedule_is_kept_aside() {
        let folder = tempfile::tempdir().unwrap();
        let practice = Practice::new(Some(folder.path()));
        let other = r#"{"schema":2,"cards":[],"seen":{}}"#;
        for (number, text) in [(1, "{\"schema\":1,\"cards\":[{\"id\""), (2, "\0\u{1}"), (3, other), (4, "")] {
            std::fs::write(folder.path().join(FILE), text).unwrap();
            let told = practice.read().unwrap();
            assert!(told.schedule.cards.is_empty());
            let problem = told.problem.unwrap();
            let aside = folder.path().join(format!("practice.unread-{number}.json"));
            assert!(problem.contains(&aside.display().to_string()), "{problem}");
            assert_eq!(std::fs::read_to_string(aside).unwrap(), text);
            assert!(practice.read().unwrap().problem.is_none(), "it is told once");
        }
        std::fs::write(folder.path().join(FILE), "x").unwrap();
        assert_eq!(practice.keep(change(json!({ "cards": [{ "id": "a" }] }))).unwrap(), 1);
        assert_eq!(std::fs::read_to_string(folder.path().join("practice.unread-5.json")).unwrap(), "x");
    }

    #[test]
    fn what_is_no_position_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let practice = Practice::new(Some(folder.path()));
        let long = json!({ "id": "a", "x": "y".repeat(MAX_CARD) });
        for card in [json!({}), json!(null), json!({ "id": "" }), json!({ "id": 1 }), long] {
            let result = practice.keep(change(json!({ "cards": [{ "id": "fine" }, card] })));
            assert!(matches!(result, Err(PracticeError::Card)));
        }
        let many: Vec<_> = (0..=MAX_CARDS).map(|number| json!({ "id": number.to_string() })).collect();
        assert!(matches!(practice.keep(change(json!({ "cards": many }))), Err(PracticeError::TooMany)));
        assert!(!folder.path().join(FILE).exists());
        assert!(matches!(Practice::new(None).read(), Err(PracticeError::NoFolder)));
    }
}
