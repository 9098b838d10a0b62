//! Where each man can ever stand: a fixed point over all games that may follow.
//!
//! Every man keeps the set of squares it may ever reach and a mark whether it may ever be captured. The sets start
//! with the board and grow by every move that the rules do not forbid *for good*, until nothing grows. Then in any
//! game from the board on each man stands within its set, and only marked men are ever taken. The proof goes by
//! induction over the moves: suppose it holds up to some moment; the next move is either one that the fixed point has
//! followed too, or one that a filter below has struck out; but a filter speaks of *every* placing of the men within
//! the final sets, so such a move is illegal at that moment as at any other, or [spoils](spoiling) the win.
//!
//! What may only grow while the loop runs: reach and the marks. What may only shrink: steady men, closed and guarded
//! squares. Filters rest on these alone, never on where a man that can move stands now.
//!
//! Some games are left aside: those in which the winner's last man is taken, which he does not win, and those that a
//! [case](super::blocked) excludes.
//!
//! The idea of such sets is M. Ambrona's: "A Practical Algorithm for Chess Unwinnability" (FUN 2022).

mod spoiling;
mod steps;

use arrayvec::ArrayVec;

use crate::attacks::pawns_attacks;
use crate::{Bitboard, Board, ByColor, Color, File, PieceType, Rank, Square};
use steps::union;

/// A man and what it may ever do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Man {
    pub(super) home: Square,
    pub(super) color: Color,
    pub(super) kind: PieceType,
    /// The squares it may ever stand on; all of them for a pawn that may promote.
    pub(super) reach: Bitboard,
    /// Whether it may ever be taken.
    pub(super) capturable: bool,
    /// Which of its captures are impossible or left aside.
    spared: Spared,
    /// Whether games in which it moves are left aside.
    stays: bool,
    /// The nearest pawn ahead on its file, if it is a pawn.
    ahead: Option<u8>,
}

/// Captures of a man that are impossible or left aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spared {
    Never,
    /// Until it has moved for the first time.
    Unmoved,
    /// They are neither, but what follows is a part of the game of its own.
    Later,
    Always,
}

impl Man {
    /// Whether it never moves, though it may be taken.
    pub(super) const fn is_still(&self) -> bool {
        !self.reach.has_several()
    }

    /// Whether it stands on its home square for the rest of the game.
    pub(super) const fn is_steady(&self) -> bool {
        self.is_still() && !self.capturable
    }

    /// Whether it has been taken.
    const fn is_taken(&self) -> bool {
        self.reach.is_empty()
    }

    /// Whether it may promote.
    pub(super) fn promotes(&self) -> bool {
        self.kind == PieceType::Pawn && self.reach == Bitboard::FULL
    }

    /// The squares attacked from all those it may stand on, on a board so occupied.
    pub(super) fn attacks(&self, obstacles: Bitboard) -> Bitboard {
        match self.kind {
            _ if self.promotes() => Bitboard::FULL,
            PieceType::Pawn => pawns_attacks(self.color, self.reach),
            kind => union(self.reach, |from| Board::piece_attacks(kind, from, obstacles)),
        }
    }

    /// The squares attacked from each of those it may stand on, on a board so occupied.
    fn always_attacks(&self, obstacles: Bitboard) -> Bitboard {
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

/// What holds for the rest of the game if the sets hold.
pub(super) struct Facts {
    /// Where men stand that never move and are never taken.
    pub(super) steady: Bitboard,
    /// Squares that men of this colour never enter: a steady man of their own stands there, or one of the other side
    /// that is never taken there.
    closed: ByColor<Bitboard>,
    /// The same without men that are taken [later](Spared::Later): closed also right after a move that leaves the sets.
    barred: ByColor<Bitboard>,
    /// Squares that men of this colour attack at every moment, whatever stands where: closed to the other king.
    guarded: ByColor<Bitboard>,
    /// Where men of this colour may be taken.
    presence: ByColor<Bitboard>,
    /// Where some man may stand.
    once: Bitboard,
    /// Where several men may stand, one after the other.
    twice: Bitboard,
}

/// All men with their sets.
#[derive(Clone)]
pub(super) struct Mobility {
    pub(super) men: ArrayVec<Man, 32>,
    pub(super) winner: Color,
    can_castle: bool,
    /// Whether the winner has one man besides his king.
    is_last: bool,
    /// The man that was first found to be capturable before it could move.
    pub(super) first_taken: Option<usize>,
}

impl Mobility {
    /// The sets before any move.
    pub(super) fn start(board: &Board, winner: Color) -> Self {
        let last = if board.colored(winner).count() == 2 { board.colored(winner) } else { Bitboard::EMPTY };
        let never_taken = board.typed(PieceType::King) | last;
        let mut men: ArrayVec<Man, 32> = ArrayVec::new();
        for home in board.occupied() {
            let Some(piece) = board.piece_on(home) else { continue };
            men.push(Man {
                home,
                color: piece.color(),
                kind: piece.piece_type(),
                reach: home.bitboard(),
                capturable: false,
                spared: if never_taken.has(home) { Spared::Always } else { Spared::Never },
                stays: false,
                ahead: None,
            });
        }
        let is_last = last.any();
        let mut mobility = Self { men, winner, is_last, can_castle: !board.castling().is_empty(), first_taken: None };
        mobility.link_files(board);
        mobility.add_special_moves(board);
        mobility
    }

    fn link_files(&mut self, board: &Board) {
        for file in File::ALL {
            let pawns = board.typed(PieceType::Pawn) & Bitboard::file(file);
            if !pawns.has_several() {
                continue;
            }
            let index_of = |square: Square| (board.occupied() & Bitboard(square.bitboard().0 - 1)).count();
            for (lower, upper) in pawns.into_iter().zip(pawns.into_iter().skip(1)) {
                let (lower, upper) = (index_of(lower), index_of(upper));
                if self.men[lower].color == Color::White {
                    self.men[lower].ahead = Some(upper as u8);
                }
                if self.men[upper].color == Color::Black {
                    self.men[upper].ahead = Some(lower as u8);
                }
            }
        }
    }

    /// Castling moves two men at once, and in Chess960 may exchange them though neither can step: both squares are
    /// added without asking for the way, so that no filter needs to know of castling.
    ///
    /// A pawn that can now be taken en passant gets the square behind it as well, where it can be taken as any other
    /// man. Later double steps are covered by the single step they begin with.
    fn add_special_moves(&mut self, board: &Board) {
        let mut add = |home: Square, square: Square| {
            for man in self.men.iter_mut().filter(|man| man.home == home) {
                man.reach |= square.bitboard();
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

    /// Leaves aside all games in which the man of this index is taken before it has moved.
    pub(super) fn spare(&mut self, index: usize) {
        self.men[index].spared = Spared::Unmoved;
    }

    /// Leaves aside all games in which the man of this index moves, and looks at the others until it is taken.
    pub(super) fn fix(&mut self, index: usize) {
        let man = &mut self.men[index];
        (man.stays, man.spared) = (true, Spared::Later);
    }

    /// Lets the man of this index be taken on its home square now, where the others may stand anywhere in their sets.
    pub(super) fn take(&mut self, index: usize) {
        let man = &mut self.men[index];
        (man.reach, man.capturable) = (Bitboard::EMPTY, true);
        self.first_taken = None;
    }

    /// Grows the sets until nothing grows. None as soon as a pawn of the winner may promote, for then nearly
    /// everything is possible.
    pub(super) fn saturate(&mut self) -> Option<Facts> {
        loop {
            let facts = self.facts();
            let mut grew = false;
            for index in 0..self.men.len() {
                let man = &self.men[index];
                if man.stays || man.reach == Bitboard::FULL {
                    continue;
                }
                let reach = self.grown(man, &facts);
                let man = &mut self.men[index];
                grew |= reach != man.reach;
                man.reach = reach;
                if man.promotes() && man.color == self.winner {
                    return None;
                }
            }
            grew |= self.mark_captures();
            if !grew {
                return Some(facts);
            }
        }
    }

    /// Marks the men that may be taken: a man of the other side may capture where they may stand.
    fn mark_captures(&mut self) -> bool {
        let mut captures = ByColor([Bitboard::EMPTY; 2]);
        for man in &self.men {
            captures[man.color] |= match man.kind {
                _ if man.stays => Bitboard::EMPTY,
                PieceType::Pawn if !man.promotes() => pawns_attacks(man.color, man.reach),
                _ if man.is_still() => Bitboard::EMPTY,
                _ => man.reach,
            };
        }
        let mut marked = false;
        let mut first = self.first_taken;
        for (index, man) in self.men.iter_mut().enumerate() {
            let is_spared = match man.spared {
                Spared::Never => false,
                Spared::Unmoved => man.is_still(),
                Spared::Later | Spared::Always => true,
            };
            if !man.capturable && !is_spared && captures[!man.color].intersects(man.reach) {
                man.capturable = true;
                marked = true;
                first = first.or(man.is_still().then_some(index));
            }
        }
        self.first_taken = first;
        marked
    }

    fn facts(&self) -> Facts {
        let mut steady = Bitboard::EMPTY;
        let mut closed = ByColor([Bitboard::EMPTY; 2]);
        let mut barred = ByColor([Bitboard::EMPTY; 2]);
        let mut presence = ByColor([Bitboard::EMPTY; 2]);
        let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for man in &self.men {
            if man.is_taken() {
                // Where it was, a pawn may take it.
                presence[man.color] |= man.home.bitboard();
            }
            twice |= once & man.reach;
            once |= man.reach;
            if man.kind != PieceType::King && !(self.is_last && man.color == self.winner) {
                presence[man.color] |= man.reach;
            }
            if man.is_steady() {
                steady |= man.reach;
                closed[man.color] |= man.reach;
                barred[man.color] |= man.reach;
                if man.spared != Spared::Never {
                    closed[!man.color] |= man.reach;
                }
                if matches!(man.spared, Spared::Unmoved | Spared::Always) {
                    barred[!man.color] |= man.reach;
                }
            }
        }
        let guarded = ByColor(Color::ALL.map(|color| self.guarded(color, once, twice)));
        Facts { steady, closed, barred, guarded, presence, once, twice }
    }

    /// The squares that men of `color` attack at every moment: for a man that is never taken those it attacks from
    /// each of its squares, with an obstacle wherever another man may ever stand, as told by the sets of all squares
    /// reached `once` and those reached by several men. The other king is no obstacle, since the squares are asked
    /// for when it moves: a square it leaves is empty then.
    fn guarded(&self, color: Color, once: Bitboard, twice: Bitboard) -> Bitboard {
        let enemy_king = self.men.iter().find(|man| man.kind == PieceType::King && man.color != color);
        let enemy_king = enemy_king.map_or(Bitboard::EMPTY, |king| king.reach);
        let guards = self.men.iter().filter(|man| man.color == color && !man.capturable);
        guards.fold(Bitboard::EMPTY, |guarded, man| {
            // Its own squares hold no obstacle unless another man comes there.
            guarded | man.always_attacks(twice | (once - man.reach - enemy_king))
        })
    }

    fn king(&self, color: Color) -> &Man {
        let is_it = |man: &&Man| man.kind == PieceType::King && man.color == color;
        self.men.iter().find(is_it).unwrap_or(&self.men[0])
    }
}
