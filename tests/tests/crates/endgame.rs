//! Solved endings against Syzygy tables.

use endgame::{Material, Outcome, Tables};
use movegen::{Board, Color, FenStyle, Piece, PieceType, Rank, Square};
use rayon::prelude::*;
use search::{Tablebase, Wdl};
use tests::data::{announce, test_data};
use tests::play::Random;

/// Positions tried of each material of four pieces, legal or not.
const TRIES: usize = 1_000_000;
/// The materials of four pieces of which all positions are tried, up to symmetry.
const WHOLE: [&str; 4] = ["KBNvK", "KQvKR", "KRvKN", "KPvKP"];

fn compare(solved: &Tables, tables: &Tablebase, board: &Board) {
    let expected = match tables.wdl(board).expect("all tables of four pieces") {
        Wdl::Win => 1,
        Wdl::Draw => 0,
        Wdl::Loss => -1,
        wdl => panic!("the fifty-move rule changes nothing with four pieces: {wdl:?}"),
    };
    let found = match solved.probe(board).expect("a solved material") {
        Outcome::Win { .. } => 1,
        Outcome::Draw => 0,
        Outcome::Loss { .. } => -1,
    };
    assert_eq!(found, expected, "{}", board.fen(FenStyle::Standard));
}

/// The positions with the pieces on these squares, either side to move, with and without en passant: how many are legal.
fn compare_at(solved: &Tables, tables: &Tablebase, material: &Material, squares: &[Square]) -> u64 {
    let mut count = 0;
    for turn in Color::ALL {
        let pawn = Piece::new(!turn, PieceType::Pawn);
        let passed = material.others().iter().position(|&piece| piece == pawn).map(|index| squares[index + 2]);
        let passed = passed.filter(|square| square.rank() == Rank::Four.relative_to(!turn));
        let behind = passed.map(|square| Square::new(square.file(), Rank::Three.relative_to(!turn)));
        for en_passant in [Some(None), behind.map(Some)].into_iter().flatten() {
            if let Some(board) = material.board(squares, turn, en_passant) {
                compare(solved, tables, &board);
                count += 1;
            }
        }
    }
    count
}

/// All positions of a material up to symmetry.
fn compare_all(solved: &Tables, tables: &Tablebase, material: &Material) -> u64 {
    let files = |square: &Square| (*square as u8 & 7) < 4;
    let ranks = |square: &Square| material.has_pawns() || (*square as u8 >> 3) < 4;
    let kings: Vec<_> = Square::ALL.into_iter().filter(files).filter(ranks).collect();
    let kings = kings.par_iter().flat_map_iter(|&white| Square::ALL.map(|black| [white, black]));
    let count = kings.map(|[white, black]| {
        let others = 1 << (6 * (material.count() - 2));
        let squares =
            |index: u32| [white, black, Square::from_index(index as u8), Square::from_index((index >> 6) as u8)];
        (0..others).map(|index| compare_at(solved, tables, material, &squares(index)[..material.count()])).sum::<u64>()
    });
    count.sum()
}

#[test]
fn three_pieces_equal_the_tables() {
    let Some(folder) = test_data("three_pieces_equal_the_tables") else { return };
    let tables = Tablebase::open(&[folder.join("syzygy")]);
    let materials = Material::all(3);
    let solved = Tables::solve(&materials, |_| ());
    let count: u64 = materials.iter().map(|material| compare_all(&solved, &tables, material)).sum();
    assert!(count > 500_000, "{count}");
}

#[test]
#[ignore = "solves all endings of four pieces, a minute of two cores, and compares for some more"]
fn four_pieces_equal_the_tables() {
    let Some(folder) = test_data("four_pieces_equal_the_tables") else { return };
    let tables = Tablebase::open(&[folder.join("syzygy")]);
    let materials = Material::all(4);
    let solved = Tables::solve(&materials, |_| ());
    let mut random = Random::new(19);
    for material in &materials {
        let count = if WHOLE.contains(&material.to_string().as_str()) {
            compare_all(&solved, &tables, material)
        } else {
            let mut square = || Square::from_index(random.below(64) as u8);
            (0..TRIES).map(|_| compare_at(&solved, &tables, material, &[square(), square(), square(), square()])).sum()
        };
        announce(&format!("{material}: {count} positions equal"));
        assert!(count > 100_000, "{material}: {count}");
    }
}
