//! What the engine's surroundings do to it, with the real program: files that are none, readers that go away, limits on
//! the size of files, and fewer processors than threads.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Engine, Noise, count_best_moves, file};

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
    engine.send("uci");
    // It is written by a thread of its own, whose error is told with some line that comes later.
    let is_told =
        |lines: Vec<String>| lines.iter().any(|line| line.starts_with("info string warning: the log ends here: "));
    assert!((0..100_000).any(|_| is_told(engine.sync())), "{}", engine.transcript());
    for _ in 0..3 {
        assert_ne!(engine.search("go depth 3").best, "(none)");
    }
    assert!(engine.sync().is_empty());
    assert!(std::fs::metadata(log).unwrap().len() <= 1024);
    assert!(engine.end().1);
}

/// A reader that is late leaves the pipe full.
#[cfg(target_os = "linux")]
#[test]
fn nobody_waits_for_a_log_that_is_read_late() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("log");
    make_fifo(&fifo);
    // Linux lets a pipe be opened for both, so that nothing is waited for.
    let mut reader = std::fs::OpenOptions::new().read(true).write(true).open(&fifo).unwrap();
    let mut engine = Engine::start();
    engine.send(&format!("setoption name Debug Log File value {}", fifo.display()));
    assert!(engine.sync().is_empty());
    // Several times what a pipe holds.
    for _ in 0..200 {
        engine.send("d");
        assert!(!engine.sync().iter().any(|line| line.starts_with("info string")), "{}", engine.transcript());
    }
    assert_ne!(engine.search("go depth 3").best, "(none)");
    let reading = thread::spawn(move || {
        let (mut text, mut bytes) = (Vec::new(), [0; 1 << 12]);
        while !text.ends_with(b">> quit\n") {
            let count = reader.read(&mut bytes).unwrap();
            text.extend_from_slice(&bytes[..count]);
        }
        String::from_utf8(text).unwrap()
    });
    engine.send("quit");
    assert!(engine.end().1);
    let log = reading.join().unwrap();
    assert_eq!(log.lines().filter(|&line| line == ">> d").count(), 200);
    assert!(log.contains("\n<< bestmove ") && !log.contains("missing"), "{log}");
}

/// The memory of a process that belongs to no file, in KiB.
#[cfg(target_os = "linux")]
fn own_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("the system tells it");
    line.trim().strip_suffix(" kB").and_then(|number| number.parse().ok()).expect("a number")
}

#[cfg(target_os = "linux")]
#[test]
fn threads_that_have_ended_give_their_memory_back() {
    let mut engine = Engine::start();
    engine.sync();
    let before = own_memory(engine.id());
    for _ in 0..2 {
        engine.send("setoption name Threads value 64");
        engine.search("go nodes 100000");
        engine.sync();
        let most = own_memory(engine.id());
        assert!(most > before + (64 << 10), "64 threads take megabytes each: {before} and {most} KiB");
        engine.send("setoption name Threads value 1");
        engine.sync();
        let after = own_memory(engine.id());
        assert!(after < before + (most - before) / 4, "{before}, {most} and {after} KiB");
    }
}

/// `ulimit -s` gives the first thread a stack of its own, `RUST_MIN_STACK` those that others give none. As many KiB as
/// are the least that the system starts a program with, and some more.
#[test]
fn a_small_stack_is_enough() {
    [64, 256].into_iter().for_each(a_stack_is_enough);
}

fn a_stack_is_enough(size: u32) {
    // The first has a proof that goes deep, the second none.
    for position in
        ["startpos", "fen 8/3p1p1p/1p6/1P6/BP6/KP6/PP1P1P1P/k7 w - - 0 1", "fen k7/8/1n6/8/8/6B1/8/7K b - - 0 1"]
    {
        for words in ["d", "eval", "go perft 3", "go mate 2", "bench 2", "go depth 6"] {
            let mut command = Command::new("sh");
            let limited = format!("ulimit -s {size} && exec \"$0\"");
            command.args(["-c", &limited, PROGRAM]).env("RUST_MIN_STACK", "65536");
            let mut engine = Engine::spawn(&mut command);
            engine.send(&format!("position {position}"));
            engine.send(words);
            engine.send("isready");
            engine.read_until("readyok");
            engine.send("stop");
            engine.send(&format!("position {position}"));
            assert_ne!(engine.search("go depth 3").best, "(none)", "{position}: {words}");
            assert!(engine.end().1, "{position}: {words}");
        }
    }
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
