//! What the network says of a board and of each piece on it.

use std::fmt::Write;

use eval::Network;
use eval::wdl::{Model, material};
use movegen::unwinnable::{Budget, is_dead};
use movegen::{Board, Color, File, Piece, PieceType, Rank, Square};

/// The evaluation of a position without any search, and the value of each piece in it: the evaluation minus that without
/// the piece.
pub struct PieceValues {
    /// The position.
    pub board: Board,
    /// The hash of the network.
    pub network: u64,
    /// In pawns for White, by square; none for kings and empty squares.
    values: [Option<f64>; 64],
    /// In pawns for White; 0 if the position is dead.
    pub score: f64,
    /// Of 1000 games: won, drawn and lost by White.
    pub chances: [u16; 3],
    /// Whether neither side can mate any more, whatever the network says.
    pub is_dead: bool,
}

/// What the network says of a position, and the rules where it is dead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StaticEvaluation {
    /// In pawns for White; 0 if the position is dead.
    pub score: f64,
    /// Of 1000 games: won, drawn and lost by White.
    pub chances: [u16; 3],
    /// Whether neither side can mate any more, whatever the network says.
    pub is_dead: bool,
}

impl StaticEvaluation {
    /// Evaluates a board. The budget is for the question whether it is dead.
    #[must_use]
    pub fn new(board: &Board, network: &Network, budget: Budget) -> Self {
        Self::from_score(board, network.evaluate(board), budget)
    }

    /// From what the network says for the side to move.
    fn from_score(board: &Board, score: i32, budget: Budget) -> Self {
        let is_dead = is_dead(board, budget);
        let material = material(board);
        let (score, chances) = if is_dead {
            (0.0, [0, 1000, 0])
        } else {
            let chances = Model::FITTED.wdl(for_white(board, score), material).per_mille();
            (pawns_for_white(board, material, score), chances)
        };
        Self { score, chances, is_dead }
    }
}

fn for_white(board: &Board, score: i32) -> i32 {
    if board.turn() == Color::White { score } else { -score }
}

fn pawns_for_white(board: &Board, material: u32, score: i32) -> f64 {
    f64::from(Model::FITTED.normalise(for_white(board, score), material)) / 100.0
}

/// Columns of a square.
const WIDTH: usize = 7;
const RULE: &str = "  +-------+-------+-------+-------+-------+-------+-------+-------+\n";
const FILES: &str = "      a       b       c       d       e       f       g       h\n";

impl PieceValues {
    /// Evaluates a board, and again without each piece. The budget is for the question whether it is dead.
    #[must_use]
    pub fn new(board: &Board, network: &Network, budget: Budget) -> Self {
        let material = material(board);
        let whole = network.evaluate(board);
        let value = |square| {
            let piece = board.piece_on(square).filter(|piece| piece.piece_type() != PieceType::King);
            piece.map(|_| pawns_for_white(board, material, whole - network.evaluate_without(board, square)))
        };
        let StaticEvaluation { score, chances, is_dead } = StaticEvaluation::from_score(board, whole, budget);
        Self { board: *board, network: network.hash(), values: Square::ALL.map(value), score, chances, is_dead }
    }

    /// The value of the piece on a square, empty for kings and empty squares.
    #[must_use]
    pub fn value(&self, square: Square) -> String {
        self.values[square as usize].map(|value| format!("{value:+.2}")).unwrap_or_default()
    }

    /// The letter of the piece on a square; a space if there is none.
    #[must_use]
    pub fn letter(&self, square: Square) -> char {
        self.board.piece_on(square).map_or(' ', Piece::letter)
    }

    /// What goes with the score: that it is the network's, or why it is not.
    #[must_use]
    pub const fn remark(&self) -> &'static str {
        if self.is_dead { "the position is dead" } else { "before any search" }
    }

    /// The board with the value under each piece, in plain text.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            let row = |cell: &dyn Fn(Square) -> String| -> String {
                File::ALL.map(|file| format!("|{:^WIDTH$}", cell(Square::new(file, rank)))).concat()
            };
            let pieces = row(&|square| self.letter(square).to_string());
            let values = row(&|square| self.value(square));
            // Writing to a string cannot fail.
            let _ = write!(text, "{RULE}  {pieces}|\n{} {values}|\n", rank.digit());
        }
        text + RULE + FILES
    }
}
