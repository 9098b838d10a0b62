//! What a reader has to say of a game that it could read.

use std::fmt;

use crate::fault::{LineFault, PgnError, PgnFault};
use crate::tree::NodeId;

/// Something about a game of a file that its moves do not show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The line of the file, from 1.
    pub line: u64,
    /// The move it is about; the root where there is none.
    pub node: NodeId,
    /// What it is.
    pub kind: RemarkKind,
}

/// What there may be to say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RemarkKind {
    /// The main line ends here, before a word that cannot be read or played. What follows is in the comment.
    MainLine(LineFault),
    /// A variation ends here, or is left out. What follows is in the comment.
    Variation(LineFault),
    /// A tag or a comment that is left out.
    LeftOut(LineFault),
    /// A comment that goes on to the end of the game; moves may be in it.
    OpenComment,
    /// A variation that goes on to the end of the game; the rest of the main line may be in it.
    OpenVariation,
    /// The tag says another result than the last word. The tag is believed.
    Results {
        /// What the tag says.
        tag: String,
        /// What the last word says.
        end: String,
    },
    /// The numbers of the moves go on with another than the next.
    Numbers {
        /// The number of the move that is next.
        expected: u32,
        /// The number in the file.
        found: u32,
    },
    /// All moves are read with the letters that this language has for the pieces.
    Language(&'static str),
    /// The first word that is neither a move nor a sign; it is kept as a comment.
    Word(String),
    /// The first word that is no move by itself, but several without a blank between them, or one with signs around it.
    ReadAs {
        /// The word, as the file has it.
        text: String,
        /// The moves, with blanks.
        moves: String,
    },
    /// The move has the sign of a mate, but is none.
    NoMate {
        /// The move, as the file has it.
        text: String,
    },
}

impl Remark {
    /// Whether something of the file is not among the moves of the game.
    #[must_use]
    pub const fn is_loss(&self) -> bool {
        match self.kind {
            RemarkKind::MainLine(_)
            | RemarkKind::Variation(_)
            | RemarkKind::LeftOut(_)
            | RemarkKind::OpenComment
            | RemarkKind::OpenVariation => true,
            RemarkKind::Results { .. }
            | RemarkKind::Numbers { .. }
            | RemarkKind::Language(_)
            | RemarkKind::Word(_)
            | RemarkKind::ReadAs { .. }
            | RemarkKind::NoMate { .. } => false,
        }
    }

    /// A loss as what is wrong with a game, which begins in the line `start`.
    pub(crate) fn into_error(self, start: u64) -> Option<PgnError> {
        let fault = match self.kind {
            RemarkKind::MainLine(fault) | RemarkKind::Variation(fault) | RemarkKind::LeftOut(fault) => fault.into(),
            RemarkKind::OpenComment => PgnFault::OpenComment,
            RemarkKind::OpenVariation => PgnFault::OpenVariation,
            _ => return None,
        };
        Some(PgnError { line: self.line, start, fault })
    }
}

/// The line, and what is to be said: `line 4: "Ke8" is not a legal move here; the main line ends before it`.
impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.kind {
            RemarkKind::MainLine(fault) => write!(f, "{fault}; the main line ends before it"),
            RemarkKind::Variation(fault) => write!(f, "{fault}; the variation ends before it"),
            RemarkKind::LeftOut(fault) => write!(f, "{fault}; the rest is left out"),
            RemarkKind::OpenComment => f.write_str("the comment that begins here is not closed"),
            RemarkKind::OpenVariation => f.write_str("the variation that begins here is not closed"),
            RemarkKind::Results { tag, end } => {
                write!(f, "the tag says {tag:?}, the last word {end:?}; the tag is believed")
            }
            RemarkKind::Numbers { expected, found } => {
                write!(f, "move {found} is move {expected} by the moves before it")
            }
            RemarkKind::Language(name) => write!(f, "the pieces have {name} letters"),
            RemarkKind::Word(text) => write!(f, "{text:?} is no move; it is kept as a comment"),
            RemarkKind::ReadAs { text, moves } => write!(f, "{text:?} is read as {moves:?}"),
            RemarkKind::NoMate { text } => write!(f, "{text:?} is no mate"),
        }
    }
}
