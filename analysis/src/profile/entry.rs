//! A game in the list of a profile, and where it left a repertoire.

use serde::{Deserialize, Serialize};

/// How many games are listed; those beyond count, but are not told of one by one.
pub const MAX_LISTED: usize = 10_000;

/// A game of the player.
#[derive(Clone, PartialEq, PartialOrd, Debug, Serialize, Deserialize)]
pub struct GameEntry {
    /// Its place in the input, from 1; all games of the files count.
    pub number: u32,
    /// The file it is from, where there are several.
    pub file: Option<String>,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The tag `Result`.
    pub result: String,
    /// Its date, as the file has it; empty if it is unknown.
    pub date: String,
    /// The tag `Site`, often an address.
    pub site: Option<String>,
    /// The player's accuracy in it, 0 to 100.
    pub accuracy: Option<f64>,
    /// The player's blunders in it.
    pub blunders: u32,
    /// Where it left the repertoire; `None` without one for the player's colour.
    #[serde(default)]
    pub repertoire: Option<Departure>,
}

/// How a game went beside a repertoire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The player made another move than the repertoire has.
    PlayerLeft,
    /// The opponent made a move for which the repertoire has no answer.
    OpponentLeft,
    /// The repertoire ended before the game did.
    BookEnded,
    /// The game ended within the repertoire.
    Completed,
    /// No position of the game is in the repertoire.
    Unmatched,
}

/// Where a game left a repertoire, for good.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Departure {
    /// Who left it, or how else it went.
    pub outcome: Outcome,
    /// The number of the move that left it.
    pub number: Option<u32>,
    /// Whether Black made it.
    pub black: bool,
    /// The position before it.
    pub fen: Option<String>,
    /// The move, in Standard Algebraic Notation.
    pub played: Option<String>,
    /// What the repertoire has there, its main move first.
    pub says: Vec<String>,
}
