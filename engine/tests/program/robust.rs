//! What no well-behaved client does, with the real program: it must live, and answer each `go` once.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::common::{Engine, Noise, count_best_moves, output};

#[test]
fn rapid_go_and_stop_answer_once_each() {
    for threads in [1, 3] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Threads value {threads}"));
        for round in 0..200 {
            engine.send(if round % 2 == 0 { "go infinite" } else { "go wtime 100000 btime 100000" });
            engine.send("stop");
        }
        engine.send("isready");
        let mut lines = Vec::new();
        while count_best_moves(&lines) < 200 {
            lines.push(engine.next_line().expect("two hundred best moves"));
        }
        assert!(!lines.iter().any(|line| line.contains("error")), "{}", engine.transcript());
        engine.send("quit");
        let (rest, ended_well) = engine.end();
        assert_eq!(count_best_moves(rest), 0);
        assert!(ended_well);
    }
}

#[test]
fn a_rush_sent_at_once_answers_once_each() {
    let input = "go infinite\nstop\nponderhit\ngo ponder wtime 1000\nponderhit\nstop\n".repeat(200);
    let text = output(&[], format!("{input}quit\n").as_bytes());
    assert_eq!(count_best_moves(text.lines()), 400);
}

#[test]
fn quit_and_the_end_of_input_end_a_search_with_its_best_move() {
    for go in ["go infinite", "go ponder wtime 100000", "go depth 100", "go movetime 1000000", "go mate 50"] {
        for (end, quit) in [("", false), ("\n", false), ("\nquit\n", true), ("\nquit", true), ("\nisready\n", false)] {
            let text = output(&[], format!("uci\n{go}{end}").as_bytes());
            assert_eq!(count_best_moves(text.lines()), 1, "{go}, quit: {quit}");
            assert!(text.trim_end().lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{text}");
        }
    }
}

#[test]
fn nothing_is_a_session_too() {
    assert_eq!(output(&[], b""), "");
    assert_eq!(output(&[], b"\n\n"), "");
    assert!(output(&[], b"uci").ends_with("uciok\n"));
}

#[test]
fn any_byte_is_survived() {
    let mut input = Vec::new();
    for byte in 0..=u8::MAX {
        input.extend_from_slice(&[byte, b' ', byte, byte, b'\n']);
        input.extend_from_slice(b"position fen ");
        input.extend_from_slice(&[byte; 70]);
        input.extend_from_slice(b"\nsetoption name ");
        input.extend_from_slice(&[byte, byte]);
        input.extend_from_slice(b" value ");
        input.extend_from_slice(&[byte, byte, b'\n']);
    }
    input.extend_from_slice(b"position startpos\r\n\xEF\xBB\xBFgo\tdepth  2\r\n");
    let mut engine = Engine::start();
    engine.send_bytes(&input);
    let search = engine.finish_search();
    assert_ne!(search.best, "(none)");
    assert_eq!(count_best_moves(engine.sync()), 0);
}

#[test]
fn lines_without_measure_are_survived() {
    let mut engine = Engine::start();
    for word in ["x", "a ", "\0", "position ", "position fen ", "go depth ", "setoption name ", "9", "/ "] {
        let mut line = word.repeat((1 << 20) / word.len()).into_bytes();
        line.push(b'\n');
        engine.send_bytes(&line);
        engine.send("stop");
        engine.sync();
    }
    engine.send("position startpos");
    assert_ne!(engine.search("go depth 2").best, "(none)");
    let moves = "e2e4 ".repeat(200_000);
    engine.send_bytes(format!("position startpos moves {moves}\n").as_bytes());
    assert_eq!(engine.search("go depth 2").best, "(none)");
}

#[test]
fn a_position_that_cannot_be_read_is_said_once_and_answered() {
    let mut engine = Engine::start();
    for position in [
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K2r b - - 0 1",
        "position fen kk6/8/8/8/8/8/8/K7 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "position startpos moves 0000",
    ] {
        engine.send(position);
        let lines = engine.sync();
        assert_eq!(lines.len(), 1, "{position}: {lines:?}");
        assert!(lines[0].starts_with("info string error: "), "{position}: {lines:?}");
        for go in ["go depth 3", "go infinite"] {
            assert_eq!(engine.search(go).best, "(none)", "{position}");
            engine.send("stop");
            assert!(engine.sync().is_empty());
        }
    }
    engine.send("position startpos");
    assert_ne!(engine.search("go depth 3").best, "(none)");
}

#[test]
fn unreachable_positions_are_searched() {
    let mut engine = Engine::start();
    for fen in [
        // The most moves there can be, three pieces giving check, and nine queens a side.
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "4k3/8/3N1N2/8/4R3/8/8/4K3 b - - 0 1",
        "qqqqkqqq/1q4q1/8/8/8/8/1Q4Q1/QQQQKQQQ w - - 0 1",
        "8/8/8/4k3/8/8/8/4K3 w - - 99 200",
        "8/8/8/4k3/8/8/4P3/4K3 w - - 150 200",
    ] {
        engine.send(&format!("position fen {fen}"));
        assert_ne!(engine.search("go nodes 3000").best, "(none)", "{fen}\n{}", engine.transcript());
    }
}

#[test]
fn mutated_commands_never_cost_or_add_a_best_move() {
    const LINES: [&str; 16] = [
        "uci",
        "isready",
        "ucinewgame",
        "debug on",
        "debug off",
        "setoption name Hash value 4",
        "setoption name Threads value 2",
        "setoption name MultiPV value 3",
        "setoption name UCI_Chess960 value true",
        "position startpos moves e2e4 e7e5 g1f3",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "stop",
        "ponderhit",
        "d",
        "flip",
        "register later",
    ];
    let mut noise = Noise(0x5EED);
    let mut engine = Engine::start();
    for _ in 0..40 {
        let mut input = Vec::new();
        for _ in 0..50 {
            let mut line = LINES[noise.next(LINES.len())].as_bytes().to_vec();
            for _ in 0..noise.next(4) {
                let at = noise.next(line.len());
                match noise.next(3) {
                    0 => line[at] = noise.next(256) as u8,
                    1 => line.insert(at, noise.next(256) as u8),
                    _ => line.truncate(at.max(1)),
                }
            }
            // Large tables and many threads are tried elsewhere; here they would only cost time.
            line.retain(|byte| !b"56789".contains(byte) && *byte != b'\n');
            input.extend_from_slice(&line);
            input.push(b'\n');
        }
        engine.send_bytes(&input);
        assert_eq!(count_best_moves(engine.sync()), 0, "{}", engine.transcript());
        engine.search("go nodes 200");
        engine.send("go infinite");
        engine.send("stop");
        engine.finish_search();
        assert_eq!(count_best_moves(engine.sync()), 0, "{}", engine.transcript());
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_engine_without_a_word() {
    let mut process = Command::new(env!("CARGO_BIN_EXE_vancura"))
        .arg("bench 3")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(process.stdout.take());
    let mut errors = String::new();
    process.stderr.take().expect("stderr is a pipe").read_to_string(&mut errors).expect("stderr can be read");
    assert_eq!(errors, "");
    assert!(process.wait().expect("the engine ends").success());
}
