//! What a tactic is called, by what happens on the board when its line is played.

use movegen::{Bitboard, Board, Color, Move, Piece, PieceType, Square};

use super::proof::Tactic;
use super::{attack, defence, lines};
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

/// How a motif is recognised.
type Detector = fn(&Tactic) -> Option<Motif>;

/// Those that hold only if every other reply loses as much.
const FORCED: [Detector; 8] = [
    lines::double_check,
    lines::discovered_attack,
    lines::skewer,
    attack::fork,
    defence::removed_defender,
    defence::deflection,
    lines::pin,
    attack::trapped_piece,
];

/// Those that need no reply.
const PLAIN: [Detector; 3] = [attack::promotion, attack::hanging_piece, lines::pinned_defender];

impl Motif {
    /// The most telling motif of some tactics that begin alike, and which of them shows it. `None` without a tactic.
    pub fn of(tactics: &[Tactic]) -> Option<(&Tactic, Self)> {
        let shortest = tactics.first()?;
        if !shortest.is_forced() {
            return Some((shortest, Self::any(shortest)));
        }
        let detectors = PLAIN.into_iter().chain(FORCED).chain([attack::bad_exchange as Detector]);
        let shown = |detect: Detector| tactics.iter().find_map(|tactic| Some((tactic, detect(tactic)?)));
        Some(detectors.filter_map(shown).next().unwrap_or_else(|| (shortest, Self::any(shortest))))
    }

    fn any(tactic: &Tactic) -> Self {
        let mv = tactic.moves[tactic.decisive()];
        Self {
            kind: ReasonKind::WinsMaterial,
            squares: vec![mv.from(), mv.to()],
            arrows: vec![(mv.from(), mv.to())],
            clause: String::new(),
        }
    }
}

impl Tactic {
    pub fn loser(&self) -> Color {
        !self.winner
    }

    pub fn first(&self) -> Move {
        self.moves[0]
    }

    /// The board after the first move.
    pub fn shown(&self) -> &Board {
        &self.boards[1]
    }

    /// Whether a piece of the loser stands on a square when the first move has been made.
    pub fn stays(&self, square: Square, piece_type: PieceType) -> bool {
        self.shown().colored_pieces(self.loser(), piece_type).contains(square)
    }

    /// The square and the piece that the decisive capture takes; `None` if it is no capture.
    pub fn victim(&self) -> Option<(Square, PieceType)> {
        let ply = self.decisive();
        let (board, mv) = (&self.boards[ply], self.moves[ply]);
        let piece_type = board.captured_by(mv)?;
        let square = board.piece_on(mv.to()).map_or_else(|| Square::new(mv.to().file(), mv.from().rank()), |_| mv.to());
        Some((square, piece_type))
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
