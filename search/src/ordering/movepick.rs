//! The move picker: returns moves one at a time, the most promising first, in stages that generate as few as needed.
//!
//! Stages: the TT move; captures and promotions with a good exchange; quiet moves; the other captures and promotions.
//! - noisy moves: `weight * (captured + promotion) + capture history`
//! - quiet moves: `histories + low-ply history + killer + check + threats`
//!
//! Source: the Chess Programming Wiki, "Move Ordering", "MVV-LVA", "Static Exchange Evaluation" and "Killer Heuristic";
//! stages, checks and threats follow Stockfish and Reckless.

use arrayvec::ArrayVec;
use movegen::{Bitboard, Board, Checks, MAX_MOVES, Move, MoveSink, MovesOf, Piece, PieceType, Square, Threats};

use crate::history::histories::{Histories, PieceScores, QuietScores};
use crate::history::low_ply::LowPlyScores;
use crate::history::piece_to::Context;
use crate::history::quiet::QuietHistoryFrom;
use crate::ordering::see::{piece_value, quiet_see_ge, see_ge};
use crate::types::params;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
}

/// What the order of quiet moves depends on, apart from the board and the histories.
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
            remaining: ScoredMoves(ArrayVec::new()),
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
            let mut sink = NoisySink { board, histories, except: self.tt_move, moves: &mut self.remaining };
            match &self.hints {
                Some(hints) => board.generate_given_threats(MovesOf::Noisy, &hints.threats, &mut sink),
                None => board.generate(MovesOf::Noisy, &mut sink),
            }
            self.stage = Stage::GoodNoisy;
        }
        if self.stage == Stage::GoodNoisy {
            while let Some((mv, score)) = self.remaining.take_best() {
                // A capture with a good history may lose a little.
                let threshold = self.threshold.unwrap_or(-score / params::good_noisy_divisor());
                if see_ge(board, mv, threshold) {
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
                let mut sink = QuietSink::new(board, histories, hints, self.tt_move, &mut self.remaining);
                board.generate_given_threats(MovesOf::Quiet, &hints.threats, &mut sink);
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
}

/// Moves and their scores, in one number each: the score, then what is the lower the later the move's index, then the
/// move. The highest number thus is the best move, and the first of several.
struct ScoredMoves(ArrayVec<i64, MAX_MOVES>);

impl ScoredMoves {
    /// The bits of the index.
    const INDEX: i64 = 0xFFFF << 16;

    #[inline]
    const fn reversed(index: usize) -> i64 {
        Self::INDEX - ((index as i64) << 16)
    }

    #[inline]
    fn push(&mut self, mv: Move, score: i32) {
        self.0.push(i64::from(score) << 32 | Self::reversed(self.0.len()) | i64::from(mv.bits()));
    }

    /// Removes the move with the highest score, the first of several. The last move takes its place.
    #[inline]
    fn take_best(&mut self) -> Option<(Move, i32)> {
        // Several at a time, in vectors.
        let (chunks, rest) = self.0.as_chunks::<4>();
        let mut highest = [i64::MIN; 4];
        for chunk in chunks {
            for (highest, &number) in highest.iter_mut().zip(chunk) {
                *highest = number.max(*highest);
            }
        }
        let highest = highest.iter().chain(rest).copied().fold(i64::MIN, i64::max);
        let last = self.0.pop()?;
        let index = ((!highest & Self::INDEX) >> 16) as usize;
        // Unless the best move is the last one.
        if let Some(place) = self.0.get_mut(index) {
            *place = last & !Self::INDEX | Self::reversed(index);
        }
        Some((Move::from_bits(highest as u16)?, (highest >> 32) as i32))
    }
}

/// Scores captures and promotions as they are generated.
struct NoisySink<'a> {
    board: &'a Board,
    histories: &'a Histories,
    /// The move to leave out.
    except: Option<Move>,
    moves: &'a mut ScoredMoves,
}

impl MoveSink for NoisySink<'_> {
    #[inline]
    fn single(&mut self, mv: Move) {
        if Some(mv) != self.except {
            self.moves.push(mv, noisy_score(self.board, self.histories, mv));
        }
    }
}

/// Most valuable victim first, adjusted by capture history.
#[inline]
fn noisy_score(board: &Board, histories: &Histories, mv: Move) -> i32 {
    let captured = board.captured_by(mv).map_or(0, piece_value);
    let promotion = match mv.promotes_to() {
        Some(PieceType::Queen) => piece_value(PieceType::Queen),
        Some(_) => -piece_value(PieceType::Queen),
        None => 0,
    };
    params::capture_victim_weight() * (captured + promotion) + histories.noisy(board, mv)
}

/// Scores quiet moves as they are generated. What depends on the piece alone is looked up once for all its moves.
struct QuietSink<'a> {
    board: &'a Board,
    hints: &'a QuietHints,
    scores: QuietScores<'a>,
    low_ply: LowPlyScores<'a>,
    /// The move to leave out.
    except: Option<Move>,
    moves: &'a mut ScoredMoves,
}

/// What the scores of the quiet moves of one piece depend on.
struct PieceHints<'a> {
    scores: PieceScores<'a>,
    /// From where it gives check.
    checks: Bitboard,
    /// Where a less valuable piece attacks it.
    attacked: Bitboard,
    /// For leaving such a square, and against moving to one.
    threat_bonus: i32,
}

/// What they depend on besides: the square it leaves.
struct FromHints<'a> {
    history: QuietHistoryFrom<'a>,
    threat_bonus: i32,
}

impl<'a> QuietSink<'a> {
    #[inline]
    fn new(
        board: &'a Board,
        histories: &'a Histories,
        hints: &'a QuietHints,
        except: Option<Move>,
        moves: &'a mut ScoredMoves,
    ) -> Self {
        let scores = histories.quiet_scores(board, hints.threats.by_all, &hints.context);
        Self { board, hints, scores, low_ply: histories.low_ply(hints.ply), except, moves }
    }

    #[inline]
    fn hints_of(&self, piece: Piece) -> PieceHints<'a> {
        let piece_type = piece.piece_type();
        PieceHints {
            scores: self.scores.of(piece),
            checks: self.hints.checks.direct(piece_type),
            attacked: self.hints.threats.by_lesser(piece_type),
            threat_bonus: params::threat_bonus() * piece_value(piece_type) / 100,
        }
    }

    #[inline]
    fn hints_from(&self, hints: &PieceHints<'_>, from: Square) -> FromHints<'a> {
        let threat_bonus = if hints.attacked.contains(from) { hints.threat_bonus } else { 0 };
        FromHints { history: self.scores.from(from), threat_bonus }
    }

    /// Adds a move of a piece, given whether it gives check.
    #[inline(always)]
    fn add(&mut self, hints: &PieceHints<'_>, from: &FromHints<'_>, mv: Move, to: Square, gives_check: bool) {
        if Some(mv) == self.except {
            return;
        }
        let mut score = hints.scores.get(&from.history, to) + from.threat_bonus + self.low_ply.get(mv);
        if Some(mv) == self.hints.killer {
            score += params::killer_bonus();
        }
        if gives_check && quiet_see_ge(self.board, self.hints.threats.by_all, mv, -params::check_loss()) {
            score += params::check_bonus();
        }
        if hints.attacked.contains(to) {
            score -= hints.threat_bonus;
        }
        self.moves.push(mv, score);
    }
}

impl MoveSink for QuietSink<'_> {
    // Not inlined: the generator calls it from many places.
    #[inline(never)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        let Some(piece) = self.board.piece_on(from) else { return };
        let hints = self.hints_of(piece);
        let from_hints = self.hints_from(&hints, from);
        let checks = hints.checks | self.hints.checks.discovered_from(from);
        for to in targets {
            self.add(&hints, &from_hints, Move::normal(from, to), to, checks.contains(to));
        }
    }

    #[inline(never)]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        let hints = self.hints_of(Piece::new(self.board.turn(), PieceType::Pawn));
        for to in targets {
            let from = to.offset(-step);
            let checks = hints.checks | self.hints.checks.discovered_from(from);
            let from_hints = self.hints_from(&hints, from);
            self.add(&hints, &from_hints, Move::normal(from, to), to, checks.contains(to));
        }
    }

    fn promotions(&mut self, targets: Bitboard, _: i8) {
        debug_assert!(targets.is_empty(), "promotions are not quiet");
    }

    /// Castling.
    #[inline(never)]
    fn single(&mut self, mv: Move) {
        let hints = self.hints_of(Piece::new(self.board.turn(), PieceType::King));
        let from_hints = self.hints_from(&hints, mv.from());
        self.add(&hints, &from_hints, mv, mv.to(), self.board.gives_check(mv));
    }
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
