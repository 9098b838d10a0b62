//! Which positions of a game are worth learning from.

use movegen::Board;
use serde::{Deserialize, Serialize};

use crate::games::game::{GameResult, Step};

/// Bounds a position must keep to be learned from.
///
/// The network is asked about quiet positions: where a capture or a check decides the next move, the score says
/// little about the board as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Filter {
    /// Half-moves from the game's first searched position, at 0, to the first one kept: right behind its random
    /// opening a game is at its least natural.
    pub min_ply: usize,
    /// Half-moves from one kept position of a game to the next, at least; 1 keeps all.
    #[serde(default = "one")]
    pub spacing: usize,
    /// The fewest pieces.
    #[serde(alias = "min_men")]
    pub min_pieces: usize,
    /// The largest score of either sign, in centipawns.
    pub max_score: u16,
    /// A side that was this many centipawns ahead and still lost made a blunder later on: its game's result says nothing
    /// about the position.
    #[serde(default = "default_max_contradiction")]
    pub max_contradiction: u16,
    /// The most half-moves since a capture or pawn move: later scores fade towards a draw by rule.
    pub max_halfmove_clock: u16,
    /// Keep only what was searched by itself, without a result: the games may be of too few nodes to learn from.
    #[serde(default)]
    pub harvested_only: bool,
    /// Keep positions from search trees that were not searched, too: their score is 0 until networks give them one.
    #[serde(default)]
    pub unsearched: bool,
}

const fn one() -> usize {
    1
}

/// After Stockfish #3808.
const fn default_max_contradiction() -> u16 {
    1000
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            min_ply: 2,
            spacing: 1,
            min_pieces: 3,
            max_score: 10_000,
            max_contradiction: default_max_contradiction(),
            max_halfmove_clock: 90,
            harvested_only: false,
            unsearched: false,
        }
    }
}

/// Why a position is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Rejection {
    Played,
    Opening,
    FewPieces,
    InCheck,
    NoisyMove,
    Score,
    Contradiction,
    HalfmoveClock,
    /// Near another of its game.
    Neighbour,
    /// From a search tree, without a score.
    Unsearched,
}

impl Rejection {
    /// Every reason.
    pub const ALL: [Self; 10] = [
        Self::Played,
        Self::Opening,
        Self::FewPieces,
        Self::InCheck,
        Self::NoisyMove,
        Self::Score,
        Self::Contradiction,
        Self::HalfmoveClock,
        Self::Neighbour,
        Self::Unsearched,
    ];

    /// The reason in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Played => "not harvested",
            Self::Opening => "opening",
            Self::FewPieces => "few pieces",
            Self::InCheck => "in check",
            Self::NoisyMove => "capture or promotion best",
            Self::Score => "score too large",
            Self::Contradiction => "far ahead and lost",
            Self::HalfmoveClock => "fifty-move rule near",
            Self::Neighbour => "near another of its game",
            Self::Unsearched => "without a score",
        }
    }
}

impl Filter {
    /// Whether to learn from a position of a game with this result, or a harvested one without, and otherwise why not: the first reason that holds.
    ///
    /// # Errors
    ///
    /// The reason to leave it out.
    pub fn judge(&self, step: &Step, result: Option<GameResult>) -> Result<(), Rejection> {
        let board: &Board = &step.board;
        let lead_of_loser = match result {
            Some(GameResult::BlackWins) => i32::from(step.score),
            Some(GameResult::Draw | GameResult::BothLose) | None => 0,
            Some(GameResult::WhiteWins) => -i32::from(step.score),
        };
        let reasons = [
            (result.is_some() && self.harvested_only, Rejection::Played),
            (result.is_some() && step.ply < self.min_ply, Rejection::Opening),
            (board.occupied().count() < self.min_pieces, Rejection::FewPieces),
            (board.in_check(), Rejection::InCheck),
            (board.is_noisy(step.mv), Rejection::NoisyMove),
            (step.score.unsigned_abs() > self.max_score, Rejection::Score),
            (lead_of_loser > i32::from(self.max_contradiction), Rejection::Contradiction),
            (board.halfmove_clock() > self.max_halfmove_clock, Rejection::HalfmoveClock),
        ];
        first(reasons)
    }

    /// The same for a position from a search tree that was not searched.
    ///
    /// # Errors
    ///
    /// The reason to leave it out.
    pub fn judge_unsearched(&self, board: &Board) -> Result<(), Rejection> {
        first([
            (!self.unsearched, Rejection::Unsearched),
            (board.occupied().count() < self.min_pieces, Rejection::FewPieces),
            (board.in_check(), Rejection::InCheck),
            (board.halfmove_clock() > self.max_halfmove_clock, Rejection::HalfmoveClock),
        ])
    }
}

/// The first reason that holds, as an error.
fn first<const COUNT: usize>(reasons: [(bool, Rejection); COUNT]) -> Result<(), Rejection> {
    reasons.into_iter().find(|(holds, _)| *holds).map_or(Ok(()), |(_, reason)| Err(reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use movegen::{Move, PieceType, Square};

    fn judge(fen: &str, mv: Move, score: i16) -> Result<(), Rejection> {
        let step = Step { ply: 2, board: Board::from_fen(fen).unwrap(), mv, score };
        Filter::default().judge(&step, Some(GameResult::Draw))
    }

    #[test]
    fn a_side_far_ahead_that_lost_teaches_nothing() {
        let board = Board::from_fen("4k3/p7/8/8/8/3p4/P3P3/4K3 w - - 5 9").unwrap();
        let mv = Move::normal(Square::E2, Square::E3);
        for (score, result, expected) in [
            (1000, GameResult::BlackWins, Ok(())),
            (1001, GameResult::BlackWins, Err(Rejection::Contradiction)),
            (-1001, GameResult::BlackWins, Ok(())),
            (1001, GameResult::Draw, Ok(())),
            (-1001, GameResult::WhiteWins, Err(Rejection::Contradiction)),
            (1001, GameResult::WhiteWins, Ok(())),
        ] {
            assert_eq!(Filter::default().judge(&Step { ply: 2, board, mv, score }, Some(result)), expected, "{score}");
        }
    }

    #[test]
    fn each_reason_is_found() {
        let step = |from, to| Move::normal(from, to);
        let quiet = step(Square::E2, Square::E3);
        let fen = "4k3/p7/8/8/8/3p4/P3P3/4K3 w - - 5 9";
        assert_eq!(judge(fen, quiet, 10_000), Ok(()));
        assert_eq!(judge(fen, quiet, -10_001), Err(Rejection::Score));
        assert_eq!(judge(fen, quiet, i16::MIN), Err(Rejection::Score));
        assert_eq!(judge(fen, step(Square::E2, Square::D3), 0), Err(Rejection::NoisyMove));
        assert_eq!(judge("4k3/8/8/8/8/8/8/4K3 w - - 0 90", quiet, 0), Err(Rejection::FewPieces));
        assert_eq!(judge("4k3/p7/8/8/8/3p4/P2pP3/4K3 w - - 0 90", quiet, 0), Err(Rejection::InCheck));
        assert_eq!(judge("4k3/p7/8/8/8/3p4/P3P3/4K3 w - - 91 90", quiet, 0), Err(Rejection::HalfmoveClock));
        let promotion = Move::promotion(Square::A7, Square::A8, PieceType::Queen);
        assert_eq!(judge("4k3/P7/8/8/8/8/p7/4K3 w - - 0 90", promotion, 0), Err(Rejection::NoisyMove));
    }

    #[test]
    fn openings_end_some_half_moves_behind_the_start_whatever_the_move_number() {
        for number in [1, 5, 300] {
            let board = Board::from_fen(&format!("4k3/p7/8/8/8/3p4/P3P3/4K3 w - - 0 {number}")).unwrap();
            let mv = Move::normal(Square::E2, Square::E3);
            for min_ply in [0, 2, 7] {
                let filter = Filter { min_ply, ..Filter::default() };
                for ply in 0..10 {
                    let expected = if ply < min_ply { Err(Rejection::Opening) } else { Ok(()) };
                    assert_eq!(
                        filter.judge(&Step { ply, board, mv, score: 0 }, Some(GameResult::Draw)),
                        expected,
                        "{ply} of {min_ply}"
                    );
                }
            }
        }
    }

    #[test]
    fn castling_is_quiet() {
        let castling = Move::castling(Square::E1, Square::H1);
        assert_eq!(judge("4k3/p7/8/8/8/8/8/4K2R w K - 0 20", castling, 0), Ok(()));
    }
}
