//! Where the pieces should go to reach a mate, and how much each move helps.

use super::distance::{CORNERS, EDGES, blocked_pawns, king_steps, piece_steps, steps_to_king};
use super::pattern::Pattern;
use crate::attacks::{bishop_attacks, pawns_attacks};
use crate::{Bitboard, Board, Color, Move, Piece, PieceType, Square};

const NON_PAWNS: [PieceType; 4] = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

/// What to aim at; no aim suits all positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// A mate in the nearest corner.
    Corner,
    /// The same, but the winner's king captures pieces on its way, to open a blocked position.
    Hunt,
    /// The same, but pieces go where pawns can capture them, to open a blocked position.
    Break,
    /// A mate at the nearest edge, or anywhere if the loser's pieces must help.
    Edge,
    /// No aim: all moves have the same rating.
    Nothing,
}

/// The ratings of moves.
pub(super) struct Plan {
    winner: Color,
    aim: Aim,
    /// For each piece, the weighted distance from each square to its target.
    distance: [[i16; 64]; 12],
    /// Whether the winner can only mate if pieces of the loser block escape squares. Queens do not help: they defend
    /// the king.
    needs_help: bool,
    /// Whether such a piece must first promote from a pawn.
    must_promote: bool,
}

impl Plan {
    pub(super) fn new(board: &Board, winner: Color, aim: Aim) -> Self {
        let mut plan = Self { winner, aim, distance: [[0; 64]; 12], needs_help: false, must_promote: false };
        if aim == Aim::Nothing {
            return plan;
        }
        let minor = lone_minor(board, winner);
        plan.needs_help = minor.is_some();
        match minor
            .filter(|_| aim != Aim::Hunt)
            .and_then(|minor| Pattern::nearest(board, winner, minor, aim == Aim::Edge))
        {
            Some(pattern) => plan.aim_at_pattern(board, &pattern),
            None => plan.aim_at_edge(board, if aim == Aim::Edge { EDGES } else { CORNERS }),
        }
        match aim {
            Aim::Hunt => plan.hunt(board),
            Aim::Break => plan.meet_pawns(board),
            _ => {}
        }
        plan
    }

    fn set(&mut self, piece: Piece, weight: i16, steps: &[i16; 64]) {
        self.distance[piece as usize] = steps.map(|steps| weight * steps);
    }

    /// The loser's king goes to a target, the winner's king two squares from it, all other pieces near it.
    fn aim_at_edge(&mut self, board: &Board, targets: Bitboard) {
        let sides = [!self.winner, self.winner];
        let plans = targets.into_iter().map(|target| {
            let steps = sides.map(|color| king_steps(board, color, target.bitboard()));
            let [loser, winner] = sides.map(|color| board.king(color) as usize);
            let detour = if CORNERS.contains(target) { 0 } else { 4 };
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
        for kind in NON_PAWNS {
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
        // A knight should be one move from its check. Bishops get there quickly, and should keep out of the king's way
        // until then.
        if pattern.minor == PieceType::Knight {
            let steps = piece_steps(board, PieceType::Knight, pattern.check);
            self.set(Piece::new(winner, PieceType::Knight), 4, &steps.map(|steps| (steps - 1).abs()));
        } else {
            let lines = bishop_attacks(pattern.mated, blocked_pawns(board));
            self.set(Piece::new(winner, PieceType::Bishop), 3, &outside(!lines));
        }
        // They go where the winner's king can capture them.
        self.set(Piece::new(loser, PieceType::Queen), 2, &steps_to_king(board, winner));
        self.must_promote = pattern.promotes;
        for kind in [PieceType::Knight, PieceType::Bishop, PieceType::Rook] {
            let mut nearest = [0; 64];
            for blocker in pattern.blockers.iter().filter(|blocker| blocker.kind == kind) {
                let steps = piece_steps(board, kind, blocker.square);
                nearest = if nearest == [0; 64] { steps } else { std::array::from_fn(|at| nearest[at].min(steps[at])) };
            }
            self.set(Piece::new(loser, kind), 4, &nearest);
        }
    }

    /// The winner's king goes to the loser's pieces.
    fn hunt(&mut self, board: &Board) {
        let prey = board.colors(!self.winner) - board.king(!self.winner).bitboard();
        self.set(Piece::new(self.winner, PieceType::King), 4, &king_steps(board, self.winner, prey));
    }

    /// The pieces go where pawns can capture them.
    fn meet_pawns(&mut self, board: &Board) {
        for color in Color::ALL {
            let taken = pawns_attacks(!color, board.colored_pieces(!color, PieceType::Pawn));
            for kind in NON_PAWNS {
                self.set(Piece::new(color, kind), 3, &outside(taken));
            }
        }
    }

    /// How much a move helps.
    pub(super) fn rate(&self, board: &Board, mv: Move) -> i32 {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = board.piece_on(from).filter(|_| self.aim != Aim::Nothing) else { return 0 };
        let distance = &self.distance[piece as usize];
        let nearer = i32::from(distance[from as usize] - distance[to as usize]);
        let is_pawn = piece.piece_type() == PieceType::Pawn;
        if self.aim == Aim::Break && is_pawn && board.captured_by(mv).is_some() {
            return 6;
        }
        if piece.color() == self.winner {
            let pawn = if is_pawn { self.rate_winning_pawn(board, mv) } else { 0 };
            let capture = match board.captured_by(mv) {
                None => 0,
                Some(PieceType::Queen) if self.needs_help => 12,
                Some(_) if self.aim == Aim::Hunt && piece.piece_type() == PieceType::King => 5,
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
                let heavy = board.colored_pieces(self.winner, PieceType::Queen)
                    | board.colored_pieces(self.winner, PieceType::Rook);
                if heavy.is_empty() { 4 } else { 1 }
            }
        }
    }
}

/// 1 for each square outside the set, else 0.
fn outside(squares: Bitboard) -> [i16; 64] {
    Square::ALL.map(|square| i16::from(!squares.contains(square)))
}

/// The type of the mating minor pieces, if the winner has only a knight or bishops on squares of one colour, apart from
/// pieces shut in by blocked pawns.
fn lone_minor(board: &Board, winner: Color) -> Option<PieceType> {
    let pawns = board.colored_pieces(winner, PieceType::Pawn);
    let blocked = pawns & blocked_pawns(board);
    let of = |kind| -> Bitboard {
        let can_move = |&from: &Square| !(Board::piece_attacks(kind, from, board.occupied()) - blocked).is_empty();
        board.colored_pieces(winner, kind).into_iter().filter(can_move).collect()
    };
    let (knights, bishops) = (of(PieceType::Knight), of(PieceType::Bishop));
    let others = of(PieceType::Queen) | of(PieceType::Rook) | (pawns - blocked);
    let is_one_colored = !bishops.intersects(Bitboard::LIGHT_SQUARES) || !bishops.intersects(Bitboard::DARK_SQUARES);
    if others.any() || knights.more_than_one() || !is_one_colored {
        return None;
    }
    match (knights.any(), bishops.any()) {
        (true, false) => Some(PieceType::Knight),
        (false, true) => Some(PieceType::Bishop),
        _ => None,
    }
}
