//! Zobrist keys: hash keys of positions.
//!
//! Source: A. L. Zobrist, "A New Hashing Method with Application for Game Playing" (1970).

use crate::{Color, File, Piece, PieceType, Square};

/// A 64-bit Zobrist key of a position or of a part of it.
pub type Key = u64;

/// The keys of a board, updated incrementally with each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// Pieces, side to move, castling rights, and en passant where the capture is legal.
    pub full: Key,
    /// Pawns of both sides; White's other pieces; Black's other pieces.
    by_class: [Key; 3],
    /// Knights and bishops of both sides.
    pub minor: Key,
}

impl Keys {
    pub(crate) const EMPTY: Self = Self { full: 0, by_class: [0; 3], minor: 0 };

    /// The pawn key: the pawns of both sides.
    #[inline]
    #[must_use]
    pub const fn pawn(&self) -> Key {
        self.by_class[0]
    }

    /// The non-pawn key of `color`: all its pieces except pawns.
    #[inline]
    #[must_use]
    pub const fn non_pawn(&self, color: Color) -> Key {
        self.by_class[1 + color as usize]
    }

    /// Adds a piece on a square or removes it.
    #[inline]
    pub(crate) fn toggle(&mut self, piece: Piece, square: Square) {
        let key = TABLE.pieces[piece as usize][square as usize];
        // Indices and masks instead of branches, since the piece type is hard to predict.
        let class = if piece.piece_type() as u8 == PieceType::Pawn as u8 { 0 } else { 1 + piece.color() as usize };
        self.full ^= key;
        self.by_class[class] ^= key;
        self.minor ^= key & MINOR_MASK[piece as usize];
    }

    /// Changes the side to move.
    #[inline]
    pub(crate) fn toggle_turn(&mut self) {
        self.full ^= TABLE.black_to_move;
    }

    /// Adds a rook's castling right or removes it.
    #[inline]
    pub(crate) fn toggle_castling(&mut self, rook: Square) {
        self.full ^= TABLE.castling[rook as usize];
    }

    /// Adds or removes the en passant file.
    #[inline]
    pub(crate) fn toggle_en_passant(&mut self, file: File) {
        self.full ^= TABLE.en_passant[file as usize];
    }
}

const MINOR_MASK: [Key; 12] = [0, 0, !0, !0, !0, !0, 0, 0, 0, 0, 0, 0];

pub(crate) struct Table {
    pub(crate) pieces: [[Key; 64]; 12],
    castling: [Key; 64],
    en_passant: [Key; 8],
    pub(crate) black_to_move: Key,
}

pub(crate) static TABLE: Table = Table::new();

impl Table {
    const fn new() -> Self {
        let mut random = SplitMix(0x5641_4E43_5552_4131);
        let mut table = Self { pieces: [[0; 64]; 12], castling: [0; 64], en_passant: [0; 8], black_to_move: 0 };
        let mut piece = 0;
        while piece < 12 {
            table.pieces[piece] = random.keys();
            piece += 1;
        }
        table.castling = random.keys();
        table.en_passant = random.keys();
        [table.black_to_move] = random.keys();
        table
    }
}

/// SplitMix64. Source: G. L. Steele et al., "Fast Splittable Pseudorandom Number Generators" (2014).
struct SplitMix(u64);

impl SplitMix {
    const fn keys<const N: usize>(&mut self) -> [Key; N] {
        let mut keys = [0; N];
        let mut index = 0;
        while index < N {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut key = self.0;
            key = (key ^ (key >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            key = (key ^ (key >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            keys[index] = key ^ (key >> 31);
            index += 1;
        }
        keys
    }
}
