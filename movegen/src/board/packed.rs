//! A position in 24 bytes, for large sets of positions without hash collisions.

use super::setup::{CastlingFlag, CastlingRook, Setup};
use super::state::Board;
use crate::{Bitboard, Color, Piece, PieceType, Rank, Square};

/// Pieces, side to move, castling rights and a legal en passant square, but no counters. Different positions pack to
/// different values, so unlike Zobrist keys they never collide.
///
/// The occupied squares, then four bits for each piece in square order: its [`Piece`], or one of the codes below for
/// the other state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Packed([u64; 3]);

/// No position has more pieces.
const MAX_OCCUPIED: usize = 32;
/// A rook with a castling right; its rank tells the colour.
const CASTLING_ROOK: u64 = 12;
/// A pawn that can be captured en passant; its rank tells the colour.
const PASSED_PAWN: u64 = 13;
/// The white king, if Black is to move.
const WAITING_WHITE_KING: u64 = 14;

impl Board {
    /// The position without its counters.
    pub(crate) fn pack(&self) -> Packed {
        let passed = self.en_passant.map(|target| Square::new(target.file(), Rank::Five.relative_to(self.turn)));
        let mut codes = [0; 2];
        for (index, square) in self.occupied().into_iter().enumerate() {
            let code = match self.piece_on(square) {
                Some(Piece::WhiteKing) if self.turn == Color::Black => WAITING_WHITE_KING,
                Some(Piece::WhiteRook | Piece::BlackRook) if self.castling.rooks().contains(square) => CASTLING_ROOK,
                Some(Piece::WhitePawn | Piece::BlackPawn) if passed == Some(square) => PASSED_PAWN,
                Some(piece) => piece as u64,
                None => continue,
            };
            codes[index >> 4 & 1] |= code << (4 * (index & 15));
        }
        Packed([self.occupied().0, codes[0], codes[1]])
    }

    /// The position without its counters, in 24 bytes: pieces, side to move, castling rights and a legal en passant
    /// square. Different positions have different bytes, so that sets of positions on disk need no hash.
    #[must_use]
    pub fn packed(&self) -> [u8; 24] {
        let mut bytes = [0; 24];
        for (part, word) in bytes.chunks_exact_mut(8).zip(self.pack().0) {
            part.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// The same position, so many plies after the last capture or pawn move.
    #[must_use]
    pub const fn with_halfmove_clock(mut self, plies: u16) -> Self {
        self.halfmove_clock = if plies < Self::MAX_HALFMOVE_CLOCK { plies } else { Self::MAX_HALFMOVE_CLOCK };
        self
    }

    /// The position of these bytes, with counters as at the start of a game; `None` if [`packed`](Self::packed) gives no
    /// position such bytes.
    #[must_use]
    pub fn from_packed(bytes: &[u8; 24]) -> Option<Self> {
        let word = |part: usize| (0..8).rev().fold(0, |word, index| word << 8 | u64::from(bytes[8 * part + index]));
        let mut setup = Setup::EMPTY;
        for (index, square) in Bitboard(word(0)).into_iter().enumerate().take(MAX_OCCUPIED) {
            let code = [word(1), word(2)][index >> 4 & 1] >> (4 * (index & 15)) & 15;
            let color_by_rank = if square.rank() < Rank::Five { Color::White } else { Color::Black };
            let piece = match code {
                CASTLING_ROOK => {
                    let rook = CastlingRook::On(square.file());
                    setup.castling.push(CastlingFlag { color: color_by_rank, rook });
                    Piece::new(color_by_rank, PieceType::Rook)
                }
                PASSED_PAWN => {
                    setup.en_passant = Some(Square::new(square.file(), Rank::Three.relative_to(color_by_rank)));
                    Piece::new(color_by_rank, PieceType::Pawn)
                }
                WAITING_WHITE_KING => {
                    setup.turn = Color::Black;
                    Piece::WhiteKing
                }
                code => *Piece::ALL.get(code as usize)?,
            };
            setup.pieces[square as usize] = Some(piece);
        }
        // What the setup drops, and what was left out here, is missing then.
        Self::from_setup(&setup).ok().map(|(board, _)| board).filter(|board| board.packed() == *bytes)
    }
}

impl Packed {
    /// A hash of the position, for a table.
    pub(crate) fn hash(self) -> u64 {
        let [squares, low, high] = self.0;
        let mixed = u128::from(squares ^ 0x9E37_79B9_7F4A_7C15) * u128::from(low ^ 0xBF58_476D_1CE4_E5B9);
        let mixed = mixed as u64 ^ (mixed >> 64) as u64 ^ high.wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// The position, with counters as at the start of a game.
    pub(crate) fn unpack(self) -> Board {
        let [squares, low, high] = self.0;
        let mut board = Board::empty();
        let mut passed = None;
        for (index, square) in Bitboard(squares).into_iter().enumerate() {
            let code = [low, high][index >> 4 & 1] >> (4 * (index & 15)) & 15;
            let color_by_rank = if square.rank() < Rank::Five { Color::White } else { Color::Black };
            let piece = match code {
                CASTLING_ROOK => {
                    board.castling.0 |= square.bitboard();
                    board.keys.toggle_castling(square);
                    Piece::new(color_by_rank, PieceType::Rook)
                }
                PASSED_PAWN => {
                    passed = Some(Square::new(square.file(), Rank::Three.relative_to(color_by_rank)));
                    Piece::new(color_by_rank, PieceType::Pawn)
                }
                WAITING_WHITE_KING => {
                    board.turn = Color::Black;
                    board.keys.toggle_turn();
                    Piece::WhiteKing
                }
                code => Piece::ALL[code as usize % 12],
            };
            board.put(piece, square);
        }
        board.refresh_checks();
        if let Some(target) = passed {
            board.set_en_passant(target);
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FenStyle;

    #[test]
    fn packing_keeps_all_but_the_counters() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 1",
            "8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            for mv in board.legal_moves() {
                let child = board.after(mv);
                let unpacked = child.pack().unpack();
                assert_eq!(unpacked.keys(), child.keys(), "{fen} {mv}");
                assert_eq!(unpacked.keys(), &unpacked.fresh_keys(), "{fen} {mv}");
                assert_eq!(unpacked.castling(), child.castling());
                assert_eq!(unpacked.checkers(), child.checkers());
                assert_eq!(unpacked.legal_moves(), child.legal_moves());
                assert_eq!(unpacked.pack(), child.pack());
                assert_eq!(Board::from_packed(&child.packed()).map(|board| board.keys), Some(unpacked.keys));
                assert_ne!(child.pack(), board.pack());
            }
            let fields = |board: &Board| board.fen(FenStyle::Shredder).rsplitn(3, ' ').last().map(str::to_owned);
            assert_eq!(fields(&board.pack().unpack()), fields(&board));
        }
    }

    #[test]
    fn bytes_of_no_position_are_none() {
        let start = Board::start().packed();
        let mut state = 1_u64;
        let mut count = 0;
        for trial in 0..40_000 {
            let mut bytes = if trial % 4 == 0 { [0; 24] } else { start };
            for _ in 0..=trial % 7 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                bytes[(state >> 33) as usize % 24] = (state >> 56) as u8;
            }
            if let Some(board) = Board::from_packed(&bytes) {
                count += 1;
                assert_eq!(board.packed(), bytes);
                assert_eq!(Board::from_fen(&board.fen(FenStyle::Shredder)).as_ref().map(Board::packed), Ok(bytes));
            }
        }
        assert!(count > 100, "{count}");
        assert!(Board::from_packed(&[0; 24]).is_none() && Board::from_packed(&[0xFF; 24]).is_none());
    }
}
