//! The option `AnalysisStore` in the real program: what one process finds the next one knows, and no file is harmed.

use std::fs;
use std::thread;
use std::time::Duration;

use eval::Network;
use eval::network::PAYLOAD_LEN;

use crate::common::{self, Engine, Place, Search, outcome, output, value_of};

impl Place {
    /// An engine with the store of this name, and what it says to that.
    fn engine(&self, name: &str) -> (Engine, Vec<String>) {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name AnalysisStore value {}", self.name(name)));
        let said = engine.sync();
        (engine, said)
    }

    /// As [`engine`](Self::engine), for a store that can be used, with more options.
    fn ready(&self, name: &str, options: &[&str]) -> Engine {
        let (mut engine, said) = self.engine(name);
        assert!(said.is_empty(), "{said:?}");
        options.iter().for_each(|option| engine.send(&format!("setoption name {option}")));
        engine
    }

    /// What a new engine with the store finds.
    fn search(&self, name: &str, options: &[&str], position: &str, go: &str) -> Search {
        let mut engine = self.ready(name, options);
        engine.send(&format!("position {position}"));
        let search = engine.search(go);
        assert!(engine.end().1);
        search
    }

    /// What `vancura store` says.
    fn summary(&self, name: &str) -> String {
        let (status, summary, said) = outcome(&["store", &self.name(name)]);
        assert_eq!(status, Some(0), "{said}");
        summary
    }
}

/// The depths of the lines, from the first on.
fn depths(search: &Search) -> Vec<u32> {
    search.infos().filter_map(|line| value_of(line, "depth")?.parse().ok()).collect()
}

fn is_known(search: &Search) -> bool {
    search.lines.iter().any(|line| line.starts_with("info string from the analysis store: depth "))
}

#[test]
fn the_next_process_goes_on_where_the_last_one_ended() {
    let place = Place::new();
    let first = place.search("store", &[], "startpos", "go depth 11");
    assert!(!is_known(&first) && depths(&first)[0] == 1);
    // At once, with the lines that were last.
    let again = place.search("store", &[], "startpos", "go depth 11");
    assert!(is_known(&again) && depths(&again) == [11], "{:?}", again.lines);
    let line =
        |search: &Search| search.infos().next_back().and_then(|line| Some(line.split_once(" pv ")?.1.to_owned()));
    assert_eq!((line(&again), &again.best, &again.ponder), (line(&first), &first.best, &first.ponder));
    // From there on.
    let more = place.search("store", &[], "startpos", "go depth 12");
    assert!(depths(&more)[0] == 11 && depths(&more).iter().all(|depth| *depth >= 11), "{:?}", more.lines);
    assert_eq!(more.last("depth"), Some(12));
    // Without an end it still waits for `stop`.
    let mut engine = place.ready("store", &[]);
    engine.send("go infinite");
    assert!(engine.read_until("info depth 12").iter().any(|line| line.contains("from the analysis store: depth 12 ")));
    assert!(engine.stays_without_bestmove());
    engine.send("stop");
    // Its lines so far have been read; others go on from there, if there was time for any.
    let rest = engine.read_until("bestmove ");
    assert!(
        (1..12).all(|depth| !rest.iter().any(|line| line.starts_with(&format!("info depth {depth} ")))),
        "{rest:?}"
    );
    assert!(engine.end().1);
    let summary = place.summary("store");
    assert!(summary.starts_with("1 position, 1 result, ") && summary.contains("\nVancura with search "), "{summary}");
}

#[test]
fn a_long_analysis_is_kept_before_it_ends() {
    let place = Place::new();
    let mut engine = place.ready("store", &[]);
    engine.send("go infinite");
    // The first result that is a second old is kept with the next one; then it is killed.
    for seconds in [2, 4, 8, 16, 32] {
        thread::sleep(Duration::from_secs(seconds));
        engine.sync();
        drop(engine);
        if !place.summary("store").starts_with("0 positions") {
            let search = place.search("store", &[], "startpos", "go depth 1");
            assert!(is_known(&search) && depths(&search)[0] > 4, "{:?}", search.lines);
            return;
        }
        engine = place.ready("store", &[]);
        engine.send("go infinite");
    }
    panic!("nothing was kept");
}

#[test]
fn analyse_and_sessions_share_a_store() {
    let place = Place::new();
    let game = common::file(&place.0, "game.pgn", "1. e4 e5 *\n");
    let store = place.name("store");
    let analyse = |nodes: &str| {
        let (status, _, said) =
            outcome(&["analyse", &game, "--nodes", nodes, "--store", &store, "-o", &place.name("out")]);
        assert_eq!(status, Some(0), "{said}");
        said
    };
    analyse("3000");
    let search = place.search("store", &[], "startpos moves e2e4", "go nodes 3000");
    assert!(is_known(&search) && search.last("nodes") == Some(3000), "{:?}", search.lines);
    place.search("store", &[], "startpos moves e2e4 e7e5", "go nodes 20000");
    assert!(analyse("10000").contains("1 from the store"), "{}", analyse("10000"));
}

#[test]
fn what_was_found_under_other_circumstances_is_not_the_same() {
    let place = Place::new();
    let fresh = |options: &[&str], position: &str| !is_known(&place.search("store", options, position, "go depth 6"));
    let rooks = "fen 7k/8/8/8/8/8/8/1RR3K1 w";
    // Each is new when it comes for the first time, whatever came before, and known when it comes again.
    for (options, position) in [
        (&[][..], "startpos"),
        (&["Contempt value 30"], "startpos"),
        (&["Contempt value -30"], "startpos"),
        (&["MultiPV value 2"], "startpos"),
        (&[], "startpos moves g1f3 g8f6 f3g1 f6g8"),
        (&[], "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"),
        (&[], &format!("{rooks} - - 0 1")),
        (&[], &format!("{rooks} B - 0 1")),
        (&[], &format!("{rooks} C - 0 1")),
        (&[], "fen 7k/8/8/8/8/Q7/8/K7 w - - 0 1"),
        (&[], "fen 7k/8/8/8/8/Q7/8/K7 w - - 90 90"),
    ] {
        assert!(fresh(options, position), "{options:?} {position}");
        assert!(!fresh(options, position), "{options:?} {position}");
    }
    // These change nothing that is found.
    assert!(!fresh(
        &["UCI_Chess960 value true", "UCI_ShowWDL value true", "Threads value 2", "Hash value 2"],
        "startpos"
    ));
    let castling = place.search("store", &["UCI_Chess960 value true"], "startpos moves e2e4", "go depth 5");
    assert!(!is_known(&castling));
}

#[test]
fn neither_clocks_nor_weak_players_use_it() {
    let place = Place::new();
    for go in ["go wtime 60 btime 60", "go wtime 9000 depth 4", "go mate 1 depth 3", "go depth 3 searchmoves a2a3"] {
        assert!(!is_known(&place.search("store", &[], "startpos", go)), "{go}");
    }
    place.search("store", &["UCI_LimitStrength value true"], "startpos", "go depth 4");
    assert!(place.summary("store").starts_with("0 positions"), "{}", place.summary("store"));
    place.search("store", &[], "startpos", "go depth 10");
    let clocked = place.search("store", &[], "startpos", "go wtime 60 btime 60");
    assert!(!is_known(&clocked) && depths(&clocked)[0] == 1, "{:?}", clocked.lines);
    let mut engine = place.ready("store", &[]);
    engine.send("go ponder wtime 60 btime 60");
    engine.send("ponderhit");
    assert!(!is_known(&engine.finish_search()));
}

#[test]
fn files_that_cannot_be_used_are_named_and_stay() {
    let place = Place::new();
    place.search("store", &[], "startpos", "go depth 4");
    let whole = fs::read(place.path("store")).expect("a store");
    let mut flipped = whole.clone();
    flipped.iter_mut().skip(64).step_by(64).for_each(|byte| *byte ^= 4);
    fs::write(place.path("foreign"), "1. e4 e5 *\n").expect("a file");
    fs::write(place.path("half"), &whole[..whole.len() / 2]).expect("a file");
    fs::write(place.path("flipped"), &flipped).expect("a file");
    fs::create_dir(place.path("folder")).expect("a folder");
    let long = "x".repeat(5000);
    let mut files = vec![
        ("foreign", "it is not an analysis store"),
        ("half", "it is damaged: "),
        ("flipped", "it is damaged: "),
        ("folder", ""),
        ("no/such/folder", ""),
        ("a\0b", ""),
        (&long, ""),
    ];
    if cfg!(target_os = "linux") {
        let status = std::process::Command::new("mkfifo").arg(place.path("pipe")).status();
        assert!(status.expect("mkfifo runs").success());
        files.extend([("pipe", "not a regular file"), ("/dev/zero", ""), ("/dev/full", ""), ("/dev/null", "")]);
    }
    for (name, message) in files {
        let before = place.path(name).is_file().then(|| fs::read(place.path(name)).expect("a file"));
        let mut engine = Engine::start();
        let path = if name.starts_with('/') { name.to_owned() } else { place.name(name) };
        engine.send(&format!("setoption name AnalysisStore value {path}"));
        let said = engine.sync();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].starts_with("info string error: cannot use the analysis store "), "{said:?}");
        assert!(said[0].contains(message) && said[0].ends_with("; going on without it"), "{said:?}");
        let search = engine.search("go depth 5");
        assert!(!is_known(&search) && engine.sync().is_empty(), "{:?}", search.lines);
        assert!(engine.end().1, "{name}");
        if let Some(before) = before {
            assert!(fs::read(place.path(name)).expect("a file") == before, "{name} was changed");
        }
    }
    let entries: Vec<_> =
        fs::read_dir(place.0.path()).expect("a folder").map(|entry| entry.unwrap().file_name()).collect();
    assert!(entries.iter().all(|name| !name.to_string_lossy().starts_with('.')), "{entries:?}");
}

#[test]
fn results_of_another_network_are_shown_and_searched_again() {
    let place = Place::new();
    // To this network every position is even.
    let network = Network::from_payload(&vec![0; PAYLOAD_LEN]).expect("weights");
    fs::write(place.path("even.nnue"), network.to_bytes()).expect("a file");
    let even = format!("EvalFile value {}", place.name("even.nnue"));
    let hash = Network::embedded().hash();
    let shown = format!("by Vancura with search {}, network {hash:016x}: depth 9 by ", uci::BENCH_SIGNATURE);
    let is_shown = |search: &Search| search.lines.iter().any(|line| line.contains(&shown));
    let alone = place.search("none", &[&even], "startpos", "go depth 5");
    place.search("store", &[], "startpos", "go depth 9");
    // First what the other one found, then what this one finds, as without the store.
    let search = place.search("store", &[&even], "startpos", "go depth 5");
    assert!(is_shown(&search) && !is_known(&search), "{:?}", search.lines);
    assert!(search.lines[0].ends_with("; it is searched again"), "{:?}", search.lines);
    assert_eq!((depths(&search)[0], search.last("nodes")), (9, alone.last("nodes")), "{:?}", search.lines);
    assert_eq!((&depths(&search)[1..], &search.best), (&depths(&alone)[..], &alone.best));
    // Its own result is the answer, and less deep than the other's in a search that goes on.
    let again = place.search("store", &[&even], "startpos", "go depth 5");
    assert!(is_known(&again) && !is_shown(&again) && depths(&again) == [5], "{:?}", again.lines);
    let more = place.search("store", &[&even], "startpos", "go depth 6");
    assert!(is_known(&more) && is_shown(&more) && depths(&more)[..2] == [9, 5], "{:?}", more.lines);
    // The other one has its own as before.
    let first = place.search("store", &[], "startpos", "go depth 9");
    assert!(is_known(&first) && depths(&first) == [9], "{:?}", first.lines);
    // Both networks in one session, each with its own.
    let mut engine = place.ready("store", &[&even]);
    assert!(engine.search("go depth 6").lines[0].contains("depth 6 by "));
    engine.send("setoption name EvalFile value <embedded>");
    assert!(engine.search("go depth 9").lines[0].contains("depth 9 by "));
    assert!(engine.end().1);
    let summary = place.summary("store");
    assert!(summary.starts_with("1 position, 2 results, "), "{summary}");
    assert!(summary.lines().skip(1).filter(|line| line.contains(": 1 result")).count() == 2, "{summary}");
    assert!(summary.contains(": 1 result; another network, "), "{summary}");
    assert!(place.summary("none").contains(": another network, "), "{}", place.summary("none"));
}

#[test]
fn one_process_uses_it_at_a_time() {
    let place = Place::new();
    let mut first = place.ready("store", &[]);
    let (mut second, said) = place.engine("store");
    assert!(said.len() == 1 && said[0].contains("it is in use by another process"), "{said:?}");
    assert!(!is_known(&second.search("go depth 3")));
    first.search("go depth 7");
    first.send("setoption name AnalysisStore value <empty>");
    assert!(first.sync().is_empty());
    second.send(&format!("setoption name AnalysisStore value {}", place.name("store")));
    assert!(second.sync().is_empty());
    let search = second.search("go depth 4");
    assert!(is_known(&search) && depths(&search) == [7], "{:?}", search.lines);
    // One that it was told about once has it as soon as it is free.
    let (mut third, said) = place.engine("store");
    assert!(said.len() == 1 && said[0].contains("it is in use by another process"), "{said:?}");
    assert!(first.search("go depth 3").best != "(none)" && first.end().1);
    third.send("ucinewgame");
    assert!(third.sync().is_empty());
    assert!(second.end().1);
    third.send("ucinewgame");
    let said = third.sync();
    assert!(said.len() == 1 && said[0].ends_with("\" is free now, and used from here on"), "{said:?}");
    assert!(is_known(&third.search("go depth 4")) && third.end().1);
}

#[test]
fn options_and_new_games_in_the_middle_of_a_search_are_safe() {
    let place = Place::new();
    let mut engine = place.ready("store", &[]);
    for round in 0..6 {
        engine.send(&format!("position startpos moves {}", ["e2e4", "d2d4", "g1f3"][round % 3]));
        engine.send("go infinite");
        engine.send("ucinewgame");
        engine.send("setoption name MultiPV value 2");
        engine.send("setoption name Hash value 2");
        engine.send(&format!("setoption name AnalysisStore value {}", place.name(["other", "store"][round % 2])));
        engine.read_until("info depth 5 ");
        engine.send("stop");
        engine.finish_search();
        assert!(!engine.sync().iter().any(|line| line.contains("error")));
        engine.send("setoption name MultiPV value 1");
    }
    assert!(engine.end().1);
    for name in ["store", "other"] {
        assert!(!place.summary(name).starts_with("0 positions"), "{name}: {}", place.summary(name));
    }
}

#[cfg(unix)]
#[test]
fn a_store_that_cannot_grow_is_closed_and_the_engine_goes_on() {
    let place = Place::new();
    place.search("store", &[], "startpos", "go depth 4");
    let size = fs::metadata(place.path("store")).expect("a store").len();
    let mut shell = std::process::Command::new("sh");
    let program = env!("CARGO_BIN_EXE_vancura");
    // In blocks of 512 bytes: about half of what it has, since a part of that may be free.
    let mut engine =
        Engine::spawn(shell.args(["-c", &format!("ulimit -f {} && exec \"$0\"", (size / 1024).min(100)), program]));
    engine.send(&format!("setoption name AnalysisStore value {}", place.name("store")));
    assert!(engine.sync().is_empty());
    let mut errors = Vec::new();
    let file = |number: usize| ["a", "b", "c", "d", "e", "f", "g", "h"][number % 8];
    // Other positions each time, until there is no room, and some more.
    let mut rest = 10;
    for number in 0..448 {
        let (white, black, second) = (file(number), file(number / 8), file(number + 1 + number / 64));
        engine.send(&format!("position startpos moves {white}2{white}3 {black}7{black}6 {second}2{second}4"));
        errors.extend(engine.search("go depth 2").lines);
        errors.extend(engine.sync());
        errors.retain(|line| line.contains("error"));
        rest -= usize::from(!errors.is_empty());
        if rest == 0 {
            break;
        }
    }
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].ends_with("; going on without the analysis store"), "{errors:?}");
    assert!(engine.search("go depth 3").best != "(none)" && engine.end().1);
    // What was written before is there.
    assert!(is_known(&place.search("store", &[], "startpos", "go depth 4")));
}

/// A store on a disk that is full sooner or later: what was written is there, and grows when there is room again.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "mounts a disk"]
fn a_store_on_a_full_disk_goes_on() {
    let place = Place::new();
    place.search("empty", &[], "startpos", "go depth 1");
    let kib = u32::try_from(fs::metadata(place.path("empty")).expect("a store").len() >> 10).expect("a small store");
    for more in [4, 40, 400] {
        let Some(disk) = common::SmallDisk::mount(kib + more) else { return };
        let name = disk.path().join("store").display().to_string();
        let option = format!("setoption name AnalysisStore value {name}");
        let analyse = |count: usize| {
            let mut engine = Engine::start();
            engine.send(&option);
            for number in 0..count {
                let file = |number: usize| ["a", "b", "c", "d", "e", "f", "g", "h"][number % 8];
                let (white, black) = (file(number), file(number / 8));
                engine.send(&format!("position startpos moves {white}2{white}3 {black}7{black}6"));
                assert_ne!(engine.search("go nodes 300").best, "(none)", "{}", engine.transcript());
            }
            engine.sync();
            assert!(engine.end().1);
        };
        let records = || {
            let (status, summary, said) = outcome(&["store", &name]);
            assert_eq!(status, Some(0), "{said}");
            let count = summary.split(", ").nth(1).and_then(|text| text.split(' ').next());
            count.and_then(|count| count.replace(',', "").parse::<u64>().ok()).expect("a number")
        };
        analyse(64);
        disk.grow_to(20_000);
        let before = if std::path::Path::new(&name).exists() { records() } else { 0 };
        analyse(64);
        assert!(records() >= before.max(60), "{} after {before}", records());
    }
}

/// A store cut off at some of its bytes: it is read or named as damaged, and stays as it is; the engine goes on.
fn tear_store(cuts: usize) {
    let place = Place::new();
    place.search("store", &[], "startpos", "go depth 6");
    let bytes = fs::read(place.path("store")).expect("a store");
    for cut in (1..cuts).map(|number| number * bytes.len() / cuts).chain([1, 8, 9, bytes.len() - 1]) {
        fs::write(place.path("torn"), &bytes[..cut]).expect("a file");
        let (status, summary, said) = outcome(&["store", &place.name("torn")]);
        assert!(status == Some(0) || status == Some(2) && said.contains("error: "), "{cut} bytes: {summary}{said}");
        assert!(fs::read(place.path("torn")).expect("a file") == bytes[..cut], "{cut} bytes");
        let (mut engine, lines) = place.engine("torn");
        assert_eq!(status == Some(0), lines.is_empty(), "{cut} bytes: {lines:?}");
        assert_ne!(engine.search("go depth 3").best, "(none)", "{cut} bytes");
        assert!(engine.end().1, "{cut} bytes");
        let is_same = fs::read(place.path("torn")).expect("a file") == bytes[..cut];
        assert!(is_same || status == Some(0), "{cut} bytes");
    }
}

#[test]
fn a_torn_store_is_named_and_stays() {
    tear_store(6);
}

#[test]
#[ignore = "some minutes"]
fn a_store_torn_anywhere_is_named_and_stays() {
    tear_store(300);
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_store() {
    let place = Place::new();
    for round in 0..12 {
        let mut engine = place.ready("store", &[]);
        for file in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            engine.send(&format!("position startpos moves {file}2{file}4"));
            engine.search(&format!("go nodes {}", 200 * (round + 1)));
        }
        thread::sleep(Duration::from_millis(round * 3));
        // Dropped, it is killed.
        drop(engine);
        place.summary("store");
    }
    assert!(!place.summary("store").starts_with("0 positions"), "{}", place.summary("store"));
}

#[test]
fn arguments_can_name_it_too() {
    let place = Place::new();
    let option = format!("setoption name AnalysisStore value {}", place.name("a store"));
    output(&[&option, "go depth 9"], b"");
    let text = output(&[&option, "go depth 9"], b"");
    assert!(text.starts_with("info string from the analysis store: depth 9 by "), "{text}");
    let quoted = format!("setoption name AnalysisStore value \"{}\"", place.name("a store"));
    assert!(output(&[&quoted, "go depth 9"], b"").starts_with("info string from the analysis store: depth 9 by "));
}
