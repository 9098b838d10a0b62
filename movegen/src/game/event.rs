//! What happens in a game.

use std::time::Duration;

use super::outcome::Outcome;
use crate::{CastlingStyle, Color, Move};

/// Something that happens in a game.
///
/// `elapsed` is always the time since the player's turn began, or since the last illegal move or wrong claim in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// The side to move makes a legal move.
    Move {
        /// Which.
        mv: Move,
        /// After so long.
        elapsed: Duration,
    },
    /// A move of an opening that was given to both players: no clock runs, and none counts it.
    Opening {
        /// Which.
        mv: Move,
    },
    /// The side to move completes an illegal one.
    IllegalMove {
        /// After so long.
        elapsed: Duration,
    },
    /// The side to move has let its flag fall.
    TimeOut,
    /// This player offers a draw, at any time; the answer to an offer makes it an agreement.
    OfferDraw(Color),
    /// This player takes the opponent's offer.
    AcceptDraw(Color),
    /// This player turns the opponent's offer down, as moving does without words.
    DeclineDraw(Color),
    /// The side to move claims a draw.
    Claim {
        /// By which rule.
        claim: Claim,
        /// The move written down, with which the claim will be true, if it is not true now.
        intended: Option<Move>,
        /// After so long.
        elapsed: Duration,
    },
    /// This player resigns.
    Resign(Color),
    /// This player has left or is declared lost.
    Forfeit(Color),
}

/// A rule by which the side to move may claim a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// The position is on the board for the third time at least.
    Threefold,
    /// Fifty moves a side without a capture or a pawn's move.
    FiftyMoves,
}

impl Claim {
    /// Both rules.
    pub const ALL: [Self; 2] = [Self::Threefold, Self::FiftyMoves];
}

/// Why something cannot happen now; the game stays as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// The move is not legal. If a player has completed it all the same, that is an [`Event::IllegalMove`].
    #[error("{} is no legal move", .0.uci(CastlingStyle::Chess960))]
    IllegalMove(Move),
    /// The opponent has offered no draw.
    #[error("there is no offer to answer")]
    NoOffer,
    /// The side to move has no clock.
    #[error("there is no clock to run out")]
    NoClock,
}
