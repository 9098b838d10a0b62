//! A board with its history, as the repetition rules need it.

use crate::{Board, Key, Move};

/// A board and the keys of the positions before it.
///
/// ```
/// use movegen::Position;
///
/// let mut position = Position::start();
/// for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///     let mv = position.board().parse_uci(text)?;
///     position.play(mv);
/// }
/// assert_eq!(position.earlier_occurrences(), 1);
/// # Ok::<(), movegen::MoveError>(())
/// ```
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

    /// The current board.
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

    /// How often the current position has occurred before.
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
