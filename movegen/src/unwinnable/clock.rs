//! The seventy-five-move rule: a mate that comes after the end of the game is none.
//!
//! Without a capture or pawn move the game ends with the hundred-and-fiftieth half-move, unless that one mates. Shortly
//! before, a side can win only by a mate within the half-moves that are left, or by a capture or pawn move among them
//! after which it can. All series of other moves are searched, each position once: it is reached first when the most
//! half-moves are left.
//!
//! Source: FIDE Laws of Chess (2023), 9.6.2.

use std::collections::HashSet;

use super::effort::Effort;
use super::memory::{has_room, make_room};
use crate::board::Packed;
use crate::{Board, Color, MAX_MOVES, Move};

/// In half-moves, as [`Board::halfmove_clock`] counts them.
const SEVENTY_FIVE_MOVES: u16 = 150;

/// How many half-moves are left before the rule ends the game.
pub(super) fn half_moves_left(board: &Board) -> u16 {
    SEVENTY_FIVE_MOVES.saturating_sub(board.halfmove_clock())
}

/// Whether the last of these moves is made before the rule ends the game.
pub(super) fn is_in_time(board: &Board, line: &[Move]) -> bool {
    let mut board = *board;
    line.iter().all(|&mv| {
        let is_running = board.halfmove_clock() < SEVENTY_FIVE_MOVES;
        board.play(mv, &mut ());
        is_running
    })
}

/// What is known of a position.
pub(super) enum Prospect {
    /// A mate, with the moves to it.
    Mate(Vec<Move>),
    /// There is none.
    Never,
    /// Not all was searched.
    Open,
}

/// A position that was reached without a capture or pawn move.
struct Step {
    position: Packed,
    parent: usize,
    /// The move from the parent; none at the root.
    mv: Option<Move>,
}

/// A search of all that can happen before the rule ends the game. `decide` tells what comes after a capture or pawn move,
/// within a number of nodes, to which it adds its own.
pub(super) struct ClockSearch<F> {
    winner: Color,
    decide: F,
    /// Of all nodes of the examination.
    limit: u64,
    steps: Vec<Step>,
    seen: HashSet<Packed>,
    /// After some capture or pawn move nothing is known.
    is_open: bool,
}

impl<F: FnMut(&Board, u64, &mut Effort<'_>) -> Prospect> ClockSearch<F> {
    pub(super) fn new(winner: Color, limit: u64, decide: F) -> Self {
        Self { winner, decide, limit, steps: Vec::new(), seen: HashSet::new(), is_open: false }
    }

    pub(super) fn run(&mut self, board: &Board, effort: &mut Effort<'_>) -> Prospect {
        self.steps.push(Step { position: board.pack(), parent: 0, mv: None });
        self.seen.insert(board.pack());
        let mut layer = 0..1;
        for _ in 0..half_moves_left(board) {
            let end = self.steps.len();
            for at in layer {
                if !self.make_room() {
                    return Prospect::Open;
                }
                match self.expand(at, effort) {
                    Some(line) => return Prospect::Mate(line),
                    None if effort.nodes > self.limit || effort.must_end() => return Prospect::Open,
                    None => {}
                }
            }
            layer = end..self.steps.len();
        }
        if self.is_open { Prospect::Open } else { Prospect::Never }
    }

    /// Makes room for all positions after one; `false` if there is no memory for them.
    fn make_room(&mut self) -> bool {
        let has_seen = self.seen.capacity() - self.seen.len() >= MAX_MOVES
            || has_room(2 * self.seen.capacity().max(MAX_MOVES) * size_of::<Packed>())
                && self.seen.try_reserve(MAX_MOVES).is_ok();
        has_seen && make_room(&mut self.steps, MAX_MOVES)
    }

    /// Adds the positions after one, or finds a line that wins.
    fn expand(&mut self, at: usize, effort: &mut Effort<'_>) -> Option<Vec<Move>> {
        // Its counter begins at 0, so that only captures and pawn moves leave 0 behind.
        let board = self.steps[at].position.unpack();
        for mv in board.legal_moves() {
            let child = board.after(mv);
            if !self.seen.insert(child.pack()) {
                continue;
            }
            effort.nodes += 1;
            if child.turn() != self.winner && child.in_check() && !child.has_legal_move() {
                return Some(self.line_to(at, &[mv]));
            }
            if child.halfmove_clock() > 0 {
                self.steps.push(Step { position: child.pack(), parent: at, mv: Some(mv) });
                continue;
            }
            match (self.decide)(&child, self.limit.saturating_sub(effort.nodes), effort) {
                Prospect::Mate(rest) if is_in_time(&child, &rest) => {
                    return Some(self.line_to(at, &[&[mv], &rest[..]].concat()));
                }
                Prospect::Never => {}
                Prospect::Mate(_) | Prospect::Open => self.is_open = true,
            }
            if effort.nodes > self.limit {
                break;
            }
        }
        None
    }

    fn line_to(&self, mut at: usize, rest: &[Move]) -> Vec<Move> {
        let mut line: Vec<Move> = rest.iter().rev().copied().collect();
        while let Some(mv) = self.steps[at].mv {
            line.push(mv);
            at = self.steps[at].parent;
        }
        line.reverse();
        line
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Budget, Proof, Verdict, winnable};
    use super::*;

    fn verdicts(fen: &str, budget: Budget) -> [Verdict; 2] {
        let board = Board::from_fen(fen).unwrap();
        Color::ALL.map(|winner| winnable(&board, winner, budget))
    }

    #[test]
    fn too_few_half_moves_are_left_to_mate() {
        let fen = "8/5r2/p3k3/P7/8/1K6/8/8 w - - 148 100";
        let [white, black] = verdicts(fen, Budget::FULL);
        assert!(white.is_unwinnable());
        assert_eq!(black, Verdict::Unwinnable(Proof::SeventyFiveMoves));
        let any = verdicts(fen, Budget::FULL.without_seventy_five_moves());
        assert!(matches!(any[1], Verdict::Winnable(_)));
        assert!(matches!(verdicts(&fen.replace("148", "90"), Budget::FULL)[1], Verdict::Winnable(_)));
    }

    #[test]
    fn a_mate_with_the_last_half_move_counts() {
        let mate = "7k/8/6K1/8/8/8/8/R7 w - - 149 120";
        assert!(matches!(&verdicts(mate, Budget::FULL)[0], Verdict::Winnable(line) if line.len() == 1));
        // It is Black's turn, and the game ends with its move.
        let late = "6k1/8/6K1/8/8/8/8/R7 b - - 149 120";
        assert_eq!(verdicts(late, Budget::FULL)[0], Verdict::Unwinnable(Proof::SeventyFiveMoves));
        assert!(matches!(verdicts(&late.replace("149", "148"), Budget::FULL)[0], Verdict::Winnable(_)));
    }

    #[test]
    fn a_capture_or_pawn_move_begins_anew() {
        for fen in ["4k3/7p/8/8/8/8/8/R3K3 b - - 149 120", "4k3/8/8/8/8/8/p7/R3K3 w - - 149 120"] {
            assert!(matches!(verdicts(fen, Budget::FULL)[0], Verdict::Winnable(_)), "{fen}");
        }
        // After it nobody can mate.
        assert!(verdicts("4k3/8/8/8/8/8/8/rB2K3 w - - 149 120", Budget::FULL).iter().all(Verdict::is_unwinnable));
    }

    #[test]
    fn what_is_over_is_over() {
        assert!(verdicts("4k3/8/8/8/8/8/8/R3K3 w - - 150 120", Budget::FULL).iter().all(Verdict::is_unwinnable));
        let mated = "R6k/8/6K1/8/8/8/8/8 b - - 150 120";
        assert_eq!(verdicts(mated, Budget::FULL)[0], Verdict::Winnable(Vec::new()));
    }
}
