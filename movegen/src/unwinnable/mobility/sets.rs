//! The sets of squares that pieces can reach, and what follows from them.

use arrayvec::ArrayVec;

use crate::attacks::pawns_attacks;
use crate::{Bitboard, Board, ByColor, Color, File, PieceType, Rank, Square};

/// A piece and what it can ever do.
#[derive(Clone, Copy, Debug)]
pub(in crate::unwinnable) struct Piece {
    pub(in crate::unwinnable) home: Square,
    pub(in crate::unwinnable) color: Color,
    pub(in crate::unwinnable) kind: PieceType,
    /// The squares it can ever reach; all squares for a pawn that can promote.
    pub(in crate::unwinnable) reach: Bitboard,
    /// Whether it can ever be captured.
    pub(in crate::unwinnable) capturable: bool,
    /// When its capture is impossible or excluded.
    pub(super) spared: Spared,
    /// Whether games in which it moves are excluded.
    pub(super) stays: bool,
    /// The nearest pawn ahead on its file, if it is a pawn.
    pub(super) ahead: Option<u8>,
}

/// When the capture of a piece is impossible or excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spared {
    Never,
    /// Until it has moved for the first time.
    Unmoved,
    /// Never, but the game after its capture is looked at separately.
    Later,
    Always,
}

impl Piece {
    /// Whether it never moves, though it can be captured.
    pub(in crate::unwinnable) const fn is_still(&self) -> bool {
        !self.reach.more_than_one()
    }

    /// Whether it stays on its home square for the rest of the game: it never moves and is never captured.
    pub(in crate::unwinnable) const fn is_steady(&self) -> bool {
        self.is_still() && !self.capturable
    }

    /// Whether it has been captured.
    pub(super) const fn is_captured(&self) -> bool {
        self.reach.is_empty()
    }

    /// Whether it can promote.
    pub(in crate::unwinnable) fn promotes(&self) -> bool {
        self.kind == PieceType::Pawn && self.reach == Bitboard::FULL
    }

    /// The squares it attacks from any square of its set, given the obstacles.
    pub(in crate::unwinnable) fn attacks(&self, obstacles: Bitboard) -> Bitboard {
        match self.kind {
            _ if self.promotes() => Bitboard::FULL,
            PieceType::Pawn => pawns_attacks(self.color, self.reach),
            kind => union(self.reach, |from| Board::piece_attacks(kind, from, obstacles)),
        }
    }

    /// The squares it attacks from every square of its set, given the obstacles.
    pub(super) fn always_attacks(&self, obstacles: Bitboard) -> Bitboard {
        if self.kind == PieceType::Pawn {
            return if self.is_still() { pawns_attacks(self.color, self.reach) } else { Bitboard::EMPTY };
        }
        let mut common = if self.reach.any() { Bitboard::FULL } else { Bitboard::EMPTY };
        for from in self.reach {
            common &= Board::piece_attacks(self.kind, from, obstacles);
            if common.is_empty() {
                break;
            }
        }
        common
    }
}

/// What follows from the sets for the rest of the game.
pub(in crate::unwinnable) struct Facts {
    /// The squares of steady pieces, which never move and are never captured.
    pub(in crate::unwinnable) steady: Bitboard,
    /// Squares that pieces of this colour never enter: a steady piece of their own is there, or one of the other side
    /// that is never captured there.
    pub(super) closed: ByColor<Bitboard>,
    /// The same without pieces captured [later](Spared::Later): also closed right after a move that leaves the sets.
    pub(super) barred: ByColor<Bitboard>,
    /// Squares that pieces of this colour always attack, wherever the pieces are: closed to the other king.
    pub(super) guarded: ByColor<Bitboard>,
    /// Squares where pieces of this colour can be captured.
    pub(super) presence: ByColor<Bitboard>,
    /// Squares that some piece can reach.
    pub(super) once: Bitboard,
    /// Squares that several pieces can reach, one after the other.
    pub(super) twice: Bitboard,
}

/// All pieces with their sets.
#[derive(Clone)]
pub(in crate::unwinnable) struct Mobility {
    pub(in crate::unwinnable) pieces: ArrayVec<Piece, 32>,
    pub(in crate::unwinnable) winner: Color,
    pub(super) can_castle: bool,
    /// Whether the winner has one piece besides the king.
    pub(super) is_last: bool,
    /// The first piece found to be capturable before it could move.
    pub(in crate::unwinnable) first_captured: Option<usize>,
}

impl Mobility {
    /// The sets before any move.
    pub(in crate::unwinnable) fn start(board: &Board, winner: Color) -> Self {
        let last = if board.colors(winner).count() == 2 { board.colors(winner) } else { Bitboard::EMPTY };
        let never_captured = board.pieces(PieceType::King) | last;
        let mut pieces: ArrayVec<Piece, 32> = ArrayVec::new();
        for home in board.occupied() {
            let Some(piece) = board.piece_on(home) else { continue };
            pieces.push(Piece {
                home,
                color: piece.color(),
                kind: piece.piece_type(),
                reach: home.bitboard(),
                capturable: false,
                spared: if never_captured.contains(home) { Spared::Always } else { Spared::Never },
                stays: false,
                ahead: None,
            });
        }
        let is_last = last.any();
        let mut mobility =
            Self { pieces, winner, is_last, can_castle: !board.castling().is_empty(), first_captured: None };
        mobility.link_files(board);
        mobility.add_special_moves(board);
        mobility
    }

    fn link_files(&mut self, board: &Board) {
        for file in File::ALL {
            let pawns = board.pieces(PieceType::Pawn) & Bitboard::file(file);
            if !pawns.more_than_one() {
                continue;
            }
            let index_of = |square: Square| (board.occupied() & Bitboard(square.bitboard().0 - 1)).count();
            for (lower, upper) in pawns.into_iter().zip(pawns.into_iter().skip(1)) {
                let (lower, upper) = (index_of(lower), index_of(upper));
                if self.pieces[lower].color == Color::White {
                    self.pieces[lower].ahead = Some(upper as u8);
                }
                if self.pieces[upper].color == Color::Black {
                    self.pieces[upper].ahead = Some(lower as u8);
                }
            }
        }
    }

    /// Castling moves two pieces at once, and in Chess960 can swap them though neither can move there: both target
    /// squares are added whatever is in between, so that no other rule has to know about castling.
    ///
    /// A pawn that can be captured en passant now also gets the square behind it, where it can be captured like any
    /// other piece. Later double pushes are covered by the single push they begin with.
    fn add_special_moves(&mut self, board: &Board) {
        let mut add = |home: Square, square: Square| {
            for piece in self.pieces.iter_mut().filter(|piece| piece.home == home) {
                piece.reach |= square.bitboard();
            }
        };
        for color in Color::ALL {
            let king = board.king(color);
            for rook in board.castling().rooks_of(color) {
                let (king_to, rook_to) = Board::castled_squares(king, rook);
                add(king, king_to);
                add(rook, rook_to);
            }
        }
        if let Some(target) = board.en_passant() {
            add(Square::new(target.file(), Rank::Five.relative_to(board.turn())), target);
        }
    }

    /// Excludes all games in which the piece of this index is captured before it has moved.
    pub(in crate::unwinnable) fn spare(&mut self, index: usize) {
        self.pieces[index].spared = Spared::Unmoved;
    }

    /// Excludes all games in which the piece of this index moves, and looks at the others until it is captured.
    pub(in crate::unwinnable) fn fix(&mut self, index: usize) {
        let piece = &mut self.pieces[index];
        (piece.stays, piece.spared) = (true, Spared::Later);
    }

    /// Captures the piece of this index on its home square now, with the others anywhere in their sets.
    pub(in crate::unwinnable) fn capture(&mut self, index: usize) {
        let piece = &mut self.pieces[index];
        (piece.reach, piece.capturable) = (Bitboard::EMPTY, true);
        self.first_captured = None;
    }

    pub(super) fn facts(&self) -> Facts {
        let mut steady = Bitboard::EMPTY;
        let mut closed = ByColor([Bitboard::EMPTY; 2]);
        let mut barred = ByColor([Bitboard::EMPTY; 2]);
        let mut presence = ByColor([Bitboard::EMPTY; 2]);
        let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for piece in &self.pieces {
            if piece.is_captured() {
                // A pawn can capture it on its home square.
                presence[piece.color] |= piece.home.bitboard();
            }
            twice |= once & piece.reach;
            once |= piece.reach;
            if piece.kind != PieceType::King && !(self.is_last && piece.color == self.winner) {
                presence[piece.color] |= piece.reach;
            }
            if piece.is_steady() {
                steady |= piece.reach;
                closed[piece.color] |= piece.reach;
                barred[piece.color] |= piece.reach;
                if piece.spared != Spared::Never {
                    closed[!piece.color] |= piece.reach;
                }
                if matches!(piece.spared, Spared::Unmoved | Spared::Always) {
                    barred[!piece.color] |= piece.reach;
                }
            }
        }
        let guarded = ByColor(Color::ALL.map(|color| self.guarded(color, once, twice)));
        Facts { steady, closed, barred, guarded, presence, once, twice }
    }

    /// The squares that pieces of `color` always attack: for a piece that is never captured, those it attacks from each
    /// of its squares, with an obstacle on every square that another piece can ever reach, given the squares that some
    /// piece (`once`) or several (`twice`) can reach. The other king is no obstacle, since this is about its moves: the
    /// square it leaves is empty then.
    fn guarded(&self, color: Color, once: Bitboard, twice: Bitboard) -> Bitboard {
        let enemy_king = self.pieces.iter().find(|piece| piece.kind == PieceType::King && piece.color != color);
        let enemy_king = enemy_king.map_or(Bitboard::EMPTY, |king| king.reach);
        let guards = self.pieces.iter().filter(|piece| piece.color == color && !piece.capturable);
        let by_one = guards.fold(Bitboard::EMPTY, |guarded, piece| {
            // Its own squares are no obstacles unless another piece can get there.
            guarded | piece.always_attacks(twice | (once - piece.reach - enemy_king))
        });
        by_one | self.guarded_by_crowds(color)
    }

    pub(super) fn king(&self, color: Color) -> &Piece {
        let is_it = |piece: &&Piece| piece.kind == PieceType::King && piece.color == color;
        self.pieces.iter().find(is_it).unwrap_or(&self.pieces[0])
    }

    /// The squares a pawn can be pushed to: those before the pawn ahead of it on its file, if neither ever leaves the
    /// file and that one is never captured. Then the two never change their order, so the one behind always stays below
    /// the furthest square of the one ahead.
    pub(super) fn way_ahead(&self, piece: &Piece) -> Bitboard {
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
}

/// The union of the targets of these squares.
pub(super) fn union(squares: Bitboard, targets: impl Fn(Square) -> Bitboard) -> Bitboard {
    squares.into_iter().fold(Bitboard::EMPTY, |all, square| all | targets(square))
}

/// All squares reachable from `start` by repeated steps.
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
