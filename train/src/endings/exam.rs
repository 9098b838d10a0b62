//! How well a network leads the search through endings whose truth is known.

use std::sync::Arc;

use endgame::{Material, Outcome, Tables};
use eval::Network;
use eval::wdl::{Model, Probabilities, material};
use movegen::{Board, Position};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rayon::prelude::*;
use search::{Limits, Score, SingleThreadedSearcher};

use crate::endings::endgames::{outcome, random_position, sign};

/// The transposition table of each search, in MiB.
const HASH_MIB: usize = 16;

/// A winning chance of this shows that a win is known.
const SURE: f64 = 0.95;

/// What was asked and answered of one material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marks {
    /// The material.
    pub material: Material,
    /// Positions asked.
    pub positions: u32,
    /// Positions in which the likeliest of win, draw and loss was the true one.
    pub right: u32,
    /// Positions won for the side to move.
    pub won: u32,
    /// Of these, how many showed a winning chance of at least 95 %.
    pub sure: u32,
}

/// Searches random positions of these materials, all equally often, with this many nodes each, and compares what it says
/// with the truth. Equal seeds ask the same questions.
#[must_use]
pub fn judge(
    tables: &Tables,
    network: &Arc<Network>,
    materials: &[Material],
    positions: usize,
    nodes: u64,
    seed: u64,
) -> Vec<Marks> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let questions: Vec<(usize, Board)> = (0..positions)
        .filter_map(|index| {
            let index = index % materials.len();
            Some((index, playable(&materials[index], &mut rng)?))
        })
        .collect();
    let searcher = || SingleThreadedSearcher::new(Arc::clone(network), HASH_MIB);
    let answers = questions.into_par_iter().map_init(searcher, |searcher, (index, board)| {
        searcher.forget();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let found = searcher.search(&Position::from(board), &limits)?;
        Some((index, outcome(tables, &board)?, chances(found.score, &board)))
    });
    let none = |material: &Material| Marks { material: material.clone(), positions: 0, right: 0, won: 0, sure: 0 };
    let mut marks: Vec<Marks> = materials.iter().map(none).collect();
    for (index, truth, Probabilities { win, draw, loss }) in answers.collect::<Vec<_>>().into_iter().flatten() {
        let likeliest = if draw >= win.max(loss) {
            0
        } else if win > loss {
            1
        } else {
            -1
        };
        let marks = &mut marks[index];
        marks.positions += 1;
        marks.right += u32::from(likeliest == sign(truth));
        if matches!(truth, Outcome::Win { .. }) {
            marks.won += 1;
            marks.sure += u32::from(win >= SURE);
        }
    }
    marks
}

/// A random position of a material in which the game goes on.
fn playable(material: &Material, rng: &mut Xoshiro256PlusPlus) -> Option<Board> {
    let mut draws = std::iter::repeat_with(|| random_position(material, rng));
    draws.find_map(|board| board.filter(Board::has_legal_move))
}

/// What a score says, as users are shown it.
fn chances(score: Score, board: &Board) -> Probabilities {
    match score {
        score if score.is_win() => Probabilities { win: 1.0, draw: 0.0, loss: 0.0 },
        score if score.is_loss() => Probabilities { win: 0.0, draw: 0.0, loss: 1.0 },
        score => Model::FITTED.wdl(score.0, material(board)),
    }
}

/// How many of this many random won positions of a material are won, with this many nodes a move, against the defence that
/// puts the mate off longest; of such moves it takes a random one. A game is over at mate, by the fifty-move rule, at
/// the third occurrence of a position, or when the win is gone.
#[must_use]
pub fn convert(
    tables: &Tables,
    network: &Arc<Network>,
    material: &Material,
    games: usize,
    nodes: u64,
    seed: u64,
) -> usize {
    let games = (0..games as u64).into_par_iter().filter(|game| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ (game << 32));
        let won = |board: &Board| matches!(outcome(tables, board), Some(Outcome::Win { .. }));
        let Some(start) = std::iter::repeat_with(|| playable(material, &mut rng)).flatten().find(won) else {
            return false;
        };
        let mut searcher = SingleThreadedSearcher::new(Arc::clone(network), HASH_MIB);
        is_converted(tables, &mut searcher, start, nodes, &mut rng)
    });
    games.count()
}

fn is_converted(
    tables: &Tables,
    searcher: &mut SingleThreadedSearcher,
    start: Board,
    nodes: u64,
    rng: &mut Xoshiro256PlusPlus,
) -> bool {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut position = Position::from(start);
    loop {
        let Some(found) = searcher.search(&position, &limits) else { return false };
        position.play(found.best);
        let board = *position.board();
        match outcome(tables, &board) {
            Some(Outcome::Loss { plies: 0 }) => return true,
            Some(Outcome::Loss { .. }) if board.halfmove_clock() < 100 && position.earlier_occurrences() < 2 => {}
            _ => return false,
        }
        let replies = board.legal_moves();
        let longest = |mv| {
            let mut after = board;
            after.play(mv, &mut ());
            match outcome(tables, &after) {
                Some(Outcome::Win { plies }) => plies,
                _ => u8::MAX,
            }
        };
        let most = replies.iter().map(|&mv| longest(mv)).max();
        let best: Vec<_> = replies.into_iter().filter(|&mv| Some(longest(mv)) == most).collect();
        position.play(best[rng.random_range(..best.len())]);
        if position.earlier_occurrences() >= 2 || position.board().halfmove_clock() >= 100 {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queen_wins_and_is_known_to() {
        let material: Material = "KQvK".parse().unwrap();
        let tables = Tables::solve(std::slice::from_ref(&material), |_| ());
        let network = Network::embedded();
        let marks = judge(&tables, &network, std::slice::from_ref(&material), 20, 3000, 1);
        let [Marks { positions, right, won, sure, .. }] = marks[..] else { panic!("{marks:?}") };
        assert_eq!(positions, 20);
        assert!(right <= positions && sure <= won && won < positions);
        assert!(right > 15, "{right}");
        assert_eq!(convert(&tables, &network, &material, 3, 3000, 1), 3);
    }

    #[test]
    fn sure_scores_are_sure_chances() {
        let board = Board::start();
        assert_eq!(chances(Score::mate_in(3), &board).win, 1.0);
        assert_eq!(chances(Score::mated_in(3), &board).loss, 1.0);
        assert_eq!(chances(Score::DRAW, &board), Model::FITTED.wdl(0, material(&board)));
    }
}
