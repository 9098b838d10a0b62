//! The conversations in `tests/tests/transcripts`, replayed with a session in this process;
//! engine/tests/program/transcripts.rs has the real program replay them.

use tests::session::Client;
use tests::transcript::conversations;

/// The groups of things that clients send, by the beginning of a conversation's name: each must have a conversation.
const ROWS: [&str; 73] = [
    "A1 cutechess",
    "A1 python-chess",
    "A1 lichess-bot",
    "A1 fastchess",
    "A1 Arena",
    "A1 Fritz",
    "A1 Nibbler",
    "A1 En Croissant",
    "A1 BanksiaGUI",
    "A1 Scid",
    "A1 PicoChess",
    "A1 matetrack",
    "A2 uci",
    "A2 isready: in order",
    "A2 isready: at once",
    "A2 setoption",
    "A2 ucinewgame",
    "A2 position: from the start",
    "A2 position: a FEN that cannot",
    "A2 position: an illegal move",
    "A2 position: X-FEN",
    "A2 position: rights",
    "A2 position: of any length",
    "A2 go while searching",
    "A2 stop idle",
    "A2 ponderhit idle",
    "A2 stop",
    "A2 ponderhit",
    "A2 quit",
    "A2 EOF",
    "A2 non-UTF-8 byte",
    "A2 debug",
    "A2 register, xboard",
    "A2 unknown tokens",
    "A2 d:",
    "A2 eval:",
    "A2 flip:",
    "A2 compiler:",
    "A2 help:",
    "A2 license:",
    "A2 export_net:",
    "A2 bench",
    "A2 speedtest",
    "A2 go perft, perft",
    "A3 wtime btime winc binc movestogo",
    "A3 movetime",
    "A3 depth, nodes",
    "A3 mate N",
    "A3 infinite",
    "A3 ponder",
    "A3 searchmoves",
    "A3 perft",
    "A3 nothing",
    "A3 no legal move",
    "A5 Hash, Threads",
    "A5 Clear Hash",
    "A5 MultiPV",
    "A5 Ponder",
    "A5 Move Overhead",
    "A5 UCI_Chess960",
    "A5 UCI_ShowWDL",
    "A5 UCI_LimitStrength, UCI_Elo, Skill Level",
    "A5 UCI_Opponent, UCI_EngineAbout, UCI_AnalyseMode",
    "A5 SyzygyPath",
    "A5 SyzygyProbeDepth, Syzygy50MoveRule, SyzygyProbeLimit",
    "A5 EvalFile",
    "A5 Debug Log File",
    "A5 NUMA, large pages",
    "A5 Contempt, Minimal",
    "A5 OwnBook, BookFile",
    "A5 nodestime",
    "B1 steps 1 to 9",
    "B1 steps 32 to 40",
];

#[test]
fn every_row_has_a_conversation() {
    let names: Vec<_> = conversations().into_iter().map(|conversation| conversation.name).collect();
    for row in ROWS {
        assert!(names.iter().any(|name| name.starts_with(row)), "nothing shows {row}");
    }
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), names.len(), "two conversations bear the same name");
}

#[test]
fn a_session_says_what_is_written() {
    for conversation in conversations() {
        conversation.replay(&mut Client::start());
    }
}
