//! Stores as files: what comes back, and what happens to files that are damaged, in use, foreign or another's.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use movegen::Board;
use search::{Bound, FoundLine, Score};
use store::{Identity, Key, OtherRecord, Record, Store, StoreError, StoreReader, Summary};
use tempfile::TempDir;

/// Where the process that is to be killed writes.
const VICTIM: &str = "VANCURA_STORE_VICTIM";

fn identity() -> Identity {
    Identity { engine: "Test 1".to_owned(), network: "0123".to_owned() }
}

fn record(nodes: u64) -> Record {
    let moves = Board::start().legal_moves().to_vec();
    let line = FoundLine { score: Score(nodes as i32 % 1000), bound: Bound::Exact, moves };
    Record { depth: 5, seldepth: 9, nodes, limits: 1, tables: 0, is_general: true, lines: vec![line] }
}

/// Keys and records, of as many positions and contexts.
fn records(count: u64) -> Vec<(Key, Record)> {
    let mut boards = vec![Board::start()];
    let mut next = 0;
    while (boards.len() as u64) < count {
        let board = boards[next];
        boards.extend(board.legal_moves().into_iter().map(|mv| board.after(mv)));
        next += 1;
    }
    let context = |number: u64| std::array::from_fn(|index| number.to_le_bytes()[index % 8]);
    (0..count).zip(&boards).map(|(number, board)| (Key::new(board, context(number)), record(number))).collect()
}

fn other_identity() -> Identity {
    Identity { engine: "Test 2".to_owned(), ..identity() }
}

fn summary(path: &Path) -> Result<Summary, StoreError> {
    StoreReader::open(path)?.summary()
}

/// A store as programs before wrote it: for one identity, which was named beside the format.
fn write_in_old_format(path: &Path, records: &[(Key, Record)]) {
    let database = redb::Database::create(path).expect("a database");
    let write = database.begin_write().expect("it can be written");
    {
        let about = redb::TableDefinition::<&str, &str>::new("vancura analysis store");
        let mut about = write.open_table(about).expect("a table");
        for (name, value) in [("format", "1"), ("engine", "Test 1"), ("network", "0123")] {
            about.insert(name, value).expect("it can be written");
        }
        let (results, deepest) = (
            redb::TableDefinition::<&[u8; 40], &[u8]>::new("records"),
            redb::TableDefinition::<&[u8; 24], &[u8; 16]>::new("deepest"),
        );
        let mut results = write.open_table(results).expect("a table");
        let mut deepest = write.open_table(deepest).expect("a table");
        for (key, record) in records {
            let board = key.board().expect("a position");
            let bytes = [&board.packed()[..], &key.context()].concat();
            // The fields one after the other, as they are written in this format.
            let lines = record.lines.iter().map(|line| {
                let moves = line.moves.iter().map(|mv| mv.bits()).collect::<Vec<_>>();
                (line.score.0, 0_u8, moves)
            });
            let Record { depth, seldepth, nodes, limits, tables, is_general, .. } = *record;
            let fields = (depth, seldepth, nodes, limits, tables, is_general, lines.collect::<Vec<_>>());
            let value = postcard::to_allocvec(&fields).expect("it can be written");
            results
                .insert(&<[u8; 40]>::try_from(&bytes[..]).expect("40 bytes"), &value[..])
                .expect("it can be written");
            deepest.insert(&board.packed(), &key.context()).expect("it can be written");
        }
    }
    write.commit().expect("it can be written");
}

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The bytes of a store with this many records.
    fn filled(&self, count: u64) -> Vec<u8> {
        let path = self.path("filled");
        let store = Store::open(&path, &identity()).expect("the store works");
        for part in records(count).chunks(100) {
            store.add(part.to_vec()).expect("the store works");
            store.flush().expect("the store works");
        }
        drop(store);
        fs::read(path).expect("the store works")
    }
}

/// How many of these the store has; each it has must be right.
fn found(store: &Store, records: &[(Key, Record)]) -> usize {
    let is_there = |(key, record): &&(Key, Record)| match store.get(key).expect("the store can be read") {
        Some(found) => {
            assert_eq!(found, *record);
            true
        }
        None => false,
    };
    records.iter().filter(is_there).count()
}

#[test]
fn what_was_added_is_there_in_the_next_run() {
    let place = Place::new();
    let path = place.path("store");
    fs::write(&path, "").unwrap();
    let all = records(1000);
    for (turn, part) in all.chunks(400).enumerate() {
        let store = Store::open(&path, &identity()).unwrap();
        assert_eq!(found(&store, &all), 400 * turn);
        store.add(part.to_vec()).unwrap();
    }
    let store = Store::open(&path, &identity()).unwrap();
    assert_eq!(found(&store, &all), 1000);
    drop(store);
    let summary = summary(&path).unwrap();
    assert_eq!((summary.records, summary.parts.len(), &summary.parts[0].identity), (1000, 1, &identity()));
    assert!(summary.positions <= 1000 && summary.bytes == fs::metadata(&path).unwrap().len());
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 1, "nothing else is left in the folder");
}

#[test]
fn the_deepest_result_that_holds_elsewhere_is_found() {
    let place = Place::new();
    let store = Store::open(&place.path("store"), &identity()).unwrap();
    let board = Board::start();
    assert_eq!(store.deepest(&board).unwrap(), None);
    let steps = [(10, true, Some(10)), (99, false, Some(10)), (50, true, Some(50)), (20, true, Some(50))];
    for (nodes, is_general, expected) in steps {
        let record = Record { is_general, ..record(nodes) };
        store.add([(Key::new(&board, [nodes as u8; 16]), record.clone())]).unwrap();
        store.flush().unwrap();
        assert_eq!(store.deepest(&board).unwrap().map(|found| found.nodes), expected);
        assert_eq!(store.get(&Key::new(&board, [nodes as u8; 16])).unwrap(), Some(record));
    }
    let only_here = board.after(board.legal_moves()[0]);
    store.add([(Key::new(&only_here, [0; 16]), Record { is_general: false, ..record(9) })]).unwrap();
    store.flush().unwrap();
    assert_eq!(store.deepest(&only_here).unwrap(), None);
}

#[test]
fn results_of_several_versions_lie_side_by_side() {
    let place = Place::new();
    let path = place.path("store");
    let all = records(300);
    let identities =
        [identity(), other_identity(), Identity { network: "4567".to_owned(), ..identity() }, other_identity()];
    for (turn, identity) in identities.iter().enumerate() {
        let store = Store::open(&path, identity).unwrap();
        assert_eq!(found(&store, &all), if turn == 3 { 100 } else { 0 }, "turn {turn}");
        assert_eq!(store.deepest(&Board::start()).unwrap().is_some(), turn == 3);
        // The same keys, and other results.
        let own = all[..100].iter().map(|(key, record)| (*key, Record { depth: 5, ..record.clone() }));
        store.add(own).unwrap();
    }
    let store = Store::open(&path, &identity()).unwrap();
    assert_eq!(found(&store, &all), 100);
    let (key, record) = &all[7];
    let board = key.board().unwrap();
    let others: Vec<_> = [other_identity(), identities[2].clone()]
        .into_iter()
        .map(|identity| OtherRecord { identity, record: record.clone() })
        .collect();
    assert_eq!(store.of_others(key, None).unwrap(), others);
    let twice: Vec<_> = others.iter().flat_map(|other| [other.clone(), other.clone()]).collect();
    assert_eq!(store.of_others(key, Some(&board)).unwrap(), twice);
    let elsewhere = Key::new(&board, [9; 16]);
    assert_eq!(store.of_others(&elsewhere, Some(&board)).unwrap(), others);
    assert_eq!(store.of_others(&elsewhere, None).unwrap(), []);
    store.add(all[100..].to_vec()).unwrap();
    drop(store);
    let summary = summary(&path).unwrap();
    let parts: Vec<_> = summary.parts.iter().map(|part| (&part.identity.engine[..], part.records)).collect();
    assert_eq!(parts, [("Test 1", 300), ("Test 1", 100), ("Test 2", 100)]);
    assert_eq!((summary.records, summary.positions), (500, summary.parts[0].positions));
}

#[test]
fn a_store_in_the_old_format_is_read_and_becomes_a_new_one() {
    let place = Place::new();
    let path = place.path("store");
    let all = records(200);
    write_in_old_format(&path, &all[..100]);
    let old = fs::read(&path).unwrap();
    let before = summary(&path).unwrap();
    assert_eq!((before.records, &before.parts[0].identity), (100, &identity()));
    // To look into it changes nothing.
    assert_eq!(found(&Store::open(&path, &identity()).unwrap(), &all), 100);
    assert_eq!(summary(&path).unwrap().records, 100);
    for (identity, expected) in [(identity(), 200), (other_identity(), 100)] {
        fs::write(&path, &old).unwrap();
        let store = Store::open(&path, &identity).unwrap();
        store.add(all[100..].to_vec()).unwrap();
        drop(store);
        assert_eq!(found(&Store::open(&path, &identity).unwrap(), &all), expected);
        assert_eq!(found(&Store::open(&path, &self::identity()).unwrap(), &all[..100]), 100, "nothing is lost");
        assert_eq!(summary(&path).unwrap().records, 200);
    }
}

#[test]
fn the_better_of_two_results_stays() {
    let place = Place::new();
    let store = Store::open(&place.path("store"), &identity()).unwrap();
    let key = Key::new(&Board::start(), [1; 16]);
    let other = Key::new(&Board::start(), [2; 16]);
    let deeper = Record { depth: 6, ..record(10) };
    for (record, expected, stays) in [
        (record(50), 1, record(50)),
        (record(40), 0, record(50)),
        (deeper.clone(), 1, deeper.clone()),
        (record(60), 0, deeper),
    ] {
        assert_eq!(store.improve(&identity(), &[(key, record)]).unwrap(), expected);
        assert_eq!(store.get(&key).unwrap(), Some(stays));
    }
    assert_eq!(store.improve(&other_identity(), &[(key, record(1)), (other, record(2))]).unwrap(), 2);
    assert_eq!(store.of_others(&other, None).unwrap().len(), 1);
    assert_eq!(store.get(&other).unwrap(), None);
}

#[test]
fn there_is_a_limit_to_versions() {
    let place = Place::new();
    let path = place.path("store");
    let store = Store::open(&path, &identity()).unwrap();
    let named = |number: u32| Identity { engine: format!("Test {number}"), network: "0".to_owned() };
    let mut results = (0..1100).map(|number| store.improve(&named(number), &records(1)));
    assert_eq!(results.by_ref().take_while(Result::is_ok).count(), 999);
    assert!(results.all(|result| matches!(result, Err(StoreError::Crowded(_)))));
    assert_eq!(store.improve(&named(7), &records(2)).unwrap(), 1);
    drop(store);
    assert_eq!((summary(&path).unwrap().parts.len(), summary(&path).unwrap().positions), (999, 2));
}

#[test]
fn a_store_in_use_is_nobody_elses() {
    let place = Place::new();
    let path = place.path("store");
    let store = Store::open(&path, &identity()).unwrap();
    assert!(matches!(Store::open(&path, &identity()), Err(StoreError::InUse)));
    assert!(matches!(summary(&path), Err(StoreError::InUse)));
    store.add(records(10)).unwrap();
    drop(store);
    assert_eq!(found(&Store::open(&path, &identity()).unwrap(), &records(10)), 10);
}

#[test]
fn what_is_no_store_or_a_later_one_stays_as_it_is() {
    let place = Place::new();
    let path = place.path("file");
    let refused = |bytes: &[u8], identity: &Identity| {
        fs::write(&path, bytes).unwrap();
        let error = Store::open(&path, identity).err().expect("it is refused");
        assert!(fs::read(&path).unwrap() == bytes, "{error}");
        error
    };
    for bytes in [&b"1. e4 e5 *\n"[..], &[0; 100_000], b"r", b"redb", b"redb\x1A\x0A\xA9\x0D\x0A"] {
        let error = refused(bytes, &identity());
        assert!(matches!(error, StoreError::Foreign | StoreError::Damaged(_)), "{error}");
    }
    // A store of a later program.
    place.filled(50);
    let database = redb::Database::open(place.path("filled")).unwrap();
    let write = database.begin_write().unwrap();
    let about = redb::TableDefinition::<&str, &str>::new("vancura analysis store");
    write.open_table(about).unwrap().insert("format", "3").unwrap();
    write.commit().unwrap();
    drop(database);
    let error = refused(&fs::read(place.path("filled")).unwrap(), &identity());
    assert!(matches!(error, StoreError::Later { .. }) && error.to_string().contains("Test 1"), "{error}");
    // A database of another program.
    let foreign = place.path("foreign");
    drop(redb::Database::create(&foreign).unwrap());
    let error = refused(&fs::read(foreign).unwrap(), &identity());
    assert!(matches!(error, StoreError::Foreign), "{error}");
    assert!(matches!(Store::open(place.0.path(), &identity()), Err(StoreError::Io(_))), "a folder");
    assert!(matches!(Store::open(&place.path("no/such/folder"), &identity()), Err(StoreError::Io(_))));
    assert!(matches!(summary(&place.path("missing")), Err(StoreError::Io(_))));
}

/// Opened, each damaged file is refused and stays as it is, or has nothing wrong in it.
#[test]
fn damage_is_noticed_and_the_file_stays() {
    let place = Place::new();
    let (whole, all) = (place.filled(600), records(600));
    let path = place.path("damaged");
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut refused, mut harmless) = (0, 0);
    for trial in 0..400 {
        let mut bytes = whole.clone();
        let page = random(whole.len() / 4096) * 4096;
        match trial % 5 {
            0 => bytes.truncate(random(whole.len())),
            1 => bytes[random(512)] ^= 1 << random(8),
            2 => bytes[page + random(64)] ^= 1 << random(8),
            3 => bytes[page..page + 4096].fill(0),
            _ => bytes[random(whole.len())] ^= 1 << random(8),
        }
        fs::write(&path, &bytes).unwrap();
        match Store::open(&path, &identity()) {
            Ok(store) => {
                harmless += 1;
                assert_eq!(found(&store, &all), 600, "trial {trial}");
            }
            Err(error) => {
                refused += 1;
                assert!(matches!(error, StoreError::Foreign | StoreError::Damaged(_)), "trial {trial}: {error}");
                assert!(fs::read(&path).unwrap() == bytes, "trial {trial}: {error}");
            }
        }
    }
    assert!(refused > 150 && harmless > 20, "{refused} refused, {harmless} harmless");
}

#[cfg(unix)]
#[test]
fn a_link_to_where_nothing_is_yet_stays_one() {
    let place = Place::new();
    fs::create_dir(place.path("folder")).unwrap();
    std::os::unix::fs::symlink("folder/store", place.path("link")).unwrap();
    let records = records(3);
    let store = Store::open(&place.path("link"), &identity()).unwrap();
    store.add(records.clone()).unwrap();
    drop(store);
    assert!(place.path("link").is_symlink());
    assert_eq!(found(&Store::open(&place.path("folder/store"), &identity()).unwrap(), &records), 3);
    std::os::unix::fs::symlink("no/such/store", place.path("astray")).unwrap();
    assert!(matches!(Store::open(&place.path("astray"), &identity()), Err(StoreError::Io(_))));
}

/// Where a process that is not root finds a store that it may only read.
const READER: &str = "VANCURA_STORE_READER";

/// No test, but what the next one does, or the process of another user that it starts.
#[test]
fn reader() {
    let Ok(path) = env::var(READER) else { return };
    let path = Path::new(&path);
    assert!(fs::OpenOptions::new().write(true).open(path).is_err(), "it may be written");
    let (all, before) = (records(150), fs::read(path).unwrap());
    let stores = [(); 2].map(|()| Store::open(path, &identity()).unwrap());
    for store in &stores {
        assert!(store.is_read_only());
        assert_eq!(found(store, &all), 100);
        store.add(all[100..].to_vec()).unwrap();
        store.flush().unwrap();
        assert_eq!(found(store, &all), 100);
    }
    assert_eq!(summary(path).unwrap().records, 100);
    drop(stores);
    assert!(fs::read(path).unwrap() == before);
}

#[cfg(unix)]
#[test]
fn a_store_that_may_only_be_read_is_read() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let place = Place::new();
    place.filled(100);
    let path = place.path("filled");
    fs::set_permissions(&place.0, fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let mut process = Command::new(env::current_exe().unwrap());
    process.args(["--exact", "reader"]).env(READER, &path);
    if fs::OpenOptions::new().write(true).open(&path).is_ok() {
        // Root may do everything.
        process.uid(65_534);
    }
    let output = match process.output() {
        Err(error) => return eprintln!("SKIPPED: no other user can be had here: {error}"),
        Ok(output) => output,
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// No test, but the process that the next one kills.
#[test]
fn victim() {
    let Ok(path) = env::var(VICTIM) else { return };
    let store = Store::open(Path::new(&path), &identity()).unwrap();
    for part in records(60_000).chunks(20) {
        store.add(part.to_vec()).unwrap();
        store.flush().unwrap();
        fs::write(Path::new(&path).with_extension("going"), "").unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_kill_loses_nothing_that_was_written() {
    let place = Place::new();
    let path = place.path("store");
    let all = records(60_000);
    let mut before = 0;
    for turn in 0..6 {
        let mut process = Command::new(env::current_exe().unwrap())
            .args(["--exact", "victim"])
            .env(VICTIM, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let (start, is_going) = (Instant::now(), path.with_extension("going"));
        while !is_going.exists() && start.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(17 * turn));
        // SIGKILL, whatever it is doing.
        process.kill().unwrap();
        process.wait().unwrap();
        fs::remove_file(is_going).unwrap();
        let store = Store::open(&path, &identity()).unwrap();
        let now = found(&store, &all);
        assert!(now >= before && now.is_multiple_of(20), "{now} after {before}: parts are written as a whole");
        before = now;
    }
    assert!(before > 0);
}
