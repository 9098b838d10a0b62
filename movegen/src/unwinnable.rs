//! Whether a side can still mate by any series of legal moves.
//!
//! The Laws ask this when a flag falls or a player resigns or forfeits (a draw if the opponent cannot mate), and after
//! every move: a position in which neither side can mate is dead and ends the game. The seventy-five-move rule ends a
//! series of moves (`clock`), unless the [`Budget`] says that it does not; repetitions are ignored.
//!
//! The steps go from cheap to expensive; each decides what the ones before leave open. Where pieces can `shuffle`, those
//! of the fast budget are known to fail and are left out.
//!
//! 1. forced moves are played; then mate, stalemate and insufficient `material`;
//! 2. a `shallow` search of all lines, which decides most real cases, since all lines end at once;
//! 3. the static proof that the position is `blocked`, from the squares that each piece can ever reach (`mobility`), on
//!    the board and after each of the next moves;
//! 4. a quick search for a `helpmate` along the moves that a `plan` rates best;
//! 5. an `exhaustive` search of all positions that can follow, the most promising first.
//!
//! A mate is replayed before it is returned. A side is unwinnable only if all lines are covered: searched to their end,
//! or cut off by a static proof, whose argument is in its doc comment.
//!
//! Source: M. Ambrona, "A Practical Algorithm for Chess Unwinnability" (FUN 2022), who first solved the problem.

mod blocked;
mod clock;
mod distance;
mod effort;
mod exhaustive;
mod helpmate;
mod material;
mod memory;
mod mobility;
mod pattern;
mod plan;
mod shallow;
mod shuffle;

use std::fmt;

use clock::{ClockSearch, Prospect};
use effort::Effort;
use exhaustive::{End, ExhaustiveSearch, Options};
use helpmate::HelpmateSearch;
use plan::Aim;
use shallow::ShallowSearch;

pub use blocked::Invariant;

use crate::{Board, Color, Move, PieceType};

/// Whether a side can mate by any series of legal moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side can mate: these legal moves of both sides end in mate. Empty if it is mate already.
    Winnable(Vec<Move>),
    /// The side can never mate.
    Unwinnable(Proof),
    /// The budget was used up first.
    Undetermined,
}

impl Verdict {
    /// Whether it is proven that the side can never mate.
    #[must_use]
    pub const fn is_unwinnable(&self) -> bool {
        matches!(self, Self::Unwinnable(_))
    }
}

/// Why a side can never mate; the first three hold now or after forced moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The side itself is checkmated.
    Mated,
    /// It is stalemate.
    Stalemate,
    /// The side has insufficient material, given the opponent's pieces.
    Material,
    /// All series of legal moves were searched until they ended or the position was blocked.
    Exhausted,
    /// The seventy-five-move rule ends the game before any mate, unless the position is unwinnable without it.
    SeventyFiveMoves,
    /// The position is blocked for the rest of the game.
    Blocked(Invariant),
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mated => f.write_str("mated"),
            Self::Stalemate => f.write_str("stalemate"),
            Self::Material => f.write_str("material"),
            Self::Exhausted => f.write_str("exhausted"),
            Self::SeventyFiveMoves => f.write_str("seventy-five-move rule"),
            Self::Blocked(invariant) => write!(f, "blocked ({invariant})"),
        }
    }
}

/// How much work an answer may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    nodes: u64,
    static_proofs: bool,
    /// Whether the game ends by the seventy-five-move rule.
    seventy_five_moves: bool,
}

impl Budget {
    /// A few microseconds, cheap enough for every move of every game. Proves nearly all real unwinnable positions, and
    /// never searches for a mate. Nothing is proven by the seventy-five-move rule.
    pub const FAST: Self = Self::nodes(0);
    /// Decides all but compositions, usually in microseconds and at worst in about a tenth of a second: for every move of
    /// a game that people look at, and for [`Board::is_dead`].
    pub const MEDIUM: Self = Self::nodes(100_000);
    /// Decides all but a few compositions; for the end of a game. Usually some microseconds; at worst seconds and half
    /// a gigabyte of memory.
    pub const FULL: Self = Self::nodes(5_000_000);

    /// A search of at most this many positions, after all that [`FAST`](Self::FAST) does.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, static_proofs: true, seventy_five_moves: true }
    }

    /// The same budget for games that do not end by the seventy-five-move rule: "any possible series of legal moves" as
    /// the Laws' wording may also be read.
    #[must_use]
    pub const fn without_seventy_five_moves(self) -> Self {
        Self { seventy_five_moves: false, ..self }
    }

    /// The same budget without static proofs: only an exhaustive search counts as a proof. Far slower, and only useful
    /// to verify the static proofs.
    #[must_use]
    pub const fn without_static_proofs(self) -> Self {
        Self { static_proofs: false, ..self }
    }
}

/// A verdict and its cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examination {
    /// The verdict.
    pub verdict: Verdict,
    /// The number of positions searched.
    pub nodes: u64,
}

/// Whether `winner` can mate by any series of legal moves.
///
/// ```
/// use movegen::unwinnable::{Budget, Proof, Verdict, winnable};
/// use movegen::{Board, Color};
///
/// let board = Board::from_fen("8/8/4k3/8/8/3KR3/8/8 b - - 0 1")?;
/// assert_eq!(winnable(&board, Color::Black, Budget::FAST), Verdict::Unwinnable(Proof::Material));
/// assert!(matches!(winnable(&board, Color::White, Budget::FULL), Verdict::Winnable(_)));
/// # Ok::<(), movegen::FenError>(())
/// ```
#[must_use]
pub fn winnable(board: &Board, winner: Color, budget: Budget) -> Verdict {
    examine(board, winner, budget).verdict
}

/// Whether it is proven that neither side can mate: the position is dead.
#[must_use]
pub fn is_dead(board: &Board, budget: Budget) -> bool {
    is_dead_until(board, budget, &mut || false)
}

/// As [`is_dead`], for whoever may have to answer before the budget is used up: `must_end` is asked again and again,
/// within a fraction of a millisecond or, where much memory is moved, a few, and breaks the proof off by returning true.
/// Then nothing is proven.
#[must_use]
pub fn is_dead_until(board: &Board, budget: Budget, must_end: &mut dyn FnMut() -> bool) -> bool {
    Color::ALL.into_iter().all(|winner| examine_until(board, winner, budget, must_end).verdict.is_unwinnable())
}

impl Board {
    /// Whether the position is dead, by the one answer that is given to whoever asks: in a game, in a report of a search
    /// that nobody waits for, and where a position is shown or evaluated. It is proven with [`Budget::MEDIUM`].
    #[must_use]
    pub fn is_dead(&self) -> bool {
        is_dead(self, Budget::MEDIUM)
    }
}

/// As [`winnable`], with the number of positions searched.
#[must_use]
pub fn examine(board: &Board, winner: Color, budget: Budget) -> Examination {
    examine_until(board, winner, budget, &mut || false)
}

fn examine_until(board: &Board, winner: Color, budget: Budget, must_end: &mut dyn FnMut() -> bool) -> Examination {
    let mut effort = Effort::new(must_end);
    let mut verdict = decide(board, winner, budget, &mut effort);
    if budget.seventy_five_moves {
        verdict = limited(board, winner, budget, verdict, &mut effort);
    }
    let verdict = match verdict {
        Verdict::Winnable(line) if !is_helpmate(board, winner, &line) => {
            debug_assert!(false, "{board:?}: {line:?} is no mate");
            Verdict::Undetermined
        }
        verdict => verdict,
    };
    Examination { verdict, nodes: effort.nodes }
}

/// With more half-moves left than this before the seventy-five-move rule ends the game, what is undetermined stays so.
const MAX_LEFT: u16 = 50;

/// The verdict with the seventy-five-move rule, given the one without it.
fn limited(board: &Board, winner: Color, budget: Budget, open: Verdict, effort: &mut Effort<'_>) -> Verdict {
    match &open {
        Verdict::Unwinnable(_) => return open,
        Verdict::Winnable(line) if clock::is_in_time(board, line) => return open,
        Verdict::Undetermined if clock::half_moves_left(board) > MAX_LEFT => return open,
        Verdict::Winnable(_) | Verdict::Undetermined if budget.nodes == 0 => return Verdict::Undetermined,
        Verdict::Winnable(_) | Verdict::Undetermined => {}
    }
    let decide_child = |child: &Board, left: u64, effort: &mut Effort<'_>| match decide(
        child,
        winner,
        Budget { nodes: left, ..budget },
        effort,
    ) {
        Verdict::Winnable(line) => Prospect::Mate(line),
        Verdict::Unwinnable(_) => Prospect::Never,
        Verdict::Undetermined => Prospect::Open,
    };
    let limit = effort.nodes.saturating_add(budget.nodes);
    match ClockSearch::new(winner, limit, decide_child).run(board, effort) {
        Prospect::Mate(line) => Verdict::Winnable(line),
        Prospect::Never => Verdict::Unwinnable(Proof::SeventyFiveMoves),
        Prospect::Open => Verdict::Undetermined,
    }
}

/// Whether these moves are legal and end in a mate by `winner`.
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

/// How many forced moves are played first.
const MAX_FORCED: usize = 16;

/// The node limit of the helpmate search before the exhaustive one.
const HELPMATE_LIMIT: u64 = 1_000;

/// The node limit of the exhaustive search in the fast test, where one side has hardly any moves.
const FEW_MOVES_LIMIT: u64 = 5_000;

/// The exhaustive search is restarted with different aims: a mate that one aim misses for long, another finds at once.
/// Each of them can prove that a position is unwinnable, so the node limits are small at first.
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

fn decide(root: &Board, winner: Color, budget: Budget, effort: &mut Effort<'_>) -> Verdict {
    if budget.nodes == 0 && shuffle::refutes_fast_proof(root, winner) {
        return Verdict::Undetermined;
    }
    take_steps(root, winner, budget, effort)
}

/// The steps of the proof, one after another.
fn take_steps(root: &Board, winner: Color, budget: Budget, effort: &mut Effort<'_>) -> Verdict {
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
        effort.nodes += 1;
    }
    if let Some(proof) = prove_fast(&board, winner, budget, effort) {
        return Verdict::Unwinnable(proof);
    }
    if budget.nodes == 0 {
        return Verdict::Undetermined;
    }
    match search(&board, winner, budget, effort) {
        Verdict::Winnable(line) => Verdict::Winnable([forced, line].concat()),
        verdict => verdict,
    }
}

/// The verdict if the game is over or the winner has insufficient material.
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

/// The proofs that are cheap enough for every position of a game.
fn prove_fast(board: &Board, winner: Color, budget: Budget, effort: &mut Effort<'_>) -> Option<Proof> {
    let attackers = [PieceType::Knight, PieceType::Rook, PieceType::Queen];
    let depth = if attackers.into_iter().all(|kind| board.pieces(kind).is_empty()) { 8 } else { 4 };
    let mut search = ShallowSearch::new(winner, 200);
    let all_end = search.all_end(board, depth);
    effort.nodes += search.nodes();
    if all_end {
        return Some(Proof::Exhausted);
    }
    if budget.static_proofs && blocked::is_plausible(board, winner) {
        if let Some(invariant) = blocked::prove(board, winner) {
            return Some(Proof::Blocked(invariant));
        }
        let mut search = ShallowSearch::new(winner, 60);
        let all_end = search.all_end_blocked(board, 2, effort);
        effort.nodes += search.nodes();
        if all_end {
            return Some(Proof::Exhausted);
        }
    }
    if has_few_moves(board, !winner) {
        let mut search = ExhaustiveSearch::new(
            winner,
            Options { aim: Aim::Corner, static_proofs: budget.static_proofs, helpmates: false },
        );
        let end = search.run(board, FEW_MOVES_LIMIT, effort);
        effort.nodes += search.visited;
        if matches!(end, End::Exhausted) {
            return Some(Proof::Exhausted);
        }
    }
    None
}

fn search(board: &Board, winner: Color, budget: Budget, effort: &mut Effort<'_>) -> Verdict {
    let (line, visited) = HelpmateSearch::find(board, winner, 3, HELPMATE_LIMIT.min(budget.nodes), effort);
    effort.nodes += visited;
    if let Some(line) = line {
        return Verdict::Winnable(line);
    }
    if budget.static_proofs
        && let Some(invariant) = blocked::prove(board, winner)
    {
        return Verdict::Unwinnable(Proof::Blocked(invariant));
    }
    let limit = effort.nodes.saturating_add(budget.nodes);
    for (aim, share) in ATTEMPTS {
        let allowance = share.min(limit.saturating_sub(effort.nodes));
        let mut search =
            ExhaustiveSearch::new(winner, Options { aim, static_proofs: budget.static_proofs, helpmates: true });
        let end = search.run(board, allowance, effort);
        effort.nodes += search.visited;
        match end {
            End::Mate(line) => return Verdict::Winnable(line),
            End::Exhausted => return Verdict::Unwinnable(Proof::Exhausted),
            End::Open if effort.nodes >= limit || effort.must_end() => break,
            End::Open => {}
        }
    }
    Verdict::Undetermined
}

/// Whether a side has only a few pawn moves, which will soon run out.
fn has_few_moves(board: &Board, side: Color) -> bool {
    let is_free = |kind| {
        let moves = |from| Board::piece_attacks(kind, from, board.occupied()) - board.colors(side);
        board.colored_pieces(side, kind).into_iter().any(|from| moves(from).any())
    };
    // A quick test for other moves, true for most sides; it ignores pins, which does no harm.
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
