//! Draws: by the fifty-move rule, insufficient material, repetition, or because neither side can mate.
//!
//! A draw scores 0, less the contempt of the side that searches, and one centipawn more or less, so that a search that
//! finds only draws still distinguishes its moves.
//!
//! Source: the Chess Programming Wiki, "Contempt Factor"; the noise follows Stockfish.

use movegen::Board;

use crate::state::worker::Worker;
use crate::types::score::Score;

impl Worker<'_> {
    /// Whether the position is a draw by the rules, or by a repetition that both sides could repeat.
    pub(crate) fn is_draw(&self, board: &Board, ply: usize) -> bool {
        // Checkmate comes before the fifty-move rule.
        let fifty_moves = board.halfmove_clock() >= 100 && (!board.in_check() || board.has_legal_move());
        fifty_moves || ply > 0 && board.has_insufficient_material() || self.keys.is_repetition(board)
    }

    /// The score of a draw at `ply`.
    #[inline]
    pub(crate) const fn draw_score(&self, ply: usize) -> Score {
        let contempt = self.job.settings.contempt;
        Score(Score::DRAW.0 + if ply.is_multiple_of(2) { -contempt } else { contempt })
    }

    /// The score of a draw at `ply`, with noise.
    #[inline]
    pub(crate) const fn noisy_draw_score(&self, ply: usize) -> Score {
        Score(self.draw_score(ply).0 - 1 + (self.watch.nodes & 2) as i32)
    }
}

#[cfg(test)]
mod tests {
    use movegen::Position;

    use super::*;
    use crate::state::worker::testing::with_worker;
    use crate::types::request::Settings;

    #[test]
    fn contempt_makes_a_draw_worse_for_the_side_that_searches() {
        let settings = Settings { contempt: 12, ..Settings::default() };
        let draws = with_worker(&Position::start(), settings, |worker| [0, 1, 2].map(|ply| worker.draw_score(ply)));
        assert_eq!(draws, [Score(-12), Score(12), Score(-12)]);
    }

    #[test]
    fn the_fifty_move_rule_draws_unless_it_is_checkmate() {
        for (fen, drawn) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 100 90", true),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", false),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 99 90", false),
        ] {
            let position = Position::from(Board::from_fen(fen).unwrap());
            let found = with_worker(&position, Settings::default(), |worker| worker.is_draw(position.board(), 1));
            assert_eq!(found, drawn, "{fen}");
        }
    }
}
