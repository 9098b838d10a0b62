//! What a tactic is called, by what happens on the board when its line is played; and what pieces attack, by which that is
//! recognised.

use movegen::{Bitboard, Board, Color, Piece, PieceType, Square};

use super::proof::Tactic;
use crate::model::ReasonKind;

/// The name of what happens, and what it happens to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Motif {
    pub kind: ReasonKind,
    /// The square of the piece that acts, then those of the pieces it acts on.
    pub squares: Vec<Square>,
    pub arrows: Vec<(Square, Square)>,
    /// What the first move of the line does, in words that follow it: `forks the queen on d8 and the rook on a8`.
    pub clause: String,
}

impl Motif {
    /// What can be said of any tactic: that it wins something.
    pub fn any(tactic: &Tactic) -> Self {
        let mv = tactic.moves[tactic.decisive()];
        Self {
            kind: ReasonKind::WinsMaterial,
            squares: vec![mv.from(), mv.to()],
            arrows: vec![(mv.from(), mv.to())],
            clause: String::new(),
        }
    }
}

/// What the piece on a square attacks.
pub(crate) fn attacks_from(board: &Board, square: Square) -> Bitboard {
    board.piece_on(square).map_or(Bitboard::EMPTY, |piece| attacks_of(piece, square, board.occupied()))
}

pub(crate) fn attacks_of(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.piece_type() {
        PieceType::Pawn => movegen::attacks::pawn_attacks(piece.color(), square),
        other => Board::piece_attacks(other, square, occupied),
    }
}

/// The pieces of a side that attack a square.
pub(crate) fn attackers(board: &Board, square: Square, side: Color) -> Bitboard {
    board.attackers_to(square, board.occupied()) & board.colors(side)
}

/// The type of the piece on a square, which has one.
pub(crate) fn type_on(board: &Board, square: Square) -> Option<PieceType> {
    board.piece_on(square).map(Piece::piece_type)
}

/// Whether a slider of this type moves along the line between two squares.
pub(crate) fn slides(piece_type: PieceType, from: Square, to: Square) -> bool {
    let is_straight = from.file() == to.file() || from.rank() == to.rank();
    match piece_type {
        PieceType::Rook => is_straight,
        PieceType::Bishop => !is_straight && movegen::attacks::line(from, to).any(),
        PieceType::Queen => is_straight || movegen::attacks::line(from, to).any(),
        _ => false,
    }
}
