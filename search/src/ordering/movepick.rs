//! The move picker: returns moves one at a time, the most promising first, in stages that generate as few as needed.
//!
//! Stages: the TT move; captures and promotions with a good exchange; quiet moves; the other captures and promotions.
//! - noisy moves: `weight * (captured + promotion) + capture history`
//! - quiet moves: `histories + low-ply history + killer + check + threats`
//!
//! Source: the Chess Programming Wiki, "Move Ordering", "MVV-LVA", "Static Exchange Evaluation" and "Killer Heuristic";
//! stages, checks and threats follow Stockfish and Reckless. Measured: +38 +- 19 Elo for threats together with low-ply
//! history and the bonus after a second search (a83f2b6); the rest not by itself.

use arrayvec::ArrayVec;
use movegen::{Board, Checks, MAX_MOVES, Move, MoveList, MovesOf, PieceType, Threats};

use crate::history::histories::Histories;
use crate::history::piece_to::Context;
use crate::ordering::see::{piece_value, quiet_see_ge, see_ge};
use crate::types::{params, switch};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
}

/// What the order of quiet moves depends on besides board and histories.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietHints {
    /// The squares that the opponent attacks.
    pub(crate) threats: Threats,
    pub(crate) context: Context,
    pub(crate) killer: Option<Move>,
    pub(crate) ply: usize,
    /// From where each kind of piece gives check.
    pub(crate) checks: Checks,
}

impl QuietHints {
    /// Without a killer move.
    pub(crate) fn new(board: &Board, ply: usize, context: Context) -> Self {
        Self { threats: board.threats(), context, killer: None, ply, checks: board.checks() }
    }
}

/// The moves of one node, in order.
pub(crate) struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    /// What the exchange has to gain for a capture to be good; `None` for a threshold that depends on its score.
    threshold: Option<i32>,
    /// How to order quiet moves; `None` to leave them out.
    hints: Option<QuietHints>,
    /// Moves not returned yet.
    remaining: ScoredMoves,
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
}

impl MovePicker {
    /// All legal moves; `tt_move` must be legal.
    pub(crate) fn all(tt_move: Option<Move>, hints: QuietHints) -> Self {
        Self::new(tt_move, None, Some(hints))
    }

    /// Captures and promotions whose exchange gains at least `threshold`, then the others.
    pub(crate) fn noisy(tt_move: Option<Move>, threshold: i32) -> Self {
        Self::new(tt_move, Some(threshold), None)
    }

    fn new(tt_move: Option<Move>, threshold: Option<i32>, hints: Option<QuietHints>) -> Self {
        Self {
            stage: Stage::TtMove,
            tt_move,
            threshold,
            hints,
            remaining: ScoredMoves { moves: ArrayVec::new(), scores: ArrayVec::new() },
            bad_noisy: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// Leaves out the remaining quiet moves.
    #[inline]
    pub(crate) const fn skip_quiet(&mut self) {
        self.hints = None;
    }

    /// Whether only captures and promotions with a bad exchange are left.
    #[inline]
    pub(crate) fn is_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// The next move; `None` after the last.
    pub(crate) fn next(&mut self, board: &Board, histories: &Histories) -> Option<Move> {
        if self.stage == Stage::TtMove {
            self.stage = Stage::GenerateNoisy;
            if self.tt_move.is_some() {
                return self.tt_move;
            }
        }
        if self.stage == Stage::GenerateNoisy {
            let mut moves = MoveList::new();
            self.generate_noisy(board, &mut moves);
            self.remaining.fill(&moves, self.tt_move, |mv| noisy_score(board, histories, mv));
            self.stage = Stage::GoodNoisy;
        }
        if self.stage == Stage::GoodNoisy {
            while let Some((mv, score)) = self.remaining.take_best() {
                // A capture with a good history may lose a little.
                let threshold = self.threshold.unwrap_or(-score / params::good_noisy_divisor());
                if see_ge(board, mv, threshold) || !switch::bad_noisy_last() && self.threshold.is_none() {
                    return Some(mv);
                }
                self.bad_noisy.push(mv);
            }
            self.stage = Stage::GenerateQuiet;
        }
        if self.stage == Stage::GenerateQuiet {
            self.stage = Stage::Quiet;
            if let Some(hints) = &self.hints {
                histories.prefetch_quiet(board, &hints.context);
                let mut moves = MoveList::new();
                board.generate_given_threats(MovesOf::Quiet, &hints.threats, &mut moves);
                let scores = histories.quiet_scores(board, hints.threats.by_all, &hints.context);
                self.remaining.fill(&moves, self.tt_move, |mv| {
                    scores.get(board, mv) + histories.low_ply(hints.ply, mv) + quiet_bonus(board, hints, mv)
                });
            }
        }
        if self.stage == Stage::Quiet {
            if self.hints.is_some()
                && let Some((mv, _)) = self.remaining.take_best()
            {
                return Some(mv);
            }
            self.stage = Stage::BadNoisy;
        }
        let mv = self.bad_noisy.get(self.next_bad).copied();
        self.next_bad += 1;
        mv
    }

    fn generate_noisy(&self, board: &Board, moves: &mut MoveList) {
        match &self.hints {
            Some(hints) => board.generate_given_threats(MovesOf::Noisy, &hints.threats, moves),
            None => board.generate(MovesOf::Noisy, moves),
        }
    }
}

/// Moves and their scores, in two arrays, so that the highest of many scores is found in a few steps.
struct ScoredMoves {
    moves: ArrayVec<Move, MAX_MOVES>,
    scores: ArrayVec<i32, MAX_MOVES>,
}

impl ScoredMoves {
    /// Replaces all moves by `moves` but for `except`, with their scores.
    #[inline]
    fn fill(&mut self, moves: &MoveList, except: Option<Move>, score: impl Fn(Move) -> i32) {
        self.moves.clear();
        self.scores.clear();
        for &mv in moves {
            if Some(mv) != except {
                self.moves.push(mv);
                self.scores.push(score(mv));
            }
        }
    }

    /// Removes the move with the highest score, the first of several.
    fn take_best(&mut self) -> Option<(Move, i32)> {
        let highest = self.scores.iter().copied().fold(i32::MIN, i32::max);
        let best = self.scores.iter().position(|&score| score == highest)?;
        self.scores.swap_remove(best);
        Some((self.moves.swap_remove(best), highest))
    }
}

/// Most valuable victim first, adjusted by capture history.
fn noisy_score(board: &Board, histories: &Histories, mv: Move) -> i32 {
    let captured = board.captured_by(mv).map_or(0, piece_value);
    let promotion = match mv.promotes_to() {
        Some(PieceType::Queen) => piece_value(PieceType::Queen),
        Some(_) => -piece_value(PieceType::Queen),
        None => 0,
    };
    params::capture_victim_weight() * (captured + promotion) + histories.noisy(board, mv)
}

/// The score of a quiet move on this board, apart from histories.
fn quiet_bonus(board: &Board, hints: &QuietHints, mv: Move) -> i32 {
    let killer = if Some(mv) == hints.killer { params::killer_bonus() } else { 0 };
    let is_safe_check =
        hints.checks.gives(board, mv) && quiet_see_ge(board, hints.threats.by_all, mv, -params::check_loss());
    let check = if is_safe_check { params::check_bonus() } else { 0 };
    killer + check + threat_bonus(board, &hints.threats, mv)
}

/// A bonus for leaving a square that a less valuable piece attacks, and a malus for moving to one.
fn threat_bonus(board: &Board, threats: &Threats, mv: Move) -> i32 {
    let Some(piece_type) = board.piece_on(mv.from()).map(|piece| piece.piece_type()) else { return 0 };
    let attacked = threats.by_lesser(piece_type);
    let change = i32::from(attacked.contains(mv.from())) - i32::from(attacked.contains(mv.to()));
    change * params::threat_bonus() * piece_value(piece_type) / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    const FENS: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r1bqkbnr/pppp1Qpp/2n5/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
    ];

    fn picked(board: &Board, mut picker: MovePicker) -> Vec<Move> {
        let histories = Histories::try_new().unwrap();
        std::iter::from_fn(|| picker.next(board, &histories)).collect()
    }

    #[test]
    fn each_legal_move_comes_once_whatever_the_tt_move() {
        for fen in FENS {
            let board = Board::from_fen(fen).unwrap();
            let mut legal: Vec<_> = board.legal_moves().into_iter().collect();
            legal.sort_by_key(|mv| mv.bits());
            for tt_move in legal.iter().copied().map(Some).chain([None]) {
                let mut moves =
                    picked(&board, MovePicker::all(tt_move, QuietHints::new(&board, 0, Context::default())));
                assert!(tt_move.is_none() || moves[0] == tt_move.unwrap());
                moves.sort_by_key(|mv| mv.bits());
                assert_eq!(moves, legal, "{fen} {tt_move:?}");
            }
        }
    }

    #[test]
    fn the_picker_of_noisy_moves_returns_good_ones_first() {
        for fen in FENS {
            let board = Board::from_fen(fen).unwrap();
            let moves = picked(&board, MovePicker::noisy(None, 0));
            assert!(moves.iter().all(|&mv| board.is_noisy(mv)));
            assert_eq!(moves.len(), board.legal_moves().iter().filter(|&&mv| board.is_noisy(mv)).count());
            assert!(moves.is_sorted_by_key(|&mv| !see_ge(&board, mv, 0)));
        }
    }

    #[test]
    fn a_queen_that_a_pawn_attacks_moves_first_and_not_to_where_another_does() {
        let board = Board::from_fen("4k3/8/1p6/8/p2p4/2Q5/8/4K3 w - - 0 1").unwrap();
        let quiet: Vec<_> = picked(&board, MovePicker::all(None, QuietHints::new(&board, 0, Context::default())))
            .into_iter()
            .filter(|&mv| !board.is_noisy(mv))
            .collect();
        let queen = board.parse_uci("c3c4").unwrap().from();
        let kings = quiet.iter().position(|mv| mv.from() != queen).unwrap();
        let safe = |mv: Move| mv.from() == queen && !board.threats().by_pawns.contains(mv.to());
        assert!(kings > 10 && quiet[..kings].iter().copied().all(safe), "{quiet:?}");
        assert!(quiet[kings..].iter().any(|&mv| mv == board.parse_uci("c3c5").unwrap()), "{quiet:?}");
    }

    #[test]
    fn skipping_quiet_moves_leaves_the_bad_captures() {
        let board = Board::from_fen(FENS[0]).unwrap();
        let histories = Histories::try_new().unwrap();
        let mut picker = MovePicker::all(None, QuietHints::new(&board, 0, Context::default()));
        picker.skip_quiet();
        let moves: Vec<_> = std::iter::from_fn(|| picker.next(&board, &histories)).collect();
        assert!(moves.iter().all(|&mv| board.is_noisy(mv)));
        assert_eq!(moves.len(), 8);
    }
}
