//! The program with arguments: UCI lines, `bench` and what else a user types in a shell.

use eval::Path;

use crate::common::{Engine, count_best_moves, outcome, output};

/// The last line of a bench: nodes, and nodes a second.
fn bench(arguments: &[&str], input: &str) -> (u64, u64) {
    let text = output(arguments, input.as_bytes());
    let words: Vec<_> = text.lines().last().unwrap_or_default().split(' ').collect();
    match words[..] {
        [nodes, "nodes", rate, "nps"] => (nodes.parse().expect("a count"), rate.parse().expect("a rate")),
        _ => panic!("no result in {text}"),
    }
}

#[test]
fn each_argument_is_a_line_carried_out_to_its_end() {
    let text = output(&["position startpos moves e2e4", "go depth 5", "isready", "quit", "uci"], b"");
    assert_eq!(count_best_moves(text.lines()), 1, "{text}");
    assert!(text.contains("info depth 5 "), "{text}");
    assert_eq!(text.lines().last(), Some("readyok"));
}

#[test]
fn the_program_ends_after_its_arguments() {
    let text = output(&["go depth 4"], b"uci\n");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{text}");
    let text = output(&["go", "depth", "4"], b"uci\n");
    assert!(text.contains("info depth 4 ") && !text.contains("uciok"), "{text}");
}

#[test]
fn a_search_without_end_listens_for_its_stop() {
    let mut engine = Engine::start_with(&["go infinite"]);
    assert!(engine.stays_without_bestmove());
    engine.send("stop");
    engine.finish_search();
    let (rest, ended_well) = engine.end();
    assert!(rest.is_empty() && ended_well);

    let text = output(&["go infinite", "stop"], b"uci\n");
    assert_eq!(count_best_moves(text.lines()), 1, "{text}");
    assert!(!text.contains("uciok"), "{text}");
    assert_eq!(count_best_moves(output(&["go ponder movetime 10", "ponderhit"], b"uci\n").lines()), 1);
    assert_eq!(count_best_moves(output(&["go infinite"], b"").lines()), 1);
}

#[test]
fn bench_gives_the_same_count_each_time_whatever_was_set_before() {
    let (nodes, rate) = bench(&["bench 4"], "");
    assert!(nodes > 0 && rate > 0);
    assert_eq!(bench(&["bench", "4"], "").0, nodes);
    let set = "setoption name Threads value 3\nsetoption name Hash value 1\nsetoption name MultiPV value 4\n\
               setoption name UCI_Chess960 value true\nposition startpos moves e2e4\ngo depth 3\nstop\n";
    assert_eq!(bench(&[], &format!("{set}bench 4\nbench 4\n")).0, nodes);
    assert_ne!(bench(&["bench 5"], "").0, nodes);
}

#[test]
fn perft_counts() {
    assert!(output(&["go perft 4"], b"").ends_with("\nNodes searched: 197281\n\n"));
    assert!(output(&["go", "perft", "3"], b"").ends_with("\nNodes searched: 8902\n\n"));
    let kiwipete = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert!(output(&[kiwipete, "perft 3"], b"").ends_with("\nNodes searched: 97862\n\n"));
}

#[test]
fn help_is_at_hand() {
    for argument in ["help", "--help"] {
        assert!(output(&[argument], b"").contains("position startpos"));
    }
    for argument in ["--version", "-V"] {
        let text = output(&[argument], b"");
        assert!(text.starts_with("Vancura ") && text.contains(&format!("\nEvaluation: {}, ", Path::best())), "{text}");
    }
}

#[test]
fn a_word_that_means_nothing_is_an_error() {
    for (arguments, said) in [
        (&["Analyse", "games.pgn"][..], "error: unknown command \"Analyse\"; did you mean `analyse`?\n"),
        (&["--nope"], "error: unknown command \"--nope\"\n"),
        (&["isredy"], "error: unknown command \"isredy\"; did you mean `isready`?\n"),
        (&["nonsense", "uci"], "error: unknown command \"nonsense\"\n"),
        (&["help", "anaylse"], "error: unknown command \"anaylse\"; did you mean `analyse`?\n"),
    ] {
        let (status, stdout, stderr) = outcome(arguments);
        assert_eq!((status, &stdout[..]), (Some(2), ""), "{arguments:?}");
        assert_eq!(stderr, format!("{said}`vancura help` lists the commands\n"), "{arguments:?}");
    }
}

#[test]
fn scripts_of_uci_lines_may_hold_unknown_words() {
    let unknown = |word: &str| format!("info string error: unknown command {word:?}; `help` lists the commands");
    let text = output(&["well isready", "uci", "nonsense"], b"");
    assert!(text.starts_with(&format!("{}\nreadyok\nid name ", unknown("well"))), "{text}");
    assert!(output(&[], b"nonsense\nisready\n").starts_with(&format!("{}\nreadyok\n", unknown("nonsense"))));
    assert_eq!(output(&[""], b"isready\n"), "readyok\n");
}
