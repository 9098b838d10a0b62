//! What a node of the tree is: its type, its arguments, and what is known about it.
//!
//! Source: D. E. Knuth and R. W. Moore, "An Analysis of Alpha-Beta Pruning" (1975), for the types of nodes.

use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};

use movegen::{Board, Move, Threats};

use crate::history::piece_to::Context;
use crate::table::entry::TTEntry;
use crate::types::score::Score;

/// The type of a node, known when the code is compiled.
pub(crate) trait NodeType {
    /// Part of a principal variation: its window is open, and its line is kept.
    const PV: bool;
    /// The root.
    const ROOT: bool;
    /// The type of a child searched with the full window.
    type Child: NodeType;
}

pub(crate) struct Root;
pub(crate) struct Pv;
pub(crate) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Self;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = Self;
}

/// The arguments of a search.
#[derive(Clone, Copy)]
pub(crate) struct SearchArgs<'a> {
    pub(crate) board: &'a Board,
    pub(crate) ply: usize,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    pub(crate) depth: i32,
    /// Expected to fail high.
    pub(crate) cut_node: bool,
}

/// What is known about a node before it is evaluated.
pub(crate) struct Unevaluated<'a> {
    pub(crate) board: &'a Board,
    pub(crate) ply: usize,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    /// Proven bounds of the score, by endgame tables, an upcoming repetition or mate distance.
    pub(crate) least: Score,
    pub(crate) most: Score,
    pub(crate) depth: i32,
    pub(crate) cut_node: bool,
    pub(crate) pv: bool,
    pub(crate) in_check: bool,
    /// The move excluded from a singular search.
    pub(crate) excluded: Option<Move>,
    pub(crate) tt_hit: Option<TTEntry>,
    /// The TT move, known to be legal.
    pub(crate) tt_move: Option<Move>,
    /// Whether this is part of a principal variation, or was by its TT entry.
    pub(crate) tt_pv: bool,
    pub(crate) context: Context,
    /// See [`threats`](Self::threats).
    pub(crate) threats: OnceCell<Threats>,
}

/// What is known about a node before its moves are searched. Every step that has one can rely on all of it.
pub(crate) struct Node<'a> {
    pub(crate) unevaluated: Unevaluated<'a>,
    pub(crate) evaluation: Evaluation,
}

/// What the board of a node is worth, by itself and beside those before it.
pub(crate) struct Evaluation {
    /// The static evaluation before corrections; none in check.
    pub(crate) raw_eval: Option<Score>,
    /// The corrected static evaluation; none in check.
    pub(crate) static_eval: Option<Score>,
    /// The correction of the evaluation, in centipawns.
    pub(crate) correction: i32,
    /// The best estimate: the TT score where its bound allows, else the corrected evaluation; the least score in check.
    pub(crate) eval: Score,
    /// Whether the evaluation is higher than at the side's last turn, or that is not known.
    pub(crate) improving: bool,
    /// By how much, in centipawns and within bounds; 0 if that is not known.
    pub(crate) improvement: i32,
    /// Whether the opponent's last move made its evaluation worse.
    pub(crate) opponent_worsening: bool,
}

impl Evaluation {
    /// There is none in check.
    pub(crate) const IN_CHECK: Self = Self {
        raw_eval: None,
        static_eval: None,
        correction: 0,
        eval: Score(-Score::INFINITE.0),
        improving: false,
        improvement: 0,
        opponent_worsening: false,
    };
}

impl Unevaluated<'_> {
    /// The squares that the opponent attacks. They are computed when first asked for: many nodes end before.
    #[inline]
    pub(crate) fn threats(&self) -> &Threats {
        self.threats.get_or_init(|| self.board.threats())
    }
}

impl<'a> Deref for Node<'a> {
    type Target = Unevaluated<'a>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.unevaluated
    }
}

impl DerefMut for Node<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.unevaluated
    }
}

impl<'a> Node<'a> {
    /// The arguments of this node, to search it in another way.
    pub(crate) fn args(&self) -> SearchArgs<'a> {
        SearchArgs {
            board: self.board,
            ply: self.ply,
            alpha: self.alpha,
            beta: self.beta,
            depth: self.depth,
            cut_node: self.cut_node,
        }
    }
}

/// What is known about a move before it is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveInfo {
    pub(crate) mv: Move,
    /// The moves of the node tried so far, this one included.
    pub(crate) move_count: usize,
    pub(crate) quiet: bool,
    pub(crate) gives_check: bool,
    /// Whether it is a capture or promotion with a bad exchange.
    pub(crate) bad_noisy: bool,
    /// The sum of its history scores: within 36,000 for quiet moves and 16,384 for noisy ones.
    pub(crate) history: i32,
    /// How many moves before it have raised alpha.
    pub(crate) raises: i32,
    /// Its late move reduction, in 1/1024 ply.
    pub(crate) reduction: i32,
}

/// The best move so far, and the best score.
pub(crate) struct Best {
    pub(crate) score: Score,
    pub(crate) mv: Option<Move>,
}
