//! The moves by which the sets of the pieces grow.

use super::sets::{Facts, Mobility, Piece, flood};
use crate::attacks::{king_attacks, pawns_attacks};
use crate::{Bitboard, Board, PieceType, Rank};

impl Mobility {
    /// The squares of a piece's set and those reached from them in one move of a pawn, or in any number of other moves.
    pub(super) fn grown(&self, piece: &Piece, facts: &Facts) -> Bitboard {
        let mut open = !facts.closed[piece.color];
        if self.is_last && piece.color == self.winner {
            open -= self.losing_checks(piece, facts);
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
                // Steady pieces block the line; all others may leave it.
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
                // It can be captured there en passant.
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
}
