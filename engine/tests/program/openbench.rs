//! What OpenBench's client does with an engine: building it, timing it, drawing openings, setting options.
//!
//! Source: its `Client/bench.py`, `utils.py`, `worker.py` and `genfens.py`, read in 2026.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use movegen::Board;

use crate::common::{Engine, output, run};

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
    assert!(commands.contains("cargo build --release") && commands.contains("--no-default-features"), "{commands}");
    let last = commands.lines().last().unwrap_or_default();
    let name = if cfg!(windows) { "Vancura-1234ABCD.exe" } else { "Vancura-1234ABCD" };
    assert!(last.starts_with("cp ") && last.ends_with(&format!(" \"{name}\"")), "{commands}");
}

/// A worker builds the engine anew for each test, so the build for matches takes little along.
#[test]
fn an_engine_for_matches_needs_few_crates() {
    let arguments = ["tree", "-p", "vancura", "--no-default-features", "-e", "normal", "--prefix", "none", "--offline"];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let output = output.expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    // A line for each use of a crate: its name and version, and perhaps a star or where it is.
    let crates: BTreeSet<_> = text.lines().filter_map(|line| line.split(" (").next()).collect();
    assert!(crates.len() > 10 && crates.len() <= 70, "{} crates: {crates:?}", crates.len());
}

/// What a branch for tuning changes, as `docs/openbench.md` says and `tools/openbench/trial.py` does.
#[test]
fn make_builds_with_the_tuned_numbers_as_options() {
    let makefile = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Makefile")).expect("a file");
    assert_eq!(makefile.matches("\nFEATURES ?=\n").count(), 1, "the line that is changed");
    let (Some(plain), Some(tune)) = (make(&["-n"]), make(&["-n", "FEATURES=tune"])) else {
        eprintln!("SKIPPED the Makefile: there is no make");
        return;
    };
    assert!(!plain.contains("features") && tune.contains("--features \"tune\""), "{plain}{tune}");
}

/// The configuration that a server reads: what it must have, and options that are there.
#[test]
fn the_servers_configuration_fits_the_engine() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/openbench/Vancura.json");
    let text = std::fs::read_to_string(path).expect("a file");
    let configuration: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(configuration["nps"].as_u64().is_some_and(|nps| nps > 0));
    assert_eq!(configuration["private"], false);
    let manifest = include_str!("../../../Cargo.toml");
    let rust = manifest.split("rust-version = \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a version");
    let compilers = &configuration["build"]["compilers"];
    assert!(compilers[0].as_str().is_some_and(|text| text.starts_with(&format!("cargo>={rust}"))), "{compilers}");

    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.read_until("uciok");
    let mut presets = 0;
    for kind in ["test_presets", "tune_presets", "datagen_presets"] {
        let all = configuration[kind].as_object().expect("presets");
        assert!(all.contains_key("default"), "{kind}");
        for (name, preset) in all.iter().filter(|(name, _)| *name != "default") {
            presets += 1;
            let options: Vec<_> =
                ["both_options", "dev_options"].iter().filter_map(|key| preset[key].as_str()).collect();
            for option in options.iter().flat_map(|options| options.split(' ')) {
                let option = option.split('=').next().unwrap_or_default();
                let line = format!("option name {option} type ");
                assert!(lines.iter().any(|offered| offered.starts_with(&line)), "{kind}, {name}: {option}");
            }
        }
    }
    assert!(presets >= 6, "{presets}");
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
