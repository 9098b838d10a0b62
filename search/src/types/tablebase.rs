//! What endgame tables say: results, ranked moves, and faults of the files.

use std::fmt;
use std::ops::Neg;
use std::path::PathBuf;

use movegen::Move;

/// The result of a position by an endgame table, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    /// 1 for a win, cursed or not, 0 for a draw, -1 for a loss, blessed or not.
    #[must_use]
    pub const fn signum(self) -> i32 {
        match self {
            Self::Loss | Self::BlessedLoss => -1,
            Self::Draw => 0,
            Self::CursedWin | Self::Win => 1,
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Loss => "loss",
            Self::BlessedLoss => "blessed loss",
            Self::Draw => "draw",
            Self::CursedWin => "cursed win",
            Self::Win => "win",
        })
    }
}

impl Neg for Wdl {
    type Output = Self;

    /// The same result for the other side.
    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

impl From<Wdl> for i32 {
    /// As Syzygy counts: -2 for a loss, -1 for a blessed one, 0 for a draw, 1 for a cursed win, 2 for a win.
    fn from(wdl: Wdl) -> Self {
        wdl as Self - 2
    }
}

/// A legal move with its tablebase result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The result for the side that makes it, with the fifty-move counter as it stands where distances are known.
    pub wdl: Wdl,
    /// Plies to the next capture, pawn move or mate if both sides play for it, this move included; positive for a win
    /// and negative for a loss, perhaps 1 too small. `None` without tables of distances.
    pub dtz: Option<i32>,
}

/// What is wrong with a folder or a file of endgame tables. The others are used all the same.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TablebaseFault {
    /// A folder that cannot be listed.
    #[error("cannot list {}: {reason}", path.display())]
    Folder {
        /// Where it should be.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A file that cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// Where it is.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Something with the name of a table that is not a file.
    #[error("{} is not a file", path.display())]
    NoFile {
        /// Where it is.
        path: PathBuf,
    },
    /// A file of a size that no table has: a download cut short, perhaps.
    #[error("{} is truncated or damaged: no table has {size} bytes", path.display())]
    Size {
        /// Where it is.
        path: PathBuf,
        /// In bytes.
        size: u64,
    },
    /// A file that does not begin as a table does.
    #[error("{} holds no Syzygy table", path.display())]
    Header {
        /// Where it is.
        path: PathBuf,
    },
    /// A table that proved damaged when it was probed; it is not probed again.
    #[error("table {table} cannot be used: {reason}")]
    Damaged {
        /// Its name, `KQvK` say.
        table: String,
        /// Why not.
        reason: String,
    },
    /// A table that another one refers to by a capture or promotion.
    #[error("table {table} is missing, others depend on it")]
    Missing {
        /// Its name, `KQvK` say.
        table: String,
    },
}
