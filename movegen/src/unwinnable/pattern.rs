//! Mate patterns that need the loser's own pieces: a lone knight, or bishops on squares of one colour, with the king.
//!
//! There are few such patterns, so all are generated and the nearest to the position is chosen: the mated king, the
//! winner's king near it, the checking piece, and a piece of the loser that blocks each remaining escape square. Only
//! squares that the pieces can ever reach are considered, by the sets of [`mobility`](super::mobility).

use arrayvec::ArrayVec;

use super::distance::{CORNERS, UNREACHABLE, blocked_pawns, king_steps};
use super::mobility::Mobility;
use crate::attacks::{between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawns_attacks};
use crate::{Bitboard, Board, Color, PieceType, Rank, Square};

/// An escape square that a piece of the loser blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocker {
    pub(super) square: Square,
    pub(super) kind: PieceType,
}

/// A mate pattern.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) mated: Square,
    pub(super) king: Square,
    pub(super) minor: PieceType,
    /// Where the minor piece gives check.
    pub(super) check: Square,
    pub(super) blockers: ArrayVec<Blocker, 3>,
    /// Whether a pawn of the loser must promote to block a square.
    pub(super) promotes: bool,
}

impl Pattern {
    /// The pattern, in a corner or anywhere, that takes the fewest moves, by estimate.
    pub(super) fn nearest(board: &Board, winner: Color, minor: PieceType, anywhere: bool) -> Option<Self> {
        let layout = Layout::new(board, winner, minor);
        let mut best: Option<(i16, Self)> = None;
        for mated in layout.targets(anywhere) {
            let least = best.as_ref().map_or(i16::MAX, |&(least, _)| least);
            best = layout.nearest_on(mated, least).or(best);
        }
        best.map(|(_, pattern)| pattern)
    }
}

/// A position and what is known of its pieces.
struct Layout<'a> {
    board: &'a Board,
    winner: Color,
    /// The type of the mating minor pieces.
    minor: PieceType,
    /// The squares each piece can ever reach, by its current square.
    reach: [Bitboard; 64],
    /// The squares attacked by the winner's pawns that never move.
    guarded: Bitboard,
    /// How far the winner's king is from each square.
    to_king: [i16; 64],
}

impl<'a> Layout<'a> {
    fn new(board: &'a Board, winner: Color, minor: PieceType) -> Self {
        let mut mobility = Mobility::start(board, winner);
        let mut reach = [Bitboard::FULL; 64];
        let mut still = Bitboard::EMPTY;
        if mobility.saturate().is_some() {
            for piece in &mobility.pieces {
                reach[piece.home as usize] = piece.reach;
                if piece.is_still() {
                    still |= piece.reach;
                }
            }
        }
        let guarded = pawns_attacks(winner, board.colored_pieces(winner, PieceType::Pawn) & still);
        let to_king = king_steps(board, winner, board.king(winner).bitboard());
        Self { board, winner, minor, reach, guarded, to_king }
    }

    const fn reach_of(&self, piece: Square) -> Bitboard {
        self.reach[piece as usize]
    }

    /// The squares of the loser's king to be considered.
    fn targets(&self, anywhere: bool) -> Bitboard {
        let reach = self.reach_of(self.board.king(!self.winner)) - blocked_pawns(self.board);
        if anywhere { reach } else { reach & CORNERS }
    }

    /// The nearest pattern with the king mated on this square, with its cost, if that is below `least`.
    fn nearest_on(&self, mated: Square, mut least: i16) -> Option<(i16, Pattern)> {
        let Self { board, winner, minor, .. } = *self;
        let to_mated = king_steps(board, !winner, mated.bitboard())[board.king(!winner) as usize];
        let blocked = blocked_pawns(board);
        let checks = match minor {
            PieceType::Knight => knight_attacks(mated),
            _ => bishop_attacks(mated, blocked) - blocked,
        };
        let minors = board.colored_pieces(winner, minor).into_iter();
        let checks = checks & minors.fold(Bitboard::EMPTY, |all, piece| all | self.reach_of(piece));
        let at_home = board.king(winner);
        let near = two_steps_from(mated) & self.reach_of(at_home);
        // If there is no path, the king may stay where it is.
        let kings = near.into_iter().filter(|&king| self.to_king[king as usize] < UNREACHABLE);
        let mut best = None;
        for king in kings.chain((at_home.distance(mated) > 2).then_some(at_home)) {
            for check in checks - king.bitboard() {
                let distance =
                    3 * to_mated + 2 * self.to_king[king as usize] + nearest_minor(board, winner, minor, check);
                if distance >= least {
                    continue;
                }
                let Some((blockers, cost, promotes)) = self.block(mated, king, check) else { continue };
                if distance + cost < least {
                    least = distance + cost;
                    best = Some((least, Pattern { mated, king, minor, check, blockers, promotes }));
                }
            }
        }
        best
    }

    /// A blocker for each remaining escape square, the number of moves they take, and whether one must promote first.
    fn block(&self, mated: Square, king: Square, check: Square) -> Option<(ArrayVec<Blocker, 3>, i16, bool)> {
        let loser = !self.winner;
        let attacked = match self.minor {
            PieceType::Knight => knight_attacks(check),
            // The check continues behind the checked king.
            _ => bishop_attacks(check, king.bitboard()),
        };
        let own_king = self.board.king(loser);
        let escapes = (king_attacks(mated) & self.reach_of(own_king)) - king_attacks(king) - self.guarded;
        let left = escapes - attacked - check.bitboard();
        if left.count() > 3 || escapes.contains(check) || between(mated, check).contains(king) {
            return None;
        }
        let line = between(mated, check) | check.bitboard();
        let occupied = left | mated.bitboard() | king.bitboard() | check.bitboard();
        let mut blockers = ArrayVec::new();
        let mut free = self.board.colors(loser) - own_king.bitboard();
        let (mut cost, mut promotes) = (0, false);
        for square in left {
            let mut nearest: Option<(i16, Square, PieceType, bool)> = None;
            for piece in free.into_iter().filter(|&piece| self.reach_of(piece).contains(square)) {
                let Some(kind) = self.board.piece_on(piece).map(|piece| piece.piece_type()) else { continue };
                for blocker in [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook] {
                    let Some(moves) = moves_to_block(piece, kind, square, blocker, loser) else { continue };
                    let defends = match blocker {
                        PieceType::Pawn => pawn_attacks(loser, square).contains(check),
                        _ => Board::piece_attacks(blocker, square, occupied).intersects(line),
                    };
                    if !defends && nearest.is_none_or(|(least, ..)| moves < least) {
                        nearest = Some((moves, piece, blocker, kind == PieceType::Pawn && blocker != kind));
                    }
                }
            }
            let (moves, piece, kind, from_pawn) = nearest?;
            free -= piece.bitboard();
            cost += 2 * moves;
            promotes |= from_pawn;
            blockers.push(Blocker { square, kind });
        }
        Some((blockers, cost, promotes))
    }
}

fn two_steps_from(square: Square) -> Bitboard {
    let twice = king_attacks(square).into_iter().fold(Bitboard::EMPTY, |set, next| set | king_attacks(next));
    twice - king_attacks(square) - square.bitboard()
}

/// In about how many moves a piece can block a square as a `blocker`.
fn moves_to_block(piece: Square, kind: PieceType, square: Square, blocker: PieceType, color: Color) -> Option<i16> {
    let (from, to) = (piece.relative_to(color), square.relative_to(color));
    let is_light = |square: Square| Bitboard::LIGHT_SQUARES.contains(square);
    let rank = |square: Square| square.rank() as i16;
    match (kind, blocker) {
        (PieceType::Pawn, PieceType::Pawn) => {
            let fits = from.file() == to.file() && from.rank() <= to.rank() && to.rank() != Rank::Eight;
            fits.then(|| rank(to) - rank(from))
        }
        (PieceType::Pawn, _) => Some(7 - rank(from) + 3),
        _ if kind != blocker => None,
        (PieceType::Bishop, _) if is_light(piece) != is_light(square) => None,
        (PieceType::Knight, _) => Some(i16::from(piece.distance(square))),
        _ if piece == square => Some(0),
        _ => Some(2),
    }
}

/// About how many moves the nearest of the winner's minor pieces is from a square.
fn nearest_minor(board: &Board, winner: Color, minor: PieceType, square: Square) -> i16 {
    let moves = |piece: Square| match minor {
        PieceType::Knight => i16::from(piece.distance(square)),
        _ if Bitboard::LIGHT_SQUARES.contains(piece) == Bitboard::LIGHT_SQUARES.contains(square) => 2,
        _ => 2 * UNREACHABLE,
    };
    board.colored_pieces(winner, minor).into_iter().map(moves).min().unwrap_or(UNREACHABLE)
}
