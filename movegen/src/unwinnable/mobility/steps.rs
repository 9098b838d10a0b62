//! The moves that the sets of the men grow by.

use super::{Facts, Man, Mobility};
use crate::attacks::{king_attacks, pawns_attacks};
use crate::{Bitboard, Board, Color, PieceType, Rank, Square};

impl Mobility {
    /// The squares of a man's set and those it may reach from them in one move, or in several for pieces.
    pub(super) fn grown(&self, man: &Man, facts: &Facts) -> Bitboard {
        let mut open = !facts.closed[man.color];
        if self.is_last && man.color == self.winner {
            open -= self.vain_checks(man, facts);
        }
        match man.kind {
            PieceType::Pawn => self.pawn_grown(man, open, facts),
            PieceType::King => {
                let open = open - facts.guarded[!man.color];
                if self.is_bound(!man.color, facts) {
                    self.king_grown_without_stalemate(man, open, facts)
                } else {
                    flood(man.reach, |from| king_attacks(from) & open)
                }
            }
            kind => flood(man.reach, |from| {
                // Steady men bar the way, all others may leave it.
                let targets = Board::piece_attacks(kind, from, facts.steady) & open;
                if from == man.home { targets - self.mating_moves(man, targets, facts) } else { targets }
            }),
        }
    }

    fn pawn_grown(&self, man: &Man, open: Bitboard, facts: &Facts) -> Bitboard {
        let last_rank = Bitboard::rank(Rank::Eight.relative_to(man.color));
        let captures = facts.presence[!man.color] & open;
        let way = (self.way_ahead(man) - facts.steady) & open;
        let steps = |from: Bitboard| from.forward(man.color) & way | pawns_attacks(man.color, from) & captures;
        let mut reach = man.reach;
        let home = man.home.bitboard();
        if reach.intersects(home) {
            let step = home.forward(man.color) & way;
            let double = if man.home.rank() == Rank::Two.relative_to(man.color) {
                step.forward(man.color) & way
            } else {
                Bitboard::EMPTY
            };
            let targets = steps(home) | double;
            reach |= targets - self.mating_moves(man, targets, facts);
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
    fn way_ahead(&self, man: &Man) -> Bitboard {
        let Some(ahead) = man.ahead.map(|index| &self.men[usize::from(index)]) else { return Bitboard::FULL };
        let outside = !Bitboard::file(man.home.file());
        if ahead.capturable || (man.reach | ahead.reach).intersects(outside) {
            return Bitboard::FULL;
        }
        match man.color {
            Color::White => Bitboard((1 << (63 - ahead.reach.0.leading_zeros())) - 1),
            Color::Black => Bitboard(!0 << ahead.reach.0.trailing_zeros() << 1),
        }
    }

    /// Whether a man that never leaves its square might, were the other king elsewhere: whether something else than
    /// steady men and what its set owes to that king keeps it in place.
    pub(super) fn is_loose(&self, man: &Man, other_king: Bitboard, facts: &Facts) -> bool {
        let steady = facts.steady - other_king;
        let open = !(facts.barred[man.color] - other_king);
        let targets = match man.kind {
            PieceType::Pawn => {
                let pushes = man.reach.forward(man.color) & self.way_ahead(man);
                let captures = pawns_attacks(man.color, man.reach) & facts.presence[!man.color];
                (pushes - steady) | captures
            }
            kind => union(man.reach, |from| Board::piece_attacks(kind, from, steady)),
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
    while let Some(from) = fresh.first() {
        let found = step(from) - reached;
        reached |= found;
        fresh = (fresh | found) - from.bitboard();
    }
    reached
}
