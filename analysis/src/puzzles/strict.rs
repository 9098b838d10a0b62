//! Strict puzzles of a game: positions in which the opponent has thrown something away, each with its one solution.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use movegen::Board;
use pgn::EngineScore;

use super::exercise::Exercise;
use super::knowledge::{Kept, searched};
use super::solution::{Goal, solution};
use crate::model::{Game, Side};
use crate::search::analyst::SearchMethod;

/// The puzzles of a game for these sides: by what its analysis has kept, or by searches.
pub(super) fn puzzles(game: &Game, sides: &[Side], method: Option<&SearchMethod>, stop: &AtomicBool) -> Vec<Exercise> {
    let kept = Kept::of(game);
    let find = |index: usize| {
        let (board, goal) = candidate(game, index, sides)?;
        let moves = solution(&board, goal, |board| match method {
            None => kept.choice(board),
            Some(method) => searched(method, board, stop),
        })?;
        Exercise::strict(game, index, &board, &moves)
    };
    (1..game.positions.len()).take_while(|_| !stop.load(Relaxed)).filter_map(find).collect()
}

/// A position after a move of the game, and what its side can reach.
fn candidate(game: &Game, index: usize, sides: &[Side]) -> Option<(Board, Goal)> {
    let [before, after] = [&game.positions[index - 1], &game.positions[index]];
    // What stood on the board before is no puzzle: the solution may lead back to it.
    let place = |fen: &str| fen.split(' ').take(4).map(str::to_owned).collect::<Vec<_>>();
    let is_new = game.positions[..index].iter().all(|other| place(&other.fen) != place(&after.fen));
    if !sides.contains(&after.turn) || !is_new || after.end.is_some() {
        return None;
    }
    let board = Board::from_fen(&after.fen).ok()?;
    let score = |analysis: &crate::model::Analysis| -> EngineScore { analysis.score.relative_to(board.turn()) };
    let goal = Goal::of(&board, score(before.analysis.as_ref()?), score(after.analysis.as_ref()?))?;
    Some((board, goal))
}
