//! Moves after which the winner can no longer win: no won game contains one.
//!
//! Before such a move all pieces are within their sets; after it the piece that moved need not be. So the sets alone
//! say nothing about the moves that follow. Each argument is therefore about the one position after the move, where the
//! other pieces are still within their sets, and steady ones on their squares unless just captured. It shows that the
//! game ends there, or that all legal replies capture the winner's last piece or are excluded for good.

use super::sets::{Facts, Mobility, Piece, flood, union};
use crate::attacks::{between, king_attacks, line, pawn_attacks, pawns_attacks};
use crate::{Bitboard, Board, Color, PieceType, Rank, Square};

impl Mobility {
    /// Squares next to the loser's king where the winner's last piece would be captured when it gives check.
    ///
    /// If that king never leaves its square, and either the winner's king can never defend the piece or another piece
    /// of the loser can always capture it, it is not mate. Nothing can interpose, the king has no other move, and once
    /// the piece is captured the winner cannot win. So no game that the winner wins contains such a move. The king's
    /// other squares must be barred by something that does not depend on the piece itself: the loser's steady pieces,
    /// or the winner's king wherever it is. The capturing piece cannot be pinned: the only piece that could pin it is
    /// next to the king.
    pub(super) fn losing_checks(&self, piece: &Piece, facts: &Facts) -> Bitboard {
        let (king, helper) = (self.king(!self.winner), self.king(self.winner));
        if !king.is_still() || piece.kind == PieceType::King {
            return Bitboard::EMPTY;
        }
        let beside = king_attacks(king.home);
        // The piece leaves the squares that it may have barred.
        let barred = facts.barred[!self.winner] - piece.reach;
        let guarded = helper.reach.into_iter().fold(Bitboard::FULL, |all, at| all & king_attacks(at));
        let guardable = union(helper.reach, king_attacks);
        let checks = match piece.kind {
            PieceType::Pawn => pawns_attacks(!piece.color, king.reach),
            kind => Board::piece_attacks(kind, king.home, Bitboard::FULL),
        };
        let capturers = self
            .pieces
            .iter()
            .filter(|capturer| capturer.color != self.winner && capturer.is_steady() && capturer.home != king.home);
        let capturable_on = capturers.fold(!guardable, |all, capturer| all | capturer.attacks(Bitboard::FULL));
        let losing = beside & checks & capturable_on;
        // Each check must leave the king no move but the capture.
        losing.into_iter().filter(|&at| (beside - barred - guarded - at.bitboard()).is_empty()).collect()
    }

    /// Whether a side has only king moves, wherever the other king is.
    ///
    /// The reason that its other pieces cannot move must not be the other king: neither its square, nor that their
    /// moves would throw the win away while it is there.
    pub(super) fn is_bound(&self, side: Color, facts: &Facts) -> bool {
        let other_king = self.king(!side).reach;
        !self.can_castle
            && self
                .pieces
                .iter()
                .filter(|piece| piece.color == side && piece.kind != PieceType::King)
                .all(|piece| piece.is_still() && (piece.stays || !self.is_loose(piece, other_king, facts)))
    }

    /// Whether a piece that never leaves its square could do so if the other king were elsewhere.
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

    /// The squares of a king, without moves that stalemate the other side, if it is [bound](Self::is_bound).
    ///
    /// Such a move ends the game without a mate by the winner, unless the winner's king discovers a check. So no game
    /// that the winner wins contains it. The other king can be anywhere in its set that is not next to the target
    /// square. Its adjacent squares must be barred with the moving king on its new square, which need not be in its
    /// set: by that king itself, by steady pieces of the bound side, and by steady pieces of the moving side that
    /// attack as pawns and knights do, or an adjacent square with nothing in between. (Moves that a [case
    /// distinction](crate::unwinnable::blocked) excludes may remain, but no game of that case contains them.)
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
        // The moving king's own square is free after the move.
        barred -= piece.reach;
        let stalemates = |to: Square| {
            let beside = king_attacks(to);
            (bound - beside - to.bitboard()).into_iter().all(|at| (king_attacks(at) - barred - beside).is_empty())
        };
        let stalemating: Bitboard = (open - piece.reach).into_iter().filter(|&to| stalemates(to)).collect();
        let discovers_check =
            |from: Square, to: Square| piece.color == self.winner && self.may_discover_check(from, to, bound, facts);
        flood(piece.reach, |from| {
            let steps = king_attacks(from) & open;
            let out: Bitboard = (steps & stalemating).into_iter().filter(|&to| !discovers_check(from, to)).collect();
            steps - out
        })
    }

    /// Whether a move of the winner's king can discover a check to the other king on one of these squares.
    fn may_discover_check(&self, from: Square, to: Square, kings: Bitboard, facts: &Facts) -> bool {
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

    /// Those targets of a piece on its home square where it would mate the winner.
    ///
    /// The winner's king never leaves its square and is always in check after such a move, by the piece or by a slider
    /// behind it. The squares next to the king are barred or attacked by pieces that are always there, without counting
    /// what the piece did on its home square or the piece it captured. No piece can capture the checking piece or
    /// interpose, wherever it is in its set. So it is mate.
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
            // It can promote to any piece.
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

    /// A steady slider of the loser that checks the king as soon as this piece leaves the line from its home square.
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

    /// Whether no other piece can ever reach these squares.
    fn is_clear(&self, squares: Bitboard, piece: &Piece) -> bool {
        self.pieces.iter().all(|other| other.home == piece.home || !other.reach.intersects(squares))
    }

    /// Whether the winner can capture the checking piece or interpose, after this piece has moved.
    fn may_parry(&self, piece: &Piece, checker: Square, way: Bitboard, to: Square, facts: &Facts) -> bool {
        let captures = checker.bitboard();
        // A pawn can also be captured en passant.
        let passed = if piece.kind == PieceType::Pawn { between(piece.home, to) } else { Bitboard::EMPTY };
        let obstacles = facts.steady - piece.home.bitboard();
        self.pieces.iter().filter(|other| other.color == self.winner && other.kind != PieceType::King).any(|other| {
            if other.kind != PieceType::Pawn || other.promotes() {
                return other.attacks(obstacles).intersects(captures | way);
            }
            let step = other.reach.forward(other.color);
            (step | step.forward(other.color)).intersects(way)
                || pawns_attacks(other.color, other.reach).intersects(captures | passed)
        })
    }

    /// Whether the winner's king has no move after this piece has moved.
    fn is_king_locked(&self, piece: &Piece, to: Square, king: Square, facts: &Facts) -> bool {
        let occupied = facts.once - king.bitboard();
        let own = match piece.kind {
            PieceType::Pawn => pawn_attacks(piece.color, to),
            kind => Board::piece_attacks(kind, to, occupied),
        };
        // A piece on the target square is captured, so the king may recapture there.
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
