//! Whether a move of unknown origin is legal, and whether a legal move gives check.

use super::state::Board;
use crate::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line, pawn_attacks, rook_attacks, rook_rays,
};
use crate::{Bitboard, ByPieceType, Move, MoveKind, PieceType, Rank, Square};

/// What tells quickly which moves of one position give check.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// The king of the side not to move.
    king: Square,
    /// For each piece type, the squares from which it gives check.
    direct: ByPieceType<Bitboard>,
    /// The pieces whose move may discover a check by a slider of their own side.
    discoverers: Bitboard,
}

impl Checks {
    /// Whether a legal move on the same board gives check; agrees with [`Board::gives_check`].
    #[inline]
    #[must_use]
    pub fn gives(&self, board: &Board, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        match board.piece_on(from) {
            Some(piece) if mv.kind() == MoveKind::Normal => {
                (self.direct(piece.piece_type()) | self.discovered_from(from)).contains(to)
            }
            // More than one square is vacated, or the piece changes its type.
            _ => board.gives_check(mv),
        }
    }

    /// The squares from which a piece of this type gives check.
    #[inline]
    #[must_use]
    pub fn direct(&self, piece_type: PieceType) -> Bitboard {
        self.direct[piece_type]
    }

    /// The squares to which a piece on `from` has to move to discover a check.
    #[inline]
    #[must_use]
    pub fn discovered_from(&self, from: Square) -> Bitboard {
        if self.discoverers.contains(from) { !line(self.king, from) } else { Bitboard::EMPTY }
    }
}

impl Board {
    /// Whether any value of [`Move`], such as one from a transposition table, is legal in this position.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else { return false };
        if mv.has_stray_bits() {
            return false;
        }
        if mv.kind() == MoveKind::Castling {
            let king = self.king(us);
            return from == king && self.castling.rooks_of(us).contains(to) && self.can_castle(king, to);
        }
        if self.colors(us).contains(to) {
            return false;
        }
        match (piece.piece_type(), mv.kind()) {
            (PieceType::Pawn, MoveKind::EnPassant) => {
                return self.en_passant == Some(to)
                    && pawn_attacks(us, from).contains(to)
                    && self.en_passant_is_safe(from, to);
            }
            (PieceType::Pawn, kind) => {
                let promotes = to.rank() == Rank::Eight.relative_to(us);
                if promotes != (kind == MoveKind::Promotion) || !self.is_pawn_move(from, to) {
                    return false;
                }
            }
            (_, MoveKind::Promotion | MoveKind::EnPassant) => return false,
            (PieceType::King, _) => {
                let without_king = self.occupied() - from.bitboard();
                return king_attacks(from).contains(to) && !self.is_attacked(to, !us, without_king);
            }
            (piece_type, _) => {
                if !Self::piece_attacks(piece_type, from, self.occupied()).contains(to) {
                    return false;
                }
            }
        }
        let king = self.king(us);
        let resolves_check = match self.checkers.lsb() {
            None => true,
            Some(checker) => {
                !self.checkers.more_than_one() && (between(king, checker) | checker.bitboard()).contains(to)
            }
        };
        resolves_check && (!self.pinned.contains(from) || line(king, from).contains(to))
    }

    /// The check squares of this position: faster than [`gives_check`](Self::gives_check) for many moves.
    #[must_use]
    pub fn checks(&self) -> Checks {
        let us = self.turn;
        let king = self.king(!us);
        let occupied = self.occupied();
        let (diagonal, straight) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        let queens = self.pieces(PieceType::Queen);
        let snipers = bishop_rays(king) & (self.pieces(PieceType::Bishop) | queens)
            | rook_rays(king) & (self.pieces(PieceType::Rook) | queens);
        let mut discoverers = Bitboard::EMPTY;
        for sniper in snipers & self.colors(us) {
            let shield = between(king, sniper) & occupied;
            if !shield.more_than_one() {
                discoverers |= shield & self.colors(us);
            }
        }
        let direct = ByPieceType([
            pawn_attacks(!us, king),
            knight_attacks(king),
            diagonal,
            straight,
            diagonal | straight,
            Bitboard::EMPTY,
        ]);
        Checks { king, direct, discoverers }
    }

    /// Whether a legal move gives check, direct or discovered.
    #[must_use]
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.turn;
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else { return false };
        let mut occupied = (self.occupied() - from.bitboard()) | to.bitboard();
        match mv.kind() {
            MoveKind::Castling => {
                let (king_to, rook_to) = Self::castled_squares(from, to);
                occupied = (occupied - to.bitboard()) | king_to.bitboard() | rook_to.bitboard();
                return rook_attacks(rook_to, occupied).contains(king)
                    || self.discovers_check(king, from, to, occupied);
            }
            MoveKind::EnPassant => occupied -= Square::new(to.file(), from.rank()).bitboard(),
            MoveKind::Normal | MoveKind::Promotion => {}
        }
        let direct = match mv.promotes_to().unwrap_or(piece.piece_type()) {
            PieceType::Pawn => pawn_attacks(us, to).contains(king),
            PieceType::King => false,
            piece_type => Self::piece_attacks(piece_type, to, occupied).contains(king),
        };
        direct || self.discovers_check(king, from, to, occupied)
    }

    /// Whether one of our sliders, other than the piece that moves, attacks `king`, given the occupied squares.
    fn discovers_check(&self, king: Square, from: Square, to: Square, occupied: Bitboard) -> bool {
        let own = self.colors(self.turn) - from.bitboard() - to.bitboard();
        let queens = self.pieces(PieceType::Queen);
        // Most sliders are not on a line with the king at all.
        let diagonal = (self.pieces(PieceType::Bishop) | queens) & own & bishop_rays(king);
        let straight = (self.pieces(PieceType::Rook) | queens) & own & rook_rays(king);
        diagonal.any() && bishop_attacks(king, occupied).intersects(diagonal)
            || straight.any() && rook_attacks(king, occupied).intersects(straight)
    }

    /// Whether a pawn of the side to move can be pushed or capture like this, ignoring checks and pins.
    fn is_pawn_move(&self, from: Square, to: Square) -> bool {
        let us = self.turn;
        if self.colors(!us).contains(to) {
            return pawn_attacks(us, from).contains(to);
        }
        let empty = !self.occupied();
        let single = from.bitboard().forward(us) & empty;
        let double = (single & Bitboard::rank(Rank::Three.relative_to(us))).forward(us) & empty;
        (single | double).contains(to)
    }
}
