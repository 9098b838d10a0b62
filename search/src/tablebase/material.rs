//! The material on a board, as in the names of tables: `KQvKR`.

use std::fmt;

use movegen::{Board, Color, PieceType};

/// The letters of a name, in its order.
const LETTERS: [(PieceType, char); 6] = [
    (PieceType::King, 'K'),
    (PieceType::Queen, 'Q'),
    (PieceType::Rook, 'R'),
    (PieceType::Bishop, 'B'),
    (PieceType::Knight, 'N'),
    (PieceType::Pawn, 'P'),
];

/// Bits for the number of one side's pieces of one kind.
const COUNT_BITS: u32 = 4;
const SIDE_BITS: u32 = COUNT_BITS * LETTERS.len() as u32;
/// The maximum number of pieces of a table.
const MAX_PIECES: usize = 7;

/// The pieces of both sides, whichever colour has them: `KQvKR` equals `KRvKQ`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Material(u64);

impl Material {
    pub(crate) const KINGS: Self = Self(1 << SIDE_BITS | 1);

    fn new(sides: [u64; 2]) -> Self {
        let [one, other] = sides;
        Self(one.max(other) << SIDE_BITS | one.min(other))
    }

    pub(crate) fn of(board: &Board) -> Self {
        Self::new([Color::White, Color::Black].map(|color| {
            let count = |(index, piece_type)| {
                let count = board.colored_pieces(color, piece_type).count() as u64;
                count << (index as u32 * COUNT_BITS)
            };
            LETTERS.iter().map(|(piece_type, _)| *piece_type).enumerate().map(count).sum()
        }))
    }

    /// The material a name stands for, if it can be a table's.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let (one, other) = name.split_once('v')?;
        if name.len() > MAX_PIECES + 1 {
            return None;
        }
        let side = |letters: &str| -> Option<u64> {
            let mut counts = 0;
            for letter in letters.chars() {
                let index = LETTERS.iter().position(|(_, known)| *known == letter)?;
                counts += 1 << (index as u32 * COUNT_BITS);
            }
            // One king each.
            (counts % (1 << COUNT_BITS) == 1).then_some(counts)
        };
        Some(Self::new([side(one)?, side(other)?]))
    }

    pub(crate) fn pieces(&self) -> usize {
        self.sides().into_iter().flat_map(counts).sum()
    }

    const fn sides(&self) -> [u64; 2] {
        [self.0 >> SIDE_BITS, self.0 % (1 << SIDE_BITS)]
    }
}

fn counts(side: u64) -> impl Iterator<Item = usize> {
    (0..LETTERS.len() as u32).map(move |index| (side >> (index * COUNT_BITS)) as usize % (1 << COUNT_BITS))
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = self.sides().map(|side| {
            let letters = LETTERS.iter().zip(counts(side)).map(|((_, letter), count)| letter.to_string().repeat(count));
            letters.collect::<String>()
        });
        write!(f, "{one}v{other}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_boards_agree_whichever_side_has_what() {
        for (fen, names) in [
            ("8/8/8/8/3k4/8/4Q3/K7 w - - 0 1", ["KQvK", "KvKQ"]),
            ("8/8/3r4/8/3k4/8/4Q3/K7 b - - 0 1", ["KQvKR", "KRvKQ"]),
            ("8/2nn4/8/8/3k4/1p6/4P3/KB6 w - - 0 1", ["KNNPvKBP", "KBPvKNNP"]),
        ] {
            let board = Board::from_fen(fen).unwrap();
            for name in names {
                assert_eq!(Material::parse(name), Some(Material::of(&board)), "{name}");
            }
            assert_eq!(Material::of(&board).pieces(), board.occupied().count());
            assert!(names.contains(&Material::of(&board).to_string().as_str()), "{}", Material::of(&board));
        }
        assert_eq!(Material::parse("KvK"), Some(Material::KINGS));
    }

    #[test]
    fn other_names_are_none() {
        for name in ["", "v", "KQ", "QvK", "KKvK", "KvKK", "KXvK", "kqvk", "KQvKv", "KQQQQQvKQ", "KQvK.rtbw", "KQvK "] {
            assert_eq!(Material::parse(name), None, "{name}");
        }
    }
}
