//! What a search's score means to people: for White, in normalised centipawns and in chances.

use eval::wdl::{Model, Probabilities, material};
use movegen::{Board, Color};
use pgn::EngineScore;
use uci::engine_score;

use crate::model::{Side, Wdl};

/// The value of a position for White.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Worth {
    pub score: EngineScore,
    /// The points to be expected, 0 to 1.
    pub points: f64,
    pub wdl: Wdl,
}

impl Worth {
    /// A draw by the rules.
    pub const DRAW: Self =
        Self { score: EngineScore::Centipawns(0), points: 0.5, wdl: Wdl { win: 0, draw: 1000, loss: 0 } };

    /// A score for the side to move on this board. Where it is mated, that is `mated_in(0)`.
    pub fn of(score: search::Score, board: &Board) -> Self {
        let (side, material) = (Side::from(board.turn()), material(board));
        let chances = match score {
            score if score.is_win() => Probabilities { win: 1.0, draw: 0.0, loss: 0.0 },
            score if score.is_loss() => Probabilities { win: 0.0, draw: 0.0, loss: 1.0 },
            score => Model::FITTED.wdl(score.0, material),
        };
        let [mine, draw, theirs] = chances.per_mille();
        let (win, loss) = if side == Side::White { (mine, theirs) } else { (theirs, mine) };
        Self {
            score: engine_score(score, material).relative_to(board.turn()),
            points: rounded(side.points(chances.expected_score())),
            wdl: Wdl { win, draw, loss },
        }
    }
}

/// In steps of 0.0001, so that the last bits, in which libraries of mathematics differ, do not show.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

impl Side {
    /// The points of a side where White may expect these, and those of White where the side may.
    #[must_use]
    pub fn points(self, white: f64) -> f64 {
        match self {
            Self::White => white,
            Self::Black => 1.0 - white,
        }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

#[cfg(test)]
mod tests {
    use search::Score as Found;

    use super::*;

    const WHITE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    const BLACK: &str = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";

    fn worth(score: Found, fen: &str) -> Worth {
        Worth::of(score, &Board::from_fen(fen).unwrap())
    }

    #[test]
    fn all_is_whites() {
        let white = worth(Found(70), WHITE);
        let black = worth(Found(-70), BLACK);
        assert_eq!((white.score, white.wdl), (black.score, black.wdl));
        assert!((white.points - black.points).abs() < 1e-9 && white.points > 0.5);
        assert!(matches!(white.score, EngineScore::Centipawns(1..)), "{white:?}");
    }

    #[test]
    fn mates_are_counted_in_moves_of_the_one_who_mates() {
        for (score, fen, expected, points) in [
            (Found::mate_in(1), WHITE, EngineScore::Mate(1), 1.0),
            (Found::mate_in(1), BLACK, EngineScore::Mate(-1), 0.0),
            (Found::mated_in(2), WHITE, EngineScore::Mate(-1), 0.0),
            (Found::mated_in(2), BLACK, EngineScore::Mate(1), 1.0),
            (Found::mated_in(0), BLACK, EngineScore::Mate(0), 1.0),
            (Found::table_win_in(3), WHITE, EngineScore::Centipawns(19_997), 1.0),
            (Found::table_win_in(3), BLACK, EngineScore::Centipawns(-19_997), 0.0),
        ] {
            let worth = worth(score, fen);
            assert_eq!((worth.score, worth.points), (expected, points), "{score:?} {fen}");
            let Wdl { win, draw, loss } = worth.wdl;
            assert_eq!((win, draw, loss), if points > 0.5 { (1000, 0, 0) } else { (0, 0, 1000) });
        }
    }
}
