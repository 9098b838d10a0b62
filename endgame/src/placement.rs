//! Pieces on their squares: the moves that lead on, and those that led there.
//!
//! A [`Board`] would do, but takes ten times as long to set up; there are hundreds of millions here.

use std::ops::ControlFlow;

use movegen::attacks::{king_attacks, pawn_attacks};
use movegen::{Bitboard, Board, Color, Piece, PieceType, Rank, Square};

use crate::MAX_PIECES;

/// Where the pieces of a material stand, and who is to move.
///
/// Which pieces these are is known from elsewhere: White's king, Black's king, the others; squares behind the last of
/// them mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    pub(crate) turn: Color,
    pub(crate) squares: [Square; MAX_PIECES],
    /// The pawn that has just stepped two squares past a pawn beside which it now stands.
    pub(crate) passed: Option<usize>,
}

/// A legal move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) mover: usize,
    pub(crate) to: Square,
    pub(crate) captured: Option<usize>,
    pub(crate) promotes: bool,
    /// It is a double step past a pawn that could take en passant.
    passes: bool,
}

impl Step {
    /// Whether the pieces stay the same.
    pub(crate) const fn is_plain(&self) -> bool {
        self.captured.is_none() && !self.promotes
    }
}

/// Which moves are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    All,
    /// Captures and promotions.
    Conversions,
}

/// The squares beside one, on the same rank.
fn beside(square: Square) -> Bitboard {
    let square = square.bitboard();
    square.west() | square.east()
}

impl Placement {
    pub(crate) fn occupied(&self, pieces: &[Piece]) -> Bitboard {
        self.squares[..pieces.len()].iter().fold(Bitboard::EMPTY, |set, square| set | square.bitboard())
    }

    /// The squares of one side's pawns.
    fn pawns(&self, pieces: &[Piece], color: Color) -> Bitboard {
        let pawn = Piece::new(color, PieceType::Pawn);
        let pawns = pieces.iter().zip(self.squares).filter(|(piece, _)| **piece == pawn);
        pawns.fold(Bitboard::EMPTY, |set, (_, square)| set | square.bitboard())
    }

    /// Whether no two pieces share a square, the kings keep apart, and a pawn said to have just passed another may have
    /// done so.
    pub(crate) fn is_sound(&self, pieces: &[Piece]) -> bool {
        let occupied = self.occupied(pieces);
        if occupied.count() < pieces.len() || king_attacks(self.squares[0]).contains(self.squares[1]) {
            return false;
        }
        let Some(passed) = self.passed else { return true };
        let color = pieces[passed].color();
        let square = self.squares[passed];
        let behind = square.bitboard().forward(!color);
        let path = behind | behind.forward(!color);
        color != self.turn && !path.intersects(occupied) && beside(square).intersects(self.pawns(pieces, self.turn))
    }

    /// Whether a side's king is attacked, by all but one of the other's pieces.
    #[inline]
    fn is_attacked(&self, pieces: &[Piece], color: Color, occupied: Bitboard, except: Option<usize>) -> bool {
        let king = self.squares[color as usize];
        pieces.iter().zip(self.squares).enumerate().any(|(index, (piece, square))| {
            piece.color() != color
                && Some(index) != except
                && match piece.piece_type() {
                    PieceType::Pawn => pawn_attacks(!color, square).contains(king),
                    kind => Board::piece_attacks(kind, square, occupied).contains(king),
                }
        })
    }

    /// Whether the side to move may take the other's king, so that the placement is none of chess.
    pub(crate) fn is_king_open(&self, pieces: &[Piece]) -> bool {
        self.is_attacked(pieces, !self.turn, self.occupied(pieces), None)
    }

    /// Whether the side to move is in check.
    pub(crate) fn is_check(&self, pieces: &[Piece]) -> bool {
        self.is_attacked(pieces, self.turn, self.occupied(pieces), None)
    }

    /// Whether a move leaves the own king safe.
    fn is_legal(&self, pieces: &[Piece], step: &Step, occupied: Bitboard) -> bool {
        let mut after = *self;
        after.squares[step.mover] = step.to;
        let mut occupied = occupied & !self.squares[step.mover].bitboard();
        if let Some(captured) = step.captured {
            occupied &= !self.squares[captured].bitboard();
        }
        !after.is_attacked(pieces, self.turn, occupied | step.to.bitboard(), step.captured)
    }

    /// Calls `visit` with each legal move, or with captures and promotions alone, until it breaks; once for all pieces
    /// that a pawn may become.
    pub(crate) fn steps(&self, pieces: &[Piece], sort: Sort, mut visit: impl FnMut(Step) -> ControlFlow<()>) {
        let us = self.turn;
        let occupied = self.occupied(pieces);
        for (mover, piece) in pieces.iter().enumerate().filter(|(_, piece)| piece.color() == us) {
            let from = self.squares[mover];
            let is_pawn = piece.piece_type() == PieceType::Pawn;
            let targets = if is_pawn {
                self.pawn_targets(from, occupied)
            } else {
                let wanted = if sort == Sort::Conversions { occupied } else { Bitboard::FULL };
                Board::piece_attacks(piece.piece_type(), from, occupied) & wanted
            };
            for to in targets {
                let mut step = Step { mover, to, captured: None, promotes: false, passes: false };
                if occupied.contains(to) {
                    let captured = (0..pieces.len()).find(|&piece| self.squares[piece] == to);
                    // Kings are not taken; a legal placement lets nobody try, an unsound one is not asked.
                    if captured.is_none_or(|piece| piece < 2 || pieces[piece].color() == us) {
                        continue;
                    }
                    step.captured = captured;
                } else if is_pawn && to.file() != from.file() {
                    step.captured = self.passed;
                }
                if is_pawn {
                    step.promotes = to.rank() == Rank::Eight.relative_to(us);
                    step.passes = to.distance(from) == 2 && beside(to).intersects(self.pawns(pieces, !us));
                }
                if sort == Sort::Conversions && step.is_plain() {
                    continue;
                }
                if self.is_legal(pieces, &step, occupied) && visit(step).is_break() {
                    return;
                }
            }
        }
    }

    /// Where a pawn of the side to move may go, leaving its king aside; own pieces count as targets.
    fn pawn_targets(&self, from: Square, occupied: Bitboard) -> Bitboard {
        let us = self.turn;
        let single = from.bitboard().forward(us) & !occupied;
        let double = (single & Bitboard::rank(Rank::Three.relative_to(us))).forward(us) & !occupied;
        let mut targets = occupied;
        if let Some(passed) = self.passed {
            targets |= self.squares[passed].bitboard().forward(us);
        }
        single | double | pawn_attacks(us, from) & targets
    }

    /// The placement after a plain move.
    pub(crate) fn after(&self, step: &Step) -> Self {
        let mut after = *self;
        after.squares[step.mover] = step.to;
        after.turn = !self.turn;
        after.passed = step.passes.then_some(step.mover);
        after
    }

    /// Calls `visit` with each placement from which one plain move leads here, and with some where the other side's
    /// king is in check, which are none of chess.
    pub(crate) fn predecessors(&self, pieces: &[Piece], has_en_passant: bool, mut visit: impl FnMut(Self)) {
        let them = !self.turn;
        let occupied = self.occupied(pieces);
        for (mover, piece) in pieces.iter().enumerate().filter(|(_, piece)| piece.color() == them) {
            let to = self.squares[mover];
            let origins = match (self.passed, piece.piece_type()) {
                (Some(passed), _) if passed != mover => continue,
                (Some(_), _) => to.bitboard().forward(self.turn).forward(self.turn),
                (None, PieceType::Pawn) => {
                    let single =
                        to.bitboard().forward(self.turn) & !occupied & !Bitboard::rank(Rank::One.relative_to(them));
                    let fourth = Bitboard::rank(Rank::Three.relative_to(them));
                    // Past a pawn it would have led to another placement, with en passant.
                    let is_double = !beside(to).intersects(self.pawns(pieces, self.turn));
                    let double = (single & fourth).forward(self.turn) & !occupied;
                    single | if is_double { double } else { Bitboard::EMPTY }
                }
                (None, kind) => Board::piece_attacks(kind, to, occupied) & !occupied,
            };
            for from in origins {
                let mut before = Self { turn: them, squares: self.squares, passed: None };
                before.squares[mover] = from;
                if before.is_sound(pieces) {
                    visit(before);
                }
                if has_en_passant {
                    // The move may have been played instead of taking en passant.
                    let pawn = Piece::new(self.turn, PieceType::Pawn);
                    let passed = pieces.iter().position(|&piece| piece == pawn);
                    let fourth = Rank::Four.relative_to(self.turn);
                    before.passed = passed.filter(|&passed| before.squares[passed].rank() == fourth);
                    if before.passed.is_some() && before.is_sound(pieces) {
                        visit(before);
                    }
                }
            }
        }
    }

    /// The same placement with the colours changed.
    pub(crate) fn flipped(&self) -> Self {
        let mut squares = self.squares.map(Square::flip_rank);
        squares.swap(0, 1);
        Self { turn: !self.turn, squares, passed: self.passed }
    }
}

/// The pawn that may be taken en passant stands here, for a square behind it.
pub(crate) fn passed_pawn(behind: Square) -> Square {
    let rank = if behind.rank() == Rank::Three { Rank::Four } else { Rank::Five };
    Square::new(behind.file(), rank)
}
