//! Late move reductions: how much shallower to search a move that comes late in the order.
//!
//! Source: the Chess Programming Wiki, "Late Move Reductions".

use movegen::Move;

use crate::node::Node;
use crate::params;
use crate::worker::Worker;

/// Reductions by depth and by number of the move, in 1/1024 ply.
pub(crate) struct Reductions {
    /// Natural logarithms in 1/1024.
    logarithm: [i32; Self::SIZE],
}

impl Reductions {
    const SIZE: usize = 256;

    pub(crate) fn new() -> Self {
        let logarithm = std::array::from_fn(|n| (f64::from(n.max(1) as u32).ln() * 1024.0) as i32);
        Self { logarithm }
    }

    /// The reduction that depth and number alone ask for.
    #[inline]
    pub(crate) fn base(&self, depth: i32, number: usize) -> i32 {
        let depth = self.logarithm[(depth.max(1) as usize).min(Self::SIZE - 1)];
        let number = self.logarithm[number.clamp(1, Self::SIZE - 1)];
        params::lmr_base() + ((depth * number) >> 10) * params::lmr_factor() / 1024
    }
}

/// What is known about a move when its reduction is decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    /// Its number in the order, from 1.
    pub(crate) number: usize,
    pub(crate) quiet: bool,
    pub(crate) gives_check: bool,
    /// What its history says.
    pub(crate) history: i32,
}

impl Worker<'_> {
    /// The reduction of a move, in 1/1024 ply; negative to search it deeper.
    pub(crate) fn reduction(&self, node: &Node<'_>, candidate: &Candidate) -> i32 {
        let mut reduction = self.reductions().base(node.depth, candidate.number);
        reduction -= candidate.history * 1024 / params::lmr_history();
        if node.cut_node {
            reduction += params::lmr_cut_node();
        }
        if node.tt_pv {
            reduction -= params::lmr_tt_pv();
        }
        if node.pv {
            reduction -= params::lmr_tt_pv();
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
        if self.memory.stack[node.ply + 1].cutoffs > 3 {
            reduction += params::lmr_cutoffs();
        }
        if !candidate.quiet {
            reduction -= 1024;
        }
        reduction
    }
}
