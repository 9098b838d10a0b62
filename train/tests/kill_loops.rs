//! Processes that are killed again and again lose nothing and leave nothing but what they say.
//!
//! The short forms run with the other tests, the long ones with `--ignored`.

#![allow(clippy::unwrap_used)] // every function here may panic, as tests do

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use train::games::blocks::read_games;
use train::games::game::Game;
use train::records::record::RecordWriter;
use train::records::synthetic::random_records;

const DATAGEN: &str = env!("CARGO_BIN_EXE_datagen");
const TRAINER: &str = env!("CARGO_BIN_EXE_trainer");

fn start(program: &str, folder: &Path, line: &str) -> Child {
    let mut command = Command::new(program);
    command.args(line.split_whitespace()).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Runs a command to its end, or kills it after this many milliseconds. Returns its words if it ended.
fn run(program: &str, folder: &Path, line: &str, millis: Option<u64>) -> Option<(bool, String)> {
    let mut child = start(program, folder, line);
    if let Some(millis) = millis {
        thread::sleep(Duration::from_millis(millis));
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
    }
    let output = child.wait_with_output().unwrap();
    Some((output.status.success(), String::from_utf8(output.stderr).unwrap()))
}

/// The files of a folder, without what was begun and has no name of its own, where the system gives it one.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs_err::read(entry.path()).unwrap()))
        .filter(|(name, _)| !name.starts_with(".vancura-"))
        .collect();
    files.sort();
    files
}

/// Kills a training until it has ended, a little later each time, and compares all of its files.
fn kill_trainer(superbatches: usize, steps: u64) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_records(folder);
    let data = DATA;
    let recipe = format!("--superbatches {superbatches} --batches 2 --batch-size 256 --parts 1");
    assert!(run(TRAINER, folder, &format!("train whole {data} {recipe}"), None).unwrap().0);
    let mut kills = 0;
    for step in 0.. {
        let line = if folder.join("cut/checkpoint").exists() {
            format!("resume cut {data}")
        } else {
            // Nothing is finished yet, and both commands say what to do.
            let (is_well, said) = run(TRAINER, folder, &format!("resume cut {data}"), None).unwrap();
            assert!(!is_well && said.contains("begin it again with `train`"), "{said}");
            format!("train cut {data} {recipe}")
        };
        match run(TRAINER, folder, &line, Some(5 + steps * step)) {
            None => kills += 1,
            Some((is_well, said)) => {
                assert!(is_well, "{line}: {said}");
                break;
            }
        }
    }
    assert!(kills > 0, "it ended before it could be killed");
    let [whole, cut] = ["whole", "cut"].map(|name| files(&folder.join(name)));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&cut), names(&whole));
    assert!(cut == whole, "after {kills} kills");
    // A picture that was lost comes back.
    fs_err::write(folder.join("cut/loss.csv"), "half").unwrap();
    fs_err::remove_file(folder.join("cut/loss.svg")).unwrap();
    assert!(run(TRAINER, folder, &format!("resume cut {data}"), None).unwrap().0);
    assert!(files(&folder.join("cut")) == whole);
}

/// Kills self-play again and again: all games of each run stay, in their order, and none comes twice.
fn kill_datagen(kills: u64) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(run(TRAINER, folder, "seed seed.nnue", None).unwrap().0);
    let generate = |pool: &str, games: usize| {
        format!("generate {pool} --network seed.nnue --games {games} --soft-nodes 20 --seed 1 --threads 1 --hash 1")
    };
    let games =
        |name: &str| -> Vec<Game> { read_games(&folder.join(name)).unwrap().map(|game| game.unwrap()).collect() };
    assert!(run(DATAGEN, folder, &generate("whole", 50), None).unwrap().0);
    let mut known = Vec::new();
    for kill in 0..kills {
        assert!(run(DATAGEN, folder, &generate("cut", 100_000), Some(100 + 37 * kill % 400)).is_none());
        // What a run without games makes of a copy is all that is there.
        for name in ["cut", "cut.journal"].iter().filter(|name| folder.join(name).exists()) {
            fs_err::copy(folder.join(name), folder.join(name.replace("cut", "copy"))).unwrap();
        }
        assert!(run(DATAGEN, folder, &generate("copy", 0), None).unwrap().0);
        let now = games("copy");
        assert!(now.starts_with(&known), "kill {kill}: {} games were {}", now.len(), known.len());
        if known.is_empty() {
            let most = now.len().min(50);
            assert!(now[..most] == games("whole")[..most], "the first games of a run are always the same");
        }
        known = now;
        fs_err::remove_file(folder.join("copy")).unwrap();
    }
    assert!(known.len() > 1, "it was killed before it played");
    assert!(run(DATAGEN, folder, &generate("cut", 3), None).unwrap().0);
    let cut = games("cut");
    assert!(cut.starts_with(&known) && cut.len() == known.len() + 3, "{} games after {}", cut.len(), known.len());
    assert!(cut.windows(2).all(|pair| pair[0] != pair[1]));
    let names: Vec<_> = files(folder).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["cut", "seed.nnue", "whole"]);
}

#[test]
fn a_training_that_is_killed_ends_as_if_it_had_not_been() {
    kill_trainer(4, 150);
}

#[test]
fn self_play_that_is_killed_loses_no_game() {
    kill_datagen(3);
}

/// Runs a command with files limited to so many blocks of 512 or 1024 bytes, as a full disk would. Returns its exit status,
/// and what it said.
#[cfg(unix)]
fn run_with_little_room(blocks: usize, program: &str, folder: &Path, line: &str) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\""), program]).args(line.split_whitespace());
    let output = command.current_dir(folder).stdin(Stdio::null()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Records to train with and to validate by, in a folder.
fn write_records(folder: &Path) {
    for (name, seed, count) in [("train.records", 1, 20_000), ("validation.records", 2, 2_000)] {
        let mut writer = RecordWriter::create(&folder.join(name)).unwrap();
        writer.write(&random_records(seed, count)).unwrap();
        writer.finish().unwrap();
    }
}

const DATA: &str = "--train train.records --validation validation.records";

#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_is_an_error_that_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(run(TRAINER, folder, "seed seed.nnue", None).unwrap().0);
    let generate = |games| {
        format!("generate pool --network seed.nnue --games {games} --soft-nodes 20 --seed 1 --threads 1 --hash 1")
    };
    let games = || -> Vec<Game> { read_games(&folder.join("pool")).unwrap().map(|game| game.unwrap()).collect() };
    assert!(run(DATAGEN, folder, &generate(5), None).unwrap().0);
    let before = games();
    let (status, said) = run_with_little_room(20, DATAGEN, folder, &generate(100_000));
    assert!(status == Some(1) && said.contains("File too large"), "{status:?}: {said}");
    assert!(games().starts_with(&before));
    assert!(run(DATAGEN, folder, &generate(5), None).unwrap().0);
    assert!(games().starts_with(&before) && games().len() >= before.len() + 5);
    // A checkpoint that has no room leaves the last one.
    write_records(folder);
    let recipe = "--superbatches 1 --batches 2 --batch-size 256 --parts 1";
    assert!(run(TRAINER, folder, &format!("train net {DATA} {recipe}"), None).unwrap().0);
    let whole = files(&folder.join("net"));
    for line in [format!("train net {DATA} {recipe} --seed 2"), format!("train other {DATA} {recipe}")] {
        let (status, said) = run_with_little_room(100, TRAINER, folder, &line);
        assert!(status == Some(1) && said.contains("error: "), "{status:?}: {said}");
    }
    assert!(files(&folder.join("net")) == whole);
}

/// Checkpoints cut off at some of their bytes: each is refused, and stays as it is.
fn tear_checkpoint(cuts: usize) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_records(folder);
    let recipe = "--superbatches 1 --batches 2 --batch-size 256 --parts 1";
    assert!(run(TRAINER, folder, &format!("train net {DATA} {recipe}"), None).unwrap().0);
    let path = folder.join("net/checkpoint");
    let bytes = fs_err::read(&path).unwrap();
    for cut in (0..cuts).map(|number| number * bytes.len() / cuts).chain([1, 8, 12, 13, bytes.len() - 1]) {
        fs_err::write(&path, &bytes[..cut]).unwrap();
        let (is_well, said) = run(TRAINER, folder, &format!("resume net {DATA}"), None).unwrap();
        assert!(!is_well && said.starts_with("error: "), "{cut} bytes: {said}");
        assert!(fs_err::read(&path).unwrap() == bytes[..cut], "{cut} bytes");
    }
    fs_err::write(&path, &bytes).unwrap();
    assert!(run(TRAINER, folder, &format!("resume net {DATA}"), None).unwrap().0);
}

#[test]
fn a_torn_checkpoint_is_refused() {
    tear_checkpoint(3);
}

#[test]
#[ignore = "some minutes"]
fn a_checkpoint_torn_anywhere_is_refused() {
    tear_checkpoint(100);
}

/// A training onto a disk that is full sooner or later: its last checkpoint is whole, and the training goes on from it.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "mounts a disk"]
fn a_full_disk_keeps_the_last_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let disk = folder.join("disk");
    fs_err::create_dir(&disk).unwrap();
    let mount = |options: &str| {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&disk).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success())
    };
    write_records(folder);
    let recipe = "--superbatches 3 --batches 2 --batch-size 256 --parts 1";
    assert!(run(TRAINER, folder, &format!("train whole {DATA} {recipe}"), None).unwrap().0);
    let whole = files(&folder.join("whole"));
    let kib = fs_err::metadata(folder.join("whole/checkpoint")).unwrap().len() >> 10;
    // For no checkpoint, for one, for one and a part of the next, and for two.
    for tenths in [5, 11, 15, 21] {
        if !mount(&format!("size={}k", kib * tenths / 10)) {
            eprintln!("SKIPPED: no disk can be mounted here");
            return;
        }
        let (is_well, said) = run(TRAINER, folder, &format!("train disk/net {DATA} {recipe}"), None).unwrap();
        assert!(is_well || said.contains("No space left on device"), "{tenths}: {said}");
        assert!(mount(&format!("remount,size={}k", 10 * kib)));
        let line = if disk.join("net/checkpoint").exists() {
            format!("resume disk/net {DATA}")
        } else {
            format!("train disk/net {DATA} {recipe}")
        };
        let goes_on = run(TRAINER, folder, &line, None).unwrap();
        let now = files(&disk.join("net"));
        assert!(Command::new("umount").arg(&disk).status().unwrap().success());
        assert!(goes_on.0 && now == whole, "{tenths}: {}", goes_on.1);
    }
}

/// Self-play onto a disk that is full sooner or later: what it wrote is whole, and the next run goes on behind it.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "mounts a disk"]
fn a_full_disk_tears_no_pool() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    fs_err::create_dir(&disk).unwrap();
    let mount = |options: &str| {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&disk).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success())
    };
    assert!(run(TRAINER, folder.path(), "seed seed.nnue", None).unwrap().0);
    let generate = |games| {
        format!("generate disk/pool --network seed.nnue --games {games} --soft-nodes 20 --seed 1 --threads 1 --hash 1")
    };
    for kib in [16, 24, 40, 64] {
        if !mount(&format!("size={kib}k")) {
            eprintln!("SKIPPED: no disk can be mounted here");
            return;
        }
        let (is_well, said) = run(DATAGEN, folder.path(), &generate(100_000), None).unwrap();
        let games = |path: &Path| -> Vec<Game> { read_games(path).unwrap().map(|game| game.unwrap()).collect() };
        let pool = games(&disk.join("pool")).len();
        assert!(mount(&format!("remount,size={}k", 100 * kib)));
        let goes_on = run(DATAGEN, folder.path(), &generate(3), None).unwrap().0;
        let all = games(&disk.join("pool"));
        assert!(Command::new("umount").arg(&disk).status().unwrap().success());
        assert!(!is_well && said.contains("No space left on device"), "{said}");
        assert!(goes_on && all.len() > pool + 3, "{} games after {pool}", all.len());
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
    }
}

#[test]
#[ignore = "takes minutes"]
fn kill_loops() {
    kill_trainer(40, 10);
    kill_datagen(100);
}
