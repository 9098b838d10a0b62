//! What is known of whether the positions of a whole game are dead, without a proof for each.
//!
//! A position from which legal moves lead to a mate is not dead, nor is any position before it. So one proof, from the end of
//! a game backwards, spares those of nearly all its positions.

use super::Rules;
use crate::unwinnable::{Verdict, winnable};
use crate::{Board, Color};

/// What a caller knows of whether a position is dead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// Nothing: it has to be proven.
    Open,
    /// A mate can be reached by legal moves, so there is nothing to prove.
    Alive,
}

impl Rules {
    /// The number of positions at the start of a game that are known not to be dead. `boards` are its positions, each reached
    /// by a legal move from the one before. Those behind may be dead or not.
    #[must_use]
    pub fn alive_positions(&self, boards: &[Board]) -> usize {
        let budget = self.dead_positions.without_seventy_five_moves();
        let is_alive = |board: &Board| {
            let can_mate = |winner| matches!(winnable(board, winner, budget), Verdict::Winnable(_));
            Color::ALL.into_iter().any(can_mate)
        };
        // Longer and longer steps: a game may go on for long after its position is dead.
        let (mut count, mut step) = (boards.len(), 1);
        while count > 0 && !is_alive(&boards[count - 1]) {
            count = count.saturating_sub(step);
            step *= 2;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Game;

    /// The positions of a game from a position, and how many of them are known to be alive.
    fn alive(fen: &str, moves: &str) -> (Vec<Board>, usize) {
        let mut boards = vec![Board::from_fen(fen).unwrap()];
        for text in moves.split_whitespace() {
            let board = boards[boards.len() - 1];
            boards.push(board.after(board.parse_san(text).unwrap()));
        }
        let count = Rules::default().alive_positions(&boards);
        (boards, count)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn one_proof_at_the_end_holds_for_the_whole_game() {
        assert_eq!(alive(START, "e4 e5 Nf3 Nc6 Bb5 a6").1, 7);
        assert_eq!(alive(START, "f3 e5 g4 Qh4#").1, 5, "mate is no dead position");
    }

    #[test]
    fn positions_before_the_last_capture_are_alive_and_those_after_it_are_open() {
        // Only the first two positions are alive, whatever follows; longer and longer steps may miss them.
        let fen = "8/8/4k3/8/8/3K4/4p3/8 b - - 0 1";
        for (moves, count) in [("Kd6", 2), ("Kd6 Kxe2", 2), ("Kd6 Kxe2 Kd5", 1), ("Kd6 Kxe2 Kd5 Kd3 Ke5 Ke3", 0)] {
            assert_eq!(alive(fen, moves).1, count, "{moves}");
        }
    }

    #[test]
    fn a_game_that_is_given_them_is_the_same() {
        let wall = "8/8/k7/p1p1p1p1/P1PpP1P1/3B4/3P4/K7 w - - 0 1";
        let capture = "8/8/4k3/8/8/3K4/4p3/8 b - - 0 1";
        for (fen, moves) in [(START, "e4 e5 Ke2"), (wall, "Be2 Kb7 Kb2 Kc7"), (capture, "Kd6 Kxe2")] {
            let (boards, count) = alive(fen, moves);
            let life = |index| if index < count { Life::Alive } else { Life::Open };
            let mut plain = Game::new(boards[0], Rules::default());
            let mut given = Game::new_given(boards[0], Rules::default(), life(0));
            for (index, text) in moves.split_whitespace().enumerate() {
                let mv = boards[index].parse_san(text).unwrap();
                let plainly = plain.play(mv, Duration::ZERO);
                assert_eq!(given.play_given(mv, Duration::ZERO, life(index + 1)), plainly);
            }
            assert_eq!(given, plain, "{fen} {moves}");
        }
    }
}
