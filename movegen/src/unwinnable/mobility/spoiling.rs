//! Moves after which the winner can win no more: no game that he wins has one.
//!
//! Before such a move all pieces stand within their sets, after it the piece that moved need not. So nothing may be said of
//! the moves that follow by the sets alone: each argument is about the one position after the move, where the other
//! pieces still stand within their sets, steady ones on their squares unless just taken, and shows that the game ends
//! there, or that all legal replies take the winner's last piece or are left aside for good.

use super::sets::{Facts, Mobility, Piece, flood, union};
use crate::attacks::{between, king_attacks, line, pawn_attacks, pawns_attacks};
use crate::{Bitboard, Board, Color, PieceType, Rank, Square};

impl Mobility {
    /// Squares beside the loser's king from which the winner's last piece gives a check in vain.
    ///
    /// If that king never leaves its square and the winner's king can never guard the piece, or another piece of the loser
    /// always stands ready, the piece can be taken, so it is no mate; there is nothing to step between, the king has no
    /// other step, and once the piece is taken the winner cannot win. So no game that the winner wins has such a move. The
    /// king's other steps must be barred by what does not depend on the piece itself: the loser's steady pieces, or the
    /// winner's king wherever it stands. Who takes cannot be pinned: the only piece to pin it stands beside the king.
    pub(super) fn vain_checks(&self, piece: &Piece, facts: &Facts) -> Bitboard {
        let (king, helper) = (self.king(!self.winner), self.king(self.winner));
        if !king.is_still() || piece.kind == PieceType::King {
            return Bitboard::EMPTY;
        }
        let beside = king_attacks(king.home);
        // The piece leaves the squares it may have barred by standing there.
        let barred = facts.barred[!self.winner] - piece.reach;
        let guarded = helper.reach.into_iter().fold(Bitboard::FULL, |all, at| all & king_attacks(at));
        let guardable = union(helper.reach, king_attacks);
        let checks = match piece.kind {
            PieceType::Pawn => pawns_attacks(!piece.color, king.reach),
            kind => Board::piece_attacks(kind, king.home, Bitboard::FULL),
        };
        let takers = self
            .pieces
            .iter()
            .filter(|taker| taker.color != self.winner && taker.is_steady() && taker.home != king.home);
        let takeable = takers.fold(!guardable, |all, taker| all | taker.attacks(Bitboard::FULL));
        let vain = beside & checks & takeable;
        // Each check must leave no step but the capture.
        vain.into_iter().filter(|&at| (beside - barred - guarded - at.bitboard()).is_empty()).collect()
    }

    /// Whether a side has no move but its king's, wherever the other king goes.
    ///
    /// What keeps its other pieces in place must not be the other king: neither where he stands, nor that they spoil the win
    /// as long as he stands there.
    pub(super) fn is_bound(&self, side: Color, facts: &Facts) -> bool {
        let other_king = self.king(!side).reach;
        !self.can_castle
            && self
                .pieces
                .iter()
                .filter(|piece| piece.color == side && piece.kind != PieceType::King)
                .all(|piece| piece.is_still() && (piece.stays || !self.is_loose(piece, other_king, facts)))
    }

    /// Whether a piece that never leaves its square might, were the other king elsewhere: whether something else than
    /// steady pieces and what its set owes to that king keeps it in place.
    fn is_loose(&self, piece: &Piece, other_king: Bitboard, facts: &Facts) -> bool {
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

    /// The squares of a king, without steps that leave the other side, if [bound](Self::is_bound), without a move.
    ///
    /// Such a step ends the game, and not with a mate by the winner, unless his king uncovers a check. So no game that
    /// the winner wins has it. The other king may stand anywhere in its set, out of reach of the square stepped to;
    /// what bars the squares beside it must do so with the stepping king on its new square, which need not be in
    /// its set: that king itself, pieces of the bound side that never move or vanish, and pieces of the stepping side that do
    /// neither and attack as pawns and knights do or the next square, with nothing in between. (Moves that a
    /// [case](crate::unwinnable::blocked) leaves aside may remain, but no game of that case has them.)
    pub(super) fn king_grown_without_stalemate(&self, piece: &Piece, open: Bitboard, facts: &Facts) -> Bitboard {
        let bound = self.king(!piece.color).reach;
        let mut barred = facts.barred[!piece.color];
        for guard in self.pieces.iter().filter(|guard| guard.color == piece.color && guard.is_steady()) {
            barred |= match guard.kind {
                PieceType::King => Bitboard::EMPTY,
                PieceType::Pawn | PieceType::Knight => guard.attacks(Bitboard::EMPTY),
                _ => guard.attacks(Bitboard::FULL),
            };
        }
        // The stepping king's own square is free after the step.
        barred -= piece.reach;
        let stalls = |to: Square| {
            let beside = king_attacks(to);
            (bound - beside - to.bitboard()).into_iter().all(|at| (king_attacks(at) - barred - beside).is_empty())
        };
        let stalling: Bitboard = (open - piece.reach).into_iter().filter(|&to| stalls(to)).collect();
        let uncovers =
            |from: Square, to: Square| piece.color == self.winner && self.may_uncover(from, to, bound, facts);
        flood(piece.reach, |from| {
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
                && !ray.contains(to)
                && !between(at, from).intersects(facts.steady)
                && self.pieces.iter().any(|piece| {
                    let slides = match piece.kind {
                        PieceType::Queen => true,
                        PieceType::Rook => is_straight,
                        PieceType::Bishop => !is_straight,
                        _ => piece.promotes(),
                    };
                    slides && piece.color == self.winner && piece.reach.intersects(ray)
                })
        })
    }

    /// Those of a piece's targets to which it moves from its home square only to mate the winner.
    ///
    /// The winner's king never leaves its square and is surely in check after such a move, by the piece or by a slider
    /// behind it. The squares beside the king are barred or attacked by pieces that are always there, without the help
    /// of what the piece did on its home square, or of whom it took. Nobody can ever take the one who gives check, nor step
    /// between, wherever he may stand in his set. So it is mate.
    pub(super) fn mating_moves(&self, piece: &Piece, targets: Bitboard, facts: &Facts) -> Bitboard {
        let king = self.king(self.winner);
        if piece.color == self.winner || targets.is_empty() || !king.is_still() {
            return Bitboard::EMPTY;
        }
        let behind = self.uncovered_by(piece, king.home);
        targets.into_iter().filter(|&to| self.is_mating(piece, to, king.home, behind, facts)).collect()
    }

    fn is_mating(&self, piece: &Piece, to: Square, king: Square, behind: Option<Square>, facts: &Facts) -> bool {
        let behind = behind.filter(|&slider| !line(slider, king).contains(to));
        let checks = match piece.kind {
            // What it becomes is open.
            PieceType::Pawn if to.rank() == Rank::Eight.relative_to(piece.color) => false,
            PieceType::Pawn => pawn_attacks(piece.color, to).contains(king),
            kind => {
                Board::piece_attacks(kind, to, Bitboard::EMPTY).contains(king)
                    && self.is_clear(between(to, king), piece)
            }
        };
        let is_parried = match (checks, behind) {
            (false, None) => return false,
            (true, Some(_)) => false,
            (true, None) => self.may_parry(piece, to, between(to, king), to, facts),
            (false, Some(slider)) => self.may_parry(piece, slider, between(slider, king), to, facts),
        };
        !is_parried && self.is_king_locked(piece, to, king, facts)
    }

    /// A steady slider of the loser that checks the king as soon as this piece leaves its home square and the line.
    fn uncovered_by(&self, piece: &Piece, king: Square) -> Option<Square> {
        if line(piece.home, king).is_empty() {
            return None;
        }
        let checks = |slider: &&Piece| {
            let way = between(slider.home, king);
            slider.color == piece.color
                && slider.is_steady()
                && matches!(slider.kind, PieceType::Bishop | PieceType::Rook | PieceType::Queen)
                && way.contains(piece.home)
                && Board::piece_attacks(slider.kind, slider.home, Bitboard::EMPTY).contains(king)
                && self.is_clear(way - piece.home.bitboard(), piece)
        };
        self.pieces.iter().find(checks).map(|slider| slider.home)
    }

    /// Whether no piece but this one may ever stand on these squares.
    fn is_clear(&self, squares: Bitboard, piece: &Piece) -> bool {
        self.pieces.iter().all(|other| other.home == piece.home || !other.reach.intersects(squares))
    }

    /// Whether the winner may take who gives check or step between, after this piece has moved.
    fn may_parry(&self, piece: &Piece, checker: Square, way: Bitboard, to: Square, facts: &Facts) -> bool {
        let takes = checker.bitboard();
        // A pawn may be taken on the square it has just passed as well.
        let passed = if piece.kind == PieceType::Pawn { between(piece.home, to) } else { Bitboard::EMPTY };
        let obstacles = facts.steady - piece.home.bitboard();
        self.pieces.iter().filter(|other| other.color == self.winner && other.kind != PieceType::King).any(|other| {
            if other.kind != PieceType::Pawn || other.promotes() {
                return other.attacks(obstacles).intersects(takes | way);
            }
            let step = other.reach.forward(other.color);
            (step | step.forward(other.color)).intersects(way)
                || pawns_attacks(other.color, other.reach).intersects(takes | passed)
        })
    }

    /// Whether the winner's king has no step after this piece has moved.
    fn is_king_locked(&self, piece: &Piece, to: Square, king: Square, facts: &Facts) -> bool {
        let occupied = facts.once - king.bitboard();
        let own = match piece.kind {
            PieceType::Pawn => pawn_attacks(piece.color, to),
            kind => Board::piece_attacks(kind, to, occupied),
        };
        // A piece that stood where it has gone is taken, so the king may take in turn.
        let barred = facts.barred[self.winner] - piece.home.bitboard() - to.bitboard();
        let mut free = king_attacks(king) - barred - own;
        for guard in &self.pieces {
            if free.is_empty() {
                break;
            }
            if guard.color == piece.color && guard.home != piece.home && !guard.capturable {
                free -= guard.always_attacks(facts.twice | (occupied - guard.reach) | to.bitboard());
            }
        }
        free.is_empty()
    }
}
