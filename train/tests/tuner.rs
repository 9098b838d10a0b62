//! The tuner, by games of a few nodes a move.

#![cfg(feature = "tune")]
#![allow(clippy::unwrap_used)] // every function here may panic, as tests do

use std::path::Path;
use std::process::{Command, Output};

use train::games::blocks::Blocks;

const BOOK: &str = "r1bq1rk1/ppp2ppp/5n2/2bp4/2NPP3/2P5/PP3PPP/RNBQK2R w KQ d6 0 9\n";

fn run(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
    let options = "run state.json --nodes 40 --hash 1 --book book.epd";
    command.args(options.split(' ')).args(line.split(' ')).current_dir(folder).output().unwrap()
}

#[test]
fn a_tuning_is_kept_pair_by_pair_and_refused_to_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs_err::write(folder.join("book.epd"), BOOK).unwrap();
    let kept = || fs_err::read_to_string(folder.join("state.json")).unwrap();

    let output = run(folder, "--pairs 3 lmr_base fifty_move_scale");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let names: Vec<_> = text.lines().map(|line| line.split(" = ").next().unwrap()).collect();
    assert_eq!(names.len(), 2, "{text}");
    assert!(["lmr_base", "fifty_move_scale"].iter().all(|name| names.contains(name)), "{text}");
    let state = kept();
    assert!(state.contains("\"iteration\": 3"), "{state}");

    let pool = folder.join("state.json.games");
    let games = || {
        let blocks: Vec<_> = Blocks::open(&pool).unwrap().map(|block| block.unwrap()).collect();
        assert!(blocks.iter().all(|block| block.settings() == "nodes=40 source=tuner"));
        blocks
            .iter()
            .map(|block| block.games().map(|game| game.unwrap()).filter(|game| game.result.is_some()).count())
            .sum::<usize>()
    };
    assert_eq!(games(), 6, "two games a pair");

    // It is done: the same command plays nothing more.
    let again = run(folder, "--pairs 3 lmr_base fifty_move_scale");
    assert_eq!((String::from_utf8(again.stdout).unwrap(), kept()), (text, state.clone()));

    assert_eq!(games(), 6);

    for (line, complaint) in [
        ("--pairs 3 --rate 0.5 lmr_base fifty_move_scale", "holds another tuning"),
        ("--pairs 3 lmr_base", "holds another tuning"),
        ("--pairs 3 nonsense", "no number is called nonsense"),
        ("--pairs 3 lmr_base lmr=lmr_base,lmr_factor", "lmr_base is varied twice"),
    ] {
        let output = run(folder, line);
        assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(complaint), "{line}: {output:?}");
    }
    assert_eq!(kept(), state);
}

#[test]
fn changes_are_screened_and_groups_tuned() {
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join("book.epd"), BOOK).unwrap();
    let tuner = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
        let options = " --nodes 40 --hash 1 --book book.epd";
        command.args((line.to_owned() + options).split(' ')).current_dir(folder.path()).output().unwrap()
    };
    let screened = tuner("screen screen.json --pairs 4 lmr_base=600 futility_base=80,futility_margin=60");
    let text = String::from_utf8(screened.stdout).unwrap();
    assert!(screened.status.success(), "{text} {}", String::from_utf8_lossy(&screened.stderr));
    let mut changes: Vec<_> = text.lines().map(|line| line.rsplit(' ').next().unwrap()).collect();
    changes.sort_unstable();
    assert_eq!(changes, ["futility_base=80,futility_margin=60", "lmr_base=600"], "{text}");
    let elo: Vec<f64> = text.lines().map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert!(elo[0] >= elo[1], "{text}");
    let kept = fs_err::read_to_string(folder.path().join("screen.json")).unwrap();
    assert_eq!(kept.matches("\"value\": 0.5").count(), 2, "nothing is moved: {kept}");

    let tuned = tuner("run groups.json --pairs 2 lmr=lmr_base,lmr_factor rfp_depth");
    let text = String::from_utf8(tuned.stdout).unwrap();
    assert!(tuned.status.success() && text.starts_with("lmr = 1") || text.starts_with("lmr = 9"), "{text}");

    let refused = tuner("screen other.json --pairs 4 lmr_base=many");
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("lmr_base is from 0 to 1600, not many"));
    assert!(!folder.path().join("other.json").exists());
}

#[test]
fn games_on_a_clock_are_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join("book.epd"), BOOK).unwrap();
    let output = run(folder.path(), "--pairs 1 --clock 0.1+0.01 --nodes-per-millisecond 20 lmr_base");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.path().join("state.json").exists() && !folder.path().join("state.json.games").exists());
}
