//! Where the men should go so that a mate comes about, and how much each move does for it.

use super::pattern::{self, Pattern};
use crate::attacks::pawns_attacks;
use crate::{Bitboard, Board, Color, Move, Piece, PieceType, Square};

pub(super) const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
pub(super) const EDGES: Bitboard = Bitboard(0xFF81_8181_8181_81FF);

/// More king steps than any way has: there is none.
pub(super) const NO_WAY: i16 = 24;

/// What to aim at; no aim suits all positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// A mate in the nearest corner.
    Corner,
    /// The same, but the winner's king takes men on its way, to open what is blocked.
    Hunt,
    /// A mate at the nearest edge.
    Edge,
    /// Anything: all moves count the same.
    Nothing,
}

/// What each move is worth.
pub(super) struct Plan {
    winner: Color,
    aim: Aim,
    /// How far from its place a man on a square is, weighted, for each piece.
    distance: [[i16; 64]; 12],
    /// Whether the winner's men mate only if men of the loser fill squares beside his king.
    needs_help: bool,
    /// Whether such a man must still come from a pawn.
    must_promote: bool,
}

impl Plan {
    pub(super) fn new(board: &Board, winner: Color, aim: Aim) -> Self {
        let mut plan = Self { winner, aim, distance: [[0; 64]; 12], needs_help: false, must_promote: false };
        if aim == Aim::Nothing {
            return plan;
        }
        plan.needs_help = needs_help(board, winner);
        let pattern = if plan.needs_help && aim != Aim::Hunt { Pattern::nearest(board, winner, aim) } else { None };
        match pattern {
            Some(pattern) => plan.aim_at_pattern(board, &pattern),
            None => plan.aim_at_edge(board, if aim == Aim::Edge { EDGES } else { CORNERS }),
        }
        if aim == Aim::Hunt {
            let prey = board.colored(!winner) - board.king(!winner).bitboard();
            plan.set(Piece::new(winner, PieceType::King), 4, &king_steps(board, winner, prey));
        }
        plan
    }

    fn set(&mut self, piece: Piece, weight: i16, steps: &[i16; 64]) {
        self.distance[piece as usize] = steps.map(|steps| weight * steps);
    }

    /// Loser's king to the edge, the winner's two steps from there, everything else near.
    fn aim_at_edge(&mut self, board: &Board, targets: Bitboard) {
        let sides = [!self.winner, self.winner];
        let plans = targets.into_iter().map(|target| {
            let steps = sides.map(|color| king_steps(board, color, target.bitboard()));
            let [loser, winner] = sides.map(|color| board.king(color) as usize);
            let detour = if CORNERS.has(target) { 0 } else { 4 };
            (2 * steps[0][loser] + steps[1][winner] + detour, target, steps)
        });
        let Some((_, target, [loser, winner])) = plans.min_by_key(|&(far, ..)| far) else { return };
        let near = |ideal: i16| {
            let mut steps = [0; 64];
            for square in Square::ALL {
                steps[square as usize] = (i16::from(square.distance(target)) - ideal).abs();
            }
            steps
        };
        for kind in [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen] {
            self.set(Piece::new(self.winner, kind), 2, &near(0));
            self.set(Piece::new(!self.winner, kind), 1, &near(1));
        }
        self.set(Piece::new(!self.winner, PieceType::King), 6, &loser);
        self.set(Piece::new(self.winner, PieceType::King), 4, &winner.map(|steps| (steps - 2).abs()));
    }

    fn aim_at_pattern(&mut self, board: &Board, pattern: &Pattern) {
        let (winner, loser) = (self.winner, !self.winner);
        self.set(Piece::new(loser, PieceType::King), 6, &king_steps(board, loser, pattern.mated.bitboard()));
        self.set(Piece::new(winner, PieceType::King), 4, &king_steps(board, winner, pattern.king.bitboard()));
        // Bishops are soon where they are wanted; a knight should come to within a move of its check.
        if pattern.minor == PieceType::Knight {
            let steps = pattern::steps(board, PieceType::Knight, pattern.check);
            self.set(Piece::new(winner, PieceType::Knight), 4, &steps.map(|steps| (steps - 1).abs()));
        }
        self.must_promote = pattern.promotes;
        for kind in [PieceType::Knight, PieceType::Bishop, PieceType::Rook] {
            let mut nearest = [0; 64];
            for fill in pattern.fills.iter().filter(|fill| fill.kind == kind) {
                let steps = pattern::steps(board, kind, fill.square);
                nearest = if nearest == [0; 64] { steps } else { std::array::from_fn(|at| nearest[at].min(steps[at])) };
            }
            self.set(Piece::new(loser, kind), 4, &nearest);
        }
    }

    /// How much a move helps.
    pub(super) fn rate(&self, board: &Board, mv: Move) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = board.piece_on(from).filter(|_| self.aim != Aim::Nothing) else { return 0 };
        let distance = &self.distance[piece as usize];
        let nearer = i32::from(distance[from as usize] - distance[to as usize]);
        let is_pawn = piece.piece_type() == PieceType::Pawn;
        if piece.color() == self.winner {
            let pawn = if is_pawn { self.rate_winning_pawn(board, mv) } else { 0 };
            let capture = match board.captured_by(mv) {
                None => 0,
                Some(_) if self.needs_help => -8,
                Some(_) => 5,
            };
            nearer + pawn + capture
        } else {
            let pawn = match mv.promotes_to() {
                None if !is_pawn => 0,
                None if self.must_promote => 8,
                None => 1,
                Some(PieceType::Queen) => -10,
                Some(_) if self.must_promote => 20,
                Some(_) => -5,
            };
            let capture = match board.captured_by(mv) {
                None => 0,
                Some(PieceType::Pawn) => -4,
                Some(_) => -12,
            };
            nearer + pawn + capture
        }
    }

    fn rate_winning_pawn(&self, board: &Board, mv: Move) -> i32 {
        match mv.promotes_to() {
            Some(PieceType::Queen) => 40,
            Some(_) => -10,
            None => {
                let heavy = board.pieces(self.winner, PieceType::Queen) | board.pieces(self.winner, PieceType::Rook);
                if heavy.is_empty() { 4 } else { 1 }
            }
        }
    }
}

/// Whether all that the winner has is a knight or bishops of one colour, and pawns that cannot go on.
fn needs_help(board: &Board, winner: Color) -> bool {
    let of = |kind| board.pieces(winner, kind);
    let (knights, bishops) = (of(PieceType::Knight), of(PieceType::Bishop));
    let stopped = board.pieces(!winner, PieceType::Pawn).forward(!winner);
    let others = of(PieceType::Queen) | of(PieceType::Rook) | (of(PieceType::Pawn) - stopped);
    let is_one_colored = !bishops.intersects(Bitboard::LIGHT_SQUARES) || !bishops.intersects(Bitboard::DARK_SQUARES);
    others.is_empty() && !knights.has_several() && is_one_colored && (knights.is_empty() != bishops.is_empty())
}

/// King steps from each square to the nearest target, round the pawns' walls.
pub(super) fn king_steps(board: &Board, color: Color, targets: Bitboard) -> [i16; 64] {
    let pawns = board.pieces(!color, PieceType::Pawn);
    let walls = pawns_attacks(!color, pawns) | board.pieces(color, PieceType::Pawn);
    let mut steps = [NO_WAY; 64];
    let mut reached = targets;
    let mut ring = reached;
    let mut distance = 0;
    while ring.any() {
        for square in ring {
            steps[square as usize] = distance;
        }
        let across = ring | ring.west() | ring.east();
        ring = (across | across.shift(8) | across.shift(-8)) - reached - walls;
        reached |= ring;
        distance += 1;
    }
    steps
}
