//! Proofs that the pieces are locked: wherever they can ever stand, the loser's king cannot be mated.
//!
//! From the sets of [`mobility`](super::mobility) follows for each square of the loser's king whether a mate there is
//! possible at all. What is asked is less than a mate needs, so a no is certain:
//!
//! - some piece of the winner gives check there. The last move made this check, so the piece moved, or it is a slider
//!   whose line was opened; pawns and knights that never move cannot be it;
//! - each neighbouring square that the king could step to by its set is taken from it: attacked by a piece of the
//!   winner, or by his king (from one square, not next to the mated king), or filled by a piece of the loser (each fills
//!   one square).
//!
//! A neighbour outside the king's set is no way out, since the step there is illegal for good.

use std::fmt;

use arrayvec::ArrayVec;

use super::mobility::{Facts, Mobility};
use crate::attacks::king_attacks;
use crate::{Bitboard, Board, Color, PieceType, Square};

/// What holds for the rest of a game that the winner can never win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The squares the loser's king may ever stand on.
    pub king: Bitboard,
    /// Those of them where a move of the winner may ever check it.
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

/// How many pieces, one after the other, may be split by cases: taken at home, or never taken there.
const MAX_SPLITS: usize = 1;

/// Whether no move of any game from this board on mates for `winner`, by what each piece can ever reach. A mate that is
/// on the board already is none of its business.
pub(super) fn prove(board: &Board, winner: Color) -> Option<Invariant> {
    debug_assert!(board.turn() == winner || !board.in_check() || board.has_legal_move(), "{board:?} is mate");
    prove_case(Mobility::start(board, winner), MAX_SPLITS)
}

/// Whether a proof may be worth its time: some pawns face each other, and no queen, rook or knight of the winner has a
/// square to go to.
pub(super) fn is_plausible(board: &Board, winner: Color) -> bool {
    let pawns = |color| board.colored_pieces(color, PieceType::Pawn);
    let facing = pawns(Color::White).forward(Color::White) & pawns(Color::Black);
    let movers = [PieceType::Knight, PieceType::Rook, PieceType::Queen];
    facing.any()
        && movers.into_iter().all(|kind| {
            let moves = |from| Board::piece_attacks(kind, from, board.occupied()) - board.colors(winner);
            board.colored_pieces(winner, kind).into_iter().all(|from| moves(from).is_empty())
        })
}

/// Either a piece cannot be taken as long as it has not moved, or it is taken before, and the game falls into two parts:
/// until then it stands still, which is as in games of the first kind; from then on it is gone, and the others go on
/// from wherever they can have come. No move of the first part is left aside because the piece may be taken after it. A
/// side that can mate in neither cannot win at all. This helps where a piece holds others in place, or a wall has a piece
/// that may be taken, but holds without it too.
fn prove_case(start: Mobility, splits: usize) -> Option<Invariant> {
    let mut mobility = start.clone();
    if let Some(invariant) = mobility.saturate().and_then(|facts| without_mate(&mobility, &facts)) {
        return Some(invariant);
    }
    let index = mobility.first_taken.filter(|_| splits > 0)?;
    let mut spared = start.clone();
    spared.spare(index);
    let invariant = prove_case(spared, splits - 1)?;
    let mut before = start;
    before.fix(index);
    before.saturate()?;
    before.take(index);
    Some(invariant.union(prove_case(before, splits - 1)?))
}

/// The king's squares and those of its checks, if no square of its set allows a mate.
fn without_mate(mobility: &Mobility, facts: &Facts) -> Option<Invariant> {
    let winner = mobility.winner;
    let king_of = |color| mobility.pieces.iter().find(|piece| piece.kind == PieceType::King && piece.color == color);
    let (king, helper) = (king_of(!winner)?, king_of(winner)?);
    // The mated king hides nothing behind it.
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
    let fillers: ArrayVec<Bitboard, 16> = mobility
        .pieces
        .iter()
        .filter(|piece| piece.color != winner && piece.kind != PieceType::King)
        .map(|piece| piece.reach)
        .collect();
    let allows_mate = |square: Square| {
        let escapes = (king_attacks(square) & king.reach) - attacks;
        can_fill(escapes, &fillers)
            || (helper.reach - king_attacks(square) - square.bitboard())
                .into_iter()
                .any(|from| king_attacks(from).intersects(escapes) && can_fill(escapes - king_attacks(from), &fillers))
    };
    let is_safe = !checked.into_iter().any(allows_mate);
    is_safe.then_some(Invariant { king: king.reach, checked })
}

/// Whether each of these squares can get a piece of its own.
fn can_fill(squares: Bitboard, pieces: &[Bitboard]) -> bool {
    if squares.is_empty() {
        return true;
    }
    if squares.count() > pieces.len() {
        return false;
    }
    // Kuhn's matching; who fills a square may be moved on to another one.
    let mut filled_by: [Option<Square>; 16] = [None; 16];
    squares.into_iter().all(|square| augment(square, pieces, &mut filled_by, &mut 0))
}

fn augment(square: Square, pieces: &[Bitboard], filled_by: &mut [Option<Square>; 16], tried: &mut u16) -> bool {
    for (index, reach) in pieces.iter().enumerate() {
        if *tried >> index & 1 == 1 || !reach.contains(square) {
            continue;
        }
        *tried |= 1 << index;
        if filled_by[index].is_none_or(|other| augment(other, pieces, filled_by, tried)) {
            filled_by[index] = Some(square);
            return true;
        }
    }
    false
}
