//! What the engine's surroundings do to it, with the real program: files that are none, readers that go away, limits on
//! the size of files, and fewer processors than threads.

#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::{Engine, Noise, count_best_moves, file};

const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");

/// Makes a pipe with a name.
fn make_fifo(path: &Path) {
    let status = Command::new("mkfifo").arg(path).status().expect("mkfifo can be run");
    assert!(status.success(), "{}", path.display());
}

#[test]
fn only_regular_files_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("KQvK.rtbw");
    make_fifo(&fifo);
    let (fifo, folder) = (fifo.to_str().unwrap(), folder.path().to_str().unwrap());
    let mut engine = Engine::start();
    for path in [fifo, folder, "/dev/zero", "/dev/null", "/dev/full"] {
        for option in ["EvalFile", "BookFile"] {
            engine.send(&format!("setoption name {option} value {path}"));
            let lines = engine.sync();
            assert_eq!(lines.len(), 1, "{lines:?}");
            assert!(lines[0].starts_with("info string error: cannot use "), "{lines:?}");
            assert!(lines[0].ends_with(": not a regular file"), "{lines:?}");
        }
        engine.send(&format!("genfens 1 seed 1 book {path}"));
        let lines = engine.sync();
        assert!(lines.len() == 1 && lines[0].ends_with(": not a regular file"), "{lines:?}");
    }
    for path in [fifo, "/dev/zero", folder] {
        engine.send(&format!("setoption name SyzygyPath value {path}"));
        let lines = engine.sync();
        assert_eq!(lines[0], "info string Syzygy: no tables found", "{lines:?}");
        assert!(lines.len() == 2 && lines[1].starts_with("info string warning: Syzygy: "), "{lines:?}");
    }
    assert_ne!(engine.search("go depth 2").best, "(none)");
}

#[test]
fn a_log_is_no_pipe_that_nobody_reads() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("log");
    make_fifo(&fifo);
    let mut engine = Engine::start();
    engine.send(&format!("setoption name Debug Log File value {}", fifo.display()));
    let lines = engine.sync();
    assert!(lines.len() == 1 && lines[0].ends_with(": nobody reads this pipe"), "{lines:?}");
    // What can be written to is a log, whatever it is.
    engine.send("setoption name Debug Log File value /dev/null");
    assert!(engine.sync().is_empty());
}

#[test]
fn a_log_that_cannot_be_written_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let log = file(&folder, "log.txt", "");
    let mut command = Command::new("sh");
    // In units of 512 or 1024 bytes, depending on the shell.
    let mut engine = Engine::spawn(command.args(["-c", "ulimit -f 1 && exec \"$0\"", PROGRAM]));
    engine.send(&format!("setoption name Debug Log File value {log}"));
    let lines = {
        engine.send("uci");
        let mut lines = engine.read_until("uciok");
        lines.extend(engine.sync());
        lines
    };
    let warnings = lines.iter().filter(|line| line.starts_with("info string warning: the log ends here: ")).count();
    assert_eq!(warnings, 1, "{lines:?}");
    for _ in 0..3 {
        assert_ne!(engine.search("go depth 3").best, "(none)");
    }
    assert!(engine.sync().is_empty());
    assert!(std::fs::metadata(log).unwrap().len() <= 1024);
    assert!(engine.end().1);
}

/// Waits for the end of a process whose input stays open, and returns its status and what it said on stderr.
fn end_of(mut process: Child, what: &[&str]) -> (Option<i32>, String) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while process.try_wait().expect("the program can be waited for").is_none() {
        if Instant::now() > deadline {
            let _ = process.kill();
            panic!("{what:?} does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    let mut errors = String::new();
    process.stderr.take().expect("stderr is a pipe").read_to_string(&mut errors).expect("stderr can be read");
    (process.wait().expect("the program has ended").code(), errors)
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

#[test]
fn a_reader_that_goes_away_ends_whatever_runs() {
    for arguments in [
        &["go infinite"][..],
        &["setoption name Threads value 3", "go infinite"],
        &["go ponder wtime 1000000"],
        &["bench 20"],
        &["genfens 1000000 seed 1"],
    ] {
        let mut process = start(arguments);
        let mut output = BufReader::new(process.stdout.take().expect("stdout is a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("stdout can be read");
        assert_ne!(line, "", "{arguments:?}");
        drop(output);
        assert_eq!(end_of(process, arguments), (Some(0), String::new()), "{arguments:?}");
    }
}

#[test]
fn commands_without_a_reader_end_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let games = file(&folder, "games.pgn", "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n");
    let suite = file(&folder, "suite.epd", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"mate\";\n");
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let positions = file(&folder, "positions.fen", &format!("{mate}\n"));
    for arguments in [
        &["uci", "go depth 3", "d"][..],
        &["go perft 3"],
        &["perft", "3"],
        &["eval"],
        &["help"],
        &["--help"],
        &["mate", mate, "1"],
        &["winnable", &positions],
        &["speedtest", "1", "1", "1"],
        &["doctor"],
        &["completions", "bash"],
        &["man"],
        &["analyse", "--nodes", "100", &games],
        &["arbiter", &games],
        &["suite", "--time", "0.01", &suite],
        &["play", "--games", "1", "--nodes", "20"],
    ] {
        let mut process = start(arguments);
        drop(process.stdout.take());
        let (status, errors) = end_of(process, arguments);
        assert!(matches!(status, Some(0 | 1)), "{arguments:?}: {status:?} {errors}");
        assert!(!errors.contains("panicked") && !errors.contains("error"), "{arguments:?}: {errors}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_said() {
    if !Path::new("/dev/full").exists() {
        return println!("skipped: there is no /dev/full");
    }
    for arguments in [&["go infinite"][..], &["bench 20"], &["uci"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full can be opened");
        let mut command = Command::new(PROGRAM);
        command.args(arguments).stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped());
        let (status, errors) = end_of(command.spawn().expect("the program starts"), arguments);
        assert_eq!(status, Some(2), "{arguments:?}: {errors}");
        assert!(errors.starts_with("error: cannot write the output: "), "{arguments:?}: {errors}");
    }
}

/// Commands in any order with many threads on one processor: each `go` is answered once, and the engine ends.
fn crowd(seed: u64, rounds: usize) {
    let mut command = Command::new("taskset");
    command.args(["-c", "0", PROGRAM]);
    if Command::new("taskset").args(["-c", "0", "true"]).status().map_or(true, |status| !status.success()) {
        return println!("skipped: taskset cannot be run");
    }
    let mut noise = Noise(seed);
    for round in 0..rounds {
        let mut engine = Engine::spawn(&mut command);
        engine.send("setoption name Threads value 16");
        engine.sync();
        let (mut answered, mut asked) = (0, 0);
        for _ in 0..20 {
            let line =
                ["go infinite", "go ponder wtime 1000 btime 1000", "go nodes 3000", "go movetime 20"][noise.next(4)];
            engine.send(line);
            asked += 1;
            for _ in 0..noise.next(4) {
                engine.send(["stop", "ponderhit", "isready", "setoption name Clear Hash", "ucinewgame"][noise.next(5)]);
            }
            // So that the next `go` is not refused.
            engine.send("stop");
            answered += count_best_moves(engine.sync());
        }
        let last = noise.next(3);
        if last > 0 {
            engine.send("stop");
            engine.send("go infinite");
            asked += 1;
        }
        if last > 1 {
            engine.send("quit");
        }
        let transcript = engine.transcript();
        let (rest, ended_well) = engine.end();
        answered += count_best_moves(rest);
        assert!(ended_well, "round {round}: {transcript}");
        assert_eq!(answered, asked, "round {round}: {transcript}");
    }
}

#[test]
fn many_threads_on_one_processor_answer_each_search() {
    crowd(0xC0DE, 2);
}

#[test]
#[ignore = "some minutes"]
fn crowded_processor() {
    crowd(0x5EED, 200);
}
