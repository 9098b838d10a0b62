//! The script's rules of chess against those of the engine, in Node.js: skipped, with a message, where that is not.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use movegen::{Board, FenStyle, MoveList, perft};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

/// Where the modules are: relative to the package, since they import each other.
const MODULES: [&str; 2] = ["../page/rules/position.js", "../page/rules/moves.js"];

/// What the script says of each position: its FEN, the moves with their names and the positions after them, and perft.
const DRIVER: &str = r#"
import { readFileSync } from "node:fs";
const [position, rules] = await Promise.all(process.argv.slice(1).map((module) => import(module)));
const { play, readFen } = position;
const { fenOf, legalMoves, named, typedMove } = rules;
const perft = (position, depth) => depth === 0 ? 1
  : legalMoves(position).reduce((sum, move) => sum + perft(play(position, move), depth - 1), 0);
const cases = JSON.parse(readFileSync(0, "utf8"));
const answers = cases.map(({ fen, depth }) => {
  const position = readFen(fen, false);
  const moves = legalMoves(position);
  const after = moves.map((move) => {
    const full = named(position, moves, move);
    // Each looks at all moves anew, so not in all positions.
    const typed = depth > 1 ? typedMove(position, full.name) : full;
    const isTyped = typed?.from === full.from && typed?.to === full.to && typed?.name === full.name;
    return [full.name, fenOf(play(position, full)), isTyped];
  });
  return { fen: fenOf(position), after, count: perft(position, depth) };
});
process.stdout.write(JSON.stringify(answers));
"#;

/// Asks the script; nothing without Node.js.
fn ask(cases: &Value) -> Option<Vec<Value>> {
    let runs = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !runs {
        eprintln!("skipped: no Node.js here (apt-get install nodejs)");
        return None;
    }
    let mut child = Command::new("node")
        .args(["--input-type=module", "-e", DRIVER])
        .args(MODULES.map(|module| format!("file://{}/{module}", env!("CARGO_MANIFEST_DIR"))))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Node.js");
    let mut input = child.stdin.take().expect("a pipe");
    let text = cases.to_string();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("an answer");
    writer.join().expect("no panic").expect("the script reads all");
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// Positions with castling of all kinds, en passant, promotion, pins and checks.
const POSITIONS: [(&str, u8); 12] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3),
    ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", 4),
    ("4k3/8/8/2pP4/8/8/8/3RK2b w - c6 0 1", 3),
    // Chess960: kings and rooks anywhere, and an inner rook that has the right.
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3),
    ("1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", 3),
    ("rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1", 3),
    ("4k3/8/8/8/8/8/8/RR2K1R1 w BG - 0 1", 3),
    ("2r1k2r/8/8/8/8/8/8/1RK4R w Hhc - 3 7", 3),
];

#[test]
fn legal_moves_are_those_of_the_engine() {
    let mut fens: Vec<_> = POSITIONS.map(|(fen, depth)| (fen.to_owned(), depth)).into();
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    for (start, _) in POSITIONS {
        for _ in 0..2 {
            let mut board = Board::from_fen(start).expect("a position");
            for _ in 0..50 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board.play(moves[random.random_range(0..moves.len())], &mut ());
                fens.push((board.fen(FenStyle::Standard), 1));
            }
        }
    }
    let cases: Vec<_> = fens.iter().map(|(fen, depth)| json!({ "fen": fen, "depth": depth })).collect();
    let Some(answers) = ask(&json!(cases)) else { return };
    assert_eq!(answers.len(), fens.len());
    for ((fen, depth), answer) in fens.iter().zip(&answers) {
        let board = Board::from_fen(fen).expect("a position");
        assert_eq!(answer["fen"], board.fen(FenStyle::Standard), "the same FEN again");
        assert_eq!(answer["count"].as_u64(), Some(perft(&board, *depth)), "perft {depth} of {fen}");
        let moves: MoveList = board.legal_moves();
        let expected: BTreeMap<_, _> =
            moves.iter().map(|&mv| (board.san(mv), board.after(mv).fen(FenStyle::Standard))).collect();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let after = answer["after"].as_array().expect("moves");
        let found: BTreeMap<_, _> = after.iter().map(|mv| (text(&mv[0]), text(&mv[1]))).collect();
        assert_eq!(found, expected, "{fen}");
        assert!(after.iter().all(|mv| mv[2] == true), "a name that is typed means its move: {fen}");
    }
}
