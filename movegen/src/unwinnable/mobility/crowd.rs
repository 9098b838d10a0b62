//! Crowds: pieces of one kind that share so few squares that some of them always guard a square, though each can move.
//!
//! Bishops behind a chain of their own pawns, say, with one empty square among them: none stands still, yet each pawn is
//! guarded whichever square is empty. If all squares that `n` pieces can ever reach are `n + 1`, and none of them is
//! ever captured, then at any time they stand on all of these squares but one. So they always attack what they attack in
//! each of these `n + 1` cases. Which piece stands where does not matter, since all attack alike.

use arrayvec::ArrayVec;

use super::sets::{Mobility, Piece};
use crate::{Bitboard, Board, Color, PieceType, Square};

/// How many squares of a crowd may be empty: each more costs as many cases as there are squares.
const MAX_EMPTY: usize = 2;
/// The most squares of a crowd.
const MAX_SQUARES: usize = 12;

impl Mobility {
    /// The squares that crowds of `color` always attack, with an obstacle on every square that another piece can ever
    /// reach. The other king is no obstacle, as in all that is guarded.
    pub(super) fn guarded_by_crowds(&self, color: Color) -> Bitboard {
        let kinds = [PieceType::Knight, PieceType::Rook, PieceType::Queen];
        let bishops = [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES].map(|squares| (PieceType::Bishop, squares));
        let kinds = kinds.into_iter().map(|kind| (kind, Bitboard::FULL)).chain(bishops);
        kinds.fold(Bitboard::EMPTY, |guarded, (kind, homes)| guarded | self.guarded_by_crowd(color, kind, homes))
    }

    /// The same for the pieces of a kind that began on these squares.
    fn guarded_by_crowd(&self, color: Color, kind: PieceType, homes: Bitboard) -> Bitboard {
        let is_of_crowd = |piece: &Piece| {
            piece.color == color && piece.kind == kind && !piece.capturable && homes.contains(piece.home)
        };
        let (mut count, mut squares, mut others) = (0, Bitboard::EMPTY, Bitboard::EMPTY);
        for piece in &self.pieces {
            if is_of_crowd(piece) {
                count += 1;
                squares |= piece.reach;
            } else if piece.color == color || piece.kind != PieceType::King {
                others |= piece.reach;
            }
        }
        let empty = squares.count().saturating_sub(count);
        // A piece alone, and pieces that stand still, are looked at one by one.
        if count < 2 || empty == 0 || empty > MAX_EMPTY || squares.count() > MAX_SQUARES {
            return Bitboard::EMPTY;
        }
        let mut guarded = Bitboard::FULL;
        let list: ArrayVec<Square, MAX_SQUARES> = squares.into_iter().collect();
        for (index, first) in list.iter().enumerate() {
            // With one empty square, the second is the first.
            let seconds = if empty == 2 { &list[index + 1..] } else { std::slice::from_ref(first) };
            for second in seconds {
                let occupied = squares - first.bitboard() - second.bitboard();
                let attacks = |from| Board::piece_attacks(kind, from, occupied | others);
                guarded &= occupied.into_iter().fold(Bitboard::EMPTY, |all, from| all | attacks(from));
            }
        }
        guarded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guarded(fen: &str) -> Bitboard {
        let mut mobility = Mobility::start(&Board::from_fen(fen).unwrap(), Color::White);
        assert!(mobility.saturate().is_some(), "{fen}");
        mobility.guarded_by_crowds(Color::White)
    }

    #[test]
    fn a_crowd_guards_its_pawns_whichever_square_is_empty() {
        let crowd = guarded("B1B1B1B1/pBpBpBp1/P1P1P1P1/4b3/5b2/8/8/k1K5 w - - 0 1");
        for square in [Square::A6, Square::C6, Square::E6, Square::G6] {
            assert!(crowd.contains(square), "{square}");
        }
        // Nobody guards it when b7 is empty.
        assert!(!crowd.contains(Square::A8));
    }

    #[test]
    fn with_more_room_a_pawn_is_left_alone() {
        // With b7 and c8 empty nobody guards a6.
        let fen = "2B1B1B1/pBpBpBp1/P1P1P1P1/4b3/5b2/8/8/k1K5 w - - 0 1";
        let mut mobility = Mobility::start(&Board::from_fen(fen).unwrap(), Color::White);
        let is_settled = mobility.saturate().is_some();
        assert!(!is_settled || !mobility.guarded_by_crowds(Color::White).contains(Square::A6));
    }
}
