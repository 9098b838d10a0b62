//! The histories of one search thread, and the sums by which moves are ordered, pruned and reduced.
//!
//! The score of a quiet move is the weighted sum of quiet, pawn and continuation history.
//!
//! Source: the weights follow Stockfish.

use movegen::{Bitboard, Board, Color, Move, Piece, Square};

use crate::history::capture::CaptureHistory;
use crate::history::continuation::{self, ContinuationHistory, ContinuationTables};
use crate::history::low_ply::{LowPlyHistory, LowPlyScores};
use crate::history::pawn::PawnHistory;
use crate::history::piece_to::{CONTINUATION_PLIES, Context, PieceTo, PieceToTable, ToTable, of_piece, prefetch_side};
use crate::history::quiet::{QuietHistory, QuietHistoryFrom, QuietHistoryOfSide};
use crate::types::params;

/// All histories of moves.
pub(crate) struct Histories {
    quiet: QuietHistory,
    capture: CaptureHistory,
    pawn: PawnHistory,
    continuation: ContinuationHistory,
    low_ply: LowPlyHistory,
}

/// The history scores of the quiet moves of one board, with the tables looked up once for all of them.
pub(crate) struct QuietScores<'a> {
    threats: Bitboard,
    quiet: QuietHistoryOfSide<'a>,
    pawn: &'a PieceToTable,
    continuation: ContinuationTables<'a>,
}

/// Those of the moves of one piece.
#[derive(Clone, Copy)]
pub(crate) struct PieceScores<'a> {
    pawn: &'a ToTable,
    continuation: [&'a ToTable; CONTINUATION_PLIES.len()],
}

impl<'a> QuietScores<'a> {
    /// The scores of the moves of one piece.
    #[inline]
    pub(crate) fn of(&self, piece: Piece) -> PieceScores<'a> {
        PieceScores {
            pawn: of_piece(self.pawn, piece),
            continuation: self.continuation.map(|table| of_piece(table, piece)),
        }
    }

    /// The quiet history of the moves from one square.
    #[inline]
    pub(crate) fn from(&self, from: Square) -> QuietHistoryFrom<'a> {
        self.quiet.from(self.threats, from)
    }

    /// The score of a quiet move.
    #[inline]
    pub(crate) fn get(&self, board: &Board, mv: Move) -> i32 {
        board.piece_on(mv.from()).map_or(0, |piece| self.of(piece).get(&self.from(mv.from()), mv.to()))
    }
}

impl PieceScores<'_> {
    /// The score of a quiet move.
    #[inline]
    pub(crate) fn get(&self, from: &QuietHistoryFrom<'_>, to: Square) -> i32 {
        let weights = continuation::weights();
        let stats = self.continuation.iter().zip(weights);
        let continuation: i32 = stats.map(|(stats, weight)| weight * stats[to as usize].get()).sum();
        let quiet = params::quiet_weight() * from.get(to);
        let pawn = params::pawn_weight() * self.pawn[to as usize].get();
        (quiet + pawn + continuation) / 1024
    }
}

impl Histories {
    /// Empty histories; `None` without memory for them.
    pub(crate) fn try_new() -> Option<Self> {
        Some(Self {
            quiet: QuietHistory::try_new()?,
            capture: CaptureHistory::try_new()?,
            pawn: PawnHistory::try_new()?,
            continuation: ContinuationHistory::try_new()?,
            low_ply: LowPlyHistory::try_new()?,
        })
    }

    /// Clears all histories.
    pub(crate) fn clear(&mut self) {
        let Self { quiet, capture, pawn, continuation, low_ply } = self;
        quiet.clear();
        capture.clear();
        pawn.clear();
        continuation.clear();
        low_ply.clear();
    }

    /// Clears what belongs to the root of the last search, and lets the quiet history of earlier ones count less.
    pub(crate) fn begin_search(&mut self) {
        self.low_ply.clear();
        self.quiet.age();
    }

    /// The low-ply scores of quiet moves at `ply`.
    #[inline]
    pub(crate) fn low_ply(&self, ply: usize) -> LowPlyScores<'_> {
        self.low_ply.of(ply)
    }

    /// The score of one quiet move.
    #[inline]
    pub(crate) fn quiet(&self, board: &Board, threats: Bitboard, context: &Context, mv: Move) -> i32 {
        self.quiet_scores(board, threats, context).get(board, mv)
    }

    /// The scores of all quiet moves of a board.
    #[inline]
    pub(crate) fn quiet_scores(&self, board: &Board, threats: Bitboard, context: &Context) -> QuietScores<'_> {
        QuietScores {
            threats,
            quiet: self.quiet.of(board.turn()),
            pawn: self.pawn.of(board),
            continuation: self.continuation.of(context),
        }
    }

    /// Prefetches what [`quiet_scores`](Self::quiet_scores) will read.
    #[inline]
    pub(crate) fn prefetch_quiet(&self, board: &Board, context: &Context) {
        let QuietScores { pawn, continuation, .. } = self.quiet_scores(board, Bitboard::EMPTY, context);
        for table in continuation.into_iter().chain([pawn]) {
            prefetch_side(table, board.turn());
        }
    }

    /// The score of a capture or promotion.
    #[inline]
    pub(crate) fn noisy(&self, board: &Board, mv: Move) -> i32 {
        self.capture.get(board, mv)
    }

    pub(crate) fn update_quiet(&mut self, board: &Board, threats: Bitboard, context: &Context, mv: Move, bonus: i32) {
        let Some(piece_to) = PieceTo::of(board, mv) else { return };
        self.quiet.update(board.turn(), threats, mv, bonus);
        self.pawn.update(board, piece_to, bonus);
        self.continuation.update(context, piece_to, bonus);
    }

    /// As [`update_quiet`](Self::update_quiet), for a move that has been played already: all but the pawn history.
    pub(crate) fn update_played(
        &mut self,
        color: Color,
        threats: Bitboard,
        context: &Context,
        (mv, piece_to): (Move, PieceTo),
        bonus: i32,
    ) {
        self.quiet.update(color, threats, mv, bonus);
        self.continuation.update(context, piece_to, bonus);
    }

    /// Updates the continuation history of a quiet move alone.
    pub(crate) fn update_continuation(&mut self, context: &Context, piece_to: PieceTo, bonus: i32) {
        self.continuation.update(context, piece_to, bonus);
    }

    pub(crate) fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        self.low_ply.update(ply, mv, bonus);
    }

    pub(crate) fn update_noisy(&mut self, board: &Board, mv: Move, bonus: i32) {
        self.capture.update(board, mv, bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_with_a_bonus_scores_above_one_with_a_malus() {
        let mut histories = Histories::try_new().unwrap();
        let board = Board::start();
        let moves = board.legal_moves();
        let context = Context::default();
        histories.update_quiet(&board, Bitboard::EMPTY, &context, moves[0], 500);
        histories.update_quiet(&board, Bitboard::EMPTY, &context, moves[1], -500);
        let score = |mv| histories.quiet(&board, Bitboard::EMPTY, &context, mv);
        assert!(score(moves[0]) > score(moves[2]) && score(moves[2]) > score(moves[1]));
    }

    #[test]
    fn a_new_search_clears_the_low_plies_and_lets_the_quiet_history_fade() {
        let mut histories = Histories::try_new().unwrap();
        let board = Board::start();
        let mv = board.legal_moves()[0];
        histories.update_low_ply(1, mv, 500);
        histories.update_quiet(&board, Bitboard::EMPTY, &Context::default(), mv, 500);
        let score = |histories: &Histories| histories.quiet(&board, Bitboard::EMPTY, &Context::default(), mv);
        let before = score(&histories);
        histories.begin_search();
        assert_eq!(histories.low_ply(1).get(mv), 0);
        assert!((1..before).contains(&score(&histories)), "{before} before");
    }
}
