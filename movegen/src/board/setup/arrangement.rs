//! An arrangement of pieces that need not be a legal position, such as the fields of a FEN.

use crate::{CastlingSide, Color, File, Piece, PieceType, Rank, Square};

/// An arrangement of pieces, castling flags and counters that need not be a legal position.
///
/// ```
/// use movegen::{Board, Piece, Setup, SetupError, Square};
///
/// let mut setup = Setup::EMPTY;
/// setup.pieces[Square::E1 as usize] = Some(Piece::WhiteKing);
/// assert!(matches!(Board::from_setup(&setup), Err(SetupError::NoKing { .. })));
///
/// setup.pieces[Square::E8 as usize] = Some(Piece::BlackKing);
/// let (board, warnings) = Board::from_setup(&setup)?;
/// assert_eq!((board.count_legal_moves(), warnings.len()), (5, 0));
/// # Ok::<(), SetupError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each square, indexed by [`Square`].
    pub pieces: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Color,
    /// The castling flags, in any order.
    pub castling: Vec<CastlingFlag>,
    /// The en passant square.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the next move; 0 means 1.
    pub fullmove_number: u32,
}

impl Setup {
    /// The empty board with White to move.
    pub const EMPTY: Self = Self {
        pieces: [None; 64],
        turn: Color::White,
        castling: Vec::new(),
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The start position of standard chess.
    #[must_use]
    pub fn start() -> Self {
        use PieceType::{Bishop, King, Knight, Queen, Rook};
        let back_rank = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook].map(Some);
        Self::with_back_ranks([back_rank; 2])
    }

    /// The start position of Chess960 with these numbers of White's and Black's back rank; standard chess is 518 for
    /// both.
    ///
    /// Both numbers are equal in Chess960; in double Chess960 they may differ. `None` unless both are below 960.
    /// Source: R. Scharnagl's numbering, as on the Chess Programming Wiki.
    #[must_use]
    pub fn chess960(white: u16, black: u16) -> Option<Self> {
        Some(Self::with_back_ranks([chess960_back_rank(white)?, chess960_back_rank(black)?]))
    }

    fn with_back_ranks(back_ranks: [[Option<PieceType>; 8]; 2]) -> Self {
        let mut setup = Self::EMPTY;
        for (color, back_rank) in Color::ALL.into_iter().zip(back_ranks) {
            for (file, piece_type) in File::ALL.into_iter().zip(back_rank) {
                let mut put = |piece_type, rank: Rank| {
                    setup.pieces[Square::new(file, rank.relative_to(color)) as usize] =
                        Some(Piece::new(color, piece_type));
                };
                if let Some(piece_type) = piece_type {
                    put(piece_type, Rank::One);
                }
                put(PieceType::Pawn, Rank::Two);
            }
            let rooks = CastlingSide::ALL.map(CastlingRook::Outermost);
            setup.castling.extend(rooks.map(|rook| CastlingFlag { color, rook }));
        }
        setup
    }
}

fn chess960_back_rank(number: u16) -> Option<[Option<PieceType>; 8]> {
    /// Which two of the five squares left by bishops and queen the knights take.
    const KNIGHTS: [[usize; 2]; 10] = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

    let number = usize::from(number);
    let [left, right] = *KNIGHTS.get(number / 96)?;
    let mut back_rank = [None; 8];
    back_rank[number % 4 * 2 + 1] = Some(PieceType::Bishop);
    back_rank[number / 4 % 4 * 2] = Some(PieceType::Bishop);
    // The right knight first, so that it does not shift the count of the left one.
    let nth_free = [(number / 16 % 6, PieceType::Queen), (right, PieceType::Knight), (left, PieceType::Knight)];
    let rest = [(0, PieceType::Rook), (0, PieceType::King), (0, PieceType::Rook)];
    for (nth, piece_type) in nth_free.into_iter().chain(rest) {
        let free = back_rank.iter_mut().filter(|square| square.is_none()).nth(nth);
        *free? = Some(piece_type);
    }
    Some(back_rank)
}

/// One castling flag of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CastlingFlag {
    /// The side with the right.
    pub color: Color,
    /// The rook.
    pub rook: CastlingRook,
}

/// The ways in which a castling flag names its rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingRook {
    /// The rook furthest from the king on this side: `K` and `Q`.
    Outermost(CastlingSide),
    /// The rook on this file: `A` to `H`.
    On(File),
}

impl CastlingFlag {
    /// The flag with this letter in FEN's third field: `K`, `Q` or a file, upper case for White.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rook = match letter.to_ascii_lowercase() {
            'k' => CastlingRook::Outermost(CastlingSide::King),
            'q' => CastlingRook::Outermost(CastlingSide::Queen),
            letter => match File::from_letter(letter) {
                Some(file) => CastlingRook::On(file),
                None => return None,
            },
        };
        Some(Self { color, rook })
    }

    /// The letter of the flag.
    #[must_use]
    pub const fn letter(self) -> char {
        let letter = match self.rook {
            CastlingRook::Outermost(CastlingSide::King) => 'k',
            CastlingRook::Outermost(CastlingSide::Queen) => 'q',
            CastlingRook::On(file) => file.letter(),
        };
        match self.color {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter,
        }
    }
}
