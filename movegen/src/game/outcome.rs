//! How a game ended, and why.

use std::fmt;

use crate::Color;

/// How a game ended, without the reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum GameResult {
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
    /// `1-0`.
    WhiteWins,
    /// `0-0`: both players have lost.
    BothLose,
}

impl GameResult {
    /// Every result of play on the board, from the best for Black to the best for White; self-play data stores the place
    /// in this list.
    pub const ALL: [Self; 3] = [Self::BlackWins, Self::Draw, Self::WhiteWins];

    /// A win of this side.
    #[must_use]
    pub const fn win_of(winner: Color) -> Self {
        match winner {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// Who won, if anybody.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::White),
            Self::BlackWins => Some(Color::Black),
            Self::Draw | Self::BothLose => None,
        }
    }
}

/// As PGN writes it: `1-0`, `0-1` or `1/2-1/2`; and `0-0`, which only a tag can hold.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLose => "0-0",
        })
    }
}

/// The end of a game, with the reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side won.
    Win(Color, Victory),
    /// Nobody won.
    Draw(DrawReason),
    /// Both players have forfeited: neither gets a point.
    BothLose,
}

/// Why a game was won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Victory {
    /// The loser was checkmated.
    Checkmate,
    /// The loser committed a fault, and the opponent could still mate.
    Fault(Fault),
}

/// What loses the game for a player, unless the opponent cannot mate by any series of legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// The player resigned.
    Resignation,
    /// The player's flag fell.
    Time,
    /// The player made an illegal move, or one too many.
    IllegalMove,
    /// The player left the game or was declared lost by an arbiter.
    Forfeit,
}

/// Why a game was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Nobody has mating material: kings with at most one minor piece, or with bishops on squares of one colour only.
    InsufficientMaterial,
    /// Nobody can mate by any series of legal moves, despite sufficient material.
    DeadPosition,
    /// The position occurred for the third time, and this was claimed.
    Threefold,
    /// The position occurred for the fifth time.
    Fivefold,
    /// Fifty moves by each side without a capture or pawn move, and this was claimed.
    FiftyMoves,
    /// Seventy-five moves by each side without a capture or pawn move.
    SeventyFiveMoves,
    /// The players agreed.
    Agreement,
    /// This player committed a fault, but the opponent cannot mate by any series of legal moves.
    Spared(Color, Fault),
}

impl Outcome {
    /// The outcome of a player's fault, given whether the opponent can still mate.
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

    /// The winner; `None` for a draw, or if both have lost.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win(winner, _) => Some(winner),
            Self::Draw(_) | Self::BothLose => None,
        }
    }

    /// The result without the reason.
    #[must_use]
    pub const fn result(self) -> GameResult {
        match self {
            Self::Win(winner, _) => GameResult::win_of(winner),
            Self::Draw(_) => GameResult::Draw,
            Self::BothLose => GameResult::BothLose,
        }
    }

    /// The fault that ended the game, if one did, whether by a loss or a draw.
    #[must_use]
    pub const fn fault(self) -> Option<Fault> {
        match self {
            Self::Win(_, Victory::Fault(fault)) | Self::Draw(DrawReason::Spared(_, fault)) => Some(fault),
            Self::BothLose => Some(Fault::Forfeit),
            Self::Win(_, Victory::Checkmate) | Self::Draw(_) => None,
        }
    }
}

/// The reason as text: `White mates`, `draw by stalemate`.
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
            Self::BothLose => f.write_str("both players forfeit"),
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
        let (player, fault) = (name(self.0), self.1);
        match fault {
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
