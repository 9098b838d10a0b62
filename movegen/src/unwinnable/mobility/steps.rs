//! The moves that the sets of the men grow by.

use super::{Facts, Man, Mobility};
use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, pawns_attacks, rook_attacks};
use crate::{Bitboard, Color, PieceType, Rank, Square};

impl Mobility {
    /// The squares of a man's set and those it may reach from them in one move, or in several for kings and knights.
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
            PieceType::Knight => self.officer_grown(man, facts, |from| knight_attacks(from) & open),
            // Steady men bar the way, all others may leave it.
            PieceType::Bishop => self.officer_grown(man, facts, |from| bishop_attacks(from, facts.steady) & open),
            PieceType::Rook => self.officer_grown(man, facts, |from| rook_attacks(from, facts.steady) & open),
            PieceType::Queen => self.officer_grown(man, facts, |from| {
                (bishop_attacks(from, facts.steady) | rook_attacks(from, facts.steady)) & open
            }),
        }
    }

    fn officer_grown(&self, man: &Man, facts: &Facts, step: impl Fn(Square) -> Bitboard) -> Bitboard {
        flood(man.reach, |from| {
            let targets = step(from);
            if from == man.home { targets - self.mating_moves(man, targets, facts) } else { targets }
        })
    }

    fn pawn_grown(&self, man: &Man, open: Bitboard, facts: &Facts) -> Bitboard {
        let last_rank = Bitboard::rank(Rank::Eight.relative_to(man.color));
        let captures = facts.presence[!man.color] & open;
        let way = (self.way_ahead(man) - facts.steady) & open;
        let steps = |from: Bitboard| from.forward(man.color) & way | pawns_attacks(man.color, from) & captures;
        let mut reach = man.reach;
        let home = man.home.bitboard();
        if reach.intersects(home) {
            let mut targets = steps(home);
            if man.home.rank() == Rank::Two.relative_to(man.color) {
                targets |= (targets & home.forward(man.color)).forward(man.color) & way;
            }
            reach |= targets - self.mating_moves(man, targets, facts);
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
