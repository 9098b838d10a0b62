//! The tables beside the rules: what a position is worth follows from what its moves lead to.

#![allow(clippy::unwrap_used)] // every function here may panic, as tests do

use std::time::Instant;

use endgame::{Material, Outcome, Tables};
use movegen::{Board, Color, FenStyle, Piece, PieceType, Rank, Square};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The longest mates in moves, by White and by Black, of all materials. Source: the statistics of E. Nalimov's tables.
const MAX: [(&str, [u8; 2]); 35] = [
    ("KQvK", [10, 0]),
    ("KRvK", [16, 0]),
    ("KBvK", [0, 0]),
    ("KNvK", [0, 0]),
    ("KPvK", [28, 0]),
    ("KQQvK", [4, 0]),
    ("KQRvK", [6, 0]),
    ("KQBvK", [8, 0]),
    ("KQNvK", [9, 0]),
    ("KQPvK", [10, 0]),
    ("KRRvK", [7, 0]),
    ("KRBvK", [16, 0]),
    ("KRNvK", [16, 0]),
    ("KRPvK", [16, 0]),
    ("KBBvK", [19, 0]),
    ("KBNvK", [33, 0]),
    ("KBPvK", [31, 0]),
    ("KNNvK", [1, 0]),
    ("KNPvK", [27, 0]),
    ("KPPvK", [32, 0]),
    ("KQvKQ", [13, 13]),
    ("KQvKR", [35, 19]),
    ("KQvKB", [17, 0]),
    ("KQvKN", [21, 0]),
    ("KQvKP", [28, 29]),
    ("KRvKR", [19, 19]),
    ("KRvKB", [29, 0]),
    ("KRvKN", [40, 1]),
    ("KRvKP", [26, 43]),
    ("KBvKB", [1, 1]),
    ("KBvKN", [1, 1]),
    ("KBvKP", [1, 29]),
    ("KNvKN", [1, 1]),
    ("KNvKP", [7, 29]),
    ("KPvKP", [33, 33]),
];

/// What a position is worth by what the tables say of those one move later. Where it holds everywhere, all of it is
/// right: a win or loss of `n` half-moves rests on one of `n - 1`, down to the mates, and what has no such ground is
/// drawn.
fn by_moves(tables: &Tables, board: &Board) -> Outcome {
    let moves = board.legal_moves();
    if moves.is_empty() {
        return if board.in_check() { Outcome::Loss { plies: 0 } } else { Outcome::Draw };
    }
    let after = moves.iter().map(|&mv| {
        let mut after = *board;
        after.play(mv, &mut ());
        // Bare kings have no table.
        if after.occupied().count() == 2 { Outcome::Draw } else { tables.probe(&after).expect("a solved material") }
    });
    let (mut win, mut draw, mut loss) = (None, false, 0);
    for outcome in after {
        match outcome {
            Outcome::Loss { plies } => win = Some(win.map_or(plies + 1, |win: u8| win.min(plies + 1))),
            Outcome::Draw => draw = true,
            Outcome::Win { plies } => loss = loss.max(plies + 1),
        }
    }
    win.map_or(if draw { Outcome::Draw } else { Outcome::Loss { plies: loss } }, |plies| Outcome::Win { plies })
}

fn check(tables: &Tables, board: &Board) {
    assert_eq!(tables.probe(board), Some(by_moves(tables, board)), "{}", board.fen(FenStyle::Standard));
}

fn check_longest(tables: &Tables, materials: &[Material]) {
    for material in materials {
        let longest = tables.longest(material).unwrap().map(|plies| plies.div_ceil(2));
        let expected = MAX.iter().find(|(name, _)| *name == material.to_string());
        assert_eq!(Some(longest), expected.map(|(_, longest)| *longest), "{material}");
    }
}

/// A random position, with en passant where pawns stand so that it is possible.
fn random_board(material: &Material, random: &mut Xoshiro256PlusPlus) -> Option<Board> {
    let squares: Vec<_> = (0..material.count()).map(|_| Square::from_index(random.random_range(..64))).collect();
    let turn = if random.random() { Color::White } else { Color::Black };
    let pawn = Piece::new(!turn, PieceType::Pawn);
    let passed = material.others().iter().position(|&piece| piece == pawn).map(|index| squares[index + 2]);
    let behind = passed.filter(|square| square.rank() == Rank::Four.relative_to(!turn)).map(|square| match turn {
        Color::White => square.offset(8),
        Color::Black => square.offset(-8),
    });
    material.board(&squares, turn, behind)
}

#[test]
fn three_pieces_are_solved_as_the_rules_have_it() {
    let materials = Material::all(3);
    let tables = Tables::solve(&materials, |_| ());
    for material in &materials {
        for white in Square::ALL {
            for black in Square::ALL {
                for piece in Square::ALL {
                    for turn in Color::ALL {
                        if let Some(board) = material.board(&[white, black, piece], turn, None) {
                            check(&tables, &board);
                        }
                    }
                }
            }
        }
    }
    check_longest(&tables, &materials);
}

#[test]
#[ignore = "solves all four-piece endings: a minute or more, 300 MB"]
fn four_pieces_are_solved_as_the_rules_have_it() {
    let materials = Material::all(4);
    let mut last = Instant::now();
    let tables = Tables::solve(&materials, |material| {
        println!("{material}: {:.1?}", last.elapsed());
        last = Instant::now();
    });
    check_longest(&tables, &materials);
    for material in &materials {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        (0..200_000).filter_map(|_| random_board(material, &mut random)).for_each(|board| check(&tables, &board));
    }
}
