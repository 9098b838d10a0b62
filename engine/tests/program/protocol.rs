//! The protocol, command by command, with the real program.

use std::io::{BufRead, BufReader};

use crate::common::{self, Engine, count_best_moves, is_greeting, output, run};

/// White mates in one, and has nothing better.
const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
const MATED: &str = "position fen R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
const STALEMATED: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const ONE_LEGAL_MOVE: &str = "position fen 7k/8/5QK1/8/8/8/8/8 b - - 0 1";

#[test]
fn handshake() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.read_until("uciok");
    assert!(lines[0].starts_with("id name Vancura"), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    for option in ["Hash", "Threads", "Clear Hash", "Ponder", "MultiPV", "Move Overhead", "UCI_Chess960"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option} type "))), "{option}");
    }
    assert!(engine.sync().is_empty());
    engine.send("ucinewgame");
    assert!(engine.sync().is_empty());
    engine.send("quit");
    assert_eq!(engine.end(), (vec![], true));
}

#[test]
fn a_line_comes_before_anything_is_asked_and_only_then() {
    let first = |arguments: &[&str], input: &[u8]| {
        let text = String::from_utf8(run(arguments, input).stdout).expect("the engine writes UTF-8");
        text.lines().filter(|line| is_greeting(line)).count()
    };
    assert_eq!(first(&[], b"uci\nisready\nquit\n"), 1);
    for arguments in [&["uci"][..], &["isready", "quit"], &["bench 1"], &["go depth 1"]] {
        assert_eq!(first(arguments, b"isready\n"), 0, "{arguments:?}");
    }
    // Some clients send nothing before it.
    let mut silent = std::process::Command::new(env!("CARGO_BIN_EXE_vancura"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut line = String::new();
    BufReader::new(silent.stdout.take().expect("stdout is a pipe")).read_line(&mut line).expect("a line comes");
    assert!(is_greeting(line.trim_end()), "{line}");
    drop(silent.stdin.take());
    silent.wait().expect("the engine ends");
}

#[test]
fn a_client_may_search_without_any_handshake() {
    let mut engine = Engine::start();
    assert_ne!(engine.search("go depth 3").best, "(none)");
}

#[test]
fn isready_is_answered_while_searching() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    for _ in 0..50 {
        assert_eq!(count_best_moves(engine.sync()), 0);
    }
    engine.send("stop");
    assert_ne!(engine.finish_search().best, "(none)");
    assert!(engine.sync().is_empty());
}

#[test]
fn uci_and_the_board_are_shown_while_searching() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send("uci");
    engine.read_until("uciok");
    engine.send("d");
    engine.read_until("Fen: ");
    engine.send("stop");
    engine.finish_search();
}

#[test]
fn every_limit_ends_the_search_with_one_best_move() {
    let mut engine = Engine::start();
    for go in [
        "go depth 4",
        "go nodes 5000",
        "go movetime 50",
        "go movetime 0",
        "go movetime -7",
        "go depth 0",
        "go nodes 0",
        "go depth abc",
        "go depth",
        "go wtime",
        "go wtime 100",
        "go btime 100",
        "go wtime 100 winc 100 btime 100 binc 100",
        "go btime 100 binc 100 wtime 100 winc 100",
        "go wtime 100 btime 100",
        "go wtime 0 btime 0",
        "go wtime -500 btime -1",
        "go wtime -9223372036854775809 btime 1",
        "go wtime 1 winc 100000",
        "go wtime 200 btime 200 movestogo 0",
        "go wtime 200 btime 200 movestogo -3",
        "go wtime 200 btime 200 movestogo 1",
        "go wtime 9223372036854775808 btime 9223372036854775808 depth 3",
        "go nodes 18446744073709551616 depth 3",
        "go depth 9223372036854775808 nodes 1000",
        "go depth 3 movetime 100000 nodes 100000000 wtime 100000 btime 100000 winc 10 binc 10 movestogo 10",
        "go unknown depth 3 words",
    ] {
        for position in ["position startpos", "position startpos moves e2e4"] {
            engine.send(position);
            let search = engine.search(go);
            assert_ne!(search.best, "(none)", "{go}");
            assert_eq!(count_best_moves(engine.sync()), 0, "{go}");
        }
    }
}

#[test]
fn nodes_are_kept_to_exactly() {
    let mut engine = Engine::start();
    for nodes in [100, 1_000, 20_000] {
        engine.send("ucinewgame");
        let searched = engine.search(&format!("go nodes {nodes}")).last("nodes").expect("a count of nodes");
        assert!(searched <= nodes, "{searched} of {nodes}");
    }
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    let mut engine = Engine::start();
    let mut search = || {
        engine.send("ucinewgame");
        engine.send("position startpos moves d2d4 g8f6");
        let search = engine.search("go depth 8");
        (search.best.clone(), search.last("nodes"))
    };
    assert_eq!(search(), search());
}

#[test]
fn infinite_waits_for_stop_whatever_there_is_to_find() {
    for position in [MATE_IN_ONE, MATED, STALEMATED, ONE_LEGAL_MOVE, "position fen 8/8/8/4k3/8/8/8/4K3 w - - 0 1"] {
        for go in ["go infinite", "go", "go infinite depth 1", "go searchmoves a1a8"] {
            let mut engine = Engine::start();
            engine.send(position);
            engine.send(go);
            assert!(engine.stays_without_bestmove(), "{position}: {go}\n{}", engine.transcript());
            engine.send("stop");
            engine.read_until("bestmove ");
            assert_eq!(count_best_moves(engine.sync()), 0);
        }
    }
}

#[test]
fn no_legal_move_is_said() {
    let mut engine = Engine::start();
    for (position, score) in [(MATED, "info depth 0 score mate 0"), (STALEMATED, "info depth 0 score cp 0")] {
        engine.send(position);
        for go in ["go depth 5", "go wtime 1000 btime 1000", "go nodes 1", "go movetime 10"] {
            let search = engine.search(go);
            assert_eq!(search.best, "(none)");
            assert!(search.lines.iter().any(|line| line.starts_with(score)), "{:?}", search.lines);
        }
    }
}

#[test]
fn a_mate_is_found_and_named() {
    let mut engine = Engine::start();
    engine.send(MATE_IN_ONE);
    for go in ["go depth 5", "go mate 1", "go mate 5"] {
        let search = engine.search(go);
        assert_eq!(search.best, "a1a8");
        assert_eq!(search.last("mate"), Some(1), "{:?}", search.lines);
    }
}

#[test]
fn searchmoves_confines_the_search() {
    let mut engine = Engine::start();
    assert_eq!(engine.search("go depth 4 searchmoves a2a3").best, "a2a3");
    let best = engine.search("go searchmoves a2a3 h2h4 depth 4").best;
    assert!(["a2a3", "h2h4"].contains(&best.as_str()), "{best}");
    // Moves that cannot be played do not count; if none is left, all may be searched.
    assert_eq!(engine.search("go depth 4 searchmoves e2e5 b2b3 zz").best, "b2b3");
    assert_ne!(engine.search("go depth 4 searchmoves 0000").best, "(none)");
    assert_ne!(engine.search("go depth 4 searchmoves").best, "(none)");
}

#[test]
fn multipv_shows_the_best_lines_of_each_depth_together() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 3");
    let search = engine.search("go depth 6");
    let last: Vec<_> = search.infos().rev().take(3).collect();
    let ranks: Vec<_> = last.iter().rev().map(|line| common::value_of(line, "multipv")).collect();
    assert_eq!(ranks, [Some("1"), Some("2"), Some("3")], "{:?}", search.lines);
    assert_eq!(common::value_of(last[2], "pv"), Some(search.best.as_str()));
    // No more lines than legal moves.
    engine.send("setoption name MultiPV value 256");
    engine.send(ONE_LEGAL_MOVE);
    assert!(engine.search("go depth 4").infos().all(|line| line.contains(" multipv 1 ")));
}

#[test]
fn ponderhit_lets_the_clock_run() {
    let mut engine = Engine::start();
    engine.send("setoption name Ponder value true");
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("go ponder wtime 300 btime 300");
    assert!(engine.stays_without_bestmove());
    engine.send("ponderhit");
    // Its lines may all have come before.
    assert_ne!(engine.read_until("bestmove ").pop().as_deref(), Some("bestmove (none)"));
    assert!(engine.sync().is_empty());
}

#[test]
fn pondering_waits_even_when_all_is_known() {
    for position in [MATE_IN_ONE, ONE_LEGAL_MOVE, MATED] {
        for end in ["ponderhit", "stop"] {
            let mut engine = Engine::start();
            engine.send(position);
            engine.send("go ponder wtime 100 btime 100 depth 3");
            assert!(engine.stays_without_bestmove(), "{}", engine.transcript());
            engine.send(end);
            engine.read_until("bestmove ");
            assert!(engine.sync().is_empty());
        }
    }
}

#[test]
fn pondering_without_limits_goes_on_after_ponderhit() {
    let mut engine = Engine::start();
    engine.send("go ponder");
    engine.send("ponderhit");
    assert!(engine.stays_without_bestmove());
    engine.send("stop");
    engine.finish_search();
}

#[test]
fn a_ponder_move_can_be_played() {
    let mut engine = Engine::start();
    let search = engine.search("go depth 6");
    if let Some(ponder) = search.ponder {
        engine.send(&format!("position startpos moves {} {ponder}", search.best));
        assert!(engine.sync().is_empty(), "{}", engine.transcript());
    }
}

#[test]
fn stale_stops_and_ponderhits_do_not_touch_the_next_search() {
    let mut engine = Engine::start();
    engine.send("stop");
    engine.send("ponderhit");
    assert!(engine.sync().is_empty());
    engine.send("go infinite");
    assert!(engine.stays_without_bestmove());
    engine.send("stop");
    engine.finish_search();
    engine.send("stop");
    engine.send("stop");
    engine.send("go infinite");
    assert!(engine.stays_without_bestmove());
    engine.send("stop");
    engine.finish_search();
}

#[test]
fn go_during_an_infinite_search_is_refused_and_said() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    for command in ["go depth 1", "bench 1", "perft 1", "go perft 1"] {
        engine.send(command);
        let lines = engine.sync();
        assert_eq!(lines.iter().filter(|line| line.starts_with("info string error: ")).count(), 1, "{lines:?}");
        assert_eq!(count_best_moves(&lines), 0);
    }
    engine.send("stop");
    engine.finish_search();
    assert!(engine.sync().is_empty());
    assert_ne!(engine.search("go depth 1").best, "(none)");
}

#[test]
fn a_go_waits_for_a_search_that_ends() {
    let mut engine = Engine::start();
    engine.send("go movetime 1000000");
    engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    engine.send("go depth 5");
    engine.send("position startpos");
    engine.send("go movetime 1000000");
    // Nothing is late for those who ask.
    assert_eq!(count_best_moves(engine.sync()), 0);
    engine.send("stop");
    engine.finish_search();
    let second = engine.finish_search();
    assert_eq!((second.best.as_str(), second.last("depth")), ("a1a8", Some(5)));
    engine.send("stop");
    assert_ne!(engine.finish_search().best, "a1a8");
    assert!(engine.sync().is_empty());
    let text = output(&[], b"position startpos\ngo depth 9\nposition startpos moves e2e4\ngo depth 9\n");
    assert_eq!(count_best_moves(text.lines()), 2, "{text}");
    assert!(text.contains("info depth 9 "), "{text}");
}

#[test]
fn options_and_positions_that_come_during_a_search_hold_afterwards() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    for line in [
        "setoption name Hash value 2",
        "setoption name Threads value 2",
        "setoption name MultiPV value 2",
        "setoption name Clear Hash",
        "ucinewgame",
        "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    ] {
        engine.send(line);
        assert_eq!(count_best_moves(engine.sync()), 0, "{line}");
    }
    engine.send("stop");
    let running = engine.finish_search();
    assert!(running.infos().all(|line| line.contains(" multipv 1 ")));
    let next = engine.search("go depth 4");
    assert_eq!(next.best, "a1a8");
    assert!(next.infos().any(|line| line.contains(" multipv 2 ")), "{:?}", next.lines);
}

#[test]
fn a_rush_of_commands_is_carried_out_in_order() {
    let text = output(
        &[],
        b"go infinite\nstop\nposition startpos moves e2e4\nsetoption name Hash value 1\ngo depth 3\nstop\n\
          ucinewgame\nposition fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\ngo infinite\nstop\nisready\nquit\n",
    );
    assert_eq!(count_best_moves(text.lines()), 3, "{text}");
    assert!(!text.contains("error"), "{text}");
}

#[test]
fn chess960_castling_is_written_as_king_takes_rook() {
    let mut engine = Engine::start();
    let castle = |engine: &mut Engine, position: &str, mv: &str| {
        engine.send(position);
        engine.search(&format!("go depth 3 searchmoves {mv}")).best
    };
    let normal = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    // Either form is read, and the option decides which one is written.
    assert_eq!(castle(&mut engine, normal, "e1g1"), "e1g1");
    assert_eq!(castle(&mut engine, normal, "e1h1"), "e1g1");
    engine.send("setoption name UCI_Chess960 value true");
    assert_eq!(castle(&mut engine, normal, "e1g1"), "e1h1");
    assert_eq!(castle(&mut engine, normal, "e1a1"), "e1a1");
    engine.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1 e8a8");
    assert!(engine.sync().is_empty(), "{}", engine.transcript());
    // Where normal chess has no word for it, nothing else would be understood.
    engine.send("setoption name UCI_Chess960 value false");
    assert_eq!(
        castle(&mut engine, "position fen 1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1", "f1g1"),
        "f1g1"
    );
}

#[test]
fn promotions_and_long_games_are_read() {
    let mut engine = Engine::start();
    engine.send("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(engine.search("go depth 4").best, "a7a8q");
    engine.send("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8n");
    assert_ne!(engine.search("go depth 2").best, "(none)");
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(2_500);
    engine.send(&format!("position startpos moves {shuffle}"));
    assert_ne!(engine.search("go depth 2").best, "(none)");
}

#[test]
fn threads_and_hash_are_changed_between_searches() {
    let mut engine = Engine::start();
    for (threads, hash) in [(2, 1), (4, 8), (4, 8), (1, 3), (3, 16)] {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("setoption name Hash value {hash}"));
        assert!(engine.sync().is_empty(), "{}", engine.transcript());
        assert_ne!(engine.search("go depth 5").best, "(none)");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_hash_that_does_not_fit_falls_back_and_is_said() {
    let mut engine = Engine::start_within(1_000_000);
    engine.send("setoption name Hash value 1048576");
    let lines = engine.sync();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].starts_with("info string warning: Hash 1048576 is more than this machine has; using "),
        "{lines:?}"
    );
    assert_ne!(engine.search("go depth 2").best, "(none)");
    // Asking again for the same changes nothing, and there is nothing new to say.
    engine.send("setoption name Hash value 1048576");
    assert!(engine.sync().is_empty());
    engine.send("setoption name Hash value 1");
    assert!(engine.sync().is_empty());
    assert_ne!(engine.search("go depth 2").best, "(none)");
}
