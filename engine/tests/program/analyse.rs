//! `vancura analyse` as a process: its streams, its exit, and what is left when it is killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use analysis::model::Document;
use pgn::PgnReader;

use crate::common::{self, run};

const PROGRAM: &str = env!("CARGO_BIN_EXE_vancura");

/// How long to wait for something that has to happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// What comes out, what is said, and whether all was well.
fn analyse(arguments: &[&str], input: &str) -> (String, String, bool) {
    let output = run(&[&["analyse"], arguments].concat(), input.as_bytes());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (text(&output.stdout), text(&output.stderr), output.status.success())
}

#[test]
fn games_come_in_and_go_out_by_the_standard_streams() {
    let (games, said, is_well) = analyse(&["-", "--nodes", "50"], "1. e4 e5 *\n\n1. d4 *\n");
    assert!(is_well, "{said}");
    assert_eq!(said, "2 games, 5 positions\n");
    assert_eq!(PgnReader::new(games.as_bytes()).filter_map(Result::ok).count(), 2);
    assert!(games.matches("[%eval ").count() >= 3, "{games}");
    let (json, _, _) = analyse(&["-", "--nodes", "50", "--json", "-"], "1. e4 e5 *\n");
    let document: Document = serde_json::from_str(&json).expect("JSON");
    assert_eq!((document.games.len(), &document.run.source[..]), (1, "-"));
}

#[test]
fn a_position_is_told_in_plain_text() {
    let (text, said, is_well) = analyse(&["7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "--depth", "8", "--multipv", "2"], "");
    assert!(is_well, "{said}");
    assert!(text.starts_with("White to move, depth 8\nWhite scores 100 %: wins 1000, draws 0, loses 0"), "{text}");
    assert!(text.contains("\n     #1  1. Qg7#\n     #2  1. "), "{text}");
    let (text, _, _) = analyse(&["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "");
    assert_eq!(text, "Black to move\nWhite scores 50 %: wins 0, draws 1000, loses 0 of a thousand\nStalemate.\n");
}

#[test]
fn what_goes_wrong_is_said_and_shows_in_the_exit() {
    for (arguments, input, message) in [
        (&["/no/such/file.pgn"][..], "", "/no/such/file.pgn"),
        (&["src"], "", "error: src: no file .pgn in this folder"),
        (&["-", "--nodes", "9"], "1. e4 Ke3 *\n\n1. e4 *", "line 1: \"Ke3\" is not a legal move here"),
        (&["-", "--nodes", "9"], "1. e4 Ke3 *\n\n1. e4 *", "error: 1 game could not be read"),
        (&["-"], "", "error: no game in -"),
        (&["-", "--resume"], "", "--resume needs an output file"),
        (&["-", "-o", "/no/such/folder/games.pgn"], "", "/no/such/folder/games.pgn"),
        (&["-", "--nodes", "0"], "", "invalid value '0' for '--nodes"),
        (&["-", "--time=-1"], "", "expected a number of seconds"),
        (&["-", "--time", "1e9"], "", "expected a number of seconds"),
        (&["-", "--nodes", "9", "--syzygy", "/no/such/folder"], "1. e4 *", "Syzygy: no tables found"),
    ] {
        let (_, said, is_well) = analyse(arguments, input);
        assert!(said.contains(message), "{arguments:?}: {said}");
        assert!(!is_well || message.contains("Syzygy"), "{arguments:?}");
    }
}

#[test]
fn nobody_need_read_the_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let json = folder.path().join("games.json").display().to_string();
    for (more, status, message) in [
        (&[][..], 0, ""),
        // Files are left half written, and one should know.
        (&["-o", "-", "--json", &json], 2, "error: interrupted; continue with --resume"),
    ] {
        let (found, said) = analyse_unread(more);
        assert_eq!(found, Some(status), "{more:?}: {said}");
        assert!(said.starts_with(message) && said.is_empty() == message.is_empty(), "{more:?}: {said}");
    }
}

/// Exit status and words of a run whose standard output nobody reads.
fn analyse_unread(more: &[&str]) -> (Option<i32>, String) {
    let mut child = Command::new(PROGRAM)
        .args(["analyse", "-", "--nodes", "20"])
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    // Whether it still reads is its own affair.
    let _ = std::io::Write::write_all(&mut input, "1. e4 e5 *\n\n".repeat(50).as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

/// A run on some games, to be ended in its midst.
struct Cut {
    folder: tempfile::TempDir,
}

impl Cut {
    const GAMES: usize = 12;

    fn new() -> Self {
        let cut = Self { folder: tempfile::tempdir().expect("a folder") };
        let opening = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d4 exd4 6. cxd4 Bb4+ 7. Nc3 Nxe4 8. O-O";
        let game =
            |number: usize| format!("[Round \"{number}\"]\n\n{opening} {}*\n\n", ["", "Nxc3 ", "Bxc3 "][number % 3]);
        fs::write(cut.path("in.pgn"), (0..Self::GAMES).map(game).collect::<String>()).expect("a file");
        cut
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn start(&self, name: &str) -> Child {
        let json = self.path(&format!("{name}.json"));
        let child = Command::new(PROGRAM)
            .arg("analyse")
            .args([self.path("in.pgn"), "-o".into(), self.path(name), "--json".into(), json])
            .args(["--nodes", "10000", "--threads", "1", "--resume"])
            .stderr(Stdio::null())
            .spawn();
        child.expect("the program starts")
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Waits until the journal has this many lines; `false` if the run ends before.
    fn wait_for(&self, child: &mut Child, lines: usize) -> bool {
        let start = Instant::now();
        let journal = self.path("cut.pgn.partial");
        let count = |path: &Path| fs::read(path).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count());
        while count(&journal) < lines {
            if child.try_wait().expect("a child").is_some() {
                return false;
            }
            assert!(start.elapsed() < PATIENCE, "nothing is written to the journal");
            thread::sleep(Duration::from_millis(1));
        }
        true
    }
}

/// Kills a run each time that its journal has this many lines more, until it ends, and compares all files.
fn kill_every(lines: usize) {
    let cut = Cut::new();
    assert!(cut.start("whole.pgn").wait().expect("it ends").success());
    let mut kills = 0;
    for lines in (2..).step_by(lines) {
        let mut child = cut.start("cut.pgn");
        if cut.wait_for(&mut child, lines) {
            let _ = child.kill();
            kills += 1;
        }
        if child.wait().expect("it ends").success() {
            break;
        }
        // Later ones may come when all is done but the end of the process.
        assert!(lines > 2 || !cut.path("cut.pgn").exists() && !cut.path("cut.pgn.json").exists(), "half written");
    }
    assert!(kills >= 1, "it ended before it could be killed");
    assert!(cut.read("cut.pgn") == cut.read("whole.pgn"), "the games differ");
    assert!(cut.read("cut.pgn.json") == cut.read("whole.pgn.json"), "the data differ");
    assert!(!cut.path("cut.pgn.partial").exists());
}

/// Cuts the journal of a run that was killed off at so many places, and goes on from each to the same end.
fn tear_journal(cuts: usize) {
    let cut = Cut::new();
    assert!(cut.start("whole.pgn").wait().expect("it ends").success());
    let mut child = cut.start("cut.pgn");
    assert!(cut.wait_for(&mut child, 6), "there is more to do");
    let _ = child.kill();
    let _ = child.wait();
    let journal = cut.read("cut.pgn.partial");
    for number in 0..cuts {
        let length = journal.len() * number / (cuts - 1).max(1);
        fs::write(cut.path("cut.pgn.partial"), &journal[..length]).expect("a file");
        assert!(cut.start("cut.pgn").wait().expect("it ends").success(), "{length} bytes");
        for (torn, whole) in [("cut.pgn", "whole.pgn"), ("cut.pgn.json", "whole.pgn.json")] {
            assert!(cut.read(torn) == cut.read(whole), "{torn} of {length} bytes");
            fs::remove_file(cut.path(torn)).expect("a file");
        }
        assert!(!cut.path("cut.pgn.partial").exists());
    }
}

#[test]
fn a_torn_journal_goes_on_to_the_same_end() {
    tear_journal(4);
}

#[test]
#[ignore = "takes a minute"]
fn a_journal_torn_anywhere_goes_on_to_the_same_end() {
    tear_journal(97);
}

#[test]
fn a_run_that_is_killed_goes_on_to_the_same_end() {
    kill_every(4);
}

#[test]
#[ignore = "takes a minute"]
fn kill_loops() {
    (0..10).for_each(|_| kill_every(1));
}

#[cfg(unix)]
#[test]
fn ctrl_c_writes_what_is_done() {
    let cut = Cut::new();
    let mut child = cut.start("cut.pgn");
    assert!(cut.wait_for(&mut child, 6), "there is more to do");
    assert!(common::signal("INT", child.id()));
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
    let document: Document = serde_json::from_slice(&cut.read("cut.pgn.json")).expect("whole JSON");
    let games = PgnReader::new(&cut.read("cut.pgn")[..]).filter_map(Result::ok).count();
    assert!(document.games.iter().any(|game| game.complete));
    assert_eq!(games, document.games.len());
    assert!(games <= Cut::GAMES && cut.path("cut.pgn.partial").exists());
}
