//! What is said of a mistake: why it is one, and what else could have been played.

use pgn::EngineScore;
use serde::{Deserialize, Serialize};

/// Why a move is bad: a fact that playing its line proves.
///
/// The line is one that a search found. It is played by the rules, and at its end, where no capture changes anything more,
/// the pieces are counted: if they show what is said, or the mate is there, it is said.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reason {
    /// What happens.
    pub kind: ReasonKind,
    /// Whether the move lets it happen, or misses it.
    pub about: About,
    /// The squares it is about: first that of the piece that acts, then those of the pieces it acts on.
    pub squares: Vec<String>,
    /// Arrows that show it, each as the squares it leads from and to: `f3e5`.
    pub arrows: Vec<String>,
    /// The proof in Standard Algebraic Notation: from the position after the move where it allows something, from that before
    /// it where it misses something.
    pub line: Vec<String>,
    /// The same moves in UCI's notation.
    pub uci: Vec<String>,
    /// What the side that profits wins, in pawns: a knight or bishop is 3, a rook 5, a queen 9. At the end of the line it is
    /// that, or more if it is not `forced`. 0 for a mate or a draw.
    pub material: i32,
    /// Mate in this many moves.
    pub mate: Option<u32>,
    /// Whether every other reply loses as much as the line shows, by a search of all replies that counts pieces; if not, every
    /// reply loses what `material` says.
    pub forced: bool,
    /// How much it matters, 0 to 1.
    pub weight: f64,
    /// The same in a sentence of English.
    pub text: String,
}

/// Whether a move lets something happen to its side, or misses what its side could do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// The opponent can now do it.
    Allowed,
    /// The mover could have done it.
    Missed,
}

/// What happens in the line of a reason.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasonKind {
    /// Mate.
    Mate,
    /// Mate by a rook or queen on the first rank, behind the king's own pieces.
    BackRankMate,
    /// A piece is taken that nobody defends.
    HangingPiece,
    /// Captures on one square win more than they cost.
    BadExchange,
    /// A piece attacks two at once, and one of them falls.
    Fork,
    /// A piece falls that may not leave its line, because a more valuable one stands behind it.
    Pin,
    /// A piece leaves a line, and the one behind it falls.
    Skewer,
    /// A piece moves away, and the one behind it attacks what then falls.
    DiscoveredAttack,
    /// The king is in check from two pieces at once.
    DoubleCheck,
    /// A defender is drawn away from the piece that then falls.
    Deflection,
    /// A defender is taken, and then the piece it defended.
    RemovedDefender,
    /// A piece is attacked and has no safe square.
    TrappedPiece,
    /// A pawn promotes.
    Promotion,
    /// It could be seen before: the opponent would have done the same if the mover had passed.
    ThreatIgnored,
    /// The first move of the line threatens what the rest would win if the other side passed, which stands in between. It is said
    /// only where nothing weightier is.
    Threat,
    /// Material is won in another way.
    WinsMaterial,
    /// The side that would lose has no legal move and is not in check.
    Stalemate,
    /// Checks without end.
    Perpetual,
    /// Neither side can mate any more by any series of legal moves.
    DeadPosition,
    /// A bishop that does not control the corner in which its pawns on the rook's file promote, and a king that stands there.
    WrongBishop,
}

/// What is known of the moves of a position in which somebody erred: enough to judge any of them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Practice {
    /// The best moves, the best first: five, and more as long as all are as good as the best.
    pub moves: Vec<Alternative>,
    /// Every other legal move loses at least these points; `None` if there is no other.
    pub others_lose: Option<f64>,
}

/// A move that could have been played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Alternative {
    /// In UCI's notation.
    pub uci: String,
    /// In Standard Algebraic Notation.
    pub san: String,
    /// For White.
    pub score: EngineScore,
    /// The points White may expect, 0 to 1.
    pub white: f64,
    /// The points it loses beside the best of these, 0 to 1.
    pub loss: f64,
    /// What would follow, this move first, in Standard Algebraic Notation.
    pub line: Vec<String>,
    /// The same moves in UCI's notation.
    pub uci_line: Vec<String>,
}
