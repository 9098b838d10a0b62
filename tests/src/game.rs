//! A game played on our board and on those of two independent libraries.

use std::fmt;

use cozy_chess::Board as CozyBoard;
use movegen::{Board, FenStyle, Move};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, FromSetup, Position, PositionError, PositionErrorKinds};

use crate::peers::{sorted, sorted_cozy, sorted_shakmaty};
use crate::play::{Random, Taste};

/// How many moves of earlier positions are kept.
const STALE_MOVES: usize = 256;

/// A game on three boards. Its text, for messages, is the seed and the position.
pub struct Game {
    seed: u64,
    /// Our board.
    pub ours: Board,
    /// The board of cozy-chess, unless it refused the start.
    pub cozy: Option<CozyBoard>,
    /// The position of shakmaty.
    pub shakmaty: Chess,
    /// Legal moves of the previous positions, latest last; most are illegal now.
    pub stale: Vec<Move>,
}

impl Game {
    /// A game from a FEN, if it is legal: ours and shakmaty must agree whether it is.
    ///
    /// Shakmaty's refusals are ignored where our rules are deliberately more lenient: impossible checks and any number
    /// of promoted pieces are accepted, rights without a basis dropped.
    ///
    /// # Panics
    ///
    /// If they disagree, or the text is no FEN.
    #[must_use]
    pub fn from_fen(seed: u64, fen: &str) -> Option<Self> {
        let setup = fen.parse::<Fen>().unwrap_or_else(|error| panic!("seed {seed}, {fen}: {error}")).into_setup();
        let has_too_many_pieces = has_too_many_pieces(&setup.board);
        let shakmaty = Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_impossible_check);
        let shakmaty =
            if has_too_many_pieces { shakmaty } else { shakmaty.or_else(PositionError::ignore_too_much_material) };
        match (Board::from_fen(fen), shakmaty) {
            (Ok(ours), Ok(shakmaty)) => {
                let cozy = CozyBoard::from_fen(&ours.fen(FenStyle::Shredder), true).ok();
                Some(Self { seed, ours, cozy, shakmaty, stale: Vec::new() })
            }
            (Err(_), Err(_)) => None,
            (ours, _) => panic!("seed {seed}, {fen}: {ours:?}, shakmaty {:?}", shakmaty_refusal(fen)),
        }
    }

    /// Plays a legal move on all boards.
    ///
    /// # Panics
    ///
    /// If it is not legal, or the boards disagree which moves are.
    pub fn play(&mut self, mv: Move) {
        let moves = sorted(&self.ours);
        let index = moves.iter().position(|&(_, other)| other == mv);
        let index = index.unwrap_or_else(|| panic!("{self}: {mv:?} is illegal"));
        let shakmaty = sorted_shakmaty(&self.shakmaty)[index].1;
        self.shakmaty.play_unchecked(shakmaty);
        if let Some(cozy) = &mut self.cozy {
            cozy.play_unchecked(sorted_cozy(cozy)[index].1);
        }
        self.ours.play(mv, &mut ());
        self.stale.extend(moves.iter().map(|&(_, mv)| mv));
        self.stale.drain(..self.stale.len().saturating_sub(STALE_MOVES));
    }

    /// Plays a random move, which is returned; none if the game is over.
    pub fn play_random(&mut self, taste: Taste, random: &mut Random) -> Option<Move> {
        let moves: Vec<Move> = sorted(&self.ours).into_iter().map(|(_, mv)| mv).collect();
        if moves.is_empty() {
            return None;
        }
        let mv = taste.choose(&self.ours, &moves, random);
        self.play(mv);
        Some(mv)
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}, {}", self.seed, self.ours.fen(FenStyle::Shredder))
    }
}

/// Why shakmaty refuses a position, or nothing.
///
/// # Panics
///
/// If the text is no FEN.
#[must_use]
pub fn shakmaty_refusal(fen: &str) -> PositionErrorKinds {
    let fen: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let position: Result<Chess, _> = fen.into_position(CastlingMode::Chess960);
    position.map_or_else(|error| error.kinds(), |_| PositionErrorKinds::empty())
}

/// Whether a side has more than 16 pieces or more than 8 pawns.
fn has_too_many_pieces(board: &shakmaty::Board) -> bool {
    shakmaty::Color::ALL.into_iter().any(|color| {
        let pawns = board.by_color(color) & board.pawns();
        board.by_color(color).count() > 16 || pawns.count() > 8
    })
}
