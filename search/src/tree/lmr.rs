//! Late move reductions (LMR): by how much a move that comes late in the order is searched shallower.
//!
//! `base + factor * ln(depth) * ln(move_count)`, in 1/1024 ply, adjusted by history, node type, TT entry, correction,
//! window, check, improving and how many moves have raised alpha.
//!
//! Source: the Chess Programming Wiki, "Late Move Reductions"; most terms follow Stockfish and Reckless.
//!
//! Tried and left out: larger reductions of quiet moves where the TT move is a capture, and where the children cut off often.

use crate::state::worker::Worker;
use crate::tree::node::{MoveInfo, Node};
use crate::types::params;

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

/// The reduction by depth and move count alone, in 1/1024 ply.
#[inline]
fn base_reduction(depth: i32, move_count: usize) -> i32 {
    let last = LOGARITHM.len() - 1;
    let (depth, count) = (LOGARITHM[(depth.max(1) as usize).min(last)], LOGARITHM[move_count.clamp(1, last)]);
    params::lmr_base() + ((depth * count) >> 10) * params::lmr_factor() / 1024
}

impl Worker<'_> {
    /// The reduction of a move, in 1/1024 ply; negative to search it deeper.
    pub(crate) fn reduction(&self, node: &Node<'_>, info: &MoveInfo) -> i32 {
        let mut reduction = base_reduction(node.depth, info.move_count);
        let history_of_a_ply = if info.quiet { params::lmr_history() } else { params::lmr_noisy_history() };
        reduction -= info.history * 1024 / history_of_a_ply;
        if node.cut_node {
            reduction += params::lmr_cut_node();
        }
        if node.tt_pv {
            reduction -= params::lmr_tt_pv();
            reduction -= params::lmr_tt_score() * i32::from(node.tt_hit.is_some_and(|hit| hit.score > node.alpha));
            reduction -= params::lmr_tt_depth() * i32::from(node.tt_hit.is_some_and(|hit| hit.depth >= node.depth));
        }
        reduction += params::lmr_raises() * info.raises;
        // Where the evaluation is often wrong, the move order may be wrong as well.
        reduction -= params::lmr_correction() * node.evaluation.correction.abs() / 16;
        if node.pv {
            let width = (node.beta.0 - node.alpha.0).min(self.root.width);
            reduction -= params::lmr_pv() + params::lmr_width() * width / self.root.width;
        }
        if info.gives_check {
            reduction -= params::lmr_check();
        }
        if !node.evaluation.improving {
            reduction += params::lmr_not_improving();
        }
        if !info.quiet {
            reduction -= params::lmr_noisy();
        }
        reduction
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
