//! How a game ended, and why.

use std::fmt;

use crate::Color;

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side won.
    Win(Color, Victory),
    /// Nobody did.
    Draw(DrawReason),
}

/// Why a game was won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Victory {
    /// The loser's king is mated.
    Checkmate,
    /// The loser did what loses the game unless the opponent has no way to mate.
    Fault(Fault),
}

/// What a player may do that costs the game, unless the opponent cannot mate by any series of legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// The player gave up.
    Resignation,
    /// The player's flag fell.
    Time,
    /// The player completed an illegal move that the rules in force do not pardon.
    IllegalMove,
    /// The player left the game or was declared lost by an arbiter.
    Forfeit,
}

/// Why a game was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Nobody has the pieces to mate: kings with one minor piece at most, or with bishops on one colour only.
    InsufficientMaterial,
    /// Nobody can mate by any series of legal moves, though the pieces would do.
    DeadPosition,
    /// The position came up for the third time, and this was claimed.
    Threefold,
    /// The position came up for the fifth time.
    Fivefold,
    /// Fifty moves a side without a capture or a pawn's move, and this was claimed.
    FiftyMoves,
    /// Seventy-five moves a side without a capture or a pawn's move.
    SeventyFiveMoves,
    /// The players agreed.
    Agreement,
    /// This player's fault would have lost, but the opponent cannot mate by any series of legal moves.
    Spared(Color, Fault),
}

impl Outcome {
    /// The end that a player's fault brings, given whether the opponent can still mate.
    #[must_use]
    pub const fn of_fault(offender: Color, fault: Fault, can_be_mated: bool) -> Self {
        if can_be_mated {
            let winner = match offender {
                Color::White => Color::Black,
                Color::Black => Color::White,
            };
            Self::Win(winner, Victory::Fault(fault))
        } else {
            Self::Draw(DrawReason::Spared(offender, fault))
        }
    }

    /// Who won, if anybody.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win(winner, _) => Some(winner),
            Self::Draw(_) => None,
        }
    }

    /// The score: `1-0`, `0-1` or `1/2-1/2`.
    #[must_use]
    pub const fn score(self) -> &'static str {
        match self {
            Self::Win(Color::White, _) => "1-0",
            Self::Win(Color::Black, _) => "0-1",
            Self::Draw(_) => "1/2-1/2",
        }
    }

    /// The fault that ended the game, if one did, whether it lost or was spared.
    #[must_use]
    pub const fn fault(self) -> Option<Fault> {
        match self {
            Self::Win(_, Victory::Fault(fault)) | Self::Draw(DrawReason::Spared(_, fault)) => Some(fault),
            Self::Win(_, Victory::Checkmate) | Self::Draw(_) => None,
        }
    }
}

/// The reason in plain words: `White mates`, `draw by stalemate`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Win(winner, Victory::Checkmate) => write!(f, "{} mates", name(winner)),
            Self::Win(winner, Victory::Fault(fault)) => write!(f, "{}", FaultOf(!winner, fault)),
            Self::Draw(DrawReason::Spared(offender, fault)) => {
                let opponent = name(!offender);
                write!(f, "{}, but {opponent} cannot mate by any series of moves: draw", FaultOf(offender, fault))
            }
            Self::Draw(reason) => write!(f, "draw by {reason}"),
        }
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::DeadPosition => "dead position: neither side can mate by any series of moves",
            Self::Threefold => "threefold repetition, claimed",
            Self::Fivefold => "fivefold repetition",
            Self::FiftyMoves => "the fifty-move rule, claimed",
            Self::SeventyFiveMoves => "the seventy-five-move rule",
            Self::Agreement => "agreement",
            Self::Spared(..) => "the opponent's lack of any way to mate",
        })
    }
}

/// A fault as a sentence about the player.
struct FaultOf(Color, Fault);

impl fmt::Display for FaultOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (player, deed) = (name(self.0), self.1);
        match deed {
            Fault::Resignation => write!(f, "{player} resigns"),
            Fault::Time => write!(f, "{player} runs out of time"),
            Fault::IllegalMove => write!(f, "{player} makes an illegal move"),
            Fault::Forfeit => write!(f, "{player} forfeits"),
        }
    }
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
