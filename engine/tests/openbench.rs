//! What OpenBench's client does with an engine: building it, timing it, drawing openings, setting options.
//!
//! Source: its `Client/bench.py`, `utils.py`, `worker.py` and `genfens.py`, read in 2026.

mod common;

use std::path::Path;
use std::process::Command;

use common::{Engine, output, run};
use movegen::Board;

/// The number beside a word in any case, as the client looks for it: from the end, whatever else stands there.
fn number_beside(text: &str, name: &str) -> Option<u64> {
    let words = |line: &str| -> Vec<String> {
        let words = line.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_ascii_lowercase).collect()
    };
    let number = |pair: &[String]| match pair {
        [number, word] if word == name => number.parse().ok(),
        [word, number] if word == name => number.parse().ok(),
        _ => None,
    };
    text.lines().rev().find_map(|line| words(line).windows(2).find_map(number))
}

#[test]
fn b2_bench_is_read_from_the_end_of_ascii_output() {
    let result = run(&["bench"], b"");
    assert!(result.status.success() && result.stderr.is_empty());
    assert!(result.stdout.is_ascii(), "the client decodes it as ASCII");
    let text = String::from_utf8(result.stdout).expect("ASCII is UTF-8");
    let nodes = number_beside(&text, "nodes").expect("a count of nodes");
    let rate = number_beside(&text, "nps").expect("a speed");
    assert!(nodes > 100_000 && rate > 0, "{text}");
    // Several processes at once, each on a core of its own, must agree.
    assert_eq!(number_beside(&output(&["bench"], b""), "nodes"), Some(nodes));
}

#[test]
fn b2_openings_come_from_one_command_line() {
    let text = output(&["genfens 4 seed 17 book None", "quit"], b"");
    let fens: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("info string genfens ")).collect();
    assert_eq!((fens.len(), text.lines().count()), (4, 4), "{text}");
    for fen in fens {
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        assert!(Board::from_fen(fen).is_ok_and(|board| board.has_legal_move()), "{fen}");
    }
    // Extra words are for engines that want them.
    assert_eq!(output(&["genfens 4 seed 17 book None some extra=words", "quit"], b""), text);
}

#[test]
fn b2_the_options_it_sets_are_there() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.read_until("uciok");
    for option in ["Threads", "Hash", "SyzygyPath", "SyzygyProbeLimit", "UCI_Chess960"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option} type "))), "{option}");
    }
}

#[test]
fn b2_spsa_parameters_are_printed_as_it_takes_them() {
    let text = output(&["spsa"], b"");
    assert!(!text.is_empty());
    for line in text.lines() {
        let fields: Vec<_> = line.split(',').map(str::trim).collect();
        assert!(fields.len() == 7 && !fields[0].contains(' ') && ["int", "float"].contains(&fields[1]), "{line}");
        assert!(fields[2..].iter().all(|field| field.parse::<f64>().is_ok()), "{line}");
    }
}

fn make(arguments: &[&str]) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new("make").args(arguments).current_dir(root).output().ok()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "make {arguments:?}: {errors}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Only what would be run: the build itself takes minutes and is the next test.
#[test]
fn b2_make_leaves_the_binary_under_the_wanted_name() {
    let Some(commands) = make(&["-n", "-j", "EXE=Vancura-1234ABCD", "EVALFILE=/networks/some.nnue"]) else {
        eprintln!("SKIPPED the Makefile: there is no make");
        return;
    };
    assert!(commands.contains("cargo build --release"), "{commands}");
    let last = commands.lines().last().unwrap_or_default();
    let name = if cfg!(windows) { "Vancura-1234ABCD.exe" } else { "Vancura-1234ABCD" };
    assert!(last.starts_with("cp ") && last.ends_with(&format!(" {name}")), "{commands}");
}

#[test]
#[ignore = "builds a release, which takes minutes"]
fn b2_make_builds_an_engine_that_benches() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("Vancura-1234ABCD");
    let made = make(&["-j", &format!("EXE={}", program.display())]);
    assert!(made.is_some(), "there is no make");
    let output = Command::new(&program).arg("bench").output().expect("the engine starts");
    let text = String::from_utf8(output.stdout).expect("ASCII is UTF-8");
    assert_eq!(number_beside(&text, "nodes"), number_beside(&self::output(&["bench"], b""), "nodes"));
}
