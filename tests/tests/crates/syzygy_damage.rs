//! Damaged endgame tables: whatever is in them, a question gets an answer or none, and a search a move. A panic would
//! end the engine, so that there must be none.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use movegen::{Board, Move, Position};
use search::{Limits, Report, Reporter, Request, Searcher, Settings, Tablebase, TablebaseFault};
use tests::data::{announce, read, test_data};
use tests::play::Random;

/// Bytes at the beginning that tell how the rest is to be read: where damage does most.
const HEADER: usize = 200;

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rtbw" || extension == "rtbz")
}

/// A few bytes changed, half of the times in the header; now and then the end is missing.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(6) {
        let end = if random.below(2) == 0 { bytes.len().min(HEADER) } else { bytes.len() };
        // The first four bytes are looked at when the file is found, which is another test's matter.
        let index = 4 + random.below(end - 4);
        bytes[index] = match random.below(4) {
            0 => 0,
            1 => 0xFF,
            2 => random.next() as u8,
            _ => bytes[index] ^ 1 << random.below(8),
        };
    }
    if random.below(4) == 0 {
        // A size that a table may have.
        bytes.truncate(random.below(bytes.len() / 64) * 64 + 16);
    }
}

/// The tables in a new folder, each of them damaged.
fn damaged_copy(tables: &Path, random: &mut Random) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder for the copies");
    let entries = tables.read_dir().expect("there are tables").flatten();
    for path in entries.map(|entry| entry.path()).filter(|path| is_table(path)) {
        let mut bytes = fs::read(&path).expect("tables can be read");
        damage(&mut bytes, random);
        fs::write(copy.path().join(path.file_name().expect("files have names")), bytes).expect("a copy can be written");
    }
    copy
}

/// Wants a line and a move, and counts the searches that ended with one: a thread that panics reports nothing.
struct Counter(Arc<AtomicUsize>);

impl Reporter for Counter {
    fn line(&mut self, report: &Report<'_>) {
        assert!(!report.pv.is_empty());
    }

    fn finished(&mut self, best: Option<Move>, _: Option<Move>) {
        self.0.fetch_add(usize::from(best.is_some()), Relaxed);
    }
}

fn survives(rounds: u64) {
    let Some(data) = test_data("damaged Syzygy tables") else { return };
    let boards: Vec<_> = read(&data, "syzygy-tests/probe-open.csv")
        .lines()
        .skip(1)
        .filter_map(|line| Board::from_fen(line.split(',').next()?).ok())
        .collect();
    let (mut answers, mut refusals, mut told) = (0, 0, 0);
    for round in 0..rounds {
        let mut random = Random::new(round);
        let copy = damaged_copy(&data.join("syzygy"), &mut random);
        let tables = Arc::new(Tablebase::open(&[copy.path().to_owned()]));
        for board in &boards {
            let known = [tables.wdl(board).is_some(), tables.dtz(board).is_some()];
            answers += known.iter().filter(|known| **known).count();
            refusals += known.iter().filter(|known| !**known).count();
        }
        let faults = tables.take_faults();
        let reported: Vec<_> = faults
            .iter()
            .filter_map(|fault| match fault {
                TablebaseFault::Damaged { table, .. } => Some(table),
                _ => None,
            })
            .collect();
        told += reported.len();
        assert!(reported.len() <= 70, "more faults than files: {faults:?}");
        assert!(tables.take_faults().is_empty(), "told twice");

        let mut searcher = Searcher::new(1, 1);
        searcher.set_tablebase(Some(Arc::new(Tablebase::open(&[copy.path().to_owned()]))));
        let searched = Arc::<AtomicUsize>::default();
        let open: Vec<_> = boards.iter().filter(|board| board.has_legal_move()).take(50).collect();
        for board in &open {
            let limits = Limits { nodes: Some(200), ..Limits::default() };
            let (position, settings) = (Position::from(**board), Settings::default());
            let request = Request { position, limits, settings, received: Instant::now() };
            searcher.start(request, Box::new(Counter(Arc::clone(&searched))));
            searcher.wait();
        }
        assert_eq!(searched.load(Relaxed), open.len(), "a search ended without an answer");
    }
    announce(&format!("{rounds} damaged sets: {answers} answers, {refusals} refusals, {told} faults told"));
    assert!(answers > 0 && refusals > 0 && told > 0);
}

#[test]
fn damaged_tables_do_no_harm_and_are_reported_once() {
    survives(20);
}

/// `VANCURA_TEST_DATA=../shared/data cargo test --release -p vancura-tests --test crates syzygy_damage:: -- --ignored`
#[test]
#[ignore = "takes a minute, and means most in a release build"]
fn many_damaged_tables_do_no_harm() {
    survives(2000);
}

#[test]
fn one_bad_table_leaves_the_others() {
    let Some(data) = test_data("one damaged Syzygy table") else { return };
    let copy = tempfile::tempdir().unwrap();
    for name in ["KQvK", "KRvK"].iter().flat_map(|name| [format!("{name}.rtbw"), format!("{name}.rtbz")]) {
        fs::copy(data.join("syzygy").join(&name), copy.path().join(&name)).unwrap();
    }
    let bad = copy.path().join("KQvK.rtbw");
    let mut bytes = fs::read(&bad).unwrap();
    bytes[4..].fill(0xFF);
    fs::write(&bad, bytes).unwrap();
    let tables = Tablebase::open(&[copy.path().to_owned(), PathBuf::from("no such folder")]);
    assert_eq!((tables.files(), tables.largest()), ((2, 2), 3));
    assert!(matches!(&tables.take_faults()[..], [TablebaseFault::Folder { .. }]));
    let queen = Board::from_fen("8/8/8/8/3k4/8/4Q3/K7 w - - 0 1").unwrap();
    let rook = Board::from_fen("8/8/8/8/3k4/8/4R3/K7 w - - 0 1").unwrap();
    assert!(tables.covers(&queen));
    for _ in 0..3 {
        assert_eq!((tables.wdl(&queen), tables.dtz(&queen)), (None, None));
        assert!(!tables.covers(&queen));
        assert!(tables.wdl(&rook).is_some() && tables.dtz(&rook).is_some());
    }
    let faults = tables.take_faults();
    let texts: Vec<_> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["table KQvK (wdl) cannot be used: it is damaged"]);
}
