//! Thread voting: which thread's move is played.
//!
//! Each thread votes for its move with weight `(score - lowest score + base) * depth`.
//!
//! Source: Stockfish.

use std::collections::HashMap;

use movegen::Move;

use crate::root::root_search::ThreadResult;
use crate::types::params;

/// The result to play: that of the move with the most votes, or of the highest score if that is decisive.
pub(crate) fn vote(results: &[ThreadResult]) -> Option<&ThreadResult> {
    // A thread that has not completed an iteration does not vote, unless none has.
    let any = results.iter().any(|result| result.depth > 0);
    let results: Vec<_> = results.iter().filter(|result| result.depth > 0 || !any).collect();
    let least = results.iter().map(|result| result.best.score).min()?;
    let weight = |result: &ThreadResult| {
        i64::from(result.best.score.0 - least.0 + params::vote_base()) * i64::from(result.depth.max(1))
    };
    let mut votes: HashMap<Move, i64> = HashMap::new();
    for result in &results {
        *votes.entry(result.best.mv).or_default() += weight(result);
    }
    // Of equals the main thread's is played, since its lines are the ones reported.
    results.into_iter().rev().max_by_key(|result| {
        let score = result.best.score;
        let decisive = if score.is_decisive() { score.0 } else { 0 };
        (decisive, votes.get(&result.best.mv).copied().unwrap_or_default(), weight(result))
    })
}

#[cfg(test)]
mod tests {
    use movegen::Board;

    use super::*;
    use crate::state::root_move::RootMove;
    use crate::types::score::Score;

    fn result(board: &Board, index: usize, depth: i32, score: Score) -> ThreadResult {
        let mut best = RootMove::new(board.legal_moves()[index]);
        best.score = score;
        ThreadResult { depth, best }
    }

    #[test]
    fn the_move_with_most_weight_wins_and_a_mate_beats_it() {
        let board = Board::start();
        let mut results =
            vec![result(&board, 0, 10, Score(20)), result(&board, 1, 10, Score(20)), result(&board, 1, 10, Score(18))];
        assert_eq!(vote(&results).unwrap().best.mv, board.legal_moves()[1]);
        results.push(result(&board, 2, 8, Score::mate_in(5)));
        assert_eq!(vote(&results).unwrap().best.mv, board.legal_moves()[2]);
        assert!(vote(&[]).is_none());
    }

    #[test]
    fn of_equals_the_first_is_chosen() {
        let board = Board::start();
        let results = [result(&board, 3, 10, Score(5)), result(&board, 4, 10, Score(5))];
        assert_eq!(vote(&results).unwrap().best.mv, board.legal_moves()[3]);
    }
}
