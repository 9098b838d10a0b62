//! Static proofs that a position is blocked: on no square that the loser's king can ever reach can it be mated.
//!
//! The sets of [`mobility`](super::mobility) tell for each square of the loser's king whether a mate there is possible
//! at all. The conditions are weaker than a mate, so if they fail there is no mate:
//!
//! - some piece of the winner gives check there. The last move made this check, so the piece moved, or it is a slider
//!   whose line was opened; pawns and knights that never move do not count;
//! - each adjacent square in the king's set is not an escape: it is attacked by a piece of the winner, or by the
//!   winner's king (from one square, not next to the mated king), or blocked by a piece of the loser (each blocks one
//!   square).
//!
//! An adjacent square outside the king's set is not an escape, since the king can never legally go there.

use std::fmt;

use arrayvec::ArrayVec;

use super::mobility::{Facts, Mobility};
use crate::attacks::king_attacks;
use crate::{Bitboard, Board, Color, PieceType, Square};

/// What holds for the rest of a game in a blocked position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The squares that the loser's king can ever reach.
    pub king: Bitboard,
    /// Those of them where a move of the winner can ever check it.
    pub checked: Bitboard,
}

/// `king within 23 squares, moves check it on a1 h8 at most and never mate`.
impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "king within {} squares, ", self.king.count())?;
        if self.checked.is_empty() {
            return f.write_str("no move ever checks it");
        }
        f.write_str("moves check it on ")?;
        self.checked.into_iter().try_for_each(|square| write!(f, "{square} "))?;
        f.write_str("at most and never mate")
    }
}

impl Invariant {
    const fn union(self, other: Self) -> Self {
        Self { king: Bitboard(self.king.0 | other.king.0), checked: Bitboard(self.checked.0 | other.checked.0) }
    }
}

/// How many case distinctions a proof may make: a piece is captured on its home square, or never there.
const MAX_SPLITS: usize = 1;

/// Whether no move of any game from this board mates for `winner`, by what each piece can ever reach. The board itself
/// must not be mate.
pub(super) fn prove(board: &Board, winner: Color) -> Option<Invariant> {
    debug_assert!(board.turn() == winner || !board.in_check() || board.has_legal_move(), "{board:?} is mate");
    prove_case(Mobility::start(board, winner), MAX_SPLITS)
}

/// The pieces of the winner that hardly ever let a position be blocked, where they can move.
pub(super) const MOVERS: [PieceType; 3] = [PieceType::Knight, PieceType::Rook, PieceType::Queen];

/// Whether a proof is worth trying: some pawns block each other, and no queen, rook or knight of the winner can move.
pub(super) fn is_plausible(board: &Board, winner: Color) -> bool {
    has_blocked_pawns(board)
        && MOVERS.into_iter().all(|kind| {
            let moves = |from| Board::piece_attacks(kind, from, board.occupied()) - board.colors(winner);
            board.colored_pieces(winner, kind).into_iter().all(|from| moves(from).is_empty())
        })
}

/// Whether a pawn of each side stands before one of the other.
pub(super) fn has_blocked_pawns(board: &Board) -> bool {
    let pawns = |color| board.colored_pieces(color, PieceType::Pawn);
    (pawns(Color::White).forward(Color::White) & pawns(Color::Black)).any()
}

/// Case distinction: either a certain piece is not captured before it has moved, or it is, and the game has two parts.
/// In the first part the piece stands still, as in the first case. In the second part it is gone, and the others
/// continue from any squares they can have reached. No move of the first part is excluded because the piece could be
/// captured after it. A side that can mate in neither case cannot win. This helps where a piece holds others in place,
/// or where a pawn chain contains a piece that can be captured, but holds without it too.
fn prove_case(start: Mobility, splits: usize) -> Option<Invariant> {
    let mut mobility = start.clone();
    if let Some(invariant) = mobility.saturate().and_then(|facts| without_mate(&mobility, &facts)) {
        return Some(invariant);
    }
    let index = mobility.first_captured.filter(|_| splits > 0)?;
    let mut spared = start.clone();
    spared.spare(index);
    let invariant = prove_case(spared, splits - 1)?;
    let mut before = start;
    before.fix(index);
    before.saturate()?;
    before.capture(index);
    Some(invariant.union(prove_case(before, splits - 1)?))
}

/// The invariant, if no square of the king's set allows a mate.
fn without_mate(mobility: &Mobility, facts: &Facts) -> Option<Invariant> {
    let winner = mobility.winner;
    let king_of = |color| mobility.pieces.iter().find(|piece| piece.kind == PieceType::King && piece.color == color);
    let (king, helper) = (king_of(!winner)?, king_of(winner)?);
    // Sliders attack through the mated king.
    let obstacles = facts.steady - king.reach;
    let (mut checks, mut attacks) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for piece in mobility.pieces.iter().filter(|piece| piece.color == winner && piece.kind != PieceType::King) {
        let attacked = piece.attacks(obstacles);
        attacks |= attacked;
        if !piece.is_still() || !matches!(piece.kind, PieceType::Pawn | PieceType::Knight) {
            checks |= attacked;
        }
    }
    let checked = king.reach & checks;
    let blockers: ArrayVec<Bitboard, 16> = mobility
        .pieces
        .iter()
        .filter(|piece| piece.color != winner && piece.kind != PieceType::King)
        .map(|piece| piece.reach)
        .collect();
    let allows_mate = |square: Square| {
        let escapes = (king_attacks(square) & king.reach) - attacks;
        can_block(escapes, &blockers)
            || (helper.reach - king_attacks(square) - square.bitboard()).into_iter().any(|from| {
                king_attacks(from).intersects(escapes) && can_block(escapes - king_attacks(from), &blockers)
            })
    };
    let is_safe = !checked.into_iter().any(allows_mate);
    is_safe.then_some(Invariant { king: king.reach, checked })
}

/// Whether each of these squares can be blocked by a different piece.
fn can_block(squares: Bitboard, pieces: &[Bitboard]) -> bool {
    if squares.is_empty() {
        return true;
    }
    if squares.count() > pieces.len() {
        return false;
    }
    // Kuhn's matching algorithm: a piece that blocks one square may be moved to another.
    let mut blocked_by: [Option<Square>; 16] = [None; 16];
    squares.into_iter().all(|square| augment(square, pieces, &mut blocked_by, &mut 0))
}

fn augment(square: Square, pieces: &[Bitboard], blocked_by: &mut [Option<Square>; 16], tried: &mut u16) -> bool {
    for (index, reach) in pieces.iter().enumerate() {
        if *tried >> index & 1 == 1 || !reach.contains(square) {
            continue;
        }
        *tried |= 1 << index;
        if blocked_by[index].is_none_or(|other| augment(other, pieces, blocked_by, tried)) {
            blocked_by[index] = Some(square);
            return true;
        }
    }
    false
}
