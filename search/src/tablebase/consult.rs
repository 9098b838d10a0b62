//! Everything that endgame tables say of a position and its moves, or why they say nothing.

use movegen::Position;

use crate::tablebase::probe::Tablebase;
use crate::types::tablebase::{RankedMove, Wdl};

/// What endgame tables say of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableAnswer {
    /// As if the last move had been a capture or a pawn's.
    pub wdl: Wdl,
    /// As [`Tablebase::dtz`] has it; `None` without tables of distances.
    pub dtz: Option<i32>,
    /// All legal moves, the best first.
    pub moves: Vec<RankedMove>,
}

/// Why endgame tables say nothing of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTableAnswer {
    /// The side to move has no move.
    #[error("the game is over: {}", if *.is_mate { "checkmate" } else { "stalemate" })]
    Over {
        /// Whether it is mated.
        is_mate: bool,
    },
    /// The tables are for fewer pieces.
    #[error("the position has {pieces} pieces, but the tables have at most {largest}")]
    TooManyPieces {
        /// On the board.
        pieces: usize,
        /// Of any table.
        largest: usize,
    },
    /// A side may still castle.
    #[error("endgame tables do not cover positions in which a side may still castle")]
    Castling,
    /// The table for these pieces, or one that it depends on, is missing or damaged.
    #[error("the table {0}, or one it leads to, is missing or damaged")]
    NoTable(String),
}

impl Tablebase {
    /// What the tables say of a position and each of its moves.
    ///
    /// # Errors
    ///
    /// If it has no move, or there is no table for it.
    pub fn consult(&self, position: &Position) -> Result<TableAnswer, NoTableAnswer> {
        let board = position.board();
        if !board.has_legal_move() {
            return Err(NoTableAnswer::Over { is_mate: board.in_check() });
        }
        let (pieces, largest) = (board.occupied().count(), self.largest());
        if pieces > largest {
            return Err(NoTableAnswer::TooManyPieces { pieces, largest });
        }
        if !board.castling().is_empty() {
            return Err(NoTableAnswer::Castling);
        }
        match (self.wdl(board), self.ranked_moves(position)) {
            (Some(wdl), Some(moves)) => Ok(TableAnswer { wdl, dtz: self.dtz(board), moves }),
            _ => Err(NoTableAnswer::NoTable(Self::name_for(board))),
        }
    }
}
