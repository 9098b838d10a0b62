//! Where each man can ever stand: a fixed point over all games that may follow.
//!
//! Every man keeps the set of squares it may ever reach and a mark whether it may ever be captured. The sets start
//! with the board and grow by every move that the rules do not forbid *for good*, until nothing grows. Then in any
//! game from the board on each man stands within its set, and only marked men are ever taken. The proof goes by
//! induction over the moves: suppose it holds up to some moment; the next move is either one that the fixed point has
//! followed too, or one that a filter below has struck out; but a filter speaks of *every* placing of the men within
//! the final sets, so such a move is illegal at that moment as at any other.
//!
//! What may only grow while the loop runs: reach and the marks. What may only shrink: steady men, closed and guarded
//! squares. Filters rest on these alone, never on where a man that can move stands now.
//!
//! Some games are left aside: those in which the winner's last man is taken, which he does not win, and those that a
//! [case](super::blocked) excludes.
//!
//! The idea of such sets is M. Ambrona's: "A Practical Algorithm for Chess Unwinnability" (FUN 2022).

use arrayvec::ArrayVec;

use crate::attacks::{between, bishop_attacks, king_attacks, knight_attacks, line, pawns_attacks, rook_attacks};
use crate::{Bitboard, Board, ByColor, Color, File, PieceType, Rank, Square};

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
}

/// What holds for the rest of the game if the sets hold.
pub(super) struct Facts {
    /// Where men stand that never move and are never taken.
    pub(super) steady: Bitboard,
    /// Squares that men of this colour never enter: a steady man of their own stands there, or one of the other side
    /// that is never taken there.
    closed: ByColor<Bitboard>,
    /// Squares that men of this colour attack at every moment, whatever stands where: closed to the other king.
    guarded: ByColor<Bitboard>,
    /// Where men of this colour, other than the king, may stand.
    pub(super) presence: ByColor<Bitboard>,
}

/// All men with their sets.
#[derive(Clone)]
pub(super) struct Mobility {
    pub(super) men: ArrayVec<Man, 32>,
    pub(super) winner: Color,
    can_castle: bool,
    /// Whether the winner has one man besides his king.
    is_last: bool,
    /// The man that was first found to be capturable.
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

    /// Leaves aside all games in which the man of this index moves.
    pub(super) fn fix(&mut self, index: usize) {
        self.men[index].stays = true;
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
                Spared::Always => true,
            };
            if !man.capturable && !is_spared && captures[!man.color].intersects(man.reach) {
                man.capturable = true;
                marked = true;
                first = first.or(Some(index));
            }
        }
        self.first_taken = first;
        marked
    }

    fn facts(&self) -> Facts {
        let mut steady = Bitboard::EMPTY;
        let mut closed = ByColor([Bitboard::EMPTY; 2]);
        let mut presence = ByColor([Bitboard::EMPTY; 2]);
        let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for man in &self.men {
            twice |= once & man.reach;
            once |= man.reach;
            if man.kind != PieceType::King {
                presence[man.color] |= man.reach;
            }
            if man.is_steady() {
                steady |= man.reach;
                closed[man.color] |= man.reach;
                if man.spared != Spared::Never {
                    closed[!man.color] |= man.reach;
                }
            }
        }
        let guarded = ByColor(Color::ALL.map(|color| self.guarded(color, once, twice)));
        Facts { steady, closed, guarded, presence }
    }

    /// The squares that men of `color` attack at every moment: for a man that is never taken those it attacks from
    /// each of its squares, with an obstacle wherever another man may ever stand, as told by the sets of all squares
    /// reached `once` and those reached by several men. The other king is no obstacle, since the squares are asked
    /// for when it moves: a square it leaves is empty then.
    fn guarded(&self, color: Color, once: Bitboard, twice: Bitboard) -> Bitboard {
        let enemy_king = self.men.iter().find(|man| man.kind == PieceType::King && man.color != color);
        let enemy_king = enemy_king.map_or(Bitboard::EMPTY, |king| king.reach);
        let mut guarded = Bitboard::EMPTY;
        for man in self.men.iter().filter(|man| man.color == color && !man.capturable) {
            if man.kind == PieceType::Pawn {
                if man.is_still() {
                    guarded |= pawns_attacks(color, man.reach);
                }
                continue;
            }
            // Its own squares hold no obstacle unless another man comes there.
            let obstacles = twice | (once - man.reach - enemy_king);
            let mut common = Bitboard::FULL;
            for from in man.reach {
                common &= Board::piece_attacks(man.kind, from, obstacles);
                if common.is_empty() {
                    break;
                }
            }
            guarded |= common;
        }
        guarded
    }

    /// The squares of a man's set and those it may reach from them in one move, or in several for kings and knights.
    fn grown(&self, man: &Man, facts: &Facts) -> Bitboard {
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
            PieceType::Knight => flood(man.reach, |from| knight_attacks(from) & open),
            // Steady men bar the way, all others may leave it.
            PieceType::Bishop => flood(man.reach, |from| bishop_attacks(from, facts.steady) & open),
            PieceType::Rook => flood(man.reach, |from| rook_attacks(from, facts.steady) & open),
            PieceType::Queen => {
                flood(man.reach, |from| (bishop_attacks(from, facts.steady) | rook_attacks(from, facts.steady)) & open)
            }
        }
    }

    /// Squares beside the loser's king from which the winner's last man gives a check in vain.
    ///
    /// If that king never leaves its square and the winner's king can never guard the man, it can be taken, so it is no
    /// mate; there is nothing to step between, the king has no other step, and once the man is taken the winner
    /// cannot win. So no game that the winner wins has such a move. The king's other steps must be barred by what does
    /// not depend on the man itself: the loser's steady men, or the winner's king wherever it stands.
    fn vain_checks(&self, man: &Man, facts: &Facts) -> Bitboard {
        let (king, helper) = (self.king(!self.winner), self.king(self.winner));
        if !king.is_still() || man.kind == PieceType::King {
            return Bitboard::EMPTY;
        }
        let beside = king_attacks(king.home);
        // The man leaves the squares it may have barred by standing there.
        let barred = facts.closed[!self.winner] - man.reach;
        let guarded = helper.reach.into_iter().fold(Bitboard::FULL, |all, at| all & king_attacks(at));
        let guardable = union(helper.reach, king_attacks);
        let checks = match man.kind {
            PieceType::Pawn => pawns_attacks(!man.color, king.reach),
            kind => Board::piece_attacks(kind, king.home, Bitboard::FULL),
        };
        let vain = (beside & checks) - guardable;
        // Each check must leave no step but the capture.
        vain.into_iter().filter(|&at| (beside - barred - guarded - at.bitboard()).is_empty()).collect()
    }

    /// Whether a side has no move but its king's, wherever the other king goes.
    ///
    /// What keeps its other men in place must not be the other king.
    fn is_bound(&self, side: Color, facts: &Facts) -> bool {
        let other_king = self.king(!side).reach;
        let hold = if other_king.has_several() { Bitboard::EMPTY } else { other_king };
        !self.can_castle
            && self.men.iter().filter(|man| man.color == side && man.kind != PieceType::King).all(|man| {
                let targets = match man.kind {
                    PieceType::Pawn => man.reach.forward(side),
                    kind => Board::piece_attacks(kind, man.home, facts.steady),
                };
                man.is_still() && !hold.intersects(targets)
            })
    }

    /// The squares of a king, without steps that leave the other side, if [bound](Self::is_bound), without a move.
    ///
    /// Such a step ends the game, and not with a mate by the winner, unless his king uncovers a check. So no game that
    /// the winner wins has it. The other king may stand anywhere in its set, out of reach of the square stepped to;
    /// what bars the squares beside it must do so with the stepping king on its new square, which need not be in
    /// its set: that king itself, men of the bound side that never move or vanish, and men of the stepping side that do
    /// neither and attack as pawns and knights do or the next square, with nothing in between. (Moves that a
    /// [case](super::blocked) leaves aside may remain, but no game of that case has them.)
    fn king_grown_without_stalemate(&self, man: &Man, open: Bitboard, facts: &Facts) -> Bitboard {
        let bound = self.king(!man.color).reach;
        let mut barred = facts.closed[!man.color];
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

    fn king(&self, color: Color) -> &Man {
        let is_it = |man: &&Man| man.kind == PieceType::King && man.color == color;
        self.men.iter().find(is_it).unwrap_or(&self.men[0])
    }

    fn pawn_grown(&self, man: &Man, open: Bitboard, facts: &Facts) -> Bitboard {
        let last_rank = Bitboard::rank(Rank::Eight.relative_to(man.color));
        let captures = facts.presence[!man.color] & open;
        let way = (self.way_ahead(man) - facts.steady) & open;
        let mut reach = man.reach;
        loop {
            let pushes = reach.forward(man.color) & way;
            let grown = reach | pushes | pawns_attacks(man.color, reach) & captures;
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
fn union(squares: Bitboard, targets: impl Fn(Square) -> Bitboard) -> Bitboard {
    squares.into_iter().fold(Bitboard::EMPTY, |all, square| all | targets(square))
}

/// All squares reached from `start` by steps.
fn flood(start: Bitboard, step: impl Fn(Square) -> Bitboard) -> Bitboard {
    let mut reached = start;
    let mut fresh = start;
    while let Some(from) = fresh.first() {
        let found = step(from) - reached;
        reached |= found;
        fresh = (fresh | found) - from.bitboard();
    }
    reached
}
