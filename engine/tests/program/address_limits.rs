//! The engine with a limit on the memory it may address: it plays with a smaller table and fewer threads, or says
//! that it cannot.
//!
//! The limit is a shell's `ulimit -v`, which Linux enforces.

use std::fs;
use std::process::Command;

use crate::common::{Noise, outcome_within};

/// What a game takes at least beside the program, in MiB.
const GAME_MIB: usize = 14;

/// What the loader and the C library take at least, in MiB.
const LIBRARIES_MIB: usize = 4;

/// The least address space in MiB in which the program can be loaded, so that it can say that there is too little: it holds no
/// more than its file, and the system's libraries.
fn loaded_limit_mib() -> usize {
    let length = fs::metadata(env!("CARGO_BIN_EXE_vancura")).expect("the program is there").len();
    usize::try_from(length >> 20).expect("a program has less than an address space") + 1 + LIBRARIES_MIB
}

/// The least in which it has to play.
fn min_limit_mib() -> usize {
    loaded_limit_mib() + GAME_MIB
}

/// One start of the engine.
#[derive(Debug)]
struct Trial {
    limit_mib: usize,
    threads: usize,
    hash_mib: usize,
    threads_first: bool,
    go: &'static str,
}

impl Trial {
    /// Sizes are drawn evenly by their logarithm, so that small ones are as likely as large ones.
    fn draw(noise: &mut Noise) -> Self {
        const GO: [&str; 5] =
            ["go nodes 2000", "go depth 5", "go nodes 20000", "go depth 3 searchmoves e2e4", "go mate 2 nodes 3000"];
        Self {
            limit_mib: noise.between(loaded_limit_mib(), 4096),
            threads: noise.between(1, 64),
            hash_mib: noise.between(1, 1 << 20),
            threads_first: noise.next(2) == 0,
            go: GO[noise.next(GO.len())],
        }
    }

    /// Runs it to its end and checks what it did.
    fn check(&self) {
        let Self { limit_mib, threads, hash_mib, threads_first, go } = self;
        let mut options =
            [format!("setoption name Threads value {threads}"), format!("setoption name Hash value {hash_mib}")];
        if !threads_first {
            options.reverse();
        }
        let lines = [&options[0], &options[1], "isready", go].map(str::to_owned);
        let mut command = Command::new("sh");
        // As arguments each line is carried out to its end.
        command.args(["-c", "ulimit -v $0 && exec \"$@\"", &(limit_mib << 10).to_string()]);
        command.arg(env!("CARGO_BIN_EXE_vancura")).args(&lines);
        let (status, output, errors) = outcome_within(&mut command);
        if status == Some(2) && *limit_mib < min_limit_mib() {
            assert!(errors.starts_with("error: not enough memory: "), "{self:?}: {errors}");
            assert_eq!(output, "", "{self:?}");
            return;
        }
        assert_eq!((status, &errors[..]), (Some(0), ""), "{self:?}: {output}");
        let best: Vec<_> = output.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
        assert_eq!(best.len(), 1, "{self:?}: {output}");
        let best = best[0].split(' ').next().unwrap_or_default();
        let board = movegen::Board::start();
        assert!(board.parse_uci(best).is_ok(), "{self:?}: {output}");
        assert!(!go.contains("e2e4") || best == "e2e4", "{self:?}: {output}");
        assert_eq!(output.matches("readyok\n").count(), 1, "{self:?}: {output}");
    }
}

#[test]
fn the_engine_plays_within_any_limit_or_says_why_not() {
    for (limit_mib, threads, hash_mib, threads_first) in [
        (loaded_limit_mib(), 1, 1, true),
        (min_limit_mib(), 1, 1, false),
        (min_limit_mib() + 6, 4, 64, true),
        (64, 8, 64, false),
        (128, 16, 1 << 20, true),
        (128, 16, 1 << 20, false),
        (256, 16, 1 << 20, true),
        (512, 16, 1 << 20, false),
        (1024, 16, 1 << 20, true),
        (1024, 16, 1 << 20, false),
        (2048, 16, 1 << 20, false),
        (4096, 64, 4096, true),
    ] {
        Trial { limit_mib, threads, hash_mib, threads_first, go: "go nodes 5000" }.check();
    }
}

#[test]
fn what_is_missing_is_said() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 262144 && exec \"$@\"", "sh", env!("CARGO_BIN_EXE_vancura")]);
    command.args(["setoption name Hash value 200", "setoption name Threads value 64", "go depth 2"]);
    let (status, output, _) = outcome_within(&mut command);
    assert_eq!(status, Some(0), "{output}");
    assert!(output.contains("warning: Threads 64 is more than this machine has; using "), "{output}");
    assert!(output.contains("warning: Hash 200 is more than this machine has; using "), "{output}");
}

#[test]
#[ignore = "two hundred starts of the engine, some minutes"]
fn address_limits() {
    let mut noise = Noise(0xADD7);
    for number in 0..200 {
        let trial = Trial::draw(&mut noise);
        println!("{number}: {trial:?}");
        trial.check();
    }
}
