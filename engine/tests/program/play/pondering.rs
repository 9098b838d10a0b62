//! Engines that think on their opponents' time.

use super::misbehaviour::shell_quoted;
use super::*;

/// An engine that writes down what it is told and takes its answers from a list, one for each `go`, `ponderhit` and `stop`. What
/// it does when it begins to ponder may be given.
fn scripted(log: &Path, answers: &[&str], on_ponder: &str) -> String {
    let answers: String = (1..).zip(answers).map(|(number, answer)| format!("{number}) {answer};; ")).collect();
    let script = format!(
        "answer() {{ n=$((n+1)); case $n in {answers}*) echo bestmove 0000;; esac; }}; n=0; \
         while read -r word rest; do echo $word $rest >> {log}; case $word in \
         uci) echo option name Ponder type check default false; echo uciok;; isready) echo readyok;; quit) exit;; \
         go) case $rest in ponder*) {on_ponder};; *) answer;; esac;; ponderhit|stop) answer;; esac; done",
        log = log.display()
    );
    format!("sh -c {}", shell_quoted(&script))
}

/// The lines of a log that begin a search or end one, with their positions.
fn searches(log: &Path) -> Vec<String> {
    let text = fs::read_to_string(log).expect("the engine has written");
    let counts = |line: &&str| ["position", "go", "ponderhit", "stop"].iter().any(|start| line.starts_with(start));
    text.lines().filter(counts).map(str::to_owned).collect()
}

#[test]
fn a_reply_that_was_expected_is_a_hit_and_another_one_a_new_search() {
    let folder = tempfile::tempdir().unwrap();
    let (white, black) = (folder.path().join("white"), folder.path().join("black"));
    let of_white = [
        "echo bestmove e2e4 ponder e7e5",
        "echo bestmove g1f3 ponder b8c6",
        "echo bestmove h1h8",
        "echo bestmove b1c3",
    ];
    let of_black = ["echo bestmove e7e5 ponder e4e5", "echo bestmove g8f6", "exit"];
    let engines = [scripted(&white, &of_white, ":"), scripted(&black, &of_black, ":")];
    let (games, _) = play(&[&engines[0], &engines[1], "--ponder", "--tc", "60+1"]);
    assert_eq!(end(&games[0]).0, "1-0");
    let moves: Vec<_> = games[0].tree.main_moves().map(|mv| mv.to_string()).collect();
    assert_eq!(moves.join(" "), "e2e4 e7e5 g1f3 g8f6 b1c3");
    assert_eq!(games[0].tags.get("WhiteOptions"), Some("Ponder=true"));
    let without_numbers = |lines: Vec<String>| {
        let words = |line: &String| {
            line.split(' ').filter(|word| word.parse::<u64>().is_err()).map(str::to_owned).collect::<Vec<_>>()
        };
        lines.iter().map(|line| words(line).join(" ")).collect::<Vec<_>>()
    };
    let clocks = "wtime winc btime binc";
    assert_eq!(
        without_numbers(searches(&white)),
        [
            "position startpos",
            &format!("go {clocks}"),
            "position startpos moves e2e4 e7e5",
            &format!("go ponder {clocks}"),
            "ponderhit",
            "position startpos moves e2e4 e7e5 g1f3 b8c6",
            &format!("go ponder {clocks}"),
            "stop",
            "position startpos moves e2e4 e7e5 g1f3 g8f6",
            &format!("go {clocks}"),
        ]
    );
    // What Black expected first is not legal, and then it expected nothing.
    assert!(!searches(&black).iter().any(|line| line.starts_with("go ponder")), "{:?}", searches(&black));
}

#[test]
fn a_game_that_ends_meanwhile_ends_the_pondering_too() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let engine = scripted(&log, &["echo bestmove e2e4 ponder e7e5", "echo bestmove d2d4"], ":");
    play(&[&engine, &scripted(&folder.path().join("other"), &["exit"], ":"), "-o", "ponder=true", "--nodes", "1"]);
    let last = searches(&log).split_off(3);
    assert_eq!(last, ["go ponder nodes 1", "stop"]);
}

#[test]
fn what_it_says_meanwhile_does_not_hold_it_up() {
    let folder = tempfile::tempdir().unwrap();
    let [log, other] = ["log", "other"].map(|name| folder.path().join(name));
    let flood = format!("yes info depth 1 score cp 1 | head -n 20000; echo flooded >> {}", log.display());
    let engine = scripted(&log, &["echo bestmove e2e4 ponder e7e5", "echo bestmove g1f3"], &flood);
    let waits = format!("until grep -q flooded {}; do sleep 0.01; done; echo bestmove e7e5", log.display());
    let (games, _) = play(&[&engine, &scripted(&other, &[&waits, "exit"], ":"), "--ponder", "--depth", "1"]);
    assert_eq!((games[0].tree.main_moves().count(), &end(&games[0]).0[..]), (3, "1-0"));
}

#[test]
fn one_that_does_not_stop_forfeits() {
    let folder = tempfile::tempdir().unwrap();
    let [log, other] = ["log", "other"].map(|name| folder.path().join(name));
    let engine = scripted(&log, &["echo bestmove e2e4 ponder e7e5"], "exec sleep 60");
    let opponent = scripted(&other, &["echo bestmove c7c5", "exit"], ":");
    let (games, _) = play(&[&engine, &opponent, "--ponder", "--depth", "1"]);
    let (result, termination, why) = end(&games[0]);
    assert_eq!((&result[..], &termination[..]), ("0-1", "abandoned"), "{why}");
}

#[test]
fn vancura_ponders_on_the_clock() {
    let (games, _) = play(&[PROGRAM, "self", "-n", "2", "--tc", "1+0.02", "--ponder", "-o", "Hash=1"]);
    for game in &games {
        assert_eq!(game.tags.get("Termination"), Some("normal"), "{:?}", end(game));
        assert_eq!(game.tags.get("BlackOptions"), Some("Ponder=true, Hash=1"));
    }
}

#[test]
fn an_engine_that_cannot_ponder_is_named() {
    let engine = format!("sh -c {}", shell_quoted("while read -r word; do echo uciok; done"));
    let output = run(&["play", &engine, "self", "--ponder"], b"");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("has no option \"Ponder\""), "{said}");
}
