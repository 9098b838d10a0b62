//! Legal move generation.
//!
//! Only legal moves are generated: in check only evasions, for a pinned piece only moves along the pin, for the king
//! only safe squares. They go to a [`MoveSink`] as bitboards of targets, so counting does not have to list them.

use super::state::Board;
use super::threats::Threats;
use crate::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line, pawn_attacks, pawns_attacks,
    rook_attacks, rook_rays,
};
use crate::{Bitboard, Color, Move, MoveList, PieceType, Rank, Square};

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovesOf {
    /// All legal moves.
    All,
    /// Captures and promotions.
    Noisy,
    /// All other moves, including castling.
    Quiet,
}

/// Receives generated moves: many at once, or one after another where an implementation leaves it at that.
pub trait MoveSink {
    /// A piece, or a king, moves from one square to each target.
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.single(Move::normal(from, to));
        }
    }

    /// A pawn moves to each target by the same step in index order, without promotion.
    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            self.single(Move::normal(to.offset(-step), to));
        }
    }

    /// A pawn moves to each target on the last rank by the same step, with all four promotions.
    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            for piece_type in PieceType::PROMOTIONS.into_iter().rev() {
                self.single(Move::promotion(to.offset(-step), to, piece_type));
            }
        }
    }

    /// A single move: an en passant capture or castling, and those of the other methods that are not implemented.
    fn single(&mut self, mv: Move);
}

impl MoveSink for MoveList {
    #[inline]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves.
struct Counter(usize);

impl MoveSink for Counter {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8) {
        self.0 += targets.count();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8) {
        self.0 += PieceType::PROMOTIONS.len() * targets.count();
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl Board {
    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(MovesOf::All, &mut moves);
        moves
    }

    /// The number of legal moves, without listing them.
    #[must_use]
    pub fn count_legal_moves(&self) -> usize {
        let mut counter = Counter(0);
        self.generate(MovesOf::All, &mut counter);
        counter.0
    }

    /// Whether there is a legal move; without one it is checkmate or stalemate.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        // Most positions have an unpinned pawn that can be pushed, most others a king move.
        let us = self.turn;
        let free_pawns = self.colored_pieces(us, PieceType::Pawn) - self.pinned;
        let pushes = free_pawns.forward(us) - self.occupied();
        self.checkers.is_empty() && pushes.any()
            || self.king_targets(!self.colors(self.turn)).any()
            || self.count_legal_moves() > 0
    }

    /// Generates the legal moves that `which` selects into `sink`.
    #[inline]
    pub fn generate<S: MoveSink>(&self, which: MovesOf, sink: &mut S) {
        let wanted = self.targets(which);
        self.generate_to(which, wanted, self.king_targets(wanted), sink);
    }

    /// As [`generate`](Self::generate), for a caller that has this board's [`threats`](Self::threats), which spare a test
    /// for each king move. With those of another board the king may walk into check.
    #[inline]
    pub fn generate_given_threats<S: MoveSink>(&self, which: MovesOf, threats: &Threats, sink: &mut S) {
        let wanted = self.targets(which);
        let king_targets = (king_attacks(self.king(self.turn)) & wanted) - threats.by_all;
        debug_assert_eq!(king_targets, self.king_targets(wanted));
        self.generate_to(which, wanted, king_targets, sink);
    }

    /// The squares that pieces other than pawns may move to.
    #[inline]
    fn targets(&self, which: MovesOf) -> Bitboard {
        match which {
            MovesOf::All => !self.colors(self.turn),
            MovesOf::Noisy => self.colors(!self.turn),
            MovesOf::Quiet => !self.occupied(),
        }
    }

    #[inline]
    fn generate_to<S: MoveSink>(&self, which: MovesOf, wanted: Bitboard, king_targets: Bitboard, sink: &mut S) {
        let king = self.king(self.turn);
        sink.piece(king, king_targets);

        let evasions = match self.checkers.lsb() {
            None => {
                if which != MovesOf::Noisy {
                    self.generate_castling(king, king_targets, sink);
                }
                Bitboard::FULL
            }
            Some(checker) if !self.checkers.more_than_one() => between(king, checker) | checker.bitboard(),
            Some(_) => return,
        };
        match self.turn {
            Color::White => self.generate_pawns::<true, S>(which, evasions, king, sink),
            Color::Black => self.generate_pawns::<false, S>(which, evasions, king, sink),
        }
        self.generate_pieces(wanted & evasions, king, sink);
    }

    /// The squares among `wanted` that the king can move to.
    #[inline]
    fn king_targets(&self, wanted: Bitboard) -> Bitboard {
        let (king, them) = (self.king(self.turn), !self.turn);
        let enemies = self.colors(them);
        // What pawns and the other king attack, at once; then, square by square, what other pieces do.
        let pawns = self.pieces(PieceType::Pawn) & enemies;
        let mut safe = (king_attacks(king) & wanted) - king_attacks(self.king(them)) - pawns_attacks(them, pawns);
        if safe.is_empty() {
            return safe;
        }
        let occupied = self.occupied() - king.bitboard();
        let queens = self.pieces(PieceType::Queen);
        let diagonal = (self.pieces(PieceType::Bishop) | queens) & enemies;
        let straight = (self.pieces(PieceType::Rook) | queens) & enemies;
        let knights = self.pieces(PieceType::Knight) & enemies;
        for square in safe {
            if knight_attacks(square).intersects(knights)
                || bishop_rays(square).intersects(diagonal) && bishop_attacks(square, occupied).intersects(diagonal)
                || rook_rays(square).intersects(straight) && rook_attacks(square, occupied).intersects(straight)
            {
                safe -= square.bitboard();
            }
        }
        safe
    }

    /// Castling, out of check. Each square beside the king is among `king_targets` if the king can move there.
    #[inline]
    fn generate_castling<S: MoveSink>(&self, king: Square, king_targets: Bitboard, sink: &mut S) {
        for rook in self.castling.rooks_of(self.turn) {
            // By this most castling fails, before any attack is asked for.
            if !between(king, rook).intersects(self.occupied())
                && self.can_castle_out_of_check(king, rook, Some(king_targets))
            {
                sink.single(Move::castling(king, rook));
            }
        }
    }

    #[inline]
    fn generate_pieces<S: MoveSink>(&self, wanted: Bitboard, king: Square, sink: &mut S) {
        let (own, occupied) = (self.colors(self.turn), self.occupied());
        let queens = self.pieces(PieceType::Queen);
        let diagonal = (self.pieces(PieceType::Bishop) | queens) & own;
        let straight = (self.pieces(PieceType::Rook) | queens) & own;
        // A pinned knight cannot move.
        for from in (self.pieces(PieceType::Knight) & own) - self.pinned {
            sink.piece(from, knight_attacks(from) & wanted);
        }
        for from in diagonal - self.pinned {
            sink.piece(from, bishop_attacks(from, occupied) & wanted);
        }
        for from in straight - self.pinned {
            sink.piece(from, rook_attacks(from, occupied) & wanted);
        }
        for from in diagonal & self.pinned {
            sink.piece(from, bishop_attacks(from, occupied) & wanted & line(king, from));
        }
        for from in straight & self.pinned {
            sink.piece(from, rook_attacks(from, occupied) & wanted & line(king, from));
        }
    }

    /// The colour is a constant, so that directions and ranks are.
    #[inline]
    fn generate_pawns<const IS_WHITE: bool, S: MoveSink>(
        &self,
        which: MovesOf,
        evasions: Bitboard,
        king: Square,
        sink: &mut S,
    ) {
        let us = if IS_WHITE { Color::White } else { Color::Black };
        let pawns = self.colored_pieces(us, PieceType::Pawn);
        let empty = !self.occupied();
        let last_rank = Bitboard::rank(Rank::Eight.relative_to(us));
        let forward = match us {
            Color::White => 8,
            Color::Black => -8,
        };

        // A pinned pawn may still be pushed if its king is on the same file.
        let pushers = pawns - (self.pinned - Bitboard::file(king.file()));
        let single = pushers.forward(us) & empty;
        if which != MovesOf::Quiet {
            sink.promotions(single & evasions & last_rank, forward);
        }
        if which != MovesOf::Noisy {
            sink.pawns((single & evasions) - last_rank, forward);
            let third_rank = Bitboard::rank(Rank::Three.relative_to(us));
            let double = (single & third_rank).forward(us) & empty;
            sink.pawns(double & evasions, 2 * forward);
        }
        if which == MovesOf::Quiet {
            return;
        }

        let captures = self.colors(!us) & evasions;
        let ahead = (pawns - self.pinned).forward(us);
        for (targets, step) in [(ahead.west() & captures, forward - 1), (ahead.east() & captures, forward + 1)] {
            sink.pawns(targets - last_rank, step);
            sink.promotions(targets & last_rank, step);
        }
        for from in pawns & self.pinned {
            for to in pawn_attacks(us, from) & captures & line(king, from) {
                let step = to as i8 - from as i8;
                sink.pawns(to.bitboard() - last_rank, step);
                sink.promotions(to.bitboard() & last_rank, step);
            }
        }
        if let Some(target) = self.en_passant {
            for from in pawn_attacks(!us, target) & pawns {
                if self.en_passant_is_safe(from, target) {
                    sink.single(Move::en_passant(from, target));
                }
            }
        }
    }
}
