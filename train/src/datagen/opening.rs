//! Where games start: random moves from the start position, from Chess960 arrays, and from a book.

use std::path::Path;

use fs_err as fs;
use movegen::{Board, FenError, Move, PieceType, Position, Setup};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Half-moves played at random from an array of chess or Chess960: this many or one more, so that either side
/// gets to move first.
const RANDOM_PLIES: usize = 8;
/// Half-moves played at random from a book position, or one more.
const RANDOM_PLIES_FROM_BOOK: usize = 2;
const ARRAYS: u16 = 960;
/// How often a random move is one of each type of piece, pawns first, where all have one. Drawn evenly from all moves,
/// queens and rooks wander far more than in games. After Plenty #227 (+13 ± 6 Elo from the network trained on it).
const PIECE_WEIGHTS: [u32; PieceType::ALL.len()] = [35, 15, 15, 5, 15, 15];

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// A line is no position.
    #[error("line {line}: {source}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        source: FenError,
    },
    /// There is no position in it.
    #[error("the book is empty")]
    Empty,
}

/// A source of openings.
#[derive(Clone, Debug)]
pub struct Openings {
    book: Vec<Board>,
    book_share: f64,
    chess960_share: f64,
}

impl Openings {
    /// Openings without a book; `chess960_share` of them, from 0 to 1, start from Chess960 arrays, half of these
    /// with a different array for each side.
    #[must_use]
    pub const fn new(chess960_share: f64) -> Self {
        Self { book: Vec::new(), book_share: 0.0, chess960_share }
    }

    /// Lets `share` of the openings, from 0 to 1, start from the positions of an EPD or FEN file, one a line; only
    /// the first four fields count.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, holds no position, or has a line that is none.
    pub fn with_book(mut self, path: &Path, share: f64) -> Result<Self, BookError> {
        for (index, line) in fs::read_to_string(path)?.lines().enumerate() {
            let fields: Vec<_> = line.split_whitespace().take(4).collect();
            if fields.is_empty() {
                continue;
            }
            let board = Board::from_fen(&fields.join(" "));
            self.book.push(board.map_err(|source| BookError::Line { line: index + 1, source })?);
        }
        if self.book.is_empty() {
            return Err(BookError::Empty);
        }
        self.book_share = share;
        Ok(self)
    }

    /// An opening; `None` if its random moves ended the game.
    pub fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> Option<Position> {
        let choice = rng.random::<f64>();
        let (board, plies) = if choice < self.chess960_share {
            let white = rng.random_range(..ARRAYS);
            let black = if rng.random() { white } else { rng.random_range(..ARRAYS) };
            let (board, _) = Board::from_setup(&Setup::chess960(white, black)?).ok()?;
            (board, RANDOM_PLIES)
        } else if choice < self.chess960_share + self.book_share {
            (*self.book.get(rng.random_range(..self.book.len().max(1)))?, RANDOM_PLIES_FROM_BOOK)
        } else {
            (Board::start(), RANDOM_PLIES)
        };
        let mut position = Position::from(board);
        for _ in 0..plies + usize::from(rng.random::<bool>()) {
            let mv = random_move(position.board(), rng)?;
            position.play(mv);
        }
        position.board().has_legal_move().then_some(position)
    }
}

/// A legal move drawn at random, first the type of piece and then its move; `None` if there is no legal move.
fn random_move(board: &Board, rng: &mut Xoshiro256PlusPlus) -> Option<Move> {
    let mut moves_of: [Vec<Move>; PieceType::ALL.len()] = Default::default();
    for mv in board.legal_moves() {
        let piece = board.piece_on(mv.from())?;
        moves_of[piece.piece_type() as usize].push(mv);
    }
    let weight = |kind: usize| if moves_of[kind].is_empty() { 0 } else { PIECE_WEIGHTS[kind] };
    let total: u32 = (0..moves_of.len()).map(weight).sum();
    if total == 0 {
        return None;
    }
    let mut draw = rng.random_range(..total);
    let kind = (0..moves_of.len()).find(|&kind| {
        let weight = weight(kind);
        let found = draw < weight;
        draw = draw.wrapping_sub(weight);
        found
    })?;
    let moves = &moves_of[kind];
    moves.get(rng.random_range(..moves.len())).copied()
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn openings_come_in_the_shares_asked_for() {
        let book = tempfile::NamedTempFile::new().unwrap();
        fs::write(book.path(), "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - bm e4; id \"x\";\n\n").unwrap();
        let openings = Openings::new(0.25).with_book(book.path(), 0.25).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let (mut pawn_games, mut drawn) = (0, 0);
        for _ in 0..2000 {
            let Some(position) = openings.draw(&mut rng) else { continue };
            drawn += 1;
            assert!(position.board().has_legal_move());
            pawn_games += usize::from(position.board().occupied().count() < 20);
        }
        assert!(drawn > 1900);
        assert!((400..600).contains(&pawn_games), "{pawn_games}");
    }

    #[test]
    fn random_moves_are_weighted_by_piece() {
        let board = Board::from_fen("7k/8/8/8/8/8/P7/KQ6 w - - 0 1").unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut drawn = [0; PieceType::ALL.len()];
        for _ in 0..6500 {
            let mv = random_move(&board, &mut rng).unwrap();
            assert!(board.legal_moves().contains(&mv));
            drawn[board.piece_on(mv.from()).unwrap().piece_type() as usize] += 1;
        }
        // 35, 15 and 15 of 65: a pawn, a queen and a king are all there is.
        let [pawn, knight, bishop, rook, queen, king] = drawn;
        assert!((3350..3650).contains(&pawn), "{drawn:?}");
        assert!((1350..1650).contains(&queen) && (1350..1650).contains(&king), "{drawn:?}");
        assert_eq!([knight, bishop, rook], [0, 0, 0]);
        let stalemate = Board::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(random_move(&stalemate, &mut rng), None);
    }

    #[test]
    fn a_broken_book_names_its_line() {
        let book = tempfile::NamedTempFile::new().unwrap();
        fs::write(book.path(), "4k3/8/8/8/8/8/8/4K3 w - -\nnonsense\n").unwrap();
        let error = Openings::new(0.0).with_book(book.path(), 0.5).unwrap_err();
        assert!(error.to_string().starts_with("line 2"), "{error}");
        fs::write(book.path(), "\n").unwrap();
        assert!(matches!(Openings::new(0.0).with_book(book.path(), 0.5), Err(BookError::Empty)));
    }
}
