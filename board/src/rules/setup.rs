//! Positions to start from.

use movegen::{Board, FenStyle, Setup};
use serde::Serialize;

use super::error::RulesError;

/// A legal position to start from.
#[derive(Serialize)]
pub(super) struct Start {
    /// `None` for the start of a normal game.
    fen: Option<String>,
    chess960: bool,
    /// What was ignored or changed.
    warnings: Vec<String>,
}

/// Reads a FEN.
pub(super) fn check(fen: &str) -> Result<Start, RulesError> {
    let (board, warnings) = Board::from_fen_with_warnings(fen)?;
    Ok(Start { warnings: warnings.iter().map(ToString::to_string).collect(), ..start(&board) })
}

/// The start position with this number.
pub(super) fn chess960(number: u16) -> Result<Start, RulesError> {
    let setup = Setup::chess960(number, number).ok_or(RulesError::Chess960(number))?;
    let (board, _) = Board::from_setup(&setup).map_err(movegen::FenError::from)?;
    Ok(start(&board))
}

fn start(board: &Board) -> Start {
    let fen = (*board != Board::start()).then(|| board.fen(FenStyle::Standard));
    Start { fen, chess960: board.is_chess960(), warnings: Vec::new() }
}
