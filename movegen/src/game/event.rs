//! The events of a game.

use std::time::Duration;

use super::outcome::Outcome;
use crate::{CastlingStyle, Color, Move};

/// An event of a game.
///
/// `elapsed` is always the time since the player's turn began, or since the last illegal move or wrong claim in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// The side to move makes a legal move.
    Move {
        /// The move.
        mv: Move,
        /// The time used.
        elapsed: Duration,
    },
    /// A book move given to both players: it takes no time and clocks do not count it.
    Opening {
        /// The move.
        mv: Move,
    },
    /// The side to move makes an illegal move.
    IllegalMove {
        /// The time used.
        elapsed: Duration,
    },
    /// The flag of the side to move has fallen.
    TimeOut,
    /// This player offers a draw, at any time; if the opponent's offer is open, this accepts it.
    OfferDraw(Color),
    /// This player accepts the opponent's offer.
    AcceptDraw(Color),
    /// This player declines the opponent's offer, as a move does too.
    DeclineDraw(Color),
    /// The side to move claims a draw.
    Claim {
        /// The rule.
        claim: Claim,
        /// The intended move after which the claim holds, if it does not hold now.
        intended: Option<Move>,
        /// The time used.
        elapsed: Duration,
    },
    /// This player resigns.
    Resign(Color),
    /// This player has left or is declared lost by an arbiter.
    Forfeit(Color),
    /// Both players have left or are declared lost by an arbiter (11.8).
    ForfeitBoth,
}

/// A rule by which the side to move may claim a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// The position has occurred three times or more.
    Threefold,
    /// Fifty moves by each side without a capture or pawn move.
    FiftyMoves,
}

impl Claim {
    /// Both rules.
    pub const ALL: [Self; 2] = [Self::Threefold, Self::FiftyMoves];
}

/// Why an event is not possible now; the game is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// The move is not legal. If a player has made it anyway, that is an [`Event::IllegalMove`].
    #[error("{} is not a legal move", .0.uci(CastlingStyle::Chess960))]
    IllegalMove(Move),
    /// The opponent has no open draw offer.
    #[error("there is no draw offer to answer")]
    NoOffer,
    /// The rules of the game forbid a draw by agreement for now.
    #[error("no draw may be offered before both players have made {0} moves")]
    OfferTooEarly(u32),
    /// The side to move has no clock.
    #[error("there is no clock that could run out")]
    NoClock,
}
