//! Can this side still mate by any series of legal moves?
//!
//! The laws ask this question when a flag falls, a player resigns or forfeits (a draw if the opponent cannot), and
//! after every move: a position in which neither side can is dead and ends the game. Halfmove clock and repetition
//! do not count, since any series of legal moves is allowed.
//!
//! From cheap to dear, each step decides what the ones before leave open:
//!
//! 1. forced moves are played; mate, stalemate, and pieces that cannot mate (`material`);
//! 2. all lines (`lines`) to a small depth, which settles most real cases, since all of them end at once;
//! 3. the static proof (`blocked`) that the pieces are locked, from where each piece can ever stand (`mobility`), on the board
//!    and after each of the next moves;
//! 4. a `dive` for a mate along the moves that a `plan` likes best;
//! 5. the `closure`: every position that may follow, once, the most promising first.
//!
//! A mate is replayed before it is returned. That there is none is said only when all games are accounted for: followed
//! to their end, or stopped by a static proof whose argument stands beside it.
//!
//! M. Ambrona posed and solved the problem first: "A Practical Algorithm for Chess Unwinnability" (FUN 2022).

mod blocked;
mod closure;
mod distance;
mod dive;
mod lines;
mod material;
mod mobility;
mod pattern;
mod plan;

use std::fmt;

use closure::{Closure, Effort, End};
use dive::Dive;
use lines::Lines;
use plan::Aim;

pub use blocked::Invariant;

use crate::{Board, Color, Move, PieceType};

/// What is known of a side's chances to mate by any series of legal moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side can mate: these legal moves of both sides, none if the mate is on the board, end in it.
    Winnable(Vec<Move>),
    /// The side can never mate.
    Unwinnable(Proof),
    /// The budget ended first.
    Undetermined,
}

impl Verdict {
    /// Whether it is proven that the side can never mate.
    #[must_use]
    pub const fn is_unwinnable(&self) -> bool {
        matches!(self, Self::Unwinnable(_))
    }
}

/// Why a side can never mate; the first three hold on the board or after moves that are forced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The side is mated itself.
    Mated,
    /// It is stalemate.
    Stalemate,
    /// The side's pieces are too few, whatever the opponent still has.
    Material,
    /// Every series of legal moves has been followed until it ended, or until the pieces were locked.
    Exhausted,
    /// The pieces are locked for good.
    Blocked(Invariant),
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mated => f.write_str("mated"),
            Self::Stalemate => f.write_str("stalemate"),
            Self::Material => f.write_str("material"),
            Self::Exhausted => f.write_str("exhausted"),
            Self::Blocked(invariant) => write!(f, "blocked ({invariant})"),
        }
    }
}

/// How much work an answer may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    nodes: u64,
    statics: bool,
}

impl Budget {
    /// A few microseconds: for every move of every game. It proves that a side cannot mate in nearly all real cases,
    /// and never searches for a mate.
    pub const FAST: Self = Self { nodes: 0, statics: true };
    /// Until it is decided, but for a few compositions: for the end of a game. Most often some microseconds; at worst
    /// seconds, and half a gigabyte of memory.
    pub const FULL: Self = Self { nodes: 5_000_000, statics: true };

    /// A search of so many positions at most, after all that [`FAST`](Self::FAST) does.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, statics: true }
    }

    /// The same without static proofs: all that is called unwinnable has been followed to its end, move by move. Far
    /// slower, and only good to check the proofs.
    #[must_use]
    pub const fn without_statics(self) -> Self {
        Self { statics: false, ..self }
    }
}

/// A verdict and what it cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examination {
    /// The answer.
    pub verdict: Verdict,
    /// Positions looked at.
    pub nodes: u64,
}

/// Whether `winner` can mate by any series of legal moves.
#[must_use]
pub fn winnable(board: &Board, winner: Color, budget: Budget) -> Verdict {
    examine(board, winner, budget).verdict
}

/// Whether it is proven that neither side can mate: the game is over.
#[must_use]
pub fn is_dead(board: &Board, budget: Budget) -> bool {
    Color::ALL.into_iter().all(|winner| winnable(board, winner, budget).is_unwinnable())
}

/// As [`winnable`], with the count of positions looked at.
#[must_use]
pub fn examine(board: &Board, winner: Color, budget: Budget) -> Examination {
    let mut nodes = 1;
    let verdict = match decide(board, winner, budget, &mut nodes) {
        Verdict::Winnable(line) if !is_helpmate(board, winner, &line) => {
            debug_assert!(false, "{board:?}: {line:?} is no mate");
            Verdict::Undetermined
        }
        verdict => verdict,
    };
    Examination { verdict, nodes }
}

/// Whether these moves are legal one after the other and end in a mate by `winner`.
fn is_helpmate(board: &Board, winner: Color, line: &[Move]) -> bool {
    let mut last = *board;
    for &mv in line {
        if !last.is_legal(mv) {
            return false;
        }
        last.play(mv, &mut ());
    }
    last.in_check() && last.turn() != winner && !last.has_legal_move()
}

/// How many forced moves are played before anything else.
const MAX_FORCED: usize = 16;

/// Positions that a search for a mate may look at before the thorough one begins.
const DIVE_LIMIT: u64 = 1_000;

/// Positions that the fast test may follow to their end where one side has hardly a move.
const SHUT_IN_LIMIT: u64 = 5_000;

/// The thorough search, again and again with another aim: a mate that one misses for long another finds at once. What
/// is unwinnable is followed to its end by each, so the shares are small at first.
const ATTEMPTS: [(Aim, u64); 10] = [
    (Aim::Corner, 20_000),
    (Aim::Hunt, 20_000),
    (Aim::Break, 20_000),
    (Aim::Edge, 20_000),
    (Aim::Nothing, 50_000),
    (Aim::Corner, 300_000),
    (Aim::Hunt, 300_000),
    (Aim::Break, 300_000),
    (Aim::Edge, 300_000),
    (Aim::Nothing, u64::MAX),
];

fn decide(root: &Board, winner: Color, budget: Budget, nodes: &mut u64) -> Verdict {
    let mut board = *root;
    let mut forced = Vec::new();
    loop {
        let moves = board.legal_moves();
        if let Some(verdict) = at_end(&board, moves.is_empty(), winner, &forced) {
            return verdict;
        }
        if moves.len() > 1 || forced.len() == MAX_FORCED {
            break;
        }
        forced.push(moves[0]);
        board.play(moves[0], &mut ());
        *nodes += 1;
    }
    if let Some(proof) = prove_fast(&board, winner, budget, nodes) {
        return Verdict::Unwinnable(proof);
    }
    if budget.nodes == 0 {
        return Verdict::Undetermined;
    }
    match search(&board, winner, budget, nodes) {
        Verdict::Winnable(line) => Verdict::Winnable([forced, line].concat()),
        verdict => verdict,
    }
}

/// The verdict if the game is over, or the winner's pieces are too few.
fn at_end(board: &Board, is_over: bool, winner: Color, forced: &[Move]) -> Option<Verdict> {
    if !is_over {
        return material::is_insufficient(board, winner).then_some(Verdict::Unwinnable(Proof::Material));
    }
    Some(match (board.in_check(), board.turn() == winner) {
        (true, false) => Verdict::Winnable(forced.to_vec()),
        (true, true) => Verdict::Unwinnable(Proof::Mated),
        (false, _) => Verdict::Unwinnable(Proof::Stalemate),
    })
}

/// The proofs that are cheap enough for every position of every game.
fn prove_fast(board: &Board, winner: Color, budget: Budget, nodes: &mut u64) -> Option<Proof> {
    let officers = [PieceType::Knight, PieceType::Rook, PieceType::Queen];
    let depth = if officers.into_iter().all(|kind| board.pieces(kind).is_empty()) { 8 } else { 4 };
    let mut lines = Lines::new(winner, 200);
    let all_end = lines.all_end(board, depth);
    *nodes += lines.visited();
    if all_end {
        return Some(Proof::Exhausted);
    }
    if budget.statics && blocked::is_plausible(board, winner) {
        if let Some(invariant) = blocked::prove(board, winner) {
            return Some(Proof::Blocked(invariant));
        }
        let mut lines = Lines::new(winner, 60);
        let all_end = lines.all_end_blocked(board, 2);
        *nodes += lines.visited();
        if all_end {
            return Some(Proof::Exhausted);
        }
    }
    if is_shut_in(board, !winner) {
        let mut closure = Closure::new(winner, Effort { aim: Aim::Corner, statics: budget.statics, dives: false });
        let end = closure.run(board, SHUT_IN_LIMIT);
        *nodes += closure.visited;
        if matches!(end, End::Exhausted) {
            return Some(Proof::Exhausted);
        }
    }
    None
}

fn search(board: &Board, winner: Color, budget: Budget, nodes: &mut u64) -> Verdict {
    let (line, visited) = Dive::find(board, winner, 3, DIVE_LIMIT.min(budget.nodes));
    *nodes += visited;
    if let Some(line) = line {
        return Verdict::Winnable(line);
    }
    if budget.statics
        && let Some(invariant) = blocked::prove(board, winner)
    {
        return Verdict::Unwinnable(Proof::Blocked(invariant));
    }
    let limit = nodes.saturating_add(budget.nodes);
    for (aim, share) in ATTEMPTS {
        let allowance = share.min(limit.saturating_sub(*nodes));
        let mut closure = Closure::new(winner, Effort { aim, statics: budget.statics, dives: true });
        let end = closure.run(board, allowance);
        *nodes += closure.visited;
        match end {
            End::Mate(line) => return Verdict::Winnable(line),
            End::Exhausted => return Verdict::Unwinnable(Proof::Exhausted),
            End::Open if *nodes >= limit => break,
            End::Open => {}
        }
    }
    Verdict::Undetermined
}

/// Whether a side has only pawn moves, so that they will soon run out.
fn is_shut_in(board: &Board, side: Color) -> bool {
    let is_free = |kind| {
        let moves = |from| Board::piece_attacks(kind, from, board.occupied()) - board.colors(side);
        board.colored_pieces(side, kind).into_iter().any(|from| moves(from).any())
    };
    // Most sides are seen to have other moves at a glance; a pin may deceive it, to no harm.
    if [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight].into_iter().any(is_free) {
        return false;
    }
    let mut board = *board;
    if board.turn() != side {
        if board.in_check() {
            return false;
        }
        board.play_null();
    }
    let pawns = board.colored_pieces(side, PieceType::Pawn);
    let moves = board.legal_moves();
    moves.len() <= 8 && moves.into_iter().all(|mv| pawns.contains(mv.from()))
}
