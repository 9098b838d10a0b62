//! History updates: a bonus for the best move, a malus for the moves tried before it.
//!
//! The bonus is larger the more moves were tried in vain. The malus of the n-th quiet move is
//! `malus * fading / (fading + n)`: less was expected of it.
//!
//! Source: J. Schaeffer, "The History Heuristic" (1983); the Chess Programming Wiki, "History Heuristic" and "Killer
//! Heuristic".

use arrayvec::ArrayVec;
use movegen::Move;

use crate::history::piece_to::PieceTo;
use crate::history::stat::{bonus, malus};
use crate::state::worker::Worker;
use crate::tree::node::{Node, Unevaluated};
use crate::types::params;
use crate::types::score::Score;

/// The most moves of each sort that get a malus.
const MAX_TRIED: usize = 32;

/// The moves tried that were not the best.
#[derive(Default)]
pub(crate) struct Tried {
    quiet: ArrayVec<Move, MAX_TRIED>,
    noisy: ArrayVec<Move, MAX_TRIED>,
}

impl Tried {
    /// Notes a move, unless the list is full.
    #[inline]
    pub(crate) fn push(&mut self, mv: Move, quiet: bool) {
        let list = if quiet { &mut self.quiet } else { &mut self.noisy };
        let _ = list.try_push(mv);
    }

    /// How many moves are in the lists.
    fn count(&self) -> i32 {
        (self.quiet.len() + self.noisy.len()) as i32
    }
}

impl Worker<'_> {
    /// Updates histories and killer after `mv` proved best.
    pub(crate) fn update_histories(&mut self, node: &Node<'_>, mv: Move, best: Score, tried: &Tried) {
        let Unevaluated { board, ply, context, depth, .. } = **node;
        let threats = node.threats().by_all;
        let bonus = bonus(depth) + params::history_bonus_tried() * tried.count().min(params::history_bonus_tried_max());
        let histories = &mut self.data.histories;
        if board.is_noisy(mv) {
            histories.update_noisy(board, mv, bonus * params::noisy_bonus_share() / 1024);
        } else {
            // A cutoff by the only move tried at low depth says little.
            if depth > params::history_bonus_depth() || !tried.quiet.is_empty() {
                histories.update_quiet(board, threats, &context, mv, bonus);
                histories.update_low_ply(ply, mv, bonus);
            }
            let fading = params::malus_fading();
            for (index, &other) in tried.quiet.iter().enumerate() {
                let malus = malus(depth) * fading / (fading + index as i32);
                histories.update_quiet(board, threats, &context, other, -malus);
                histories.update_low_ply(ply, other, -malus);
            }
            self.data.stack[node.ply].killer = Some(mv);
        }
        for &other in &tried.noisy {
            self.data.histories.update_noisy(board, other, -malus(depth) * params::noisy_malus_share() / 1024);
        }
        if best >= node.beta {
            self.prior_move_malus(node);
        }
    }

    /// Updates continuation history after a quiet move beat alpha at reduced depth and was searched again.
    pub(crate) fn update_after_second_search(&mut self, node: &Node<'_>, mv: Move, score: Score) {
        let Some(piece_to) = PieceTo::of(node.board, mv) else { return };
        let bonus = if score > node.alpha { bonus(node.depth) } else { -malus(node.depth) };
        self.data.histories.update_continuation(&node.context, piece_to, bonus);
    }
}
