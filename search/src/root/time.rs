//! Time management between iterations: by the nodes spent on the best move, its stability and its score.
//!
//! `soft limit * (base - rate * share of nodes) * by stability of best move and score * (1 + fall / divisor + fall since
//! the last move / divisor) * (1 + changes of the best move) * less for a recapture`. The limits themselves are in
//! [`clock`](crate::state::clock).
//!
//! Source: the Chess Programming Wiki, "Time Management"; node fraction and stability follow Stash and Stockfish, the
//! score of the last move Stockfish, changes within iterations and recaptures Reckless.

use movegen::{Board, Move};

use crate::ordering::see::see_ge;
use crate::root::root_search::RootSearch;
use crate::state::clock::percent;
use crate::state::control::total;
use crate::state::worker::Worker;
use crate::types::params;
use crate::types::score::Bound;

/// The stability of the main thread's choice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stability {
    /// Iterations since the best move last changed.
    best_move: u32,
    /// Iterations since the score last left its average.
    score: u32,
    last_score: i32,
    /// How far the score has fallen since the last iteration.
    fall: i32,
}

impl RootSearch<'_> {
    /// Whether the main thread should begin no further iteration.
    pub(crate) fn is_done(&mut self, depth: i32, same_move: bool, stability: &mut Stability) -> bool {
        let worker = &mut self.worker;
        let best = &worker.root.moves[0];
        if let Some(wanted) = worker.job.limits.mate
            && let Some(moves) = best.score.moves_to_mate()
            && best.bound == Bound::Exact
            && if wanted < 0 { (wanted..=0).contains(&moves) } else { (1..=wanted).contains(&moves) }
        {
            return true;
        }
        worker.watch.publish();
        if worker.job.limits.soft_nodes.is_some_and(|limit| total(&worker.job.counts) >= limit) {
            return true;
        }
        stability.best_move = if same_move { stability.best_move + 1 } else { 0 };
        let deviation = best.average.map_or(0, |average| (best.score.0 - average).abs());
        stability.score = if deviation < params::time_stable_score() { stability.score + 1 } else { 0 };
        stability.fall = if depth > 1 { stability.last_score - best.score.0 } else { 0 };
        stability.last_score = best.score.0;
        if !worker.job.clock.saves_time() {
            return false;
        }
        let forced = worker.root.moves.len() == 1 && depth >= params::time_forced_depth();
        let scale = time_scale(worker, stability);
        worker.watch.has_thought_enough = forced || worker.job.clock.is_spent(scale, total(&worker.job.counts));
        worker.watch.has_thought_enough && !worker.job.control.is_pondering()
    }
}

/// The factor on the usual time: above 1 if the best move changes or its score falls, below if all nodes go into one
/// move that keeps its score, or into a recapture.
fn time_scale(worker: &Worker<'_>, stability: &Stability) -> f64 {
    let best = &worker.root.moves[0];
    let effort = best.nodes as f64 / worker.watch.nodes.max(1) as f64;
    let by_effort = (percent(params::time_effort_base()) - percent(params::time_effort()) * effort)
        .max(percent(params::time_effort_least()));
    let stable_for = stability.best_move as usize;
    let by_best_move = [
        params::time_stability_0(),
        params::time_stability_1(),
        params::time_stability_2(),
        params::time_stability_3(),
        params::time_stability_4(),
        params::time_stability_5(),
    ];
    let by_best_move_stability = percent(by_best_move[stable_for.min(by_best_move.len() - 1)]);
    let stable_score_for = f64::from(stability.score).min(f64::from(params::time_score_stability_most()));
    let by_score_stability =
        percent(params::time_score_stability()) - percent(params::time_score_stability_fall()) * stable_score_for;
    let last_search = worker.last_search();
    let fall_since_move = last_search.map_or(0, |last| last.score.0 - best.score.0);
    let by_score = (1.0
        + f64::from(stability.fall) / f64::from(params::time_fall())
        + f64::from(fall_since_move) / f64::from(params::time_fall_since_move()))
    .clamp(percent(params::time_rise_least()), percent(params::time_fall_most()));
    let changes = worker.root.best_move_changes.min(f64::from(params::time_changes_most()));
    let by_changes = percent(params::time_changes_base()) + percent(params::time_changes()) * changes;
    let is_recapture = last_search.is_some_and(|last| recaptures(worker.job.position.board(), best.mv, &last.board));
    let by_recapture = if is_recapture { percent(params::time_recapture()) } else { 1.0 };
    by_effort * by_best_move_stability * by_score_stability * by_score * by_changes * by_recapture
}

/// Whether a move recaptures, at no loss, on a square where the opponent has just captured; `before` is the board before
/// the opponent's move.
fn recaptures(board: &Board, mv: Move, before: &Board) -> bool {
    let us = board.turn();
    before.colors(us).contains(mv.to()) && board.colors(!us).contains(mv.to()) && see_ge(board, mv, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taking_back_is_told_from_taking_and_from_losing() {
        let mut board = Board::from_fen("4k3/2p5/3p4/8/4p3/5N2/4P3/4K3 b - - 0 1").unwrap();
        let before = board;
        board.play(board.parse_uci("e4f3").unwrap(), &mut ());
        assert!(recaptures(&board, board.parse_uci("e2f3").unwrap(), &before));
        assert!(!recaptures(&board, board.parse_uci("e1f2").unwrap(), &before));
        assert!(!recaptures(&board, board.parse_uci("e2f3").unwrap(), &board));
    }
}
