//! Where games start: random moves from the start position, from Chess960 arrays, and from a book.

use std::path::Path;

use movegen::{Board, PieceType, Position, Setup};
use pgn::{OpeningError, read_positions};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{RandomMoves, random_opening};

/// Half-moves played at random from an array of chess or Chess960: this many or one more, so that either side
/// gets to move first.
const RANDOM_PLIES: usize = 8;
/// Half-moves played at random from a book position, or one more.
const RANDOM_PLIES_FROM_BOOK: usize = 2;
const ARRAYS: u16 = 960;
/// How often a random move is one of each type of piece, pawns first, where all have one. Drawn evenly from all moves,
/// queens and rooks wander far more than in games. After Plenty #227.
const PIECE_WEIGHTS: [u32; PieceType::ALL.len()] = [35, 15, 15, 5, 15, 15];

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
    pub fn with_book(mut self, path: &Path, share: f64) -> Result<Self, OpeningError> {
        self.book = read_positions(path)?;
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
        random_opening(&board, plies, RandomMoves::ByPiece(PIECE_WEIGHTS), rng)
    }
}

#[cfg(test)]
mod tests {
    use fs_err as fs;
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
    fn a_broken_book_names_its_line() {
        let book = tempfile::NamedTempFile::new().unwrap();
        fs::write(book.path(), "4k3/8/8/8/8/8/8/4K3 w - -\nnonsense\n").unwrap();
        let error = Openings::new(0.0).with_book(book.path(), 0.5).unwrap_err();
        assert!(error.to_string().starts_with("line 2"), "{error}");
        fs::write(book.path(), "\n").unwrap();
        assert!(matches!(Openings::new(0.0).with_book(book.path(), 0.5), Err(OpeningError::Empty)));
    }
}
