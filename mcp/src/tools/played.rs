//! A position with the moves that led to it.

use movegen::{Board, CastlingStyle, Color, FenStyle, Move, Position};
use pgn::{NodeId, PgnGame, Tree};
use serve::{Fault, read_position};

use crate::parameters::{MOVES, POSITION, Values};

/// What the parameters `position` and `moves` say.
#[derive(Clone)]
pub(crate) struct Played {
    pub start: Board,
    pub moves: Vec<Move>,
    /// After the moves.
    pub position: Position,
}

impl Played {
    pub fn read(values: &Values) -> Result<Self, Fault> {
        let mut position = read_position(values.text(POSITION.name))?;
        let start = *position.board();
        let mut moves = Vec::new();
        for (index, word) in values.words(MOVES.name).iter().enumerate() {
            let mv = read_move(position.board(), word);
            let mv = mv.map_err(|error| Fault::new(MOVES.name, format_args!("move {}: {error}", index + 1)))?;
            position.play(mv);
            moves.push(mv);
        }
        Ok(Self { start, moves, position })
    }

    pub const fn board(&self) -> &Board {
        self.position.board()
    }

    pub fn fen(&self) -> String {
        self.board().fen(FenStyle::Standard)
    }

    pub const fn turn(&self) -> &'static str {
        name_of(self.board().turn())
    }

    pub fn style(&self) -> CastlingStyle {
        if self.start.is_chess960() { CastlingStyle::Chess960 } else { CastlingStyle::Standard }
    }

    /// The game of these moves, and one more perhaps.
    pub fn game(&self, more: Option<Move>) -> PgnGame {
        let mut tree = Tree::new(self.start);
        let mut last = NodeId::ROOT;
        for &mv in self.moves.iter().chain(&more) {
            // No tree is as small as that.
            let Some(node) = tree.add(last, Some(mv)) else { break };
            last = node;
        }
        PgnGame::new(tree)
    }

    /// What is said where no move can be asked for.
    pub fn require_move(&self) -> Result<(), Fault> {
        if self.board().has_legal_move() {
            return Ok(());
        }
        let end = if self.board().in_check() { "checkmate" } else { "stalemate" };
        Err(Fault::new(POSITION.name, format_args!("the game is over: {end}")))
    }
}

/// A move in either notation.
pub(crate) fn read_move(board: &Board, word: &str) -> Result<Move, String> {
    let read = board.parse_san(word).or_else(|error| board.parse_uci(word).map_err(|_| error));
    read.map_err(|error| error.to_string())
}

/// A side at the beginning of a sentence.
pub(crate) const fn in_capital(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

const fn name_of(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
