//! Positions as Python gives them.

use movegen::{CastlingStyle, Position};
use pgn::Epd;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A position as Python gives it: a FEN, EPD or `startpos`, the moves from there in UCI's notation, and whether moves are written
/// as in Chess960. They are where the position needs it, too.
#[derive(FromPyObject)]
pub(crate) struct PositionInput(String, Vec<String>, bool);

/// A position with the game so far, and how its castling moves are written.
pub(crate) struct ParsedPosition {
    pub position: Position,
    pub style: CastlingStyle,
}

impl PositionInput {
    /// The position, or what is wrong with it as a `ValueError`.
    pub fn read(&self) -> PyResult<ParsedPosition> {
        let Self(text, moves, is_chess960) = self;
        let mut position = if text.trim() == "startpos" {
            Position::start()
        } else {
            let epd = Epd::parse(text).ok_or_else(|| PyValueError::new_err("no position in an empty text"))?;
            Position::from(
                epd.map_err(|error| PyValueError::new_err(format!("{text:?} is no position: {error}")))?.board,
            )
        };
        let is_chess960 = *is_chess960 || position.board().is_chess960();
        for (index, text) in moves.iter().enumerate() {
            let mv = position.board().parse_uci(text);
            position.play(mv.map_err(|error| PyValueError::new_err(format!("move {}, {text:?}: {error}", index + 1)))?);
        }
        let style = if is_chess960 { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
        Ok(ParsedPosition { position, style })
    }
}
