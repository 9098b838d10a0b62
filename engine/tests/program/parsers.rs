//! What the program says, as the parsers of UCI read it that programs in Rust use.

use shakmaty_uci::UciMessage;

use crate::common::Engine;

/// A parser, and the lines beside ours that it does not read. It fails with Stockfish's, too.
type Parser = (&'static str, fn(&str) -> bool, &'static [&'static str]);

const PARSERS: [Parser; 3] = [
    ("ruci", |line| line.parse::<ruci::engine::Message<'_>>().is_ok(), &[]),
    (
        "vampirc-uci",
        |line| !matches!(vampirc_uci::parse_one(line), vampirc_uci::UciMessage::Unknown(..)),
        &["bestmove (none)"],
    ),
    ("shakmaty-uci", |line| line.parse::<UciMessage>().is_ok(), &["bestmove (none)", " wdl "]),
];

/// Conversations in which every kind of line is said, each to its last one.
const TALKS: [(&[&str], &str); 9] = [
    (&["uci"], "uciok"),
    (&["isready"], "readyok"),
    (&["setoption name MultiPV value 3", "position startpos", "go depth 8"], "bestmove "),
    (&["setoption name MultiPV value 1", "setoption name Threads value 2", "go wtime 300 btime 300"], "bestmove "),
    (&["position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "go mate 1"], "bestmove "),
    (&["position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1", "go nodes 20000"], "bestmove "),
    (&["position fen R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "go depth 3"], "bestmove "),
    (&["position nowhere", "setoption name Hash value many", "nonsense", "go movetime 5ms"], "bestmove "),
    (
        &[
            "position startpos",
            "setoption name UCI_ShowWDL value true",
            "setoption name UCI_LimitStrength value true",
            "go depth 8",
        ],
        "bestmove ",
    ),
];

#[test]
fn the_parsers_of_rust_programs_read_every_line() {
    let mut engine = Engine::start();
    let mut lines = Vec::new();
    for (sent, last) in TALKS {
        sent.iter().for_each(|line| engine.send(line));
        lines.extend(engine.read_until(last));
    }
    for kind in ["id ", "option ", "uciok", "readyok", "info depth ", "info string ", "bestmove ", "bestmove (none)"] {
        assert!(lines.iter().any(|line| line.starts_with(kind)), "nothing like {kind:?}");
    }
    assert!(lines.iter().any(|line| line.contains(" wdl ")) && lines.iter().any(|line| line.contains(" mate ")));
    for (name, reads, unread) in PARSERS {
        for line in &lines {
            let is_expected = !unread.iter().any(|part| line.contains(part));
            assert!(reads(line) || !is_expected, "{name} cannot read {line:?}");
        }
        assert!(!reads("nonsense"), "{name} reads anything");
    }
}
