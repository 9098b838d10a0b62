//! A board with its history: what repetition and the fifty-move rule ask for.

use crate::{Board, Key, Move};

/// A board and the keys of the positions before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    /// Keys of the earlier positions, oldest first.
    history: Vec<Key>,
}

impl Position {
    /// The start of a normal game.
    #[must_use]
    pub fn start() -> Self {
        Self::from(Board::start())
    }

    /// The board as it is now.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The keys of the positions before this one, oldest first.
    #[inline]
    #[must_use]
    pub fn history(&self) -> &[Key] {
        &self.history
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.history.push(self.board.key());
        self.board.play(mv, &mut ());
    }

    /// How often the present position has been on the board before.
    #[must_use]
    pub fn earlier_occurrences(&self) -> usize {
        let reversible = usize::from(self.board.halfmove_clock());
        self.history.iter().rev().take(reversible).skip(1).step_by(2).filter(|&&key| key == self.board.key()).count()
    }
}

impl From<Board> for Position {
    fn from(board: Board) -> Self {
        Self { board, history: Vec::new() }
    }
}
