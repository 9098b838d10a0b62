//! Distances in moves, estimated from the pawn structure.

use crate::attacks::pawns_attacks;
use crate::{Bitboard, Board, Color, PieceType, Square};

pub(super) const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
pub(super) const EDGES: Bitboard = Bitboard(0xFF81_8181_8181_81FF);

/// More king moves than any path has: the square cannot be reached.
pub(super) const UNREACHABLE: i16 = 24;

/// The pawns that block each other.
pub(super) fn blocked_pawns(board: &Board) -> Bitboard {
    let pawns = |color| board.colored_pieces(color, PieceType::Pawn);
    let white = pawns(Color::White) & pawns(Color::Black).forward(Color::Black);
    white | white.forward(Color::White)
}

/// King moves from each square to the nearest target, around the pawns and the squares that enemy pawns attack.
pub(super) fn king_steps(board: &Board, color: Color, targets: Bitboard) -> [i16; 64] {
    let pawns = board.colored_pieces(!color, PieceType::Pawn);
    let walls = pawns_attacks(!color, pawns) | board.colored_pieces(color, PieceType::Pawn);
    let mut steps = [UNREACHABLE; 64];
    let mut reached = targets;
    let mut ring = reached;
    let mut distance = 0;
    while ring.any() {
        for square in ring {
            steps[square as usize] = distance;
        }
        let across = ring | ring.west() | ring.east();
        ring = (across | across.shift(8) | across.shift(-8)) - reached - walls;
        reached |= ring;
        distance += 1;
    }
    steps
}

/// King moves on an empty board from each square to a side's king.
pub(super) fn steps_to_king(board: &Board, color: Color) -> [i16; 64] {
    Square::ALL.map(|square| i16::from(square.distance(board.king(color))))
}

/// Moves of a piece of this type from each square to the target, around the pawns; 8 if there are more.
pub(super) fn piece_steps(board: &Board, kind: PieceType, target: Square) -> [i16; 64] {
    let mut steps = [8; 64];
    let mut reached = target.bitboard();
    let mut ring = reached;
    let mut distance = 0;
    while ring.any() && distance < 8 {
        let mut next = Bitboard::EMPTY;
        for square in ring {
            steps[square as usize] = distance;
            next |= Board::piece_attacks(kind, square, board.pieces(PieceType::Pawn));
        }
        ring = next - reached;
        reached |= ring;
        distance += 1;
    }
    steps
}
