//! Where each piece can ever stand: a fixed point over all games that may follow.
//!
//! Every piece keeps the set of squares it may ever reach and a mark whether it may ever be captured. The sets start
//! with the board and grow by every move that the rules do not forbid *for good*, until nothing grows. Then in any
//! game from the board on each piece stands within its set, and only marked pieces are ever taken. The proof goes by
//! induction over the moves: suppose it holds up to some moment; the next move is either one that the fixed point has
//! followed too, or one that a filter below has struck out; but a filter speaks of *every* placing of the pieces within
//! the final sets, so such a move is illegal at that moment as at any other, or [spoils](spoiling) the win.
//!
//! What may only grow while the loop runs: reach and the marks. What may only shrink: steady pieces, closed and guarded
//! squares. Filters rest on these alone, never on where a piece that can move stands now.
//!
//! Some games are left aside: those in which the winner's last piece is taken, which he does not win, and those that a
//! [case](super::blocked) excludes.
//!
//! The idea of such sets is M. Ambrona's: "A Practical Algorithm for Chess Unwinnability" (FUN 2022).

mod sets;
mod spoiling;
mod steps;

use sets::Spared;
pub(super) use sets::{Facts, Mobility};

use crate::attacks::pawns_attacks;
use crate::{Bitboard, ByColor, PieceType};

impl Mobility {
    /// Grows the sets until nothing grows. None as soon as a pawn of the winner may promote, for then nearly
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
            grew |= self.mark_captures();
            if !grew {
                return Some(facts);
            }
        }
    }

    /// Marks the pieces that may be taken: a piece of the other side may capture where they may stand.
    fn mark_captures(&mut self) -> bool {
        let mut captures = ByColor([Bitboard::EMPTY; 2]);
        for piece in &self.pieces {
            captures[piece.color] |= match piece.kind {
                _ if piece.stays => Bitboard::EMPTY,
                PieceType::Pawn if !piece.promotes() => pawns_attacks(piece.color, piece.reach),
                _ if piece.is_still() => Bitboard::EMPTY,
                _ => piece.reach,
            };
        }
        let mut marked = false;
        let mut first = self.first_taken;
        for (index, piece) in self.pieces.iter_mut().enumerate() {
            let is_spared = match piece.spared {
                Spared::Never => false,
                Spared::Unmoved => piece.is_still(),
                Spared::Later | Spared::Always => true,
            };
            if !piece.capturable && !is_spared && captures[!piece.color].intersects(piece.reach) {
                piece.capturable = true;
                marked = true;
                first = first.or(piece.is_still().then_some(index));
            }
        }
        self.first_taken = first;
        marked
    }
}
