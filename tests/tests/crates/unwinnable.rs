//! Whether a side can still mate: the prover against public lists, and against itself without its static proofs.
//!
//! The normal run takes a sample of each list. All of them, about two minutes on two cores:
//!
//! `VANCURA_TEST_DATA=../shared/data cargo test --release -p vancura-tests --test crates unwinnable:: -- --ignored`
//!
//! The fuzz test runs for a given number of seconds, from a seed that it prints:
//!
//! `VANCURA_FUZZ_SECONDS=3600 cargo test --release -p vancura-tests --test crates unwinnable::fuzz -- --nocapture`

mod boards;
mod fuzz;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use movegen::unwinnable::{Budget, Proof, Verdict, is_dead, winnable};
use movegen::{Board, Color, Move};
use rayon::prelude::*;
use tests::data::{announce, read, test_data};

/// A position and a side, with the correct answer if it is known.
#[derive(Clone)]
struct Query {
    fen: String,
    winner: Color,
    winnable: Option<bool>,
}

impl Query {
    fn new(fen: &str, winner: Color, winnable: bool) -> Self {
        Self { fen: fen.to_owned(), winner, winnable: Some(winnable) }
    }

    fn board(&self) -> Board {
        Board::from_fen(&self.fen).unwrap_or_else(|error| panic!("{}: {error}", self.fen))
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// `WB fen`, with a dash for a side that cannot win.
fn labelled(text: &str) -> Vec<Query> {
    lines(text)
        .flat_map(|line| {
            let (label, fen) = line.split_at(2);
            Color::ALL.map(|winner| Query::new(fen.trim(), winner, label.as_bytes()[winner as usize] != b'-'))
        })
        .collect()
}

/// The first fields of a line are a FEN, and the side not to move cannot win.
fn lost_on_time(text: &str) -> Vec<Query> {
    let query = |line: &str| {
        let fen: Vec<_> = line.split_whitespace().take(4).collect();
        let winner = if fen[1] == "w" { Color::Black } else { Color::White };
        Query::new(&fen.join(" "), winner, false)
    };
    lines(text).map(query).collect()
}

/// Verdict, FEN and intended winner, separated by tabs, under a head line.
fn tabulated(text: &str) -> Vec<Query> {
    let query = |line: &str| {
        let fields: Vec<_> = line.split('\t').collect();
        let winner = if fields[2] == "white" { Color::White } else { Color::Black };
        Query::new(fields[1], winner, fields[0] == "winnable")
    };
    lines(text).skip(1).map(query).collect()
}

/// A public list, and what the fast test must prove of its unwinnable sides, in percent.
struct List {
    name: &'static str,
    parse: fn(&str) -> Vec<Query>,
    fast_percent: usize,
}

const LISTS: [List; 5] = [
    List { name: "positions-open.txt", parse: labelled, fast_percent: 88 },
    List { name: "lichess-open.txt.zst", parse: labelled, fast_percent: 100 },
    List { name: "unfair-open.txt.zst", parse: lost_on_time, fast_percent: 100 },
    List { name: "near-blocked-open.tsv.zst", parse: tabulated, fast_percent: 97 },
    List { name: "false-dead-open.tsv", parse: tabulated, fast_percent: 100 },
];

const CAUSES: [&str; 10] = [
    "2_InsufficientMaterial.txt",
    "3_Stalemate.txt",
    "4_Stalemate.txt",
    "6_Stalemate.txt",
    "7_Stalemate.txt",
    "8_Stalemate.txt",
    "max_basic_blockade.sample.txt",
    "max_other.txt",
    "max_other_wall_pawn_blockades.txt",
    "max_trapped_king.txt",
];

impl List {
    fn queries(&self, folder: &Path) -> Vec<Query> {
        (self.parse)(&read(folder, &format!("unwinnable/{}", self.name)))
    }
}

/// Plays a line that is said to end in a mate by `winner`.
fn check_helpmate(board: &Board, winner: Color, line: &[Move]) {
    let mut last = *board;
    for &mv in line {
        assert!(last.is_legal(mv), "{board:?}: {mv} in {line:?}");
        last.play(mv, &mut ());
    }
    assert!(last.in_check() && !last.has_legal_move() && last.turn() != winner, "{board:?}: no mate by {line:?}");
}

/// The verdict, checked as far as it can be.
fn verdict(query: &Query, board: &Board, budget: Budget) -> Verdict {
    let verdict = winnable(board, query.winner, budget);
    match &verdict {
        Verdict::Winnable(line) => {
            check_helpmate(board, query.winner, line);
            assert_ne!(query.winnable, Some(false), "{} {:?} has a helpmate", query.fen, query.winner);
        }
        Verdict::Unwinnable(proof) => {
            assert_ne!(query.winnable, Some(true), "{} {:?}: not {proof}", query.fen, query.winner);
        }
        Verdict::Undetermined => {}
    }
    verdict
}

/// Each verdict right, and in full none missing; how much of what is unwinnable the fast test proves, in percent.
fn check_list(name: &str, queries: &[Query], fast_percent: usize) {
    let boards: Vec<_> = queries.iter().map(|query| (query, query.board())).collect();
    let proven = AtomicU64::new(0);
    let open: Vec<_> = boards
        .par_iter()
        .filter(|(query, board)| {
            proven.fetch_add(verdict(query, board, Budget::FAST).is_unwinnable().into(), Relaxed);
            verdict(query, board, Budget::FULL) == Verdict::Undetermined
        })
        .map(|(query, _)| format!("{} {:?}", query.fen, query.winner))
        .collect();
    let unwinnable = boards.iter().filter(|(query, _)| query.winnable == Some(false)).count();
    let proven = proven.into_inner() as usize;
    announce(&format!(
        "{name}: {} queries, {proven} of {unwinnable} unwinnable proven fast, {} undetermined",
        boards.len(),
        open.len()
    ));
    assert!(open.is_empty(), "{name}: undetermined {open:#?}");
    assert!(100 * proven >= fast_percent * unwinnable, "{name}: {proven} of {unwinnable}");
}

/// A part of a list: each `step`th query.
fn sample(queries: &[Query], step: usize) -> Vec<Query> {
    queries.iter().step_by(step).cloned().collect()
}

#[test]
fn samples_of_the_lists() {
    let Some(folder) = test_data("unwinnable lists") else { return };
    for (list, step) in LISTS.iter().zip([43, 43, 11, 13, 1]) {
        // Too few for the quota: that is for the whole list.
        check_list(list.name, &sample(&list.queries(&folder), step), 0);
    }
    for name in CAUSES {
        check_list(name, &sample(&lost_on_time(&read(&folder, &format!("unwinnable/by-cause/{name}"))), 7), 0);
    }
}

#[test]
#[ignore = "minutes: all lists"]
fn all_lists() {
    let Some(folder) = test_data("unwinnable lists in full") else { return };
    for list in &LISTS {
        check_list(list.name, &list.queries(&folder), list.fast_percent);
    }
    for name in CAUSES {
        check_list(name, &lost_on_time(&read(&folder, &format!("unwinnable/by-cause/{name}"))), 0);
    }
}

/// Compositions that chasolver 3.0 leaves open: each is decided, and as told where that is known.
#[test]
#[ignore = "seconds: compositions"]
fn stretch() {
    let Some(folder) = test_data("unwinnable compositions") else { return };
    let text = read(&folder, "unwinnable/stretch.txt");
    let queries: Vec<_> = lines(&text)
        .map(|line| {
            let fields: Vec<_> = line.split(' ').collect();
            let winner = if fields[6] == "white" { Color::White } else { Color::Black };
            let winnable = (fields[7] == "unwinnable").then_some(false);
            Query { fen: fields[..6].join(" "), winner, winnable }
        })
        .collect();
    assert!(!queries.is_empty());
    for query in queries {
        let answer = match verdict(&query, &query.board(), Budget::FULL) {
            Verdict::Winnable(line) => format!("winnable in {} half-moves", line.len()),
            Verdict::Unwinnable(proof) => format!("unwinnable: {proof}"),
            Verdict::Undetermined => panic!("{} {:?}: undetermined", query.fen, query.winner),
        };
        announce(&format!("{} {:?}: {answer}", query.fen, query.winner));
    }
}

/// Both sides' verdicts with the full budget.
fn both(fen: &str) -> [Verdict; 2] {
    let board = Board::from_fen(fen).expect("a legal board");
    Color::ALL.map(|winner| verdict(&Query { fen: fen.to_owned(), winner, winnable: None }, &board, Budget::FULL))
}

#[test]
fn insufficient_material_cannot_mate() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/6N1/8 b - - 0 1",
        "8/8/4k1b1/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k1b1/8/8/3K4/4B3/8 w - - 0 1",
        "8/8/4k1b1/3b4/8/3K4/4B3/5B2 w - - 0 1",
    ] {
        assert_eq!(both(fen), [Verdict::Unwinnable(Proof::Material), Verdict::Unwinnable(Proof::Material)], "{fen}");
        assert!(is_dead(&Board::from_fen(fen).unwrap(), Budget::FAST), "{fen}");
    }
    // With the help of the opponent's pieces a side can mate.
    for (fen, winnable) in [
        ("8/8/4k1b1/8/8/3K4/5B2/8 w - - 0 1", [true, true]),
        ("8/8/4k1n1/8/8/3K4/5B2/8 w - - 0 1", [true, true]),
        ("8/8/4k1n1/8/8/3K4/5N2/8 w - - 0 1", [true, true]),
        ("8/8/4k1p1/8/8/3K4/5N2/8 w - - 0 1", [true, true]),
        ("8/8/4k1r1/8/8/3K4/5N2/8 w - - 0 1", [true, true]),
        ("8/8/4k1q1/8/8/3K4/5N2/8 w - - 0 1", [false, true]),
        ("8/8/4k1r1/8/8/3K4/5B2/8 w - - 0 1", [false, true]),
        ("8/8/4k3/8/8/3K4/5NN1/8 w - - 0 1", [true, false]),
    ] {
        let expected = both(fen).map(|verdict| matches!(verdict, Verdict::Winnable(_)));
        assert_eq!(expected, winnable, "{fen}");
    }
}

#[test]
fn a_mate_on_the_board_counts_before_material() {
    // No game reaches it, but it is mate.
    let fen = "8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1";
    assert_eq!(both(fen), [Verdict::Unwinnable(Proof::Mated), Verdict::Winnable(Vec::new())]);
    let fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(both(fen), [Verdict::Unwinnable(Proof::Stalemate), Verdict::Unwinnable(Proof::Stalemate)]);
}

#[test]
fn a_mate_that_ends_all_moves_is_a_mate() {
    // After it the position is blocked, and no further move mates. Found by the fuzz test.
    let fen = "8/8/p1p5/PkP5/RP6/PPP5/1K6/8 w - - 0 1";
    let [white, _] = both(fen);
    assert!(matches!(&white, Verdict::Winnable(line) if line.len() == 1), "{white:?}");
    assert_eq!(winnable(&Board::from_fen(fen).unwrap(), Color::White, Budget::FAST), Verdict::Undetermined);
}

#[test]
fn pawn_chains_block_or_do_not() {
    let blocked = |fen: &str| both(fen).map(|verdict| matches!(verdict, Verdict::Unwinnable(Proof::Blocked(_))));
    assert_eq!(blocked("8/8/4k3/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1"), [true, true]);
    assert_eq!(blocked("8/2b1k3/7p/p1p1p1pP/PpP1P1P1/1P1BK3/8/8 b - - 0 50"), [true, true]);
    // Two kings that wait for each other do not block the position, though chasolver 3.0 thinks so.
    let fen = "8/8/8/p2p2p1/P1pP2P1/1KP5/8/1k6 w - - 0 1";
    assert!(both(fen).iter().all(|verdict| matches!(verdict, Verdict::Winnable(_))));
    // An open file.
    let fen = "8/8/4k3/1p1p1p2/1P1P1P1P/3K4/8/8 w - - 0 1";
    assert!(both(fen).iter().all(|verdict| matches!(verdict, Verdict::Winnable(_))));
}

#[test]
fn special_moves_open_pawn_chains() {
    // Castling in Chess960 lets king and rook pass each other though neither can move.
    let fen = "8/8/4k3/1p1p1p1p/1P1P1P1P/8/4PPPP/5KR1 w G - 0 1";
    let walled = "6k1/5ppp/8/8/8/8/5PPP/5KRB w G - 0 1";
    for fen in [fen, walled] {
        let board = Board::from_fen(fen).expect("a legal board");
        assert!(!board.castling().is_empty(), "{fen}");
        for winner in Color::ALL {
            let fast = winnable(&board, winner, Budget::FAST);
            let plain = winnable(&board, winner, Budget::nodes(100_000).without_static_proofs());
            assert!(!(fast.is_unwinnable() && matches!(plain, Verdict::Winnable(_))), "{fen} {winner:?}");
        }
    }
    // Blocked unless the pawn is captured en passant.
    let fen = |target| format!("8/8/4k3/1p1p1p1p/1P1P1PpP/8/3K4/8 b - {target} 0 1");
    let [open, shut] = [fen("h3"), fen("-")].map(|fen| both(&fen).map(|verdict| verdict.is_unwinnable()));
    assert_eq!(shut, [false, false], "g4-g3 is free");
    assert_eq!(open, [false, false]);
    let fen = |target| format!("8/8/4k3/p1p1p1p1/P1P1PpPp/5P1P/3K4/8 b - {target} 0 1");
    let [open, shut] = [fen("g3"), fen("-")].map(|fen| both(&fen).map(|verdict| verdict.is_unwinnable()));
    assert_eq!(shut, [true, true]);
    assert_eq!(open, [false, false]);
}

#[test]
fn a_king_may_recapture_an_adjacent_piece() {
    // After 1. h8=B the check 2. Bxg7+ is not mate, though g7 is occupied until then: the king recaptures, is free, and
    // Black mates. Found by the fuzz test.
    for fen in ["8/2p3pP/6Pk/p3p1pB/4P1Pb/p5pK/P1P3P1/8 w - - 0 3", "7B/2p3p1/6Pk/p3p1pB/4P1Pb/p5pK/P1P3P1/8 b - - 0 3"]
    {
        let board = Board::from_fen(fen).expect("a legal board");
        assert!(!winnable(&board, Color::Black, Budget::FAST).is_unwinnable(), "{fen}");
        assert!(matches!(both(fen)[1], Verdict::Winnable(_)), "{fen}");
    }
}

#[test]
fn a_mating_move_may_not_mate_once_the_king_has_left() {
    // ... a5 is not mate once the king has left, so Black may still have a move then. Found by a fuzz test of the
    // prover without this rule.
    let fen = "k7/P7/1p6/1P6/KP6/PP6/1P6/8 b - - 0 1";
    assert!(!winnable(&Board::from_fen(fen).expect("a legal board"), Color::White, Budget::FAST).is_unwinnable());
    assert!(matches!(both(fen)[0], Verdict::Winnable(_)));
}

#[test]
fn moves_that_throw_the_win_away_are_excluded() {
    // Every check of White's queen loses it, and every move that frees White's pieces gets White mated.
    for fen in ["8/5ppp/8/8/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1", "8/4b3/6r1/4q3/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1"] {
        let [white, black] = both(fen);
        assert!(white.is_unwinnable() && matches!(black, Verdict::Winnable(_)), "{fen}: {white:?} {black:?}");
    }
    // Until a piece is captured on its home square, it holds others in place.
    assert!(both("1bB5/k7/R5r1/8/1pBp1p1p/1PpP1PbP/K1P4b/RB6 b - - 0 1").iter().all(Verdict::is_unwinnable));
}

#[test]
fn a_crowd_of_bishops_guards_its_pocket() {
    // White's bishops have one empty square among them. Whichever it is, each pawn and bishop that a king could take is
    // guarded, so nothing ever leaves the pocket.
    let crowded = "B1B1B1B1/pBpBpBp1/P1P1P1P1/4b3/5b2/8/8/k1K5 w - - 0 1";
    assert!(both(crowded).iter().all(Verdict::is_unwinnable));
    assert!(is_dead(&Board::from_fen(crowded).expect("a legal board"), Budget::FAST));
    // With two empty squares, and with a rook in the place of a bishop, the pocket opens.
    for fen in [
        "2B1B1B1/pBpBpBp1/P1P1P1P1/4b3/5b2/8/8/k1K5 w - - 0 1",
        "R1B1B1B1/pBpBpBp1/P1P1P1P1/4b3/5b2/8/8/k1K5 w - - 0 1",
    ] {
        assert!(!winnable(&Board::from_fen(fen).expect("a legal board"), Color::White, Budget::FAST).is_unwinnable());
    }
}

#[test]
fn forced_lines_are_followed() {
    // The check must be answered by a capture that leaves insufficient material.
    assert!(both("8/1Q6/2kb1p1p/p1p1pP1P/P1PpP1B1/3P4/6K1/8 b - - 4 61")[0].is_unwinnable());
    assert!(both("8/8/8/8/6bP/7k/2Q3q1/6K1 w - - 0 1").iter().any(Verdict::is_unwinnable));
}

#[test]
fn the_start_is_winnable_for_both() {
    for winner in Color::ALL {
        let board = Board::start();
        let Verdict::Winnable(line) = winnable(&board, winner, Budget::FULL) else { panic!("undecided") };
        check_helpmate(&board, winner, &line);
        assert_eq!(winnable(&board, winner, Budget::FAST), Verdict::Undetermined);
    }
    assert!(!is_dead(&Board::start(), Budget::FAST));
}
