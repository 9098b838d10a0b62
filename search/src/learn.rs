//! What a node teaches once its moves have been tried: histories, the table, and the error of the evaluation.
//!
//! Sources: the Chess Programming Wiki, "History Heuristic" and "Killer Heuristic"; what is learnt of the move before
//! follows Stockfish and Reckless.

use arrayvec::ArrayVec;
use movegen::Move;

use crate::history::{Arrival, Context, bonus, malus};
use crate::node::Node;
use crate::table::Record;
use crate::worker::{Worker, tt_key};
use crate::{Bound, Score, params};

/// The most moves of one sort whose histories a cutoff punishes.
const REMEMBERED: usize = 32;

/// Up to this move count, a move is one that its node expected much of; beyond the other one, one it expected little
/// of.
const EARLY_MOVES: usize = 3;
const LATE_MOVE: usize = 8;

/// Moves tried without success.
#[derive(Default)]
pub(crate) struct Tried {
    quiet: ArrayVec<Move, REMEMBERED>,
    noisy: ArrayVec<Move, REMEMBERED>,
}

/// The best found so far.
pub(crate) struct Best {
    pub(crate) score: Score,
    pub(crate) mv: Option<Move>,
}

impl Tried {
    /// Notes a move; a list that is full has seen enough.
    #[inline]
    pub(crate) fn push(&mut self, mv: Move, quiet: bool) {
        let list = if quiet { &mut self.quiet } else { &mut self.noisy };
        let _ = list.try_push(mv);
    }
}

impl Worker<'_> {
    /// Rewards the move that cut off and punishes those tried before it.
    pub(crate) fn reward(&mut self, node: &Node<'_>, mv: Move, best: Score, tried: &Tried) {
        let Node { board, ply, context, depth, .. } = *node;
        let threats = node.threats.by_all;
        let histories = &mut self.memory.histories;
        if board.is_noisy(mv) {
            histories.update_noisy(board, mv, bonus(depth));
        } else {
            // A cutoff by the only move tried at low depth says little.
            if depth > 2 || !tried.quiet.is_empty() {
                histories.update_quiet(board, threats, &context, mv, bonus(depth));
                histories.update_low_ply(ply, mv, bonus(depth));
            }
            // The later a move came, the less was expected of it, and the less there is to correct.
            for (index, &other) in tried.quiet.iter().enumerate() {
                let malus = malus(depth) * 16 / (16 + index as i32);
                histories.update_quiet(board, threats, &context, other, -malus);
                histories.update_low_ply(ply, other, -malus);
            }
            self.memory.stack[node.ply].killer = Some(mv);
        }
        for &other in &tried.noisy {
            self.memory.histories.update_noisy(board, other, -malus(depth));
        }
        if best >= node.beta {
            self.punish_prior_move(node);
        }
    }

    /// A move whose reduced search promised much has been searched again: its context learns what came of it, as in
    /// Stockfish.
    pub(crate) fn reward_second_look(&mut self, node: &Node<'_>, mv: Move, score: Score) {
        let Some(arrival) = Arrival::of(node.board, mv) else { return };
        let bonus = if score > node.alpha { bonus(node.depth) } else { -malus(node.depth) };
        self.memory.histories.update_continuation(&node.context, arrival, bonus);
    }

    /// The move that led here, and that no answer refuted, was a good one.
    pub(crate) fn reward_prior_move(&mut self, node: &Node<'_>) {
        let late = self.memory.stack.back(node.ply, 1).move_count > LATE_MOVE;
        let share = params::last_move_bonus() + params::late_move_bonus() * i32::from(late);
        let bonus = bonus(node.depth) * share / 1024;
        self.update_prior_move(node, bonus, true);
    }

    /// A quiet move that was tried early and is refuted was tried too early.
    pub(crate) fn punish_prior_move(&mut self, node: &Node<'_>) {
        if (1..=EARLY_MOVES).contains(&self.memory.stack.back(node.ply, 1).move_count) {
            let malus = malus(node.depth) * params::refuted_move_malus() / 1024;
            self.update_prior_move(node, -malus, true);
        }
    }

    /// A quiet move that changed the evaluation for the better is worth trying elsewhere, even before any search.
    pub(crate) fn update_eval_history(&mut self, node: &Node<'_>, now: Score) {
        let Some(before) = self.memory.stack.back(node.ply, 1).static_eval else { return };
        // Both sides' evaluations add up to what the move lost.
        let bonus = (-params::eval_history() * (before.0 + now.0) / 16).clamp(-1000, 1000);
        self.update_prior_move(node, bonus, false);
    }

    fn update_prior_move(&mut self, node: &Node<'_>, bonus: i32, in_context: bool) {
        if node.ply == 0 {
            return;
        }
        let parent = *self.memory.stack.back(node.ply, 1);
        let (Some(mv), Some(arrival)) = (parent.quiet, parent.arrival) else { return };
        let context = if in_context { self.memory.stack.context(node.ply - 1) } else { Context::default() };
        self.memory.histories.update_played(!node.board.turn(), parent.threats, &context, (mv, arrival), bonus);
    }

    /// Stores the result in the table and corrects the evaluation by it.
    pub(crate) fn remember(&mut self, node: &Node<'_>, best: &Best, first_alpha: Score) {
        let bound = if best.score >= node.beta {
            Bound::Lower
        } else if node.pv && best.score > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let record = Record {
            mv: best.mv,
            score: best.score,
            bound,
            raw_eval: node.raw_eval,
            depth: node.depth,
            pv: node.tt_pv,
        };
        self.table.store(tt_key(node.board), node.ply, &record);

        let Some(static_eval) = node.static_eval else { return };
        let learns = !best.mv.is_some_and(|mv| node.board.is_noisy(mv))
            && !best.score.is_decisive()
            && match bound {
                Bound::Exact => true,
                Bound::Lower => best.score > static_eval,
                Bound::Upper => best.score < static_eval,
            };
        if learns {
            let last = self.last_arrivals(node.ply);
            let error = best.score.0 - static_eval.0;
            self.memory.corrections.update(node.board, last, node.depth, error);
        }
    }
}
