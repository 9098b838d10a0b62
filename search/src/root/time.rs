//! Time management between iterations: by the nodes spent on the best move, its stability and its score.
//!
//! `soft limit * (2.3 - 1.7 * share of nodes) * by stability * (1 + fall / 120)`. The limits themselves are in
//! [`clock`](crate::state::clock).
//!
//! Source: the Chess Programming Wiki, "Time Management"; node fraction and stability follow Stash and Stockfish. Not
//! measured by itself.

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
    last_score: i32,
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
        let fall = stability.last_score - best.score.0;
        stability.best_move = if same_move { stability.best_move + 1 } else { 0 };
        stability.last_score = best.score.0;
        if !worker.job.clock.saves_time() {
            return false;
        }
        let forced = worker.root.moves.len() == 1 && depth >= params::time_forced_depth();
        let scale = time_scale(worker, stability.best_move, fall);
        worker.watch.has_thought_enough = forced || worker.job.clock.is_spent(scale, total(&worker.job.counts));
        worker.watch.has_thought_enough && !worker.job.control.is_pondering()
    }
}

/// The factor on the usual time: above 1 if the best move changes or its score falls, below if all nodes go into one
/// move that keeps its score.
fn time_scale(worker: &Worker<'_>, stable_for: u32, fall: i32) -> f64 {
    let effort = worker.root.moves[0].nodes as f64 / worker.watch.nodes.max(1) as f64;
    let by_stability = [
        params::time_stability_0(),
        params::time_stability_1(),
        params::time_stability_2(),
        params::time_stability_3(),
        params::time_stability_4(),
        params::time_stability_5(),
    ];
    let by_effort = (percent(params::time_effort_base()) - percent(params::time_effort()) * effort)
        .max(percent(params::time_effort_least()));
    let by_best_move_stability = percent(by_stability[(stable_for as usize).min(by_stability.len() - 1)]);
    let by_score_stability = (1.0 + f64::from(fall) / f64::from(params::time_fall()))
        .clamp(percent(params::time_rise_least()), percent(params::time_fall_most()));
    by_effort * by_best_move_stability * by_score_stability
}
