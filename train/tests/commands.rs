//! The commands of the README, at toy size and as real processes.

#![allow(clippy::unwrap_used)] // every function here may panic, as tests do

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use movegen::Board;
use train::game::{Game, GameResult};

const DATAGEN: &str = env!("CARGO_BIN_EXE_datagen");
const TRAINER: &str = env!("CARGO_BIN_EXE_trainer");

fn run(program: &str, folder: &Path, line: &str) -> Output {
    Command::new(program).args(line.split_whitespace()).current_dir(folder).output().unwrap()
}

/// Runs a command that must succeed; returns what it printed.
fn succeed(program: &str, folder: &Path, line: &str) -> String {
    let output = run(program, folder, line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Runs a command of the trainer that must fail; returns its complaint.
fn fail(folder: &Path, line: &str) -> String {
    let output = run(TRAINER, folder, line);
    assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.starts_with("error: ") && complaint.lines().count() == 1, "{complaint}");
    complaint
}

fn networks(folder: &Path) -> Vec<PathBuf> {
    let files = fs_err::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "nnue")).collect()
}

#[test]
fn from_nothing_to_a_network() {
    const DATA: &str = "--train train.records --validation validation.records";
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(TRAINER, folder, "seed seed.nnue");
    succeed(DATAGEN, folder, "generate pool.games --network seed.nnue --games 60 --soft-nodes 50 --seed 1");
    let summary = succeed(TRAINER, folder, &format!("prepare pool.games {DATA} --held-out 100"));
    assert!(summary.contains("60 games\n") && !summary.contains("warning"), "{summary}");

    // As a killed process leaves it: as long as the pool, and one game of a bare start.
    let length = fs_err::metadata(folder.join("pool.games")).unwrap().len().to_le_bytes();
    let mut game = Vec::new();
    Game { start: Board::start(), result: GameResult::Draw, moves: Vec::new() }.encode(&mut game);
    fs_err::write(folder.join("pool.games.journal"), [&length[..], &game].concat()).unwrap();
    let summary = succeed(TRAINER, folder, &format!("prepare pool.games {DATA} --held-out 100"));
    assert!(summary.contains("60 games\n") && summary.contains("1 games in its journal"), "{summary}");
    let stats = succeed(DATAGEN, folder, "stats pool.games");
    assert!(stats.contains("not counted: 1 games in the journal"), "{stats}");

    let train = format!("train run {DATA} --superbatches 3 --batches 8 --batch-size 512 --lr-start 0.004");
    let lines = succeed(TRAINER, folder, &train);
    let losses: Vec<f64> = lines
        .lines()
        .filter_map(|line| line.split_once("  loss ")?.1.split_whitespace().next()?.parse().ok())
        .collect();
    assert_eq!(losses.len(), 3, "{lines}");
    assert!(losses[2] < losses[0], "{lines}");
    let networks = networks(&folder.join("run"));
    assert_eq!(networks.len(), 1);
    assert_eq!(lines.lines().last().map(|line| folder.join(line)), Some(networks[0].clone()));

    let network = networks[0].display();
    fs_err::create_dir(folder.join("embedded")).unwrap();
    fs_err::write(folder.join("embedded/evaluations.txt"), format!("? {START}\n")).unwrap();
    succeed(TRAINER, folder, "install seed.nnue --folder embedded");
    let installed = succeed(TRAINER, folder, &format!("install {network} --folder embedded"));
    assert_eq!(self::networks(&folder.join("embedded")), [folder.join(installed.trim())]);
    assert_eq!(fs_err::read(folder.join(installed.trim())).unwrap(), fs_err::read(&networks[0]).unwrap());
    let noted = fs_err::read_to_string(folder.join("embedded/evaluations.txt")).unwrap();
    let evaluation = succeed(TRAINER, folder, &format!("evaluate {network}"));
    assert_eq!(noted, format!("{} {START}\n", evaluation.trim()));
    let quantised = succeed(TRAINER, folder, "quantise run/checkpoint again.nnue --validation validation.records");
    let losses = quantised.lines().last().unwrap();
    assert!(losses.starts_with("validation 0.") && losses.contains(", quantised 0."), "{quantised}");
    assert!(lines.contains(losses), "{losses} in {lines}");
    let table = fs_err::read_to_string(folder.join("run/loss.csv")).unwrap();
    assert!(table.lines().all(|line| line.split(',').filter(|cell| !cell.is_empty()).count() == 8), "{table}");
    assert_eq!(fs_err::read(folder.join("again.nnue")).unwrap(), fs_err::read(&networks[0]).unwrap());
    let evaluation: i32 = evaluation.trim().parse().unwrap();
    assert!(evaluation.abs() < 300, "{evaluation} for the start position");

    // At no speed at all a training ends where it began.
    let still = "--superbatches 1 --batches 1 --batch-size 512 --lr-start 0 --lr-end 0";
    for (number, from) in ["run/checkpoint", "again.nnue"].into_iter().enumerate() {
        let lines = succeed(TRAINER, folder, &format!("train still{number} {DATA} --from {from} {still}"));
        let network = fs_err::read(folder.join(lines.lines().last().unwrap())).unwrap();
        assert_eq!(network, fs_err::read(&networks[0]).unwrap(), "{from}");
    }

    assert!(fail(folder, &train).contains("holds a training already"));
    assert!(fail(folder, &format!("train other {DATA} --from pool.games")).contains("not a Vancura network"));
    let swapped = "resume run --train validation.records --validation train.records";
    assert!(fail(folder, swapped).contains("not the data this training began with"));
    assert!(fail(folder, "quantise again.nnue other.nnue").contains("not a checkpoint"));
    assert!(fail(folder, "evaluate run/checkpoint").contains("not a Vancura network"));
    assert!(fail(folder, "train other --train pool.games --validation pool.games").contains("not a file of training"));
}
