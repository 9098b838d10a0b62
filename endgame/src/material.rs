//! Which pieces are on the board, whatever their squares.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;
use movegen::{Board, Color, Piece, PieceType, Setup, Square};

use crate::MAX_PIECES;

/// The pieces besides the kings.
pub(crate) type Others = ArrayVec<Piece, { MAX_PIECES - 2 }>;

/// The kinds of pieces besides the king, in the order in which names list them.
const KINDS: [PieceType; 5] =
    [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight, PieceType::Pawn];

/// The pieces of both sides, at least one besides the kings, named as Syzygy tables are: `KRvKP`.
///
/// White is the side with more pieces or, with as many, the one with the stronger.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Material {
    /// White's before Black's, the strongest first.
    others: Others,
}

/// Why a text names no material.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} names no material of three or four pieces, such as KRvKP")]
pub struct MaterialError(String);

/// The place of a kind in names.
fn rank(piece: Piece) -> usize {
    KINDS.iter().position(|&kind| kind == piece.piece_type()).unwrap_or(KINDS.len())
}

impl Material {
    /// Every material of up to this many pieces, at most [`MAX_PIECES`].
    #[must_use]
    pub fn all(pieces: usize) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let mut add = |others: &[Piece]| {
            let (material, _) = Self::of(others.iter().copied().collect());
            if !all.contains(&material) {
                all.push(material);
            }
        };
        let white = KINDS.map(|kind| Piece::new(Color::White, kind));
        let black = KINDS.map(|kind| Piece::new(Color::Black, kind));
        if pieces >= 3 {
            white.iter().for_each(|&piece| add(&[piece]));
        }
        if pieces >= 4 {
            for second in [white, black] {
                white.iter().for_each(|&piece| second.iter().for_each(|&other| add(&[piece, other])));
            }
        }
        all
    }

    /// The material of pieces in any order, and whether the colours had to change places.
    pub(crate) fn of(mut others: Others) -> (Self, bool) {
        others.sort_unstable_by_key(|&piece| (piece.color(), rank(piece)));
        let kinds = |color| {
            let kinds: ArrayVec<_, 2> =
                others.iter().filter(|piece| piece.color() == color).map(|&p| rank(p)).collect();
            (kinds.len(), kinds.iter().map(|&rank| KINDS.len() - rank).collect::<ArrayVec<_, 2>>())
        };
        let swapped = kinds(Color::Black) > kinds(Color::White);
        if swapped {
            for piece in &mut others {
                *piece = Piece::new(!piece.color(), piece.piece_type());
            }
            others.sort_unstable_by_key(|&piece| (piece.color(), rank(piece)));
        }
        (Self { others }, swapped)
    }

    /// How many pieces these are, kings included.
    #[must_use]
    pub fn count(&self) -> usize {
        self.others.len() + 2
    }

    /// All pieces, the kings first.
    pub(crate) fn pieces(&self) -> ArrayVec<Piece, MAX_PIECES> {
        [Piece::WhiteKing, Piece::BlackKing].into_iter().chain(self.others.iter().copied()).collect()
    }

    /// The pieces besides the kings: White's before Black's, the strongest first.
    #[must_use]
    pub fn others(&self) -> &[Piece] {
        &self.others
    }

    /// The board with White's king, Black's king and [the others](Self::others) on these squares; `en_passant` is the
    /// square a pawn has just passed, if any. `None` if that is no legal position.
    #[must_use]
    pub fn board(&self, squares: &[Square], turn: Color, en_passant: Option<Square>) -> Option<Board> {
        let mut setup = Setup { turn, en_passant, ..Setup::EMPTY };
        for (piece, &square) in self.pieces().into_iter().zip(squares) {
            if setup.pieces[square as usize].replace(piece).is_some() {
                return None;
            }
        }
        Board::from_setup(&setup).ok().map(|(board, _)| board)
    }

    /// Whether there is a pawn of either colour.
    #[must_use]
    pub fn has_pawns(&self) -> bool {
        self.others.iter().any(|piece| piece.piece_type() == PieceType::Pawn)
    }

    /// Whether a pawn may be taken en passant.
    pub(crate) fn has_en_passant(&self) -> bool {
        [Piece::WhitePawn, Piece::BlackPawn].iter().all(|pawn| self.others.contains(pawn))
    }

    /// What one capture or promotion, or both, can make of it; bare kings left out.
    pub(crate) fn conversions(&self) -> Vec<Self> {
        let mut promoted = vec![self.others.clone()];
        for (index, pawn) in self.others.iter().enumerate().filter(|(_, piece)| piece.piece_type() == PieceType::Pawn) {
            for kind in &KINDS[..4] {
                let mut others = self.others.clone();
                others[index] = Piece::new(pawn.color(), *kind);
                promoted.push(others);
            }
        }
        let mut conversions = promoted[1..].to_vec();
        for others in &promoted {
            for index in 0..others.len() {
                let mut others = others.clone();
                others.remove(index);
                conversions.push(others);
            }
        }
        conversions.retain(|others| !others.is_empty());
        conversions.into_iter().map(|others| Self::of(others).0).collect()
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (color, king) in [(Color::White, "K"), (Color::Black, "vK")] {
            f.write_str(king)?;
            for piece in self.others.iter().filter(|piece| piece.color() == color) {
                write!(f, "{}", piece.piece_type().letter().to_ascii_uppercase())?;
            }
        }
        Ok(())
    }
}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Self, MaterialError> {
        let parse = || {
            let (white, black) = text.split_once('v')?;
            let mut others = Others::new();
            for (color, side) in Color::ALL.into_iter().zip([white, black]) {
                for letter in side.strip_prefix('K')?.chars() {
                    let kind = PieceType::from_letter(letter.to_ascii_lowercase())?;
                    if kind == PieceType::King || !letter.is_ascii_uppercase() {
                        return None;
                    }
                    others.try_push(Piece::new(color, kind)).ok()?;
                }
            }
            (!others.is_empty()).then(|| Self::of(others).0)
        };
        parse().ok_or_else(|| MaterialError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_five_materials_of_three_pieces_and_thirty_of_four() {
        assert_eq!((Material::all(2).len(), Material::all(3).len(), Material::all(4).len()), (0, 5, 35));
        for material in Material::all(4) {
            assert_eq!(material.to_string().parse(), Ok(material));
        }
    }

    #[test]
    fn the_stronger_side_is_white() {
        for (text, name) in [("KPvKR", "KRvKP"), ("KvKBN", "KBNvK"), ("KPQvK", "KQPvK"), ("KBvKN", "KBvKN")] {
            assert_eq!(text.parse::<Material>().unwrap().to_string(), name);
        }
        for bad in ["", "KvK", "KQ", "KQRBvK", "QvK", "KXvK", "KKvK", "kqvk", "KQvvK"] {
            assert_eq!(bad.parse::<Material>(), Err(MaterialError(bad.to_owned())));
        }
    }

    #[test]
    fn captures_and_promotions_lead_to_other_materials() {
        let names = |text: &str| {
            let mut names: Vec<_> =
                text.parse::<Material>().unwrap().conversions().iter().map(Material::to_string).collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        assert_eq!(names("KQvK"), [""; 0]);
        assert_eq!(names("KRvKB"), ["KBvK", "KRvK"]);
        assert_eq!(names("KPvK"), ["KBvK", "KNvK", "KQvK", "KRvK"]);
        assert_eq!(names("KRvKP"), ["KBvK", "KNvK", "KPvK", "KQvK", "KQvKR", "KRvK", "KRvKB", "KRvKN", "KRvKR"]);
    }
}
