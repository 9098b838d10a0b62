//! `vancura store export`, `import`, `merge` and `prune`: nothing is lost but what was to go, and no file is harmed.

use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use movegen::{Board, Setup};
use search::{Bound, FoundLine, Score};
use store::{Identity, Key, Record, Store, StoreReader};

use crate::common::{self, Noise, Place, outcome};

const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");

/// All of a store, in its order.
type Contents = Vec<(Identity, Key, Record)>;

impl Place {
    /// Runs `vancura store` with a task and files of this place; status and what is said.
    fn run(&self, task: &str, names: &[&str], options: &[&str]) -> (Option<i32>, String) {
        let names: Vec<_> = names.iter().map(|name| self.name(name)).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let (status, output, said) = outcome(&[&["store", task], &names[..], options].concat());
        assert_eq!(output, "");
        (status, said)
    }

    /// As [`run`](Self::run), which must do well.
    fn does(&self, task: &str, names: &[&str], options: &[&str]) -> String {
        let (status, said) = self.run(task, names, options);
        assert_eq!(status, Some(0), "{said}");
        said
    }

    fn export(&self, store: &str, file: &str) -> String {
        self.does("export", &[store], &["-o", &self.name(file)]);
        fs::read_to_string(self.path(file)).expect("text")
    }

    fn contents(&self, name: &str) -> Contents {
        let mut all = Vec::new();
        let reader = StoreReader::open(&self.path(name)).expect("a store");
        let take = |identity: &Identity, key, record: Option<Record>| -> Result<(), store::StoreError> {
            all.push((identity.clone(), key, record.expect("a result")));
            Ok(())
        };
        reader.try_for_each(take).expect("it can be read");
        all
    }

    /// A store with random results, of which some are of the same searches in all stores.
    fn fill(&self, name: &str, seed: u64, count: usize) {
        let mut noise = Noise(seed);
        let store = Store::open(&self.path(name), &identity(noise.next(3))).expect("a store");
        for _ in 0..count {
            let (identity, key, record) = (identity(noise.next(3)), random_key(&mut noise), noise.next(1000));
            store.improve(&identity, &[(key, random_record(&mut noise, &key, record))]).expect("it can be written");
        }
    }
}

/// The engine's own, one of another network, and one of another version.
fn identity(number: usize) -> Identity {
    let engine = if number < 2 { uci::BENCH_SIGNATURE } else { 77 };
    let network = if number == 0 { eval::Network::embedded().hash() } else { 0xFEDC };
    Identity { engine: format!("Vancura with search {engine}"), network: format!("{network:016x}") }
}

fn random_key(noise: &mut Noise) -> Key {
    let start = match noise.next(3) {
        0 => Board::start(),
        _ => {
            let number = u16::try_from(noise.next(3)).expect("small");
            Board::from_setup(&Setup::chess960(number, number).expect("a start")).expect("a position").0
        }
    };
    let mut board = start;
    for _ in 0..noise.next(6) {
        let moves = board.legal_moves();
        let mv = moves[noise.next(moves.len().min(2))];
        board = board.after(mv);
    }
    Key::new(&board, [noise.next(3) as u8; 16])
}

fn random_record(noise: &mut Noise, key: &Key, nodes: usize) -> Record {
    let board = key.board().expect("a position");
    let line = |noise: &mut Noise| {
        let (mut at, mut moves) = (board, Vec::new());
        while moves.len() < 1 + noise.next(5) && at.has_legal_move() {
            let legal = at.legal_moves();
            let mv = legal[noise.next(legal.len())];
            moves.push(mv);
            at = at.after(mv);
        }
        let scores = [-32_000, -31_800, -31_400, -90, 0, 17, 31_400, 31_999];
        let bound = [Bound::Exact, Bound::Lower, Bound::Upper][noise.next(3)];
        FoundLine { score: Score(scores[noise.next(scores.len())]), bound, moves }
    };
    Record {
        depth: noise.next(40) as u32,
        seldepth: noise.next(60) as u32,
        nodes: nodes as u64,
        limits: noise.next(5) as u64,
        tables: if noise.next(2) == 0 { 0 } else { u64::MAX },
        is_general: noise.next(3) > 0,
        lines: (0..1 + noise.next(4)).map(|_| line(noise)).collect(),
    }
}

#[test]
fn what_is_exported_and_imported_is_equal() {
    for seed in 1..6 {
        let place = Place::new();
        place.fill("store", seed, 60 * seed as usize);
        let text = place.export("store", "out.jsonl");
        let contents = place.contents("store");
        assert_eq!(text.lines().count(), contents.len());
        let said = place.does("import", &["other", "out.jsonl"], &[]);
        assert_eq!(said, format!("{} results, {} of them new or better\n", contents.len(), contents.len()));
        assert!(place.contents("other") == contents);
        assert!(place.export("other", "again.jsonl") == text);
        // A second time nothing is better; in any order it is the same.
        let mut lines: Vec<_> = text.lines().rev().collect();
        assert!(place.does("import", &["other", "out.jsonl"], &[]).contains(", 0 of them new or better"));
        lines.sort_by_key(|line| line.len());
        fs::write(place.path("mixed.jsonl"), lines.join("\r\n")).expect("a file");
        place.does("import", &["mixed", "mixed.jsonl"], &[]);
        assert!(place.contents("mixed") == contents);
    }
}

#[test]
fn an_exported_line_has_the_names_of_tables() {
    let place = Place::new();
    let game = common::file(&place.0, "game.pgn", "1. e4 *\n");
    outcome(&["analyse", &game, "--nodes", "500", "--multipv", "2", "--store", &place.name("store")]);
    let text = place.export("store", "out.jsonl");
    let table = place.name("rows.jsonl");
    let said = outcome(&["analyse", &game, "--nodes", "500", "--multipv", "2", "--jsonl", &table]).2;
    let rows = fs::read_to_string(&table).unwrap_or_else(|error| panic!("{error}: {said}"));
    let parse = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    let rows: Vec<_> = rows.lines().map(parse).collect();
    let results: Vec<_> = text.lines().map(parse).collect();
    assert_eq!(results.len(), 2);
    for result in &results {
        let board =
            |value: &serde_json::Value| Board::from_fen(value["fen"].as_str().expect("text")).expect("a position");
        let mut alike =
            rows.iter().filter(|row| row["fen"].is_string() && board(row).packed() == board(result).packed());
        let [first, second] = [alike.next(), alike.next()].map(|row| row.expect("a row of the position"));
        for name in ["multipv", "cp", "mate", "line", "depth", "nodes", "knodes"] {
            assert_eq!(result[name], first[name], "{name}");
        }
        for name in ["multipv", "cp", "mate", "line"] {
            assert_eq!(result["more"][0][name], second[name], "{name}");
        }
        assert_eq!(result["engine"], identity(0).engine);
    }
}

#[test]
fn bad_lines_are_named_and_the_others_taken() {
    let place = Place::new();
    place.fill("store", 3, 40);
    let text = place.export("store", "out.jsonl");
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    lines.insert(2, "nonsense".to_owned());
    lines.insert(5, "{\"fen\":\"8/8/8/8/8/8/8/8 w - - 0 1\"}".to_owned());
    lines.insert(6, String::new());
    lines.insert(9, "x".repeat(3 << 20));
    fs::write(place.path("bad.jsonl"), lines.join("\n")).expect("a file");
    let (status, said) = place.run("import", &["other", "bad.jsonl"], &[]);
    assert_eq!(status, Some(2), "{said}");
    let named: Vec<_> =
        said.lines().filter_map(|line| line.split_once("bad.jsonl: line ")?.1.split_once(':')).collect();
    assert_eq!(named.iter().map(|(number, _)| *number).collect::<Vec<_>>(), ["3", "6", "10"], "{said}");
    assert!(said.ends_with("error: 3 results could not be read\n"), "{said}");
    assert!(place.contents("other") == place.contents("store"));
    // Packed files are read as they are; damaged ones as far as they go.
    let gzip = Command::new("gzip").args(["-k", &place.name("out.jsonl")]).status();
    if gzip.is_ok_and(|status| status.success()) {
        place.does("import", &["unpacked", "out.jsonl.gz"], &[]);
        assert!(place.contents("unpacked") == place.contents("store"));
        let packed = fs::read(place.path("out.jsonl.gz")).expect("a file");
        fs::write(place.path("cut.gz"), &packed[..packed.len() / 2]).expect("a file");
        let (status, said) = place.run("import", &["half", "cut.gz"], &[]);
        assert!(status == Some(2) && said.contains("damaged gzip data"), "{said}");
    }
}

#[test]
fn stores_are_merged_and_the_better_results_stay() {
    let place = Place::new();
    place.fill("one", 11, 150);
    place.fill("two", 12, 150);
    let (one, two) = (place.contents("one"), place.contents("two"));
    fs::copy(place.path("one"), place.path("both")).expect("a copy");
    place.does("merge", &["both", "two"], &[]);
    let merged = place.contents("both");
    assert!(two == place.contents("two"));
    assert!(merged.len() > one.len() && merged.len() < one.len() + two.len(), "some are of the same searches");
    for (identity, key, record) in &merged {
        let of =
            |all: &Contents| all.iter().find(|(a, b, _)| (a, b) == (identity, key)).map(|(_, _, found)| found.clone());
        let best = [of(&one), of(&two)].into_iter().flatten().max_by_key(Record::rank).expect("it comes from one");
        assert_eq!(record.rank(), best.rank());
    }
    // Into a new one, from several.
    place.does("merge", &["new", "one", "two"], &[]);
    assert_eq!(place.contents("new").len(), merged.len());
    // One of them is none: nothing is changed.
    fs::write(place.path("none"), "1. e4 *").expect("a file");
    let (status, said) = place.run("merge", &["newer", "one", "none"], &[]);
    assert!(status == Some(2) && said.contains("it is not an analysis store"), "{said}");
    assert!(!place.path("newer").exists());
    for names in [&["one", "one"][..], &["one", "two", "one"]] {
        let (status, said) = place.run("merge", names, &[]);
        assert!(status == Some(2) && said.contains("would overwrite the input"), "{said}");
    }
}

#[test]
fn pruning_takes_what_was_asked_for_and_makes_the_file_smaller() {
    let place = Place::new();
    place.fill("store", 5, 500);
    let (before, all) = (fs::metadata(place.path("store")).expect("a file").len(), place.contents("store"));
    let left = |options: &[&str], is_kept: &dyn Fn(&Identity, &Record) -> bool| {
        fs::copy(place.path("store"), place.path("pruned")).expect("a copy");
        let said = place.does("prune", &["pruned"], options);
        let kept: Vec<_> = all.iter().filter(|(identity, _, record)| is_kept(identity, record)).cloned().collect();
        assert!(place.contents("pruned") == kept, "{options:?}: {said}");
        assert!(said.contains(&format!("\n{} results left; ", kept.len())), "{said}");
        assert!(kept.len() < all.len() && !kept.is_empty());
        // The deepest of a position is the deepest of those that are left.
        let store = Store::open(&place.path("pruned"), &identity(0)).expect("a store");
        let mut best = HashMap::new();
        for (_, key, record) in kept.iter().filter(|(owner, _, _)| *owner == identity(0)) {
            let rank = |record: &Record| (record.is_general, record.nodes, record.depth, record.lines.len());
            let board = key.board().expect("a position");
            let best = best.entry(board.packed()).or_insert((board, record));
            if rank(record) > rank(best.1) {
                best.1 = record;
            }
        }
        for (board, record) in best.values() {
            let found = store.deepest(board).expect("it can be read");
            let expected = record.is_general.then_some((record.nodes, record.depth, record.lines.len()));
            assert_eq!(found.map(|record| (record.nodes, record.depth, record.lines.len())), expected);
        }
        fs::metadata(place.path("pruned")).expect("a file").len()
    };
    assert!(left(&["--min-nodes", "900"], &|_, record| record.nodes >= 900) < before);
    assert!(left(&["--min-depth", "35"], &|_, record| record.depth >= 35) < before);
    left(&["--before", "20", "--min-nodes", "500"], &|_, record| record.depth >= 20 && record.nodes >= 500);
    left(&["--older"], &|owner, _| *owner == identity(0));
    // As small as it should be, with the results of the most nodes.
    let max = before / 2;
    fs::copy(place.path("store"), place.path("small")).expect("a copy");
    let said = place.does("prune", &["small"], &["--max-size", &max.to_string()]);
    assert!(fs::metadata(place.path("small")).expect("a file").len() <= max, "{said}");
    let small = place.contents("small");
    let least = small.iter().map(|(_, _, record)| record.nodes).min().expect("some are left");
    let lost = all.iter().filter(|result| !small.contains(result)).map(|(_, _, record)| record.nodes);
    let most = lost.max().expect("some have gone");
    assert!(most < least + least / 8 + 2, "{most} nodes went and {least} stayed: {said}");
    let (status, said) = place.run("prune", &["small"], &["--max-size", "100"]);
    assert!(status == Some(2) && said.contains("cannot be made smaller than "), "{said}");
    assert!(place.contents("small").is_empty());
    let (status, said) = place.run("prune", &["store"], &[]);
    assert!(status == Some(2) && said.contains("required"), "{said}");
}

#[test]
fn a_prune_or_a_merge_that_is_killed_leaves_a_whole_store() {
    let place = Place::new();
    place.fill("store", 8, 600);
    place.fill("other", 9, 600);
    let all = place.contents("store");
    let whole: Vec<_> = all.iter().filter(|(_, _, record)| record.nodes >= 500).cloned().collect();
    for round in 0..8 {
        for task in ["prune", "merge"] {
            fs::copy(place.path("store"), place.path("victim")).expect("a copy");
            let mut command = Command::new(PROGRAM);
            command.args(["store", task, &place.name("victim")]).stderr(Stdio::null());
            let more =
                if task == "prune" { vec!["--min-nodes".into(), "500".into()] } else { vec![place.name("other")] };
            let mut process = command.args(more).spawn().expect("it starts");
            thread::sleep(Duration::from_millis(3 * round));
            process.kill().expect("it can be killed");
            process.wait().expect("it ends");
            let left = place.contents("victim");
            if task == "prune" {
                assert!(left == all || left == whole, "{} results", left.len());
            } else {
                let keys: Vec<_> = left.iter().map(|(identity, key, _)| (identity, key)).collect();
                assert!(all.iter().all(|(identity, key, _)| keys.contains(&(identity, key))), "nothing is lost");
            }
        }
    }
}

#[test]
fn what_cannot_be_done_is_one_clear_error() {
    let place = Place::new();
    place.fill("store", 2, 20);
    fs::write(place.path("none"), "1. e4 *").expect("a file");
    fs::write(place.path("in.jsonl"), "").expect("a file");
    let before = fs::read(place.path("store")).expect("a store");
    for (task, names, options, message) in [
        ("export", &["missing"][..], &[][..], "cannot use the store "),
        ("export", &["none"], &[], "it is not an analysis store"),
        ("export", &["store"], &["-o", "/no/such/folder/x"], "cannot write the output"),
        ("import", &["none", "in.jsonl"], &[], "it is not an analysis store"),
        ("import", &["store", "missing"], &[], "missing"),
        ("import", &["store", "store"], &[], "would overwrite the input"),
        ("merge", &["store", "missing"], &[], "cannot use the store "),
        ("prune", &["none"], &["--older"], "it is not an analysis store"),
        ("prune", &["missing"], &["--older"], "cannot use the store "),
        ("prune", &["store"], &["--min-nodes", "x"], "expected a whole number"),
    ] {
        let (status, said) = place.run(task, names, options);
        assert!(status == Some(2) && said.contains(message), "{task} {names:?}: {said}");
        assert!(said.starts_with("error: "), "{said}");
    }
    assert!(fs::read(place.path("store")).expect("a store") == before);
    assert!(fs::read(place.path("none")).expect("a file") == b"1. e4 *");
    assert!(!place.path("missing").exists());
    // A store in use.
    let _open = Store::open(&place.path("store"), &identity(0)).expect("a store");
    for (task, names, options) in [
        ("export", &["store"][..], &[][..]),
        ("import", &["store", "in.jsonl"], &[]),
        ("prune", &["store"], &["--older"]),
    ] {
        let (status, said) = place.run(task, names, options);
        assert!(status == Some(2) && said.contains("in use by another process"), "{task}: {said}");
    }
}
