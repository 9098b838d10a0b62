//! A game of a PGN file: its tags, its moves, its result, and what the reader has to say of it.

use movegen::GameResult;

use crate::remark::Remark;
use crate::tags::Tags;
use crate::tree::Tree;

/// A game with all that a PGN file says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// The tags, in the order of the file and as it writes them.
    pub tags: Tags,
    /// The moves.
    pub tree: Tree,
    /// How it ended; `None` if it is unfinished or unknown, or if one player lost and the other drew.
    pub result: Option<GameResult>,
    /// Whether a player won or both lost without play, by the signs of the file for a forfeit: `+:-`, `1-0F`.
    pub is_forfeit: bool,
    /// What the reader has to say of it, in the order of the lines.
    pub remarks: Vec<Remark>,
}

impl PgnGame {
    /// A game without tags and remarks.
    #[must_use]
    pub fn new(tree: Tree) -> Self {
        Self { tags: Tags::default(), tree, result: None, is_forfeit: false, remarks: Vec::new() }
    }

    /// Whether something of the file is not among the moves of this game.
    #[must_use]
    pub fn has_losses(&self) -> bool {
        self.remarks.iter().any(Remark::is_loss)
    }
}
