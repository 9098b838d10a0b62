//! Judging a move of unknown origin, and whether a legal move gives check.

use super::state::Board;
use crate::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line, pawn_attacks, rook_attacks, rook_rays,
};
use crate::{Bitboard, ByPieceType, Move, MoveKind, PieceType, Rank, Square};

/// The squares from which the side to move gives check on one board.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// The king to be checked.
    king: Square,
    /// By kind, the squares from which a piece attacks the king.
    direct: ByPieceType<Bitboard>,
    /// The pieces that alone stand between the king and a slider of their own side.
    uncoverers: Bitboard,
}

impl Checks {
    /// Whether a legal move on the board that was asked gives check, as [`Board::gives_check`] says.
    #[inline]
    #[must_use]
    pub fn gives(&self, board: &Board, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        match board.piece_on(from) {
            Some(piece) if mv.kind() == MoveKind::Normal => {
                self.direct[piece.piece_type()].contains(to)
                    || self.uncoverers.contains(from) && !line(self.king, from).contains(to)
            }
            // More than one square becomes empty, or another piece arrives than left.
            _ => board.gives_check(mv),
        }
    }
}

impl Board {
    /// Whether any value of [`Move`], such as one from a transposition table, is a legal move here.
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
                if promotes != (kind == MoveKind::Promotion) || !self.pawn_reaches(from, to) {
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
        let answers_check = match self.checkers.lsb() {
            None => true,
            Some(checker) => {
                !self.checkers.more_than_one() && (between(king, checker) | checker.bitboard()).contains(to)
            }
        };
        answers_check && (!self.pinned.contains(from) || line(king, from).contains(to))
    }

    /// From where the side to move gives check: worth asking for when many moves are to be judged.
    #[must_use]
    pub fn checks(&self) -> Checks {
        let us = self.turn;
        let king = self.king(!us);
        let occupied = self.occupied();
        let (diagonal, straight) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        let queens = self.pieces(PieceType::Queen);
        let snipers = bishop_rays(king) & (self.pieces(PieceType::Bishop) | queens)
            | rook_rays(king) & (self.pieces(PieceType::Rook) | queens);
        let mut uncoverers = Bitboard::EMPTY;
        for sniper in snipers & self.colors(us) {
            let shield = between(king, sniper) & occupied;
            if !shield.more_than_one() {
                uncoverers |= shield & self.colors(us);
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
        Checks { king, direct, uncoverers }
    }

    /// Whether a legal move gives check, directly or by uncovering a slider.
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
                return rook_attacks(rook_to, occupied).contains(king) || self.uncovers(king, from, to, occupied);
            }
            MoveKind::EnPassant => occupied -= Square::new(to.file(), from.rank()).bitboard(),
            MoveKind::Normal | MoveKind::Promotion => {}
        }
        let direct = match mv.promotes_to().unwrap_or(piece.piece_type()) {
            PieceType::Pawn => pawn_attacks(us, to).contains(king),
            PieceType::King => false,
            piece_type => Self::piece_attacks(piece_type, to, occupied).contains(king),
        };
        direct || self.uncovers(king, from, to, occupied)
    }

    /// Whether one of our sliders, other than the piece that moves, attacks `king` on a board so occupied.
    fn uncovers(&self, king: Square, from: Square, to: Square, occupied: Bitboard) -> bool {
        let own = self.colors(self.turn) - from.bitboard() - to.bitboard();
        let queens = self.pieces(PieceType::Queen);
        // Few sliders stand on a line with the king at all.
        let diagonal = (self.pieces(PieceType::Bishop) | queens) & own & bishop_rays(king);
        let straight = (self.pieces(PieceType::Rook) | queens) & own & rook_rays(king);
        diagonal.any() && bishop_attacks(king, occupied).intersects(diagonal)
            || straight.any() && rook_attacks(king, occupied).intersects(straight)
    }

    /// Whether a pawn of the side to move may step or capture so, leaving its king aside.
    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
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
