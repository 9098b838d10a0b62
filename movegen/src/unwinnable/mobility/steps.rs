//! The moves that the sets of the pieces grow by.

use super::{Facts, Mobility, Piece};
use crate::attacks::{king_attacks, pawns_attacks};
use crate::{Bitboard, Board, Color, PieceType, Rank, Square};

impl Mobility {
    /// The squares of a piece's set and those it may reach from them in one move, or in several for pieces.
    pub(super) fn grown(&self, piece: &Piece, facts: &Facts) -> Bitboard {
        let mut open = !facts.closed[piece.color];
        if self.is_last && piece.color == self.winner {
            open -= self.vain_checks(piece, facts);
        }
        match piece.kind {
            PieceType::Pawn => self.pawn_grown(piece, open, facts),
            PieceType::King => {
                let open = open - facts.guarded[!piece.color];
                if self.is_bound(!piece.color, facts) {
                    self.king_grown_without_stalemate(piece, open, facts)
                } else {
                    flood(piece.reach, |from| king_attacks(from) & open)
                }
            }
            kind => flood(piece.reach, |from| {
                // Steady pieces bar the way, all others may leave it.
                let targets = Board::piece_attacks(kind, from, facts.steady) & open;
                if from == piece.home { targets - self.mating_moves(piece, targets, facts) } else { targets }
            }),
        }
    }

    fn pawn_grown(&self, piece: &Piece, open: Bitboard, facts: &Facts) -> Bitboard {
        let last_rank = Bitboard::rank(Rank::Eight.relative_to(piece.color));
        let captures = facts.presence[!piece.color] & open;
        let way = (self.way_ahead(piece) - facts.steady) & open;
        let steps = |from: Bitboard| from.forward(piece.color) & way | pawns_attacks(piece.color, from) & captures;
        let mut reach = piece.reach;
        let home = piece.home.bitboard();
        if reach.intersects(home) {
            let step = home.forward(piece.color) & way;
            let double = if piece.home.rank() == Rank::Two.relative_to(piece.color) {
                step.forward(piece.color) & way
            } else {
                Bitboard::EMPTY
            };
            let targets = steps(home) | double;
            reach |= targets - self.mating_moves(piece, targets, facts);
            if reach.intersects(double) {
                // In passing it may be taken there.
                reach |= step;
            }
        }
        loop {
            let grown = reach | steps(reach - home);
            if grown.intersects(last_rank) {
                return Bitboard::FULL;
            }
            if grown == reach {
                return reach;
            }
            reach = grown;
        }
    }

    /// The squares a pawn may be pushed to: short of the pawn ahead of it on its file, if neither ever leaves the file
    /// and that one is never taken. Then the two never change their order, so the one behind always stays below
    /// the utmost square of the one ahead.
    fn way_ahead(&self, piece: &Piece) -> Bitboard {
        let Some(ahead) = piece.ahead.map(|index| &self.pieces[usize::from(index)]) else { return Bitboard::FULL };
        let outside = !Bitboard::file(piece.home.file());
        if ahead.capturable || (piece.reach | ahead.reach).intersects(outside) {
            return Bitboard::FULL;
        }
        match piece.color {
            Color::White => Bitboard((1 << (63 - ahead.reach.0.leading_zeros())) - 1),
            Color::Black => Bitboard(!0 << ahead.reach.0.trailing_zeros() << 1),
        }
    }

    /// Whether a piece that never leaves its square might, were the other king elsewhere: whether something else than
    /// steady pieces and what its set owes to that king keeps it in place.
    pub(super) fn is_loose(&self, piece: &Piece, other_king: Bitboard, facts: &Facts) -> bool {
        let steady = facts.steady - other_king;
        let open = !(facts.barred[piece.color] - other_king);
        let targets = match piece.kind {
            PieceType::Pawn => {
                let pushes = piece.reach.forward(piece.color) & self.way_ahead(piece);
                let captures = pawns_attacks(piece.color, piece.reach) & facts.presence[!piece.color];
                (pushes - steady) | captures
            }
            kind => union(piece.reach, |from| Board::piece_attacks(kind, from, steady)),
        };
        targets.intersects(open)
    }
}

/// All squares that one of these leads to.
pub(super) fn union(squares: Bitboard, targets: impl Fn(Square) -> Bitboard) -> Bitboard {
    squares.into_iter().fold(Bitboard::EMPTY, |all, square| all | targets(square))
}

/// All squares reached from `start` by steps.
pub(super) fn flood(start: Bitboard, step: impl Fn(Square) -> Bitboard) -> Bitboard {
    let mut reached = start;
    let mut fresh = start;
    while let Some(from) = fresh.lsb() {
        let found = step(from) - reached;
        reached |= found;
        fresh = (fresh | found) - from.bitboard();
    }
    reached
}
