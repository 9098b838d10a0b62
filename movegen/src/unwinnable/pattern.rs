//! Mates that need the loser's own men: a lone knight, or bishops of one colour, with the king.
//!
//! Such mates are few, so all at the edge of the board are laid out and the one nearest to the position is chosen:
//! the mated king, the winner's king beside it, the man that checks, and a man of the loser on each square that is left
//! to flee to.

use arrayvec::ArrayVec;

use super::plan::{Aim, CORNERS, EDGES, NO_WAY, king_steps};
use crate::attacks::{between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks};
use crate::{Bitboard, Board, Color, PieceType, Rank, Square};

/// A square that a man of the loser fills.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fill {
    pub(super) square: Square,
    pub(super) kind: PieceType,
}

/// A mate to be set up.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) mated: Square,
    pub(super) king: Square,
    pub(super) minor: PieceType,
    /// Where the minor man gives check.
    pub(super) check: Square,
    pub(super) fills: ArrayVec<Fill, 3>,
    /// Whether a pawn of the loser must promote to fill a square.
    pub(super) promotes: bool,
}

impl Pattern {
    /// The mate that takes the fewest moves to set up, as far as can be told without playing them.
    pub(super) fn nearest(board: &Board, winner: Color, aim: Aim) -> Option<Self> {
        let minor = if board.pieces(winner, PieceType::Knight).any() { PieceType::Knight } else { PieceType::Bishop };
        let loser = !winner;
        let at_home = board.king(winner);
        let to_king = king_steps(board, winner, at_home.bitboard());
        let mut best: Option<(i16, Self)> = None;
        for mated in if aim == Aim::Edge { EDGES } else { CORNERS } {
            let to_mated = king_steps(board, loser, mated.bitboard())[board.king(loser) as usize];
            let checks = match minor {
                PieceType::Knight => knight_attacks(mated),
                _ => bishop_attacks(mated, Bitboard::EMPTY),
            };
            let near = two_steps_from(mated);
            // Where the way is barred, the king may be left where it is.
            let kings = near.into_iter().filter(|&king| to_king[king as usize] < NO_WAY);
            for king in kings.chain((at_home.distance(mated) > 2).then_some(at_home)) {
                for check in checks - king.bitboard() {
                    let far = 3 * to_mated + 2 * to_king[king as usize] + nearest_man(board, winner, minor, check);
                    if best.as_ref().is_some_and(|&(least, _)| far >= least) {
                        continue;
                    }
                    let Some((fills, cost, promotes)) = fill(board, loser, [mated, king, check], minor) else {
                        continue;
                    };
                    if best.as_ref().is_none_or(|&(least, _)| far + cost < least) {
                        best = Some((far + cost, Self { mated, king, minor, check, fills, promotes }));
                    }
                }
            }
        }
        best.map(|(_, pattern)| pattern)
    }
}

fn two_steps_from(square: Square) -> Bitboard {
    let twice = king_attacks(square).into_iter().fold(Bitboard::EMPTY, |set, next| set | king_attacks(next));
    twice - king_attacks(square) - square.bitboard()
}

/// Men of the loser for all squares that are left to flee to: who goes where, in how many moves, and whether one must
/// promote first.
fn fill(
    board: &Board,
    loser: Color,
    [mated, king, check]: [Square; 3],
    minor: PieceType,
) -> Option<(ArrayVec<Fill, 3>, i16, bool)> {
    // The check goes on behind the king it is given to.
    let attacked = match minor {
        PieceType::Knight => knight_attacks(check),
        _ => bishop_attacks(check, king.bitboard()),
    };
    let left = king_attacks(mated) - king_attacks(king) - attacked - check.bitboard();
    let unguarded = king_attacks(mated).has(check) && !king_attacks(king).has(check);
    if left.count() > 3 || unguarded || between(mated, check).has(king) {
        return None;
    }
    let line = between(mated, check) | check.bitboard();
    let occupied = left | mated.bitboard() | king.bitboard() | check.bitboard();
    let mut fills = ArrayVec::new();
    let mut used = Bitboard::EMPTY;
    let (mut cost, mut promotes) = (0, false);
    for square in left {
        let mut nearest: Option<(i16, Square, PieceType, bool)> = None;
        for man in board.colored(loser) - board.king(loser).bitboard() - used {
            let Some(kind) = board.piece_on(man).map(|piece| piece.piece_type()) else { continue };
            for filler in [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook] {
                let Some(moves) = moves_to_fill(man, kind, square, filler, loser) else { continue };
                let defends = match filler {
                    PieceType::Pawn => pawn_attacks(loser, square).has(check),
                    _ => Board::piece_attacks(filler, square, occupied).intersects(line),
                };
                if !defends && nearest.is_none_or(|(least, ..)| moves < least) {
                    nearest = Some((moves, man, filler, kind == PieceType::Pawn && filler != kind));
                }
            }
        }
        let (moves, man, kind, from_pawn) = nearest?;
        used |= man.bitboard();
        cost += 2 * moves;
        promotes |= from_pawn;
        fills.push(Fill { square, kind });
    }
    Some((fills, cost, promotes))
}

/// In how many moves a man may fill a square as a `filler`, roughly.
fn moves_to_fill(man: Square, kind: PieceType, square: Square, filler: PieceType, color: Color) -> Option<i16> {
    let (from, to) = (man.relative_to(color), square.relative_to(color));
    let is_light = |square: Square| Bitboard::LIGHT_SQUARES.has(square);
    let rank = |square: Square| square.rank() as i16;
    match (kind, filler) {
        (PieceType::Pawn, PieceType::Pawn) => {
            let fits = from.file() == to.file() && from.rank() <= to.rank() && to.rank() != Rank::Eight;
            fits.then(|| rank(to) - rank(from))
        }
        (PieceType::Pawn, _) => Some(7 - rank(from) + 3),
        _ if kind != filler => None,
        (PieceType::Bishop, _) if is_light(man) != is_light(square) => None,
        (PieceType::Knight, _) => Some(i16::from(man.distance(square))),
        _ if man == square => Some(0),
        _ => Some(2),
    }
}

/// Moves of the nearest of the winner's minor men to a square, roughly.
fn nearest_man(board: &Board, winner: Color, minor: PieceType, square: Square) -> i16 {
    let moves = |man: Square| match minor {
        PieceType::Knight => i16::from(man.distance(square)),
        _ if Bitboard::LIGHT_SQUARES.has(man) == Bitboard::LIGHT_SQUARES.has(square) => 2,
        _ => 2 * NO_WAY,
    };
    board.pieces(winner, minor).into_iter().map(moves).min().unwrap_or(NO_WAY)
}

/// Moves of a man of this kind from each square to the target, with the pawns in its way.
pub(super) fn steps(board: &Board, kind: PieceType, target: Square) -> [i16; 64] {
    let mut steps = [8; 64];
    let mut reached = target.bitboard();
    let mut ring = reached;
    let mut distance = 0;
    while ring.any() && distance < 8 {
        let mut next = Bitboard::EMPTY;
        for square in ring {
            steps[square as usize] = distance;
            next |= Board::piece_attacks(kind, square, board.typed(PieceType::Pawn));
        }
        ring = next - reached;
        reached |= ring;
        distance += 1;
    }
    steps
}
