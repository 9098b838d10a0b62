//! Moves after which the winner can win no more: no game that he wins has one.
//!
//! Before such a move all men stand within their sets, after it the man that moved need not. So nothing may be said of
//! the moves that follow by the sets alone: each argument is about the one position after the move, where the other
//! men still stand within their sets, steady ones on their squares unless just taken, and shows that the game ends
//! there, or that all legal replies take the winner's last man or are left aside for good.

use super::steps::{flood, union};
use super::{Facts, Man, Mobility};
use crate::attacks::{between, king_attacks, line, pawn_attacks, pawns_attacks};
use crate::{Bitboard, Board, Color, PieceType, Rank, Square};

impl Mobility {
    /// Squares beside the loser's king from which the winner's last man gives a check in vain.
    ///
    /// If that king never leaves its square and the winner's king can never guard the man, or another man of the loser
    /// always stands ready, the man can be taken, so it is no mate; there is nothing to step between, the king has no
    /// other step, and once the man is taken the winner cannot win. So no game that the winner wins has such a move. The
    /// king's other steps must be barred by what does not depend on the man itself: the loser's steady men, or the
    /// winner's king wherever it stands. Who takes cannot be pinned: the only man to pin it stands beside the king.
    pub(super) fn vain_checks(&self, man: &Man, facts: &Facts) -> Bitboard {
        let (king, helper) = (self.king(!self.winner), self.king(self.winner));
        if !king.is_still() || man.kind == PieceType::King {
            return Bitboard::EMPTY;
        }
        let beside = king_attacks(king.home);
        // The man leaves the squares it may have barred by standing there.
        let barred = facts.barred[!self.winner] - man.reach;
        let guarded = helper.reach.into_iter().fold(Bitboard::FULL, |all, at| all & king_attacks(at));
        let guardable = union(helper.reach, king_attacks);
        let checks = match man.kind {
            PieceType::Pawn => pawns_attacks(!man.color, king.reach),
            kind => Board::piece_attacks(kind, king.home, Bitboard::FULL),
        };
        let takers =
            self.men.iter().filter(|taker| taker.color != self.winner && taker.is_steady() && taker.home != king.home);
        let takeable = takers.fold(!guardable, |all, taker| all | taker.attacks(Bitboard::FULL));
        let vain = beside & checks & takeable;
        // Each check must leave no step but the capture.
        vain.into_iter().filter(|&at| (beside - barred - guarded - at.bitboard()).is_empty()).collect()
    }

    /// Whether a side has no move but its king's, wherever the other king goes.
    ///
    /// What keeps its other men in place must not be the other king: neither where he stands, nor that they spoil the win
    /// as long as he stands there.
    pub(super) fn is_bound(&self, side: Color, facts: &Facts) -> bool {
        let other_king = self.king(!side).reach;
        !self.can_castle
            && self
                .men
                .iter()
                .filter(|man| man.color == side && man.kind != PieceType::King)
                .all(|man| man.is_still() && (man.stays || !self.is_loose(man, other_king, facts)))
    }

    /// The squares of a king, without steps that leave the other side, if [bound](Self::is_bound), without a move.
    ///
    /// Such a step ends the game, and not with a mate by the winner, unless his king uncovers a check. So no game that
    /// the winner wins has it. The other king may stand anywhere in its set, out of reach of the square stepped to;
    /// what bars the squares beside it must do so with the stepping king on its new square, which need not be in
    /// its set: that king itself, men of the bound side that never move or vanish, and men of the stepping side that do
    /// neither and attack as pawns and knights do or the next square, with nothing in between. (Moves that a
    /// [case](crate::unwinnable::blocked) leaves aside may remain, but no game of that case has them.)
    pub(super) fn king_grown_without_stalemate(&self, man: &Man, open: Bitboard, facts: &Facts) -> Bitboard {
        let bound = self.king(!man.color).reach;
        let mut barred = facts.barred[!man.color];
        for guard in self.men.iter().filter(|guard| guard.color == man.color && guard.is_steady()) {
            barred |= match guard.kind {
                PieceType::King => Bitboard::EMPTY,
                PieceType::Pawn | PieceType::Knight => guard.attacks(Bitboard::EMPTY),
                _ => guard.attacks(Bitboard::FULL),
            };
        }
        // The stepping king's own square is free after the step.
        barred -= man.reach;
        let stalls = |to: Square| {
            let beside = king_attacks(to);
            (bound - beside - to.bitboard()).into_iter().all(|at| (king_attacks(at) - barred - beside).is_empty())
        };
        let stalling: Bitboard = (open - man.reach).into_iter().filter(|&to| stalls(to)).collect();
        let uncovers = |from: Square, to: Square| man.color == self.winner && self.may_uncover(from, to, bound, facts);
        flood(man.reach, |from| {
            let steps = king_attacks(from) & open;
            let out: Bitboard = (steps & stalling).into_iter().filter(|&to| !uncovers(from, to)).collect();
            steps - out
        })
    }

    /// Whether a step of the winner's king may uncover a check to the other king on one of these squares.
    fn may_uncover(&self, from: Square, to: Square, kings: Bitboard, facts: &Facts) -> bool {
        kings.into_iter().any(|at| {
            let ray = line(at, from);
            let is_straight = at.file() == from.file() || at.rank() == from.rank();
            ray.any()
                && !ray.has(to)
                && !between(at, from).intersects(facts.steady)
                && self.men.iter().any(|man| {
                    let slides = match man.kind {
                        PieceType::Queen => true,
                        PieceType::Rook => is_straight,
                        PieceType::Bishop => !is_straight,
                        _ => man.promotes(),
                    };
                    slides && man.color == self.winner && man.reach.intersects(ray)
                })
        })
    }

    /// Those of a man's targets to which it moves from its home square only to mate the winner.
    ///
    /// The winner's king never leaves its square and is surely in check after such a move, by the man or by a slider
    /// behind it. The squares beside the king are barred or attacked by men that are always there, without the help
    /// of what the man did on its home square, or of whom it took. Nobody can ever take the one who gives check, nor step
    /// between, wherever he may stand in his set. So it is mate.
    pub(super) fn mating_moves(&self, man: &Man, targets: Bitboard, facts: &Facts) -> Bitboard {
        let king = self.king(self.winner);
        if man.color == self.winner || targets.is_empty() || !king.is_still() {
            return Bitboard::EMPTY;
        }
        let behind = self.uncovered_by(man, king.home);
        targets.into_iter().filter(|&to| self.is_mating(man, to, king.home, behind, facts)).collect()
    }

    fn is_mating(&self, man: &Man, to: Square, king: Square, behind: Option<Square>, facts: &Facts) -> bool {
        let behind = behind.filter(|&slider| !line(slider, king).has(to));
        let checks = match man.kind {
            // What it becomes is open.
            PieceType::Pawn if to.rank() == Rank::Eight.relative_to(man.color) => false,
            PieceType::Pawn => pawn_attacks(man.color, to).has(king),
            kind => Board::piece_attacks(kind, to, Bitboard::EMPTY).has(king) && self.is_clear(between(to, king), man),
        };
        let is_parried = match (checks, behind) {
            (false, None) => return false,
            (true, Some(_)) => false,
            (true, None) => self.may_parry(man, to, between(to, king), to, facts),
            (false, Some(slider)) => self.may_parry(man, slider, between(slider, king), to, facts),
        };
        !is_parried && self.is_king_locked(man, to, king, facts)
    }

    /// A steady slider of the loser that checks the king as soon as this man leaves its home square and the line.
    fn uncovered_by(&self, man: &Man, king: Square) -> Option<Square> {
        if line(man.home, king).is_empty() {
            return None;
        }
        let checks = |slider: &&Man| {
            let way = between(slider.home, king);
            slider.color == man.color
                && slider.is_steady()
                && matches!(slider.kind, PieceType::Bishop | PieceType::Rook | PieceType::Queen)
                && way.has(man.home)
                && Board::piece_attacks(slider.kind, slider.home, Bitboard::EMPTY).has(king)
                && self.is_clear(way - man.home.bitboard(), man)
        };
        self.men.iter().find(checks).map(|slider| slider.home)
    }

    /// Whether no man but this one may ever stand on these squares.
    fn is_clear(&self, squares: Bitboard, man: &Man) -> bool {
        self.men.iter().all(|other| other.home == man.home || !other.reach.intersects(squares))
    }

    /// Whether the winner may take who gives check or step between, after this man has moved.
    fn may_parry(&self, man: &Man, checker: Square, way: Bitboard, to: Square, facts: &Facts) -> bool {
        let takes = checker.bitboard();
        // A pawn may be taken on the square it has just passed as well.
        let passed = if man.kind == PieceType::Pawn { between(man.home, to) } else { Bitboard::EMPTY };
        let obstacles = facts.steady - man.home.bitboard();
        self.men.iter().filter(|other| other.color == self.winner && other.kind != PieceType::King).any(|other| {
            if other.kind != PieceType::Pawn || other.promotes() {
                return other.attacks(obstacles).intersects(takes | way);
            }
            let step = other.reach.forward(other.color);
            (step | step.forward(other.color)).intersects(way)
                || pawns_attacks(other.color, other.reach).intersects(takes | passed)
        })
    }

    /// Whether the winner's king has no step after this man has moved.
    fn is_king_locked(&self, man: &Man, to: Square, king: Square, facts: &Facts) -> bool {
        let occupied = facts.once - king.bitboard();
        let own = match man.kind {
            PieceType::Pawn => pawn_attacks(man.color, to),
            kind => Board::piece_attacks(kind, to, occupied),
        };
        // A man that stood where it has gone is taken, so the king may take in turn.
        let barred = facts.barred[self.winner] - man.home.bitboard() - to.bitboard();
        let mut free = king_attacks(king) - barred - own;
        for guard in &self.men {
            if free.is_empty() {
                break;
            }
            if guard.color == man.color && guard.home != man.home && !guard.capturable {
                free -= guard.always_attacks(facts.twice | (occupied - guard.reach) | to.bitboard());
            }
        }
        free.is_empty()
    }
}
