//! Random balanced openings for matches and self-play.

use movegen::{Board, Move, PieceType, Position};
use rand::RngExt;
use rand::seq::IteratorRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::thread::single::SingleThreadedSearcher;
use crate::types::limits::Limits;

/// How a random move is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RandomMoves {
    /// Evenly from all legal moves.
    Uniform,
    /// First the type of piece by these weights, in the order of [`PieceType::ALL`], then evenly one of its moves.
    ByPiece([u32; PieceType::ALL.len()]),
}

impl RandomMoves {
    /// A legal move; `None` if there is none.
    #[must_use]
    pub fn draw(self, board: &Board, random: &mut Xoshiro256PlusPlus) -> Option<Move> {
        let moves = board.legal_moves().into_iter();
        let Self::ByPiece(weights) = self else { return moves.choose(random) };
        let mut moves_of: [Vec<Move>; PieceType::ALL.len()] = Default::default();
        for mv in moves {
            moves_of[board.piece_on(mv.from())?.piece_type() as usize].push(mv);
        }
        let weight = |kind: usize| if moves_of[kind].is_empty() { 0 } else { weights[kind] };
        let total: u32 = (0..moves_of.len()).map(weight).sum();
        if total == 0 {
            return None;
        }
        let mut number = random.random_range(..total);
        let kind = (0..moves_of.len()).find(|&kind| {
            let weight = weight(kind);
            let is_drawn = number < weight;
            number = number.wrapping_sub(weight);
            is_drawn
        })?;
        moves_of[kind].iter().copied().choose(random)
    }
}

/// `plies` random moves, or one more so that either side gets to move first; `None` if they end the game.
#[must_use]
pub fn random_opening(
    start: &Board,
    plies: usize,
    moves: RandomMoves,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Position> {
    let mut position = Position::from(*start);
    for _ in 0..plies + random.random_range(0..=1) {
        position.play(moves.draw(position.board(), random)?);
    }
    position.board().has_legal_move().then_some(position)
}

/// Whether neither side stands better than `most_score`, in the network's centipawns, after a search within `limits`.
#[must_use]
pub fn is_balanced(
    position: &Position,
    searcher: &mut SingleThreadedSearcher,
    limits: &Limits,
    most_score: i32,
) -> bool {
    searcher.search(position, limits).is_some_and(|found| found.score.0.abs() <= most_score)
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn random_moves_are_weighted_by_piece() {
        let moves = RandomMoves::ByPiece([35, 15, 15, 5, 15, 15]);
        let board = Board::from_fen("7k/8/8/8/8/8/P7/KQ6 w - - 0 1").unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut drawn = [0; PieceType::ALL.len()];
        for _ in 0..6500 {
            let mv = moves.draw(&board, &mut random).unwrap();
            assert!(board.legal_moves().contains(&mv));
            drawn[board.piece_on(mv.from()).unwrap().piece_type() as usize] += 1;
        }
        // 35, 15 and 15 of 65: a pawn, a queen and a king are all there is.
        let [pawn, knight, bishop, rook, queen, king] = drawn;
        assert!((3350..3650).contains(&pawn), "{drawn:?}");
        assert!((1350..1650).contains(&queen) && (1350..1650).contains(&king), "{drawn:?}");
        assert_eq!([knight, bishop, rook], [0, 0, 0]);
        let stalemate = Board::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(moves.draw(&stalemate, &mut random), None);
        assert_eq!(RandomMoves::Uniform.draw(&stalemate, &mut random), None);
    }

    #[test]
    fn openings_have_as_many_moves_as_asked_for_or_one_more() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let openings = (0..100).filter_map(|_| random_opening(&Board::start(), 4, RandomMoves::Uniform, &mut random));
        let plies: Vec<_> = openings.map(|position| position.board().ply()).collect();
        assert!(plies.len() > 90 && plies.contains(&4) && plies.contains(&5));
        assert!(plies.iter().all(|ply| (4..=5).contains(ply)));
    }
}
