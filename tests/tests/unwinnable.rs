//! Whether a side can still mate: the prover against public lists, and against itself without its static proofs.
//!
//! The normal run takes a sample of each list. All of them, about two minutes on two cores:
//!
//! `VANCURA_TEST_DATA=../shared/data cargo test --release -p tests --test unwinnable -- --ignored`
//!
//! The fuzz runs as long as it is told, in seconds, from a seed it prints:
//!
//! `VANCURA_FUZZ_SECONDS=3600 cargo test --release -p tests --test unwinnable fuzz -- --nocapture`

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use movegen::attacks::king_attacks;
use movegen::unwinnable::{Budget, Proof, Verdict, is_dead, winnable};
use movegen::{Board, CastlingRook, CastlingWish, Color, FenStyle, File, Move, Piece, PieceType, Setup, Square};
use rayon::prelude::*;
use tests::data::{announce, read, test_data};
use tests::play::Random;

/// A question to the prover, with the answer if it is known.
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

/// Both sides' answers in full.
fn both(fen: &str) -> [Verdict; 2] {
    let board = Board::from_fen(fen).expect("a legal board");
    Color::ALL.map(|winner| verdict(&Query { fen: fen.to_owned(), winner, winnable: None }, &board, Budget::FULL))
}

#[test]
fn too_few_men_cannot_mate() {
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
    // Who can be helped by the opponent's men can mate.
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
    // No game reaches it, but mate is mate.
    let fen = "8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1";
    assert_eq!(both(fen), [Verdict::Unwinnable(Proof::Mated), Verdict::Winnable(Vec::new())]);
    let fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(both(fen), [Verdict::Unwinnable(Proof::Stalemate), Verdict::Unwinnable(Proof::Stalemate)]);
}

#[test]
fn a_mate_that_ends_all_moves_is_a_mate() {
    // After it the men are locked, and no further move mates: found by the fuzz.
    let fen = "8/8/p1p5/PkP5/RP6/PPP5/1K6/8 w - - 0 1";
    let [white, _] = both(fen);
    assert!(matches!(&white, Verdict::Winnable(line) if line.len() == 1), "{white:?}");
    assert_eq!(winnable(&Board::from_fen(fen).unwrap(), Color::White, Budget::FAST), Verdict::Undetermined);
}

#[test]
fn walls_hold_or_do_not() {
    let blocked = |fen: &str| both(fen).map(|verdict| matches!(verdict, Verdict::Unwinnable(Proof::Blocked(_))));
    assert_eq!(blocked("8/8/4k3/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1"), [true, true]);
    assert_eq!(blocked("8/2b1k3/7p/p1p1p1pP/PpP1P1P1/1P1BK3/8/8 b - - 0 50"), [true, true]);
    // Two kings that wait for each other are no wall (chasolver 3.0 takes them for one).
    let fen = "8/8/8/p2p2p1/P1pP2P1/1KP5/8/1k6 w - - 0 1";
    assert!(both(fen).iter().all(|verdict| matches!(verdict, Verdict::Winnable(_))));
    // An open file.
    let fen = "8/8/4k3/1p1p1p2/1P1P1P1P/3K4/8/8 w - - 0 1";
    assert!(both(fen).iter().all(|verdict| matches!(verdict, Verdict::Winnable(_))));
}

#[test]
fn special_moves_open_walls() {
    // Castling in Chess960 lets king and rook pass each other though neither can step.
    let fen = "8/8/4k3/1p1p1p1p/1P1P1P1P/8/4PPPP/5KR1 w G - 0 1";
    let walled = "6k1/5ppp/8/8/8/8/5PPP/5KRB w G - 0 1";
    for fen in [fen, walled] {
        let board = Board::from_fen(fen).expect("a legal board");
        assert!(!board.castling().is_empty(), "{fen}");
        for winner in Color::ALL {
            let fast = winnable(&board, winner, Budget::FAST);
            let plain = winnable(&board, winner, Budget::nodes(100_000).without_statics());
            assert!(!(fast.is_unwinnable() && matches!(plain, Verdict::Winnable(_))), "{fen} {winner:?}");
        }
    }
    // The wall stands unless the pawn that has just passed is taken.
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
fn a_king_may_take_who_has_just_taken_beside_him() {
    // After 1. h8=B the check 2. Bxg7+ is no mate, though g7 is filled till then: the king takes, is free, and Black
    // mates. Found by the fuzz.
    for fen in ["8/2p3pP/6Pk/p3p1pB/4P1Pb/p5pK/P1P3P1/8 w - - 0 3", "7B/2p3p1/6Pk/p3p1pB/4P1Pb/p5pK/P1P3P1/8 b - - 0 3"]
    {
        let board = Board::from_fen(fen).expect("a legal board");
        assert!(!winnable(&board, Color::Black, Budget::FAST).is_unwinnable(), "{fen}");
        assert!(matches!(both(fen)[1], Verdict::Winnable(_)), "{fen}");
    }
}

#[test]
fn what_mates_a_king_at_home_does_not_mate_it_elsewhere() {
    // ... a5 mates no more once the king has left, so that he leaves Black without a move is not certain: found by a
    // fuzz of the prover without the rule.
    let fen = "k7/P7/1p6/1P6/KP6/PP6/1P6/8 b - - 0 1";
    assert!(!winnable(&Board::from_fen(fen).expect("a legal board"), Color::White, Budget::FAST).is_unwinnable());
    assert!(matches!(both(fen)[0], Verdict::Winnable(_)));
}

#[test]
fn moves_that_spoil_the_win_are_left_aside() {
    // White's queen can only give checks in vain, and whatever frees his men mates him.
    for fen in ["8/5ppp/8/8/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1", "8/4b3/6r1/4q3/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1"] {
        let [white, black] = both(fen);
        assert!(white.is_unwinnable() && matches!(black, Verdict::Winnable(_)), "{fen}: {white:?} {black:?}");
    }
    // Until a man is taken at home, it holds others in place.
    assert!(both("1bB5/k7/R5r1/8/1pBp1p1p/1PpP1PbP/K1P4b/RB6 b - - 0 1").iter().all(Verdict::is_unwinnable));
}

#[test]
fn forced_lines_are_followed() {
    // The check must be answered by a capture that leaves nothing to mate with.
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

/// Positions to be changed at random, walls of all kinds among them.
const SEEDS: [&str; 24] = [
    "8/8/4k3/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1",
    "8/2b1k3/7p/p1p1p1pP/PpP1P1P1/1P1BK3/8/8 b - - 0 50",
    "8/8/8/p2p2p1/P1pP2P1/1KP5/8/1k6 w - - 0 1",
    "5b2/8/7p/5p1P/5p1K/5Pp1/5bP1/5kb1 b - - 0 1",
    "7k/6pP/6P1/6b1/8/5K2/8/8 b - - 0 1",
    "1k6/1P5p/BP3p2/1P6/8/8/5PKP/8 b - - 0 41",
    "8/1p6/1PpBp1p1/k1P1P1P1/p1P5/P7/5K2/8 w - - 0 1",
    "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1",
    "Bb1k1b2/bKp1p1p1/1pP1P1P1/1P6/p5P1/P7/8/8 w - - 0 1",
    "2b5/1p6/pPp3k1/2Pp3p/P2PpBpP/4P1P1/5K2/8 b - - 46 59",
    "8/p1p1p3/6p1/6P1/6PK/P5PP/2P1P3/k7 w - - 0 1",
    "8/8/p3k3/P1p2p1p/2P1KP1P/2P5/8/8 w - - 0 43",
    "3b1b2/3k4/2ppp3/3p4/1p1K1p1p/bP1P1P1P/8/1B3B2 w - - 0 1",
    "7B/1b6/3k4/1p1p4/1P1Pp1p1/1pppP1P1/2p5/2K2b2 b - - 0 1",
    "6k1/1ppp1p2/2b2Pp1/1pKp1pP1/1P1P1P2/8/8/B1B1B1B1 b - - 0 1",
    "8/5ppp/8/8/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1",
    "1bB5/k7/B7/8/1pBp1p1p/1PpP1PbP/K1P4b/RB6 b - - 0 1",
    "BbK1kb2/b1p1p1p1/1pP1P1P1/1P6/8/8/8/1B2b2B b - - 0 1",
    "k6B/1b4B1/2b2B2/4B3/3B4/1pB1B3/pP1B4/K7 w - - 0 1",
    "2b1b2k/1p5b/1Pp5/2Pp1b2/3Pp3/B3Pp1b/5P2/K1B1B3 w - - 0 1",
    "1bB5/k7/R5r1/8/1pBp1p1p/1PpP1PbP/K1P4b/RB6 b - - 0 1",
    "8/4b3/6r1/4q3/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1",
    "8/2p3pP/6Pk/p3p1pB/4P1Pb/p5pK/P1P3P1/8 w - - 0 3",
    "K1k5/P1Pp4/1p1P4/8/p7/P2P4/8/8 w - - 0 1",
];

/// A board with a pawn wall, or nearly one, some officers, often a pawn about to promote and kings in nooks of the wall,
/// and now and then a king and rook that may castle.
fn near_blocked(random: &mut Random) -> Setup {
    let mut setup = Setup::EMPTY;
    let follows = random.below(4) != 0;
    let gaps = random.pick(&[0, 1, 1, 1]);
    let mut rank = 1 + random.below(4);
    for file in 0..8 {
        if random.below(4) < gaps {
            continue;
        }
        rank = if follows { (rank + random.below(3)).saturating_sub(1).clamp(1, 5) } else { 1 + random.below(5) };
        let gap = if random.below(8) == 0 { 2 } else { 1 };
        if rank + gap < 7 {
            setup.men[8 * rank + file] = Some(Piece::WhitePawn);
            setup.men[8 * (rank + gap) + file] = Some(Piece::BlackPawn);
        }
    }
    let put = |setup: &mut Setup, piece, random: &mut Random| {
        let pawn = piece == Piece::WhitePawn || piece == Piece::BlackPawn;
        let square = if pawn { 8 + random.below(48) } else { random.below(64) };
        let square = &mut setup.men[square];
        *square = square.or(Some(piece));
    };
    for _ in 0..random.below(3) {
        let pawn = random.pick(&[Piece::WhitePawn, Piece::BlackPawn]);
        put(&mut setup, pawn, random);
    }
    for color in Color::ALL {
        for _ in 0..random.pick(&[0, 0, 0, 1, 1, 2, 3]) {
            put(&mut setup, Piece::new(color, PieceType::Bishop), random);
        }
        if random.below(6) == 0 {
            let kind = random.pick(&[PieceType::Knight, PieceType::Rook, PieceType::Queen]);
            put(&mut setup, Piece::new(color, kind), random);
        }
    }
    if random.below(4) == 0 {
        let color = random.pick(&Color::ALL);
        let square = Square::from_index((48 + random.below(8)) as u8).relative_to(color) as usize;
        setup.men[square] = setup.men[square].or(Some(Piece::new(color, PieceType::Pawn)));
    }
    for color in Color::ALL {
        if random.below(6) == 0 {
            put_castling(&mut setup, color, random);
        } else {
            put_king(&mut setup, color, random);
        }
    }
    setup.turn = random.pick(&Color::ALL);
    setup
}

/// A king anywhere, or where it has little room: then its squares are often filled as well, by men that are held.
fn put_king(setup: &mut Setup, color: Color, random: &mut Random) {
    let around = |square: usize| king_attacks(Square::from_index(square as u8)).into_iter().map(|at| at as usize);
    let free: Vec<_> = (0..64).filter(|&square| setup.men[square].is_none()).collect();
    let room = |square: usize| around(square).filter(|&at| setup.men[at].is_none()).count();
    let in_nook = random.below(3) != 0;
    let tries = if in_nook { 12 } else { 1 };
    let Some(king) = (0..tries).map(|_| random.pick(&free)).min_by_key(|&square| room(square)) else { return };
    setup.men[king] = Some(Piece::new(color, PieceType::King));
    if !in_nook || random.below(2) == 0 {
        return;
    }
    for at in around(king) {
        let kinds = [PieceType::Pawn, PieceType::Pawn, PieceType::Pawn, PieceType::Bishop, PieceType::Knight];
        let man = Piece::new(if random.below(4) == 0 { !color } else { color }, random.pick(&kinds));
        let is_pawn = man.piece_type() == PieceType::Pawn;
        let can_stand = setup.men[at].is_none() && (!is_pawn || (8..56).contains(&at));
        if !can_stand || random.below(6) == 0 {
            continue;
        }
        setup.men[at] = Some(man);
        let ahead = if man.color() == Color::White { at + 8 } else { at.wrapping_sub(8) };
        if is_pawn && (8..56).contains(&ahead) && random.below(4) != 0 {
            setup.men[ahead] = setup.men[ahead].or(Some(Piece::new(!man.color(), PieceType::Pawn)));
        }
    }
}

/// A king and a rook that may castle, most often behind a row of their pawns.
fn put_castling(setup: &mut Setup, color: Color, random: &mut Random) {
    let king = 1 + random.below(6);
    let rook = if random.below(2) == 0 { random.below(king) } else { king + 1 + random.below(7 - king) };
    let at = |file: usize, rank: usize| Square::from_index((8 * rank + file) as u8).relative_to(color) as usize;
    setup.men[at(king, 0)] = Some(Piece::new(color, PieceType::King));
    setup.men[at(rook, 0)] = Some(Piece::new(color, PieceType::Rook));
    setup.castling.push(CastlingWish { color, rook: CastlingRook::On(File::ALL[rook]) });
    let pawn = Some(Piece::new(color, PieceType::Pawn));
    let mut pawns = setup.men.iter().filter(|&&man| man == pawn).count();
    for file in 0..8 {
        if pawns < 8 && setup.men[at(file, 1)].is_none() && random.below(3) != 0 {
            setup.men[at(file, 1)] = pawn;
            pawns += 1;
        }
    }
}

/// Another board with some men taken off, added or moved a little.
fn mutated(board: &Board, random: &mut Random) -> Setup {
    let mut setup = Setup { turn: board.turn(), ..Setup::EMPTY };
    Square::ALL.into_iter().for_each(|square| setup.men[square as usize] = board.piece_on(square));
    for _ in 0..1 + random.below(3) {
        let square = random.below(64);
        match random.below(7) {
            0 if setup.men[square].is_some_and(|man| man.piece_type() != PieceType::King) => setup.men[square] = None,
            1 if setup.men[square].is_none() => {
                let man = random.pick(&Piece::ALL);
                let pawn = random.pick(&[Piece::WhitePawn, Piece::BlackPawn]);
                let wants_pawn = random.below(2) == 0 || man.piece_type() == PieceType::King;
                setup.men[square] = Some(if wants_pawn { pawn } else { man });
            }
            2 | 3 => {
                let men: Vec<_> = (0..64).filter(|&square| setup.men[square].is_some()).collect();
                let from = random.pick(&men);
                let to = from.wrapping_add_signed(random.pick(&[1, -1, 8, -8, 7, -7, 9, -9, 16, -16])) % 64;
                if setup.men[to].is_none() {
                    setup.men[to] = setup.men[from].take();
                }
            }
            4 => setup.turn = !setup.turn,
            5 => {
                // Another man in its place.
                let kinds = [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
                let man = Piece::new(random.pick(&Color::ALL), random.pick(&kinds));
                let men: Vec<_> = (0..64).filter(|&square| setup.men[square].is_some()).collect();
                let square = random.pick(&men);
                if setup.men[square].is_some_and(|old| old.piece_type() != PieceType::King) {
                    setup.men[square] = Some(man);
                }
            }
            6 => {
                // A pawn about to promote.
                let color = random.pick(&Color::ALL);
                let square = Square::from_index((48 + random.below(8)) as u8).relative_to(color) as usize;
                setup.men[square] = setup.men[square].or(Some(Piece::new(color, PieceType::Pawn)));
            }
            _ => {}
        }
    }
    setup
}

/// Takes a king to its back rank, where it may castle.
fn take_home(setup: &mut Setup, color: Color, random: &mut Random) {
    setup.men.iter_mut().filter(|man| **man == Some(Piece::new(color, PieceType::King))).for_each(|man| *man = None);
    put_castling(setup, color, random);
}

/// Lets a pawn of the side not to move have just passed one that may take it, where the fewest men must change.
fn let_pass(setup: &mut Setup, random: &mut Random) {
    let turn = setup.turn;
    let at = |file: usize, rank: usize| Square::from_index((8 * rank + file) as u8).relative_to(turn) as usize;
    let men = [Some(Piece::new(!turn, PieceType::Pawn)), None, None, Some(Piece::new(turn, PieceType::Pawn))];
    let is_king = |man: Option<Piece>| man.is_some_and(|man| man.piece_type() == PieceType::King);
    let places = (0..7).flat_map(|file| [(file, file + 1), (file + 1, file)]);
    let places = places.map(|(file, beside)| [at(file, 4), at(file, 5), at(file, 6), at(beside, 4)]);
    let free = places.filter(|squares| squares.iter().all(|&square| !is_king(setup.men[square])));
    let changes =
        |squares: &[usize; 4]| squares.iter().zip(men).filter(|&(&square, man)| setup.men[square] != man).count();
    let Some(squares) = free.min_by_key(|squares| (changes(squares), random.below(64))) else { return };
    squares.into_iter().zip(men).for_each(|(square, man)| setup.men[square] = man);
    setup.en_passant = Some(Square::from_index(squares[1] as u8));
}

/// Boards to be changed.
#[derive(Clone)]
struct Pool {
    seeds: Vec<Board>,
    /// What the fuzz has met itself and a side cannot win: their neighbours are where a proof may be wrong.
    found: Vec<Board>,
}

impl Pool {
    /// How many are kept of those that the fuzz has met.
    const MAX_FOUND: usize = 512;

    fn keep(&mut self, board: Board, random: &mut Random) {
        if self.found.len() < Self::MAX_FOUND {
            self.found.push(board);
        } else {
            self.found[random.below(Self::MAX_FOUND)] = board;
        }
    }

    fn pick(&self, random: &mut Random) -> Board {
        let is_new = !self.found.is_empty() && random.below(3) != 0;
        random.pick(if is_new { &self.found } else { &self.seeds })
    }
}

/// A legal board for the fuzz: near-blocked or known walls, often with castling rights, a pawn that has just passed
/// another, or some moves on, so that there are checks.
fn fuzz_board(pool: &Pool, random: &mut Random) -> Board {
    loop {
        let is_new = random.below(3) == 0;
        let mut setup = if is_new { near_blocked(random) } else { mutated(&pool.pick(random), random) };
        if random.below(5) == 0 {
            take_home(&mut setup, random.pick(&Color::ALL), random);
        }
        if random.below(3) == 0 {
            let_pass(&mut setup, random);
        }
        let Ok((mut board, _)) = Board::from_setup(&setup) else { continue };
        let moves = if board.en_passant().is_some() { 0 } else { random.below(4) };
        for _ in 0..moves {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.play(random.pick(&moves), &mut ());
        }
        return board;
    }
}

/// What a run of the fuzz has seen.
#[derive(Default, Debug)]
struct Tally {
    queries: AtomicU64,
    with_castling: AtomicU64,
    with_en_passant: AtomicU64,
    unwinnable: AtomicU64,
    unwinnable_with_castling: AtomicU64,
    unwinnable_with_en_passant: AtomicU64,
    confirmed: AtomicU64,
}

/// A random game from a board where `winner` is said not to win, with a liking for captures, checks and promotions: he
/// cannot win later either. This finds moves that a proof has overlooked and a search from the board comes to too late.
fn walk_on(board: &Board, winner: Color, random: &mut Random) {
    let mut last = *board;
    for _ in 0..random.below(24) {
        let moves = last.legal_moves();
        if moves.is_empty() {
            break;
        }
        let is_sharp = |mv: Move| mv.promotes_to().is_some() || last.captured_by(mv).is_some() || last.gives_check(mv);
        let sharp: Vec<_> = moves.iter().copied().filter(|&mv| is_sharp(mv)).collect();
        let is_calm = sharp.is_empty() || random.below(2) == 0;
        let mv = random.pick(if is_calm { &moves } else { &sharp });
        last.play(mv, &mut ());
    }
    if let Verdict::Winnable(line) = winnable(&last, winner, Budget::nodes(500)) {
        let fens = [board, &last].map(|board| board.fen(FenStyle::Shredder));
        panic!("{} {winner:?} is said not to win, but does from {} by {line:?}", fens[0], fens[1]);
    }
}

/// One board, both sides: fast and full agree, and neither a search without any static proof nor a game played on refutes them. True if a
/// side cannot win for another reason than that it has too few men or the game is over.
fn fuzz_one(board: &Board, plain: Budget, tally: &Tally, random: &mut Random) -> bool {
    let mut is_telling = false;
    for winner in Color::ALL {
        let [may_castle, may_pass] = [!board.castling().is_empty(), board.en_passant().is_some()].map(u64::from);
        tally.queries.fetch_add(1, Relaxed);
        tally.with_castling.fetch_add(may_castle, Relaxed);
        tally.with_en_passant.fetch_add(may_pass, Relaxed);
        let context = || format!("{} {winner:?}", board.fen(FenStyle::Shredder));
        let [fast, full] = [Budget::FAST, Budget::nodes(3_000)].map(|budget| winnable(board, winner, budget));
        if let Verdict::Winnable(line) = &full {
            check_helpmate(board, winner, line);
            assert!(!fast.is_unwinnable(), "{}: {fast:?}, but {line:?}", context());
        }
        if !fast.is_unwinnable() && !full.is_unwinnable() {
            continue;
        }
        let is_proof = |verdict: &Verdict| matches!(verdict, Verdict::Unwinnable(Proof::Blocked(_) | Proof::Exhausted));
        is_telling |= is_proof(&fast) || is_proof(&full);
        tally.unwinnable.fetch_add(1, Relaxed);
        tally.unwinnable_with_castling.fetch_add(may_castle, Relaxed);
        tally.unwinnable_with_en_passant.fetch_add(may_pass, Relaxed);
        match winnable(board, winner, plain.without_statics()) {
            Verdict::Winnable(line) => panic!("{}: {fast:?} and {full:?}, but {line:?}", context()),
            Verdict::Unwinnable(_) => _ = tally.confirmed.fetch_add(1, Relaxed),
            Verdict::Undetermined => (0..4).for_each(|_| walk_on(board, winner, random)),
        }
    }
    is_telling
}

#[test]
fn fuzz() {
    let seconds: Option<u64> = std::env::var("VANCURA_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let seeds = SEEDS.iter().map(|fen| Board::from_fen(fen).expect("a legal board")).collect();
    let mut pool = Pool { seeds, found: Vec::new() };
    if let (Some(_), Some(folder)) = (seconds, test_data("fuzz from the lists")) {
        let queries = LISTS.iter().flat_map(|list| list.queries(&folder));
        let unwinnable = queries.filter(|query| query.winnable == Some(false)).map(|query| query.board());
        pool.seeds.extend(unwinnable.filter(|board| board.typed(PieceType::Pawn).has_several()));
    }
    let tally = Tally::default();
    let (end, boards) = match seconds {
        Some(seconds) => (Some(Instant::now() + Duration::from_secs(seconds)), u64::MAX),
        None => (None, 3_000),
    };
    let first = end.map_or(1, |_| std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.as_secs()) << 32);
    announce(&format!("fuzz of the prover from seed {first}"));
    let threads = rayon::current_num_threads() as u64;
    (0..threads).into_par_iter().for_each(|thread| {
        let mut number = thread;
        let mut pool = pool.clone();
        while number < boards && end.is_none_or(|end| Instant::now() < end) {
            let mut random = Random::new(first.wrapping_add(number));
            let board = fuzz_board(&pool, &mut random);
            // Most mates are soon found, and some only late.
            let plain = if random.below(16) == 0 { Budget::nodes(30_000) } else { Budget::nodes(2_000) };
            if fuzz_one(&board, plain, &tally, &mut random) && board.occupied().count() > 6 {
                pool.keep(board, &mut random);
            }
            number += threads;
        }
    });
    announce(&format!("{tally:?}"));
    assert!(tally.unwinnable.into_inner() > 100);
    assert!(tally.with_castling.into_inner() > 500 && tally.with_en_passant.into_inner() > 500);
}
