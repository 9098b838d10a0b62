//! History updates of the move that led to a node, if it was quiet.
//!
//! - The node failed low: a bonus, larger if the move came late in its order, and where the score lies far below the
//!   evaluation.
//! - The node failed high and the move came early: a malus.
//! - The evaluation changed: `-(eval before + eval now) * rate`, before anything is searched.
//!
//! Source: Stockfish and Reckless.

use crate::history::piece_to::Context;
use crate::history::stat::{bonus, malus};
use crate::state::worker::Worker;
use crate::tree::node::{Node, Unevaluated};
use crate::types::params;
use crate::types::score::Score;

impl Worker<'_> {
    /// The node failed low, with the score `best`.
    pub(crate) fn prior_move_bonus(&mut self, node: &Node<'_>, best: Score) {
        let is_late = self.data.stack.back(node.ply, 1).move_count > params::late_move_count() as usize;
        let is_far_below =
            node.evaluation.static_eval.is_some_and(|eval| best <= eval - params::far_below_eval_margin());
        let share = params::last_move_bonus()
            + params::late_move_bonus() * i32::from(is_late)
            + params::far_below_eval_bonus() * i32::from(is_far_below);
        let bonus = bonus(node.depth) * share / 1024;
        self.update_prior_move(node, bonus, true);
    }

    /// The node failed high.
    pub(crate) fn prior_move_malus(&mut self, node: &Unevaluated<'_>) {
        let early = 1..=params::early_move_count() as usize;
        if early.contains(&self.data.stack.back(node.ply, 1).move_count) {
            let malus = malus(node.depth) * params::refuted_move_malus() / 1024;
            self.update_prior_move(node, -malus, true);
        }
    }

    /// The evaluation is known.
    pub(crate) fn update_eval_history(&mut self, node: &Unevaluated<'_>, now: Score) {
        let Some(before) = self.data.stack.back(node.ply, 1).static_eval else { return };
        let limit = params::eval_history_max();
        // The sum of both sides' evaluations is what the move lost.
        let bonus = (-params::eval_history() * (before.0 + now.0) / 16).clamp(-limit, limit);
        self.update_prior_move(node, bonus, false);
    }

    fn update_prior_move(&mut self, node: &Unevaluated<'_>, bonus: i32, in_context: bool) {
        if node.ply == 0 {
            return;
        }
        let parent = *self.data.stack.back(node.ply, 1);
        let (Some(mv), Some(piece_to)) = (parent.quiet, parent.piece_to) else { return };
        let context = if in_context { self.data.stack.context(node.ply - 1) } else { Context::default() };
        self.data.histories.update_played(!node.board.turn(), parent.threats, &context, (mv, piece_to), bonus);
    }
}
