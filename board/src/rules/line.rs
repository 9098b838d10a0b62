//! A position with the moves that lead to it.

use movegen::{Board, CastlingStyle, Color, Move};
use pgn::number_moves;
use serde::{Deserialize, Serialize};

use super::error::{MAX_MOVES, RulesError};

/// What a client of UCI writes for a turn that is passed.
pub(super) const PASS: &str = "0000";

/// The most moves of a line that are written out.
const MAX_SHOWN: usize = 40;

/// A start position and moves from it.
#[derive(Deserialize)]
pub(super) struct Line {
    /// The start of a game if there is none.
    #[serde(default)]
    pub fen: Option<String>,
    /// In coordinates, castling in either style; [`PASS`] passes the turn.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// A move as the page and the engine name it.
#[derive(Serialize)]
pub(super) struct Coordinates {
    uci: String,
}

/// A line of an engine.
#[derive(Serialize)]
pub(super) struct Shown {
    /// With move numbers.
    text: String,
    moves: Vec<ShownMove>,
}

#[derive(Serialize)]
struct ShownMove {
    uci: String,
    san: String,
    /// With its number, where it needs one.
    text: String,
    /// The squares of an arrow: where the piece comes from, and where it goes.
    from: String,
    to: String,
}

impl Line {
    /// The start, and the moves.
    pub fn board_and_moves(&self) -> Result<(Board, Vec<Option<Move>>), RulesError> {
        if self.moves.len() > MAX_MOVES {
            return Err(RulesError::TooLong);
        }
        let start = self.fen.as_deref().map_or_else(|| Ok(Board::start()), Board::from_fen)?;
        let mut board = start;
        let moves = self.moves.iter().map(|text| step(&mut board, text)).collect::<Result<_, _>>()?;
        Ok((start, moves))
    }

    /// The board after the moves.
    pub fn board(&self) -> Result<Board, RulesError> {
        let (mut board, moves) = self.board_and_moves()?;
        moves.into_iter().for_each(|mv| play(&mut board, mv));
        Ok(board)
    }

    /// The move that a text means here.
    pub fn read(&self, text: &str) -> Result<Coordinates, RulesError> {
        let board = self.board()?;
        let text = text.trim();
        // Letters of pieces are often typed small; a small b is a pawn where it can be one.
        let mut letters = text.chars();
        let capital: String =
            letters.next().map(|letter| letter.to_ascii_uppercase()).into_iter().chain(letters).collect();
        let mv = board.parse_uci(text).or_else(|_| board.parse_san(text));
        let mv = mv.or_else(|error| board.parse_san(&capital).map_err(|_| error))?;
        Ok(Coordinates { uci: uci(&board, mv) })
    }

    /// Lines that an engine has named, as far as they can be played.
    pub fn show(&self, lines: &[Vec<String>]) -> Result<Vec<Shown>, RulesError> {
        let board = self.board()?;
        Ok(lines.iter().map(|line| shown(&board, line)).collect())
    }
}

fn shown(start: &Board, line: &[String]) -> Shown {
    let mut board = *start;
    let mut moves: Vec<ShownMove> = Vec::new();
    for text in line.iter().take(MAX_SHOWN) {
        let Ok(mv) = board.parse_uci(text) else { break };
        let san = board.san(mv);
        let numbered = number_moves(&board, [&san]);
        let text = if moves.is_empty() || board.turn() == Color::White { numbered } else { san.clone() };
        let (from, to) = squares(mv);
        moves.push(ShownMove { uci: uci(&board, mv), san, text, from, to });
        board.play(mv, &mut ());
    }
    Shown { text: number_moves(start, moves.iter().map(|mv| &mv.san)), moves }
}

/// The squares of a move on the board: in castling, where the king ends.
pub(super) fn squares(mv: Move) -> (String, String) {
    let to = if mv.is_castling() { Board::castled_squares(mv.from(), mv.to()).0 } else { mv.to() };
    (mv.from().to_string(), to.to_string())
}

/// A move in coordinates, as the engine writes it in this position.
pub(super) fn uci(board: &Board, mv: Move) -> String {
    let style = if board.is_chess960() { CastlingStyle::Chess960 } else { CastlingStyle::Standard };
    mv.uci(style).to_string()
}

/// Reads a move and plays it.
pub(super) fn step(board: &mut Board, text: &str) -> Result<Option<Move>, RulesError> {
    let mv = if text == PASS { None } else { Some(board.parse_uci(text)?) };
    if mv.is_none() && board.in_check() {
        return Err(RulesError::PassInCheck);
    }
    play(board, mv);
    Ok(mv)
}

/// Plays a move, or passes the turn.
pub(super) fn play(board: &mut Board, mv: Option<Move>) {
    match mv {
        Some(mv) => board.play(mv, &mut ()),
        None => board.play_null(),
    }
}
