//! The input features of a board, shared by inference and training.
//!
//! Each side has its own perspective: the board is flipped vertically for Black, and mirrored horizontally while the
//! own king is on the files e to h, so that both wings share their weights.

use movegen::{Board, Color, File, Piece, PieceType, Square};

use crate::arch::{INPUTS, KING_BUCKET_COUNT, king_bucket};

/// The perspective of one side, which depends on its king's square.
///
/// Two boards with the same perspective differ in as many features as pieces, so an accumulator can be updated. When a
/// king move changes the perspective, the accumulator must be refreshed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    /// Maps a square to this perspective by exclusive or.
    flip: u8,
    /// The first feature of the king's bucket.
    base: u16,
}

impl Perspective {
    /// The number of perspectives of one side.
    pub(crate) const COUNT: usize = 2 * KING_BUCKET_COUNT;

    /// The perspective of `color` with its king on `king`.
    #[inline]
    #[must_use]
    pub const fn new(color: Color, king: Square) -> Self {
        let mirror = if king.file() as u8 >= File::E as u8 { 7 } else { 0 };
        let flip = mirror ^ (56 * color as u8);
        let base = king_bucket(Square::from_index(king as u8 ^ flip)) * INPUTS;
        Self { color, flip, base: base as u16 }
    }

    /// The perspective of `color` on a board.
    #[inline]
    #[must_use]
    pub fn of(board: &Board, color: Color) -> Self {
        Self::new(color, board.king(color))
    }

    /// The side.
    #[inline]
    pub(crate) const fn color(self) -> Color {
        self.color
    }

    /// The index of this perspective among those of its side, below [`COUNT`](Self::COUNT).
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.base as usize / INPUTS * 2 + (self.flip & 1) as usize
    }

    /// The feature of a piece on a square, below [`FEATURES`](crate::arch::FEATURES).
    #[inline]
    #[must_use]
    pub const fn feature(self, piece: Piece, square: Square) -> usize {
        let enemy = piece.color() as usize ^ self.color as usize;
        let kind = enemy * PieceType::ALL.len() + piece.piece_type() as usize;
        self.base as usize + kind * 64 + (square as usize ^ self.flip as usize)
    }
}

const _: () = assert!(crate::arch::FEATURES <= u16::MAX as usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::FEATURES;

    #[test]
    fn features_of_a_view_are_distinct_and_in_range() {
        for color in Color::ALL {
            for king in Square::ALL {
                let perspective = Perspective::new(color, king);
                let mut seen = vec![false; FEATURES];
                for piece in Piece::ALL {
                    for square in Square::ALL {
                        let feature = perspective.feature(piece, square);
                        assert!(!std::mem::replace(&mut seen[feature], true), "{piece:?} {square} twice");
                    }
                }
                assert_eq!(seen.iter().filter(|&&seen| seen).count(), INPUTS);
            }
        }
    }

    #[test]
    fn both_sides_and_both_wings_share_features() {
        for king in Square::ALL {
            let white = Perspective::new(Color::White, king);
            let black = Perspective::new(Color::Black, king.flip_rank());
            let mirrored = Perspective::new(Color::White, king.flip_file());
            for piece in Piece::ALL {
                let other = Piece::new(!piece.color(), piece.piece_type());
                for square in Square::ALL {
                    assert_eq!(white.feature(piece, square), black.feature(other, square.flip_rank()));
                    assert_eq!(white.feature(piece, square), mirrored.feature(piece, square.flip_file()));
                }
            }
        }
    }

    #[test]
    fn the_own_king_is_on_the_files_a_to_d() {
        for king in Square::ALL {
            let feature = Perspective::new(Color::White, king).feature(Piece::WhiteKing, king);
            assert!(feature % 8 < 4, "{king}: {feature}");
        }
    }
}
