//! Playing a move on a board.

use super::state::Board;
use crate::{Bitboard, Color, Key, Keys, Move, MoveKind, Piece, PieceType, Rank, Square};

/// Is told which pieces a move removes and adds.
///
/// This is how an incrementally updated evaluation follows the board without the rules knowing about it. `()` ignores
/// the changes and costs nothing.
pub trait Observer {
    /// A piece has left a square or was captured there.
    fn removed(&mut self, piece: Piece, square: Square);
    /// A piece has arrived on a square.
    fn added(&mut self, piece: Piece, square: Square);
}

impl Observer for () {
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn added(&mut self, _: Piece, _: Square) {}
}

impl Board {
    /// Plays a legal move; `observer` is told of each piece removed and added.
    ///
    /// An illegal move leaves an invalid board: check a move of unknown origin with [`is_legal`](Self::is_legal) first.
    pub fn play<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        debug_assert!(self.is_legal(mv), "{mv} in {self:?}");
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else { return };
        self.clear_en_passant();
        self.halfmove_clock = (self.halfmove_clock + 1).min(Self::MAX_HALFMOVE_CLOCK);

        let mut passed = None;
        match mv.kind() {
            MoveKind::Normal => {
                if let Some(captured) = self.piece_on(to) {
                    self.remove_piece(captured, to, observer);
                    self.halfmove_clock = 0;
                }
                self.remove_piece(piece, from, observer);
                self.add_piece(piece, to, observer);
                if piece.piece_type() == PieceType::Pawn {
                    self.halfmove_clock = 0;
                    if from as u8 ^ to as u8 == 16 {
                        passed = Some(Square::from_index((from as u8 + to as u8) / 2));
                    }
                }
            }
            MoveKind::Promotion => {
                if let Some(captured) = self.piece_on(to) {
                    self.remove_piece(captured, to, observer);
                }
                self.remove_piece(piece, from, observer);
                let promoted = mv.promotes_to().unwrap_or(PieceType::Queen);
                self.add_piece(Piece::new(us, promoted), to, observer);
                self.halfmove_clock = 0;
            }
            MoveKind::EnPassant => {
                let captured = Square::new(to.file(), from.rank());
                self.remove_piece(Piece::new(!us, PieceType::Pawn), captured, observer);
                self.remove_piece(piece, from, observer);
                self.add_piece(piece, to, observer);
                self.halfmove_clock = 0;
            }
            MoveKind::Castling => {
                let (king_to, rook_to) = Self::castled_squares(from, to);
                let rook = Piece::new(us, PieceType::Rook);
                // Both are removed first: in Chess960 one may land on the other's square.
                self.remove_piece(piece, from, observer);
                self.remove_piece(rook, to, observer);
                self.add_piece(piece, king_to, observer);
                self.add_piece(rook, rook_to, observer);
            }
        }

        self.lose_castling_rights(piece, from, to);
        self.pass_turn();
        if let Some(passed) = passed {
            self.set_en_passant(passed);
        }
    }

    /// The board after a legal move; see [`play`](Self::play).
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut after = *self;
        after.play(mv, &mut ());
        after
    }

    /// Plays a null move; not allowed in check, where the resulting position would be illegal.
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check());
        self.clear_en_passant();
        self.halfmove_clock = (self.halfmove_clock + 1).min(Self::MAX_HALFMOVE_CLOCK);
        self.pass_turn();
    }

    /// An estimate of the key after a legal move, for prefetching a hash table entry.
    ///
    /// It is exact for most moves; en passant, castling, promotion and changed rights are ignored.
    #[inline]
    #[must_use]
    pub fn key_after(&self, mv: Move) -> Key {
        let mut keys = self.keys_after_null();
        if let Some(piece) = self.piece_on(mv.from()) {
            keys.toggle(piece, mv.from());
            keys.toggle(piece, mv.to());
        }
        if let Some(captured) = self.piece_on(mv.to()) {
            keys.toggle(captured, mv.to());
        }
        keys.full
    }

    /// The key after a null move.
    #[inline]
    #[must_use]
    pub fn key_after_null(&self) -> Key {
        self.keys_after_null().full
    }

    #[inline]
    fn keys_after_null(&self) -> Keys {
        let mut keys = self.keys;
        if let Some(square) = self.en_passant {
            keys.toggle_en_passant(square.file());
        }
        keys.toggle_turn();
        keys
    }

    #[inline]
    fn remove_piece<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.by_type[piece.piece_type()] ^= square.bitboard();
        self.by_color[piece.color()] ^= square.bitboard();
        self.mailbox[square as usize] = None;
        self.keys.toggle(piece, square);
        observer.removed(piece, square);
    }

    #[inline]
    fn add_piece<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.by_type[piece.piece_type()] ^= square.bitboard();
        self.by_color[piece.color()] ^= square.bitboard();
        self.mailbox[square as usize] = Some(piece);
        self.keys.toggle(piece, square);
        observer.added(piece, square);
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.fullmove_number = (self.fullmove_number + self.turn as u32).min(Self::MAX_FULLMOVE_NUMBER);
        self.turn = !self.turn;
        self.keys.toggle_turn();
        self.refresh_checks();
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.toggle_en_passant(square.file());
        }
    }

    /// A castling right is lost when its rook or king moves, or the rook is captured.
    #[inline]
    fn lose_castling_rights(&mut self, piece: Piece, from: Square, to: Square) {
        if self.castling.is_empty() {
            return;
        }
        let mut touched = from.bitboard() | to.bitboard();
        if piece.piece_type() == PieceType::King {
            touched |= Bitboard::rank(Rank::One.relative_to(piece.color()));
        }
        let lost = self.castling.rooks() & touched;
        self.castling.0 -= lost;
        for rook in lost {
            self.keys.toggle_castling(rook);
        }
    }

    /// The position with colours swapped and the board flipped vertically.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let mut flipped = Self::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                flipped.put(Piece::new(!piece.color(), piece.piece_type()), square.flip_rank());
            }
        }
        for rook in self.castling.rooks() {
            flipped.castling.0 |= rook.flip_rank().bitboard();
            flipped.keys.toggle_castling(rook.flip_rank());
        }
        flipped.halfmove_clock = self.halfmove_clock;
        flipped.fullmove_number = self.fullmove_number;
        flipped.turn = !self.turn;
        if flipped.turn == Color::Black {
            flipped.keys.toggle_turn();
        }
        flipped.refresh_checks();
        if let Some(square) = self.en_passant {
            flipped.set_en_passant(square.flip_rank());
        }
        flipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_after_is_exact_for_normal_moves() {
        let mut exact = 0;
        for fen in
            ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "8/8/8/1Ppk4/8/8/4K3/8 w - c6 0 1"]
        {
            let board = Board::from_fen(fen).unwrap();
            for mv in board.legal_moves() {
                let child = board.after(mv);
                if mv.kind() == MoveKind::Normal && child.castling() == board.castling() && child.en_passant.is_none() {
                    assert_eq!(board.key_after(mv), child.key(), "{mv} in {fen}");
                    exact += 1;
                }
            }
        }
        assert!(exact > 30, "only {exact} moves");
    }
}
