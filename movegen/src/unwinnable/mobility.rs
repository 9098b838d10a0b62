//! The squares that each piece can ever reach: a fixed point over all games that can follow.
//!
//! Every piece has a set of squares that it can ever reach, and a flag whether it can ever be captured. The sets start
//! with the current squares and grow by every move that is not illegal *for good*, until none grows any more. Then in
//! every game from this board each piece stays within its set, and only flagged pieces are captured. Proof by induction
//! over the moves: suppose this holds up to some position. The next move either was added to the sets, or was excluded
//! by one of the rules below. But these rules hold for *every* placement of the pieces within the final sets, so the
//! move is illegal, or it [throws the win away](spoiling).
//!
//! While the loop runs, reach and flags only grow; steady pieces, closed squares and guarded squares only shrink. The
//! rules use these alone, never the current square of a piece that can move.
//!
//! Two kinds of games are excluded: those in which the winner's last piece is captured, which the winner cannot win,
//! and those excluded by a [case distinction](super::blocked).
//!
//! Source of the idea: M. Ambrona, "A Practical Algorithm for Chess Unwinnability" (FUN 2022).

mod crowd;
mod sets;
mod spoiling;
mod steps;

use sets::Spared;
pub(super) use sets::{Facts, Mobility};

use crate::attacks::pawns_attacks;
use crate::{Bitboard, ByColor, PieceType};

impl Mobility {
    /// Grows the sets until none grows any more. None as soon as a pawn of the winner can promote, since then nearly
    /// everything is possible.
    pub(super) fn saturate(&mut self) -> Option<Facts> {
        loop {
            let facts = self.facts();
            let mut grew = false;
            for index in 0..self.pieces.len() {
                let piece = &self.pieces[index];
                if piece.stays || piece.reach == Bitboard::FULL {
                    continue;
                }
                let reach = self.grown(piece, &facts);
                let piece = &mut self.pieces[index];
                grew |= reach != piece.reach;
                piece.reach = reach;
                if piece.promotes() && piece.color == self.winner {
                    return None;
                }
            }
            grew |= self.flag_captures();
            if !grew {
                return Some(facts);
            }
        }
    }

    /// Flags the pieces that can be captured: a piece of the other side can capture on a square they can reach.
    fn flag_captures(&mut self) -> bool {
        let mut captures = ByColor([Bitboard::EMPTY; 2]);
        for piece in &self.pieces {
            captures[piece.color] |= match piece.kind {
                _ if piece.stays => Bitboard::EMPTY,
                PieceType::Pawn if !piece.promotes() => pawns_attacks(piece.color, piece.reach),
                _ if piece.is_still() => Bitboard::EMPTY,
                _ => piece.reach,
            };
        }
        let mut flagged = false;
        let mut first = self.first_captured;
        for (index, piece) in self.pieces.iter_mut().enumerate() {
            let is_spared = match piece.spared {
                Spared::Never => false,
                Spared::Unmoved => piece.is_still(),
                Spared::Later | Spared::Always => true,
            };
            if !piece.capturable && !is_spared && captures[!piece.color].intersects(piece.reach) {
                piece.capturable = true;
                flagged = true;
                first = first.or(piece.is_still().then_some(index));
            }
        }
        self.first_captured = first;
        flagged
    }
}
