//! Late move reductions: how much shallower to search a move that comes late in the order, and when to search it again.
//!
//! Sources: the Chess Programming Wiki, "Late Move Reductions"; the deeper and shallower second search and
//! most terms follow Stockfish and Reckless.

use movegen::Move;

use crate::node::{Node, NodeKind, NonPv, Visit};
use crate::worker::Worker;
use crate::{Score, params};

/// Natural logarithms in 1/1024, by integers alone so that they are equal on every machine.
static LOGARITHM: [i32; 256] = {
    let mut table = [0; 256];
    let mut number = 1;
    while number < table.len() {
        table[number] = logarithm(number as u64);
        number += 1;
    }
    table
};

/// Squaring a number between 1 and 2 doubles its binary logarithm: each time it passes 2, the next bit is 1.
const fn logarithm(number: u64) -> i32 {
    const BITS: u32 = 20;
    /// The natural logarithm of 2, in 1/65536.
    const LN_2: u64 = 45_426;
    let whole = number.ilog2();
    let mut binary = whole as u64;
    let mut rest = number << (30 - whole);
    let mut bit = 0;
    while bit < BITS {
        rest = (rest * rest) >> 30;
        let passed = rest >> 31;
        binary = 2 * binary + passed;
        rest >>= passed;
        bit += 1;
    }
    ((binary * LN_2) >> (16 + BITS - 10)) as i32
}

/// The reduction that depth and number of a move alone ask for, in 1/1024 ply.
#[inline]
pub(crate) fn base_reduction(depth: i32, number: usize) -> i32 {
    let last = LOGARITHM.len() - 1;
    let (depth, number) = (LOGARITHM[(depth.max(1) as usize).min(last)], LOGARITHM[number.clamp(1, last)]);
    params::lmr_base() + ((depth * number) >> 10) * params::lmr_factor() / 1024
}

/// What is known about a move when its reduction is decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    /// How many moves the node has tried with it.
    pub(crate) move_count: usize,
    pub(crate) quiet: bool,
    pub(crate) gives_check: bool,
    /// Whether it is a capture or promotion that loses material.
    pub(crate) bad: bool,
    /// What its history says: the sum of [`crate::history`]'s stats, within 49,152 for quiet moves and 16,384 for noisy
    /// ones.
    pub(crate) history: i32,
}

impl Worker<'_> {
    /// The reduction of a move, in 1/1024 ply; negative to search it deeper.
    pub(crate) fn reduction(&self, node: &Node<'_>, candidate: &Candidate) -> i32 {
        let mut reduction = base_reduction(node.depth, candidate.move_count);
        reduction -= candidate.history * 1024 / params::lmr_history();
        if node.cut_node {
            reduction += params::lmr_cut_node();
        }
        if node.tt_pv {
            reduction -= params::lmr_tt_pv();
            reduction -= params::lmr_tt_score() * i32::from(node.hit.is_some_and(|hit| hit.score > node.alpha));
            reduction -= params::lmr_tt_depth() * i32::from(node.hit.is_some_and(|hit| hit.depth >= node.depth));
        }
        // Where the evaluation has been wrong, the order of the moves may be as well.
        reduction -= params::lmr_correction() * node.correction.abs() / 16;
        if node.pv {
            let width = (node.beta.0 - node.alpha.0).min(self.root_width);
            reduction -= params::lmr_pv() + params::lmr_width() * width / self.root_width;
        }
        if candidate.gives_check {
            reduction -= params::lmr_check();
        }
        if !node.improving {
            reduction += params::lmr_not_improving();
        }
        if node.tt_move.is_some_and(|tt_move| node.board.is_noisy(tt_move)) && candidate.quiet {
            reduction += params::lmr_noisy_tt_move();
        }
        if self.memory.stack[node.ply + 1].cutoff_count > 3 {
            reduction += params::lmr_cutoffs();
        }
        if !candidate.quiet {
            reduction -= params::lmr_noisy();
        }
        reduction
    }

    /// Searches one move: reduced where it comes late, with an open window where it may be the best.
    pub(crate) fn search_move<N: NodeKind>(
        &mut self,
        node: &Node<'_>,
        candidate: &Candidate,
        extension: i32,
        best: Score,
    ) -> Score {
        let Node { ply, alpha, beta, .. } = *node;
        let mut new_depth = node.depth - 1 + extension;
        let reduction = self.reduction(node, candidate);
        let child = self.make(node.board, candidate.mv, ply);
        self.memory.stack[ply].move_count = candidate.move_count;
        let narrow =
            |depth, cut_node| Visit { board: &child, ply: ply + 1, alpha: -alpha - 1, beta: -alpha, depth, cut_node };

        let mut score = Score::DRAW;
        let mut settled = false;
        let mut searched_again = false;
        if node.depth >= 2 && candidate.move_count > 1 + usize::from(N::ROOT) {
            let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1) + 1 + i32::from(node.pv));
            self.memory.stack[ply].reduction = (new_depth - reduced) * 1024;
            score = -self.node::<NonPv>(narrow(reduced, true));
            self.memory.stack[ply].reduction = 0;
            settled = score <= alpha || reduced >= new_depth;
            if !settled {
                new_depth += i32::from(score > best + params::deeper_margin());
                new_depth -= i32::from(score < best + params::shallower_margin());
                settled = reduced >= new_depth;
                searched_again = !settled;
            }
        } else if reduction >= params::lmr_first() && candidate.move_count == 1 {
            new_depth -= 1;
        }
        let first_of_pv = N::PV && candidate.move_count == 1;
        if !settled && !first_of_pv {
            score = -self.node::<NonPv>(narrow(new_depth, !node.cut_node));
        }
        if searched_again && candidate.quiet && !self.stopped {
            self.reward_second_look(node, candidate.mv, score);
        }
        if first_of_pv || N::PV && score > alpha {
            let open =
                Visit { board: &child, ply: ply + 1, alpha: -beta, beta: -alpha, depth: new_depth, cut_node: false };
            score = -self.node::<N::Child>(open);
        }
        self.unmake();
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_floating_point() {
        for (number, &ours) in LOGARITHM.iter().enumerate().skip(1) {
            let exact = f64::from(number as u32).ln() * 1024.0;
            // Rounded down, from a constant that is rounded down too.
            assert!((0.0..1.1).contains(&(exact - f64::from(ours))), "{number}: {ours}, not {exact}");
        }
    }

    #[test]
    fn later_and_deeper_is_reduced_more() {
        for depth in 1..40 {
            for number in 1..60 {
                let reduction = base_reduction(depth, number);
                assert!(
                    reduction <= base_reduction(depth + 1, number) && reduction <= base_reduction(depth, number + 1)
                );
            }
        }
    }
}
