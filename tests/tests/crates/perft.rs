//! Perft: the numbers of legal move sequences against counts on which many programs agree.
//!
//! The normal run counts each position of the public sets as deep as a node limit allows. To the full depth it takes
//! one core about two hours, less by as many as there are (`rayon` shares out the lines):
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo test --release -p vancura-tests --test crates perft:: -- --ignored`

use movegen::{Board, divide, perft};
use rayon::prelude::*;
use tests::data::{announce, read, test_data};
use tests::suite::{Case, parse_epd, parse_paragraphs};

/// The largest count checked in the normal run.
const NODE_LIMIT: u64 = 5_000_000;

/// The same for the table below, of few positions.
const TABLE_NODE_LIMIT: u64 = 20_000_000;

/// Positions with their counts from depth 1 on, or from the depth given where only that is well known.
///
/// Sources: Chess Programming Wiki, "Perft Results" and "Chess960 Perft Results"; M. Sedlak's collection of single
/// difficulties (TalkChess, 2011); N. Fiekas's of X-FEN. For double Chess960, which has no such page, shakmaty and
/// cozy-chess agree.
const TABLE: &[(&str, u8, &[u64])] = &[
    // The start, Kiwipete and the wiki's further positions.
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1, &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324]),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        1,
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 1, &[14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 1, &[6, 264, 9_467, 422_333, 15_833_292]),
    ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 1, &[6, 264, 9_467, 422_333, 15_833_292]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 1, &[44, 1_486, 62_379, 2_103_487, 89_941_194]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        1,
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
    // The most moves a position has.
    ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 1, &[218, 99, 19_073]),
    // En passant: forbidden, since it would uncover a check; giving check; answering one.
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, &[1_134_888]),
    ("8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1", 6, &[1_134_888]),
    ("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, &[1_015_133]),
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, &[1_440_467]),
    ("8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1", 6, &[1_440_467]),
    // Castling: giving check, through and out of attack, rights lost by capture.
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, &[661_072]),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, &[803_711]),
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, &[1_274_206]),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, &[1_720_476]),
    // Promotion: out of check, giving check, to less than a queen.
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, &[3_821_001]),
    ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, &[217_342]),
    ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, &[92_683]),
    // Discovered and double check, stalemate and mate.
    ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, &[1_004_658]),
    ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, &[2_217]),
    ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, &[567_584]),
    ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, &[23_527]),
    // Chess960, in X-FEN and Shredder-FEN.
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        1,
        &[21, 528, 12_189, 326_672, 8_146_062, 227_689_589],
    ),
    (
        "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
        1,
        &[21, 807, 18_002, 667_366, 16_253_601, 590_751_109],
    ),
    ("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1", 1, &[23, 522, 12_333, 285_754]),
    ("r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w KQkq - 0 1", 1, &[28, 738, 20_218, 541_480]),
    ("4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1", 1, &[19, 628, 12_858, 405_636]),
    ("8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1", 1, &[34, 318, 9_002, 118_388]),
    // Double Chess960: numbers 0 and 959, 358 and 742, 871 and 17.
    ("rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1", 1, &[20, 400, 9_014, 202_136, 5_023_155, 123_769_203]),
    ("rkbnnbqr/pppppppp/8/8/8/8/PPPPPPPP/NRBKRBQN w EBha - 0 1", 1, &[18, 360, 7_416, 164_625, 3_815_274, 92_205_791]),
    ("bnqbnrkr/pppppppp/8/8/8/8/PPPPPPPP/QRBKRNNB w EBhf - 0 1", 1, &[20, 400, 8_836, 195_737, 4_757_672, 115_106_789]),
];

/// A public set: its file, how to read it, and how many positions and counts it has.
struct Suite {
    file: &'static str,
    parse: fn(&str) -> Vec<Case>,
    positions: usize,
    counts: usize,
    /// Positions our rules refuse, with the reason given.
    refused: &'static [(&'static str, &'static str)],
}

const PERFTSUITE: Suite = Suite { file: "perftsuite.epd", parse: parse_epd, positions: 126, counts: 756, refused: &[] };

const TRICKY: Suite = Suite {
    file: "tricky.perft",
    parse: parse_paragraphs,
    positions: 26,
    counts: 88,
    // 270 moves, by 24 queens: no side has more than 16 pieces.
    refused: &[("kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - -", "White has 28 pieces, more than 16")],
};

const TRICKY_PYCHESS: Suite =
    Suite { file: "tricky-pychess.perft", parse: parse_paragraphs, positions: 19, counts: 67, refused: &[] };

const CHESS960: Suite =
    Suite { file: "chess960.perft", parse: parse_paragraphs, positions: 960, counts: 5_760, refused: &[] };

const RANDOM: Suite =
    Suite { file: "random-open.perft.zst", parse: parse_paragraphs, positions: 4_559, counts: 27_354, refused: &[] };

const SFENS: Suite =
    Suite { file: "sfens-open.epd.zst", parse: parse_epd, positions: 6_667, counts: 20_001, refused: &[] };

const DOUBLE_CHESS960: Suite =
    Suite { file: "dfrc-open.epd", parse: parse_epd, positions: 400, counts: 1_600, refused: &[] };

impl Suite {
    /// Checks every count up to `limit`.
    fn check(&self, limit: u64) {
        let Some(folder) = test_data(&format!("perft of {}", self.file)) else { return };
        let cases = (self.parse)(&read(&folder.join("perft"), self.file));
        assert_eq!(cases.len(), self.positions, "positions of {}", self.file);
        assert_eq!(cases.iter().map(|case| case.counts.len()).sum::<usize>(), self.counts, "counts of {}", self.file);
        check(self.file, &cases, limit, self.refused);
    }
}

/// Checks every count up to `limit` and says how many there were; `refused` must be refused, with its reason.
fn check(name: &str, cases: &[Case], limit: u64, refused: &[(&str, &str)]) {
    let failures: Vec<String> = cases.par_iter().flat_map_iter(|case| failures(case, limit, refused)).collect();
    assert!(failures.is_empty(), "{name}: {} failures\n{}", failures.len(), failures.join("\n"));
    for (fen, _) in refused {
        assert!(cases.iter().any(|case| case.fen == *fen), "{name} no longer has {fen}");
    }
    let counted = || cases.iter().flat_map(|case| &case.counts).filter(|&&(_, nodes)| nodes <= limit);
    let nodes: u64 = counted().map(|&(_, nodes)| nodes).sum();
    announce(&format!("perft of {name}: {} counts, {nodes} nodes", counted().count()));
    assert!(nodes > 0);
}

fn failures(case: &Case, limit: u64, refused: &[(&str, &str)]) -> Vec<String> {
    let fen = case.fen.as_str();
    let reason = refused.iter().find_map(|&(refused, reason)| (refused == fen).then_some(reason));
    let board = match (Board::from_fen(fen), reason) {
        (Ok(board), None) => board,
        (Err(error), Some(reason)) if error.to_string() == reason => return Vec::new(),
        (Err(error), _) => return vec![format!("{fen}: {error}")],
        (Ok(_), Some(reason)) => return vec![format!("{fen}: accepted, but {reason}")],
    };
    let wrong = |&(depth, nodes): &(u8, u64)| {
        let counted = perft(&board, depth);
        (counted != nodes).then(|| format!("{fen} depth {depth}: {counted}, not {nodes}"))
    };
    case.counts.iter().filter(|&&(_, nodes)| nodes <= limit).filter_map(wrong).collect()
}

fn table() -> Vec<Case> {
    let case = |&(fen, first, counts): &(&str, u8, &[u64])| Case {
        fen: fen.to_owned(),
        counts: (first..).zip(counts.iter().copied()).collect(),
    };
    TABLE.iter().map(case).collect()
}

#[test]
fn known_counts() {
    check("the table", &table(), TABLE_NODE_LIMIT, &[]);
}

#[test]
fn divide_adds_up_to_perft() {
    for case in table() {
        let board = Board::from_fen(&case.fen).unwrap();
        // Depth 4 counts on one thread, depth 5 on several.
        for &(depth, nodes) in case.counts.iter().filter(|&&(_, nodes)| nodes <= 1_000_000) {
            let parts = divide(&board, depth);
            assert_eq!(parts.len(), board.count_legal_moves());
            assert_eq!(parts.iter().map(|&(_, nodes)| nodes).sum::<u64>(), nodes, "{} depth {depth}", case.fen);
        }
        assert_eq!(perft(&board, 0), 1);
    }
}

#[test]
fn perftsuite() {
    PERFTSUITE.check(NODE_LIMIT);
}

#[test]
fn tricky() {
    TRICKY.check(NODE_LIMIT);
}

#[test]
fn tricky_pychess() {
    TRICKY_PYCHESS.check(NODE_LIMIT);
}

#[test]
fn chess960() {
    CHESS960.check(NODE_LIMIT);
}

#[test]
fn random() {
    RANDOM.check(NODE_LIMIT);
}

#[test]
fn sfens() {
    SFENS.check(NODE_LIMIT);
}

#[test]
fn double_chess960() {
    DOUBLE_CHESS960.check(NODE_LIMIT);
}

#[test]
#[ignore = "seconds in a release build"]
fn known_counts_in_full() {
    check("the table", &table(), u64::MAX, &[]);
}

#[test]
#[ignore = "13 billion nodes"]
fn perftsuite_in_full() {
    PERFTSUITE.check(u64::MAX);
}

#[test]
#[ignore = "524 billion nodes"]
fn chess960_in_full() {
    CHESS960.check(u64::MAX);
}

#[test]
#[ignore = "2,867 billion nodes"]
fn random_in_full() {
    RANDOM.check(u64::MAX);
}

#[test]
#[ignore = "under a billion nodes"]
fn smaller_suites_in_full() {
    [TRICKY, TRICKY_PYCHESS, SFENS, DOUBLE_CHESS960].iter().for_each(|suite| suite.check(u64::MAX));
}
