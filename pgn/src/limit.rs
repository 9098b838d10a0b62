//! How much a file of games may hold in one place. All limits are far above what people write; they bound the memory and
//! the time that a file can take which was made to take much.

use std::fmt;

use crate::tree::Tree;

/// A limit that a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PgnLimit {
    /// Bytes of a line.
    Line,
    /// Bytes of a comment.
    Comment,
    /// Tags of a game.
    Tags,
    /// Variations within variations.
    Nesting,
    /// Moves of a game, those in variations among them.
    Moves,
    /// Variations of a game.
    Variations,
    /// Bytes of a game.
    Game,
}

impl PgnLimit {
    /// The most that is read.
    #[must_use]
    pub const fn most(self) -> usize {
        match self {
            Self::Line => 4 << 20,
            Self::Comment => 1 << 20,
            Self::Tags => 512,
            // As deep as the board can write them: each needs a move to differ from and one of its own.
            Self::Nesting => 10_000,
            Self::Moves => Tree::MAX_NODES - 1,
            Self::Variations => 1 << 15,
            Self::Game => 16 << 20,
        }
    }
}

impl fmt::Display for PgnLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self.most();
        match self {
            Self::Line => write!(f, "the line is longer than {most} bytes"),
            Self::Comment => write!(f, "the comment that begins here is longer than {most} bytes"),
            Self::Tags => write!(f, "the game has more than {most} tags"),
            Self::Nesting => write!(f, "variations are nested more than {most} deep"),
            Self::Moves => write!(f, "the game has more than {most} moves"),
            Self::Variations => write!(f, "the game has more than {most} variations"),
            Self::Game => write!(f, "the game is longer than {most} bytes"),
        }
    }
}
