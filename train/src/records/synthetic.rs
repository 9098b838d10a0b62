//! Games and positions made up on the spot, for tests and for measuring the trainer without data.

use movegen::{Board, Color, PieceType};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::games::game::{Game, GameResult, ScoredMove};
use crate::records::record::{RawRecord, Record};

/// Half-moves after which a game is broken off.
const MAX_LENGTH: usize = 160;

/// What pieces are worth in centipawns, from pawn to king.
const WORTH: [i16; 6] = [100, 300, 300, 500, 900, 0];

/// Games of random moves from the start position, equal for equal seeds, scored by the pieces on the board.
///
/// The side with more pieces at the end wins.
#[must_use]
pub fn random_games(seed: u64, count: usize) -> Vec<Game> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count).map(|_| random_game(&mut rng)).collect()
}

/// Positions of random games, in random order.
#[must_use]
pub fn random_records(seed: u64, count: usize) -> Vec<RawRecord> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut records = Vec::with_capacity(count + MAX_LENGTH);
    while records.len() < count {
        let game = random_game(&mut rng);
        for step in game.replay().skip(8).flatten() {
            records.push(Record::new(&step.board, step.score, game.result).0);
        }
    }
    crate::records::shuffle::shuffle(&mut records, &mut rng);
    records.truncate(count);
    records
}

fn random_game(rng: &mut Xoshiro256PlusPlus) -> Game {
    let start = Board::start();
    let mut board = start;
    let mut moves = Vec::new();
    while moves.len() < MAX_LENGTH {
        let legal = board.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[rng.random_range(..legal.len())];
        moves.push(ScoredMove { mv, score: material(&board) });
        board.play(mv, &mut ());
    }
    let result = match material(&board) {
        ..=-200 => GameResult::BlackWins,
        -199..=199 => GameResult::Draw,
        200.. => GameResult::WhiteWins,
    };
    Game { start, result: Some(result), moves }
}

/// White's pieces less Black's, in centipawns.
fn material(board: &Board) -> i16 {
    let worth = |color| -> i16 {
        PieceType::ALL
            .into_iter()
            .map(|kind| WORTH[kind as usize] * board.colored_pieces(color, kind).count() as i16)
            .sum()
    };
    worth(Color::White) - worth(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_games() {
        assert_eq!(random_games(7, 5), random_games(7, 5));
        assert_ne!(random_games(7, 5), random_games(8, 5));
        assert_eq!(random_records(7, 500), random_records(7, 500));
    }

    #[test]
    fn all_results_occur() {
        let games = random_games(9, 200);
        for result in GameResult::ALL {
            assert!(games.iter().any(|game| game.result == Some(result)), "{result:?}");
        }
    }
}
