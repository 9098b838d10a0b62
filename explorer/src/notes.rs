//! What a game leaves behind for an explorer: a key and a move for each position of its main line.

use movegen::{Board, Move};
use pgn::PgnGame;

/// What kind of chess a position is looked up in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Standard chess, from whatever position.
    Standard,
    /// Chess960, in which even its position 518 is not that of standard chess.
    Chess960,
}

/// Tells the keys of Chess960 from those of standard chess. Any number that is not 0 does.
const CHESS960: u64 = 0x9E6C_63D0_876A_3F6B;

impl Kind {
    /// The kind that a position is of by itself: Chess960 if somebody may castle as only there, else standard.
    #[must_use]
    pub fn of_board(board: &Board) -> Self {
        if board.is_chess960() { Self::Chess960 } else { Self::Standard }
    }

    /// The kind of a game, by its tags and its start.
    #[must_use]
    pub fn of_game(game: &PgnGame) -> Self {
        if game.is_chess960() { Self::Chess960 } else { Self::Standard }
    }

    /// The key of a position.
    pub(crate) fn key(self, board: &Board) -> u64 {
        match self {
            Self::Standard => board.key(),
            Self::Chess960 => board.key() ^ CHESS960,
        }
    }
}

/// The positions of a game's main line and the moves made there, up to a turn that is passed and to so many half-moves. A move
/// that is made twice in the same position comes twice.
pub fn notes_of(game: &PgnGame, plies: usize) -> impl Iterator<Item = (u64, Move)> {
    let kind = Kind::of_game(game);
    let moves = game.tree.main_line().map_while(move |(id, board)| Some((kind.key(&board), game.tree.node(id).mv?)));
    moves.take(plies)
}
