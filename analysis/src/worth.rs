//! What a search's score means to people: for White, in normalised centipawns and in chances.

use eval::wdl::{Model, Probabilities, material};
use movegen::{Board, Color};

use crate::model::{Score, Side, Wdl};

/// A won endgame table at the root; each half-move to it takes one off. As UCI has it.
const TABLE_WIN: i32 = 20_000;

/// What a position is worth to White.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Worth {
    pub score: Score,
    /// The points to be expected, 0 to 1.
    pub points: f64,
    pub wdl: Wdl,
}

impl Worth {
    /// A draw by the rules.
    pub const DRAW: Self = Self { score: Score::Cp(0), points: 0.5, wdl: Wdl { win: 0, draw: 1000, loss: 0 } };

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
            score: shown(score, material).of(side),
            points: rounded(side.points(chances.expected_score())),
            wdl: Wdl { win, draw, loss },
        }
    }
}

/// A score as people read it, for the same side.
fn shown(score: search::Score, material: u32) -> Score {
    match (score.moves_to_mate(), score.plies_to_table()) {
        (Some(moves), _) => Score::Mate(moves),
        (None, Some(plies)) => Score::Cp((TABLE_WIN - i32::try_from(plies).unwrap_or(TABLE_WIN)) * score.0.signum()),
        (None, None) => Score::Cp(Model::FITTED.normalise(score.0, material)),
    }
}

/// In steps of 0.0001, so that the last bits, in which libraries of mathematics differ, do not show.
pub(super) fn rounded(value: f64) -> f64 {
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

impl Score {
    /// For this side instead of for White, and the other way round.
    #[must_use]
    pub const fn of(self, side: Side) -> Self {
        match (side, self) {
            (Side::White, score) => score,
            (Side::Black, Self::Cp(value)) => Self::Cp(-value),
            (Side::Black, Self::Mate(moves)) => Self::Mate(-moves),
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
        assert!(matches!(white.score, Score::Cp(1..)), "{white:?}");
    }

    #[test]
    fn mates_are_counted_in_moves_of_the_one_who_mates() {
        for (score, fen, expected, points) in [
            (Found::mate_in(1), WHITE, Score::Mate(1), 1.0),
            (Found::mate_in(1), BLACK, Score::Mate(-1), 0.0),
            (Found::mated_in(2), WHITE, Score::Mate(-1), 0.0),
            (Found::mated_in(2), BLACK, Score::Mate(1), 1.0),
            (Found::mated_in(0), BLACK, Score::Mate(0), 1.0),
            (Found::table_win_in(3), WHITE, Score::Cp(19_997), 1.0),
            (Found::table_win_in(3), BLACK, Score::Cp(-19_997), 0.0),
        ] {
            let worth = worth(score, fen);
            assert_eq!((worth.score, worth.points), (expected, points), "{score:?} {fen}");
            let Wdl { win, draw, loss } = worth.wdl;
            assert_eq!((win, draw, loss), if points > 0.5 { (1000, 0, 0) } else { (0, 0, 1000) });
        }
    }
}
