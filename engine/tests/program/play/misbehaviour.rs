//! Engines that break the rules of the protocol, or end, or do not.

use std::thread;
use std::time::{Duration, Instant};

use super::*;

/// An engine that speaks UCI but does this when it is to search.
fn engine(search: &str) -> String {
    let script = format!(
        "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; quit) exit;; \
         go) {search};; esac; done"
    );
    format!("sh -c {}", shell_quoted(&script))
}

pub(super) fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// What becomes of White that does this from this position, with such a limit.
fn judged(search: &str, fen: &str, limit: [&str; 2]) -> (String, String, String) {
    let (games, _) = play(&[&[&engine(search)[..], "self", "--fen", fen], &limit[..]].concat());
    end(&games[0])
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Black has nothing to mate with.
const LONE: &str = "7k/8/8/8/8/2K5/8/R7 w - - 0 1";

#[test]
fn a_fault_loses_but_not_to_one_who_cannot_mate() {
    let (free, timed) = (["--depth", "1"], ["--tc", "0.2"]);
    for (search, limit, termination, reason) in [
        ("echo bestmove e2e5", free, "rules infraction", "White makes an illegal move"),
        ("echo bestmove", free, "rules infraction", "White makes an illegal move"),
        ("echo bestmove 0000", free, "rules infraction", "White makes an illegal move"),
        ("echo \"bestmove (none)\"", free, "rules infraction", "White makes an illegal move"),
        ("echo bestmove $(yes | head -c 100000)", free, "rules infraction", "White makes an illegal move"),
        ("exit 3", free, "abandoned", "White forfeits"),
        ("kill -9 $$", free, "abandoned", "White forfeits"),
        ("exec sleep 100", timed, "time forfeit", "White runs out of time"),
        ("exec yes garbage", timed, "time forfeit", "White runs out of time"),
        ("exec cat /dev/zero", timed, "time forfeit", "White runs out of time"),
        ("sleep 0.4; echo bestmove a1a8", timed, "time forfeit", "White runs out of time"),
    ] {
        let (result, how, why) = judged(search, START, limit);
        assert_eq!((&result[..], &how[..]), ("0-1", termination), "{search}: {why}");
        assert!(why.starts_with(reason), "{search}: {why}");
        let (result, how, why) = judged(search, LONE, limit);
        assert_eq!((&result[..], &how[..]), ("1/2-1/2", termination), "{search}: {why}");
        assert!(why.contains("but Black cannot mate by any series of moves: draw"), "{search}: {why}");
    }
}

/// Whether a process of this number runs, other than as a zombie.
fn runs(process: &str) -> bool {
    // Linux without the program is nothing unusual.
    if cfg!(target_os = "linux") {
        let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        return state.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'));
    }
    let state = Command::new("ps").args(["-o", "stat=", "-p", process]).output().expect("ps is at hand");
    !matches!(state.stdout.first(), None | Some(b'Z'))
}

/// Waits until none of these processes runs: one that has been killed ends as soon as the system lets it run again.
fn wait_for_the_end_of(processes: &[String]) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while processes.iter().any(|process| runs(process)) {
        assert!(Instant::now() < deadline, "{processes:?}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until a file has so many lines, and returns them.
fn lines_of(path: &Path, count: usize) -> Vec<String> {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let text = fs::read_to_string(path).unwrap_or_default();
        if text.lines().count() >= count {
            return text.lines().map(str::to_owned).collect();
        }
        assert!(Instant::now() < deadline, "{text}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// An engine that hangs, behind a shell script. Both write their process numbers to a file.
fn hanging(folder: &Path) -> String {
    let numbers = folder.join("numbers");
    let hang = format!(
        "sh -c 'trap \"\" INT TERM HUP; echo $$ >> {0}; exec sleep 1000' & echo $$ >> {0}; wait",
        numbers.display()
    );
    engine(&hang)
}

#[test]
fn a_signal_ends_the_engines_too_and_says_how_to_go_on() {
    for (signal, more) in [("INT", true), ("TERM", false), ("HUP", true)] {
        let folder = tempfile::tempdir().expect("a folder");
        let pgn = folder.path().join("games.pgn");
        let mut command = Command::new(PROGRAM);
        command.args(["play", "self", &hanging(folder.path()), "--fen", MATE, "-n", "4", "--nodes", "50"]);
        // The second engine is to move first in the second game.
        command.args(more.then_some(["--pgn", &pgn.to_string_lossy()]).into_iter().flatten());
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let numbers = lines_of(&folder.path().join("numbers"), 2);
        assert!(numbers.iter().all(|number| runs(number)), "{numbers:?}");
        assert!(common::signal(signal, child.id()));
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(": 1 of 1, 1 won"), "{said}");
        let hint = if more { "error: interrupted; go on with --resume" } else { "error: interrupted" };
        assert!(said.trim_end().ends_with(hint), "{said}");
        wait_for_the_end_of(&numbers);
        if more {
            assert_eq!(PgnReader::new(&fs::read(&pgn).expect("games")[..]).count(), 1);
        }
    }
}

#[test]
fn a_second_signal_ends_the_engines_before_the_program() {
    for signal in ["INT", "TERM"] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(PROGRAM);
        command.args(["play", "self", &hanging(folder.path()), "--fen", MATE, "-n", "2", "--nodes", "50"]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let numbers = lines_of(&folder.path().join("numbers"), 2);
        for _ in 0..2 {
            common::signal(signal, child.id());
            // Two of the same kind that come at once count as one.
            thread::sleep(Duration::from_millis(10));
        }
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // On a busy machine the first may have had its time.
        assert!(matches!(output.status.code(), Some(2 | 130)), "{said}");
        wait_for_the_end_of(&numbers);
    }
}

/// The rest of a line is passed over, and not kept until its end.
#[cfg(target_os = "linux")]
#[test]
fn a_line_without_measure_takes_no_memory() {
    let line = "read -r _; head -c 200000000 /dev/zero | tr '\\0' x; echo; echo uciok";
    let script = format!("{line}; while read -r word rest; do [ $word = isready ] && echo readyok; done");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 300000; exec \"$0\" \"$@\"", PROGRAM, "play", "self"]);
    command.args([&format!("sh -c {}", shell_quoted(&script)), "--patience", "2", "--depth", "1", "-o", "Hash=1"]);
    let output = command.args(["-o", "Threads=1"]).stdin(Stdio::null()).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("has no option"), "{said}");
}

#[test]
fn what_an_engine_started_ends_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (games, _) = play(&["self", &hanging(folder.path()), "--fen", MATE, "-n", "2", "--patience", "1"]);
    assert_eq!(games.len(), 2);
    let numbers = lines_of(&folder.path().join("numbers"), 2);
    wait_for_the_end_of(&numbers);
    let script = format!("uci() {{ echo uciok; }}; {}", "sleep 1000 & echo $! > numbers; read -r _; uci; exit");
    let mut command = Command::new(PROGRAM);
    command.args(["play", "self", &format!("sh -c {}", shell_quoted(&script)), "--depth", "1", "--patience", "1"]);
    let output = command.current_dir(folder.path()).stdin(Stdio::null()).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    wait_for_the_end_of(&lines_of(&folder.path().join("numbers"), 1));
}

#[test]
fn a_name_and_a_line_of_any_length_are_cut() {
    let long = "printf 'id name '; head -c 300000 /dev/zero | tr '\\0' x; echo; echo uciok";
    let script = format!("read -r _; {long}; while read -r word rest; do [ $word = isready ] && echo readyok; done");
    let (games, said) = play(&["self", &format!("sh -c {}", shell_quoted(&script)), "--patience", "1", "--depth", "1"]);
    assert_eq!(games[0].tags.get("Black").map(str::len), Some(100));
    assert!(said.len() < 2_000, "{}", said.len());
}

#[test]
fn garbage_before_a_move_does_not_matter() {
    let search = "printf 'info depth x score cp\\ninfo string bestmove\\n\\377\\n'; echo bestmove a1a8";
    let (result, _, why) = judged(search, "7k/8/6K1/8/8/8/8/R7 w - - 0 1", ["--depth", "1"]);
    assert_eq!((&result[..], &why[..]), ("1-0", "White mates."));
}

#[test]
fn without_a_clock_patience_ends() {
    let (games, _) = play(&[&engine("exec sleep 100"), "self", "--depth", "1", "--patience", "1"]);
    let (result, how, why) = end(&games[0]);
    assert_eq!((&result[..], &how[..]), ("0-1", "abandoned"));
    assert!(why.starts_with("White forfeits. (no \"bestmove\" within 1.0 seconds)"), "{why}");
}

#[test]
fn an_engine_that_crashed_is_started_again_for_the_next_game() {
    let (games, said) = play(&[&engine("exit 1"), "self", "--depth", "1", "-n", "3"]);
    let results: Vec<_> = games.iter().map(|game| game.result).collect();
    let wins = [Color::Black, Color::White, Color::Black].map(|winner| Some(GameResult::win_of(winner)));
    assert_eq!(results, wins);
    assert!(said.contains(": 0 of 3, 0 won, 0 drawn, 3 lost"), "{said}");
}

#[test]
fn a_late_answer_is_not_taken_for_the_next() {
    // Each game's first search is answered too late, with a move that would be legal in the next game.
    let search = "sleep 0.5; echo bestmove e2e4";
    let (games, _) = play(&[&engine(search), &engine("echo bestmove e7e5"), "-n", "3", "--tc", "0.2"]);
    let ends: Vec<_> = games.iter().map(|game| end(game).1).collect();
    assert_eq!(ends[0], "time forfeit");
    assert_eq!(games[2].tree.main_moves().count(), 0);
}

#[test]
fn draws_are_claimed_only_if_wanted() {
    // Both engines shuffle their knights for ever.
    let shuffle = |one: &str, other: &str| {
        engine(&format!("if [ \"$odd\" ]; then odd=; echo bestmove {other}; else odd=1; echo bestmove {one}; fi"))
    };
    let (white, black) = (shuffle("g1f3", "f3g1"), shuffle("g8f6", "f6g8"));
    let (games, _) = play(&[&white, &black, "--depth", "1"]);
    assert_eq!((end(&games[0]).2, games[0].tree.main_moves().count()), ("draw by fivefold repetition.".to_owned(), 16));
    let (games, _) = play(&[&white, &black, "--depth", "1", "--claim-draws"]);
    let why = "Black claims a draw by threefold repetition. draw by threefold repetition, claimed.";
    assert_eq!((&end(&games[0]).2[..], games[0].tree.main_moves().count()), (why, 7));
}
