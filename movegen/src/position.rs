//! A board with its history, as the repetition rules need it.

use std::collections::TryReserveError;

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

    /// The keys of those earlier positions that can still be repeated: none before the last capture or pawn move, and
    /// at most 1024. The seventy-five-move rule ends a game long before that.
    #[must_use]
    pub fn reachable_history(&self) -> &[Key] {
        const MAX: usize = 1024;
        let reversible = usize::from(self.board.halfmove_clock()).min(MAX);
        &self.history[self.history.len().saturating_sub(reversible)..]
    }

    /// The position with no more of its history than repetitions need, however long the game is.
    #[must_use]
    pub fn without_unreachable_history(&self) -> Self {
        Self { board: self.board, history: self.reachable_history().to_vec() }
    }

    /// Asks for the memory that this many more moves need, so that playing them needs none.
    ///
    /// # Errors
    ///
    /// If there is not that much.
    pub fn try_reserve(&mut self, moves: usize) -> Result<(), TryReserveError> {
        self.history.try_reserve(moves)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_move_puts_the_positions_before_it_out_of_reach() {
        let mut position = Position::start();
        let mut lengths = Vec::new();
        for text in ["g1f3", "g8f6", "e2e4", "f6g8", "f3g1", "g8f6"] {
            position.play(position.board().parse_uci(text).unwrap());
            lengths.push((position.history().len(), position.reachable_history().len()));
        }
        assert_eq!(lengths, [(1, 1), (2, 2), (3, 0), (4, 1), (5, 2), (6, 3)]);
        for text in ["g1f3", "f6g8", "f3g1", "g8f6"].repeat(1000) {
            position.play(position.board().parse_uci(text).unwrap());
        }
        assert_eq!((position.history().len(), position.reachable_history().len()), (4006, 1024));
        let recent = position.without_unreachable_history();
        assert_eq!(recent.board(), position.board());
        assert_eq!(recent.history(), position.reachable_history());
        assert!(recent.earlier_occurrences() > 200);
    }
}
