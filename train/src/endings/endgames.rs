//! Positions of three and four pieces to learn from, with the truth about them.
//!
//! Games hardly ever reach most of them, and what is played there at some hundred nodes a move is often wrong. Solved
//! ([`endgame`]), they can be drawn at random, and their results are exact. Their scores say besides how near the mate
//! is: a network that learns them leads the search towards it.

use std::io;
use std::path::Path;

use endgame::{Material, Outcome, Tables};
use movegen::{Board, Color, Piece, PieceType, Rank, Square};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::games::game::GameResult;
use crate::records::record::{RawRecord, Record, RecordWriter};

/// The score of a mate on the board, in centipawns.
const MATE_SCORE: i16 = 1600;
/// Centipawns less for each half-move that the mate is away. The longest mate, in 85 half-moves, keeps 580, which with
/// the share of the result still is a clear win; at more a half-move it would not be, and at less, or with higher
/// scores, the differences would vanish where winning chances are close to 1 anyway.
const PLY_COST: i16 = 12;

/// How often a material is drawn: those that are hard to judge more often than those that need no knowledge, or where
/// a search sees the end.
const WEIGHTS: [(&str, u32); 35] = [
    ("KQvK", 2),
    ("KRvK", 4),
    ("KBvK", 1),
    ("KNvK", 1),
    ("KPvK", 8),
    ("KQQvK", 1),
    ("KQRvK", 1),
    ("KQBvK", 1),
    ("KQNvK", 1),
    ("KQPvK", 2),
    ("KRRvK", 1),
    ("KRBvK", 1),
    ("KRNvK", 1),
    ("KRPvK", 2),
    ("KBBvK", 4),
    ("KBNvK", 16),
    ("KBPvK", 8),
    ("KNNvK", 2),
    ("KNPvK", 6),
    ("KPPvK", 4),
    ("KQvKQ", 4),
    ("KQvKR", 6),
    ("KQvKB", 3),
    ("KQvKN", 4),
    ("KQvKP", 8),
    ("KRvKR", 4),
    ("KRvKB", 6),
    ("KRvKN", 6),
    ("KRvKP", 10),
    ("KBvKB", 2),
    ("KBvKN", 2),
    ("KBvKP", 6),
    ("KNvKN", 2),
    ("KNvKP", 8),
    ("KPvKP", 12),
];

/// A random arrangement of these pieces, either side to move; where a pawn may just have made a double step, it has in
/// half of the cases. `None` if it breaks the rules.
#[must_use]
pub fn random_position(material: &Material, rng: &mut Xoshiro256PlusPlus) -> Option<Board> {
    let squares: Vec<_> = (0..material.count()).map(|_| Square::from_index(rng.random_range(..64))).collect();
    let turn = if rng.random() { Color::White } else { Color::Black };
    let pawn = Piece::new(!turn, PieceType::Pawn);
    let passed = material.others().iter().position(|&piece| piece == pawn).map(|index| squares[index + 2]);
    let passed = passed.filter(|square| square.rank() == Rank::Four.relative_to(!turn) && rng.random());
    let en_passant = passed.map(|square| Square::new(square.file(), Rank::Three.relative_to(!turn)));
    let board = material.board(&squares, turn, en_passant)?;
    // The tables' White is the stronger side.
    Some(if rng.random() { board } else { board.flipped() })
}

/// How a position ends, for the side to move; `None` if its pieces are not solved.
#[must_use]
pub fn outcome(tables: &Tables, board: &Board) -> Option<Outcome> {
    if board.occupied().count() == 2 { Some(Outcome::Draw) } else { tables.probe(board) }
}

/// Win, draw or loss: 1, 0 or -1.
#[must_use]
pub const fn sign(outcome: Outcome) -> i16 {
    match outcome {
        Outcome::Win { .. } => 1,
        Outcome::Draw => 0,
        Outcome::Loss { .. } => -1,
    }
}

/// The score to be learned for an outcome, in centipawns.
#[must_use]
pub const fn score(outcome: Outcome) -> i16 {
    match outcome {
        Outcome::Win { plies } => MATE_SCORE - PLY_COST * plies as i16,
        Outcome::Draw => 0,
        Outcome::Loss { plies } => PLY_COST * plies as i16 - MATE_SCORE,
    }
}

/// Whether a position says something about the board as it stands: the side to move is not in check, and some move that
/// is neither capture nor promotion keeps its result.
#[must_use]
pub fn is_stable(tables: &Tables, board: &Board, result: i16) -> bool {
    !board.in_check()
        && board.legal_moves().into_iter().filter(|&mv| !board.is_noisy(mv)).any(|mv| {
            let mut after = *board;
            after.play(mv, &mut ());
            outcome(tables, &after).is_some_and(|outcome| sign(outcome) == -result)
        })
}

/// The record of a solved position, if it is worth learning from.
fn record(tables: &Tables, board: &Board) -> Option<RawRecord> {
    let outcome = outcome(tables, board)?;
    if !is_stable(tables, board, sign(outcome)) {
        return None;
    }
    let side = if board.turn() == Color::White { 1 } else { -1 };
    let result = GameResult::ALL[(1 + side * sign(outcome)) as usize];
    Some(Record::new(board, side * score(outcome), Some(result)).0)
}

/// Writes a file of records of this many solved positions, in random order; equal seeds give equal files.
///
/// # Errors
///
/// If the file cannot be written.
pub fn write_solved(tables: &Tables, path: &Path, positions: u64, seed: u64, progress: impl Fn()) -> io::Result<()> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let known: Vec<_> = tables.materials().map(|material| (material, weight(material))).collect();
    let total: u32 = known.iter().map(|(_, weight)| weight).sum();
    let mut writer = RecordWriter::create(path)?;
    for _ in 0..positions {
        let mut left = rng.random_range(..total);
        let chosen = known.iter().find(|(_, weight)| {
            let is_it = left < *weight;
            left = left.saturating_sub(*weight);
            is_it
        });
        let Some((material, _)) = chosen else { continue };
        let found = std::iter::repeat_with(|| record(tables, &random_position(material, &mut rng)?)).flatten().next();
        writer.write(&found.into_iter().collect::<Vec<_>>())?;
        progress();
    }
    writer.finish().map(drop)
}

fn weight(material: &Material) -> u32 {
    let name = material.to_string();
    WEIGHTS.iter().find(|(known, _)| *known == name).map_or(1, |(_, weight)| *weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::record::{RECORD_LEN, RecordFile};

    fn tables() -> Tables {
        Tables::solve(&Material::all(3), |_| ())
    }

    #[test]
    fn every_material_has_a_weight() {
        for material in Material::all(4) {
            assert!(WEIGHTS.iter().any(|(name, _)| *name == material.to_string()), "{material}");
        }
        assert_eq!(WEIGHTS.len(), Material::all(4).len());
    }

    #[test]
    fn nearer_mates_score_more() {
        assert_eq!(score(Outcome::Win { plies: 1 }), -score(Outcome::Loss { plies: 1 }));
        assert!(score(Outcome::Win { plies: 1 }) > score(Outcome::Win { plies: 3 }));
        assert!(score(Outcome::Win { plies: 85 }) > 500);
        assert_eq!(score(Outcome::Draw), 0);
    }

    #[test]
    fn positions_that_a_capture_decides_are_not_stable() {
        let tables = tables();
        for (fen, expected) in [
            ("8/8/8/4k3/8/8/8/3RK3 w - - 0 1", true),
            ("8/8/8/4k3/8/8/8/3RK3 b - - 0 1", true),
            // The rook is lost unless it is taken: only the capture draws.
            ("8/8/8/8/8/8/3k4/3R3K b - - 0 1", false),
            // In check.
            ("8/8/8/3k4/8/8/8/3RK3 b - - 0 1", false),
            // Mate and stalemate have no move.
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", false),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false),
        ] {
            let board = Board::from_fen(fen).unwrap();
            let result = sign(outcome(&tables, &board).unwrap());
            assert_eq!(is_stable(&tables, &board, result), expected, "{fen}");
        }
    }

    #[test]
    fn solved_records_are_right_and_equal_for_equal_seeds() {
        let folder = tempfile::tempdir().unwrap();
        let tables = tables();
        let write = |name: &str, seed| {
            let path = folder.path().join(name);
            write_solved(&tables, &path, 500, seed, || ()).unwrap();
            let mut records = vec![[0; RECORD_LEN]; 500];
            let mut file = RecordFile::open(&path).unwrap();
            assert_eq!(file.count(), 500);
            file.read(&mut records).unwrap();
            records
        };
        let records = write("one", 1);
        assert_eq!(records, write("two", 1));
        assert_ne!(records, write("three", 2));
        for record in records.into_iter().map(Record) {
            let mut setup = movegen::Setup::EMPTY;
            record.pieces().for_each(|(piece, square)| setup.pieces[square as usize] = Some(piece));
            let (board, _) = Board::from_setup(&setup).unwrap();
            let outcome = tables.probe(&board).unwrap();
            assert_eq!(record.score(), score(outcome));
            assert_eq!(record.result(), Some(f32::from(1 + sign(outcome)) / 2.0));
            assert!(!board.in_check());
        }
    }
}
