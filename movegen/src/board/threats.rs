//! The squares that the side not to move attacks.

use super::state::Board;
use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, pawns_attacks, rook_attacks};
use crate::{Bitboard, PieceType};

/// The squares that a side attacks, by the value of the attackers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats {
    /// By pawns.
    pub by_pawns: Bitboard,
    /// By pawns, knights and bishops.
    pub by_minors: Bitboard,
    /// By pawns, knights, bishops and rooks.
    pub by_rooks: Bitboard,
    /// By any piece.
    pub by_all: Bitboard,
}

impl Threats {
    /// The squares attacked by pieces of less value than this type; none for a king.
    #[inline]
    #[must_use]
    pub fn by_lesser(&self, than: PieceType) -> Bitboard {
        match than {
            PieceType::Pawn | PieceType::King => Bitboard::EMPTY,
            PieceType::Knight | PieceType::Bishop => self.by_pawns,
            PieceType::Rook => self.by_minors,
            PieceType::Queen => self.by_rooks,
        }
    }
}

impl Board {
    /// What the side not to move attacks. Its sliders attack through the king, which cannot hide behind itself.
    #[must_use]
    pub fn threats(&self) -> Threats {
        let them = !self.turn;
        let occupied = self.occupied() - self.colored_pieces(self.turn, PieceType::King);
        let by_pawns = pawns_attacks(them, self.colored_pieces(them, PieceType::Pawn));
        let mut by_minors = by_pawns;
        for square in self.colored_pieces(them, PieceType::Knight) {
            by_minors |= knight_attacks(square);
        }
        for square in self.colored_pieces(them, PieceType::Bishop) {
            by_minors |= bishop_attacks(square, occupied);
        }
        let mut by_rooks = by_minors;
        for square in self.colored_pieces(them, PieceType::Rook) {
            by_rooks |= rook_attacks(square, occupied);
        }
        let mut by_all = by_rooks | king_attacks(self.king(them));
        for square in self.colored_pieces(them, PieceType::Queen) {
            by_all |= bishop_attacks(square, occupied) | rook_attacks(square, occupied);
        }
        Threats { by_pawns, by_minors, by_rooks, by_all }
    }
}
