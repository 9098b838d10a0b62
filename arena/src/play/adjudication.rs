//! Games ended by the scores of the engines or by endgame tables, where that is asked for, so that clear games take no time.
//!
//! The counters are those of Cute Chess.

use std::str::FromStr;
use std::sync::Arc;

use movegen::{Board, ByColor, Color, GameResult};
use pgn::EngineScore;
use search::{Tablebase, Wdl};

/// When games end before the laws end them.
#[derive(Clone, Default)]
pub(super) struct AdjudicationRules {
    pub resign: Option<ResignRule>,
    pub draw: Option<DrawRule>,
    pub tables: Option<Arc<Tablebase>>,
}

/// A game is lost for an engine that says so itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// Its score is this many centipawns below zero, or more.
    score: i32,
    /// For this many of its moves in a row.
    moves: u32,
    /// And the opponent's is as much above zero for as many.
    is_two_sided: bool,
}

/// A game is drawn if both engines say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// When this many moves of both sides have been played.
    number: u32,
    /// For this many moves of both sides in a row, without a capture or pawn move.
    moves: u32,
    /// The scores are at most this many centipawns from zero.
    score: i32,
}

/// What `SCORE,MOVES[,twosided]` says.
impl FromStr for ResignRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fields: Vec<_> = text.split(',').map(str::trim).collect();
        let wrong = || "must be SCORE,MOVES or SCORE,MOVES,twosided".to_owned();
        let (score, moves, is_two_sided) = match fields[..] {
            [score, moves] => (score, moves, false),
            [score, moves, "twosided"] => (score, moves, true),
            _ => return Err(wrong()),
        };
        Ok(Self { score: number(score)?, moves: number(moves)?.unsigned_abs(), is_two_sided })
    }
}

/// What `NUMBER,MOVES,SCORE` says.
impl FromStr for DrawRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fields: Vec<_> = text.split(',').map(str::trim).collect();
        let [first, moves, score] = fields[..] else { return Err("must be NUMBER,MOVES,SCORE".to_owned()) };
        let at_least_zero = |text: &str| if text == "0" { Ok(0) } else { number(text) };
        Ok(Self {
            number: at_least_zero(first)?.unsigned_abs(),
            moves: number(moves)?.unsigned_abs(),
            score: at_least_zero(score)?,
        })
    }
}

fn number(text: &str) -> Result<i32, String> {
    let number = text.parse().ok().filter(|number| (1..=1_000_000).contains(number));
    number.ok_or_else(|| format!("{text:?} is no number from 1 to 1000000"))
}

/// How a game was ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Adjudication {
    pub result: GameResult,
    /// In words, after which moves can follow.
    pub reason: String,
}

/// What the engines have said in a game so far.
pub(super) struct Adjudicator<'a> {
    rules: &'a AdjudicationRules,
    /// How many scores in a row were near zero.
    draws: u32,
    /// Of each side, how many were bad enough to resign.
    losses: ByColor<u32>,
    /// And how many as good.
    wins: ByColor<u32>,
}

impl<'a> Adjudicator<'a> {
    pub fn new(rules: &'a AdjudicationRules) -> Self {
        Self { rules, draws: 0, losses: ByColor::default(), wins: ByColor::default() }
    }

    /// Hears what the side that has just moved thought of its move, and says whether the game ends here. `plies` are those of
    /// the whole game.
    pub fn judge(&mut self, board: &Board, plies: usize, score: Option<EngineScore>) -> Option<Adjudication> {
        self.by_tables(board).or_else(|| self.by_scores(board, plies, score))
    }

    /// Only where the clock of the fifty-move rule is at zero do tables know the result by the laws.
    fn by_tables(&self, board: &Board) -> Option<Adjudication> {
        let tables = self.rules.tables.as_ref().filter(|tables| board.halfmove_clock() == 0 && tables.covers(board))?;
        let result = match tables.wdl(board)? {
            Wdl::Win => GameResult::win_of(board.turn()),
            Wdl::Loss => GameResult::win_of(!board.turn()),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => GameResult::Draw,
        };
        Some(Adjudication { result, reason: "by endgame tables".to_owned() })
    }

    fn by_scores(&mut self, board: &Board, plies: usize, score: Option<EngineScore>) -> Option<Adjudication> {
        let mover = !board.turn();
        let Some(score) = score.map(centipawns) else {
            (self.draws, self.losses[mover], self.wins[mover]) = (0, 0, 0);
            return None;
        };
        self.drawn(board, plies, score).or_else(|| self.resigned(mover, score))
    }

    fn drawn(&mut self, board: &Board, plies: usize, score: i32) -> Option<Adjudication> {
        let rule = self.rules.draw?;
        let counts = score.abs() <= rule.score && board.halfmove_clock() > 0;
        self.draws = if counts { self.draws + 1 } else { 0 };
        let is_over = plies / 2 >= rule.number as usize && self.draws >= 2 * rule.moves;
        let reason = || format!("{} moves of scores within {:.2}", rule.moves, f64::from(rule.score) / 100.0);
        is_over.then(|| Adjudication { result: GameResult::Draw, reason: reason() })
    }

    fn resigned(&mut self, mover: Color, score: i32) -> Option<Adjudication> {
        let rule = self.rules.resign?;
        self.losses[mover] = if score <= -rule.score { self.losses[mover] + 1 } else { 0 };
        self.wins[mover] = if score >= rule.score { self.wins[mover] + 1 } else { 0 };
        let is_over = self.losses[mover] >= rule.moves && (!rule.is_two_sided || self.wins[!mover] >= rule.moves);
        let reason = || format!("{} moves of scores at or below {:+.2}", rule.moves, -f64::from(rule.score) / 100.0);
        is_over.then(|| Adjudication { result: GameResult::win_of(!mover), reason: reason() })
    }
}

/// A mate is more than any score.
const fn centipawns(score: EngineScore) -> i32 {
    match score {
        EngineScore::Centipawns(value) => value,
        EngineScore::Mate(1..) => i32::MAX,
        EngineScore::Mate(_) => -i32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use movegen::Position;

    use super::*;

    /// Knights go out and back, and the engines say these scores, each for itself; the number of plies at the end.
    fn ends(rules: &AdjudicationRules, scores: &[i32]) -> Option<(usize, GameResult)> {
        let mut position = Position::start();
        let mut adjudicator = Adjudicator::new(rules);
        for (index, &score) in scores.iter().enumerate() {
            let mv = ["g1f3", "g8f6", "f3g1", "f6g8"][index % 4];
            position.play(position.board().parse_uci(mv).unwrap());
            let score = Some(EngineScore::Centipawns(score));
            if let Some(end) = adjudicator.judge(position.board(), index + 1, score) {
                return Some((index + 1, end.result));
            }
        }
        None
    }

    fn resign(text: &str) -> AdjudicationRules {
        AdjudicationRules { resign: Some(text.parse().unwrap()), ..AdjudicationRules::default() }
    }

    fn draw(text: &str) -> AdjudicationRules {
        AdjudicationRules { draw: Some(text.parse().unwrap()), ..AdjudicationRules::default() }
    }

    #[test]
    fn who_is_lost_for_some_moves_in_a_row_resigns() {
        let rules = resign("600,3");
        // Black's moves are the even ones.
        assert_eq!(ends(&rules, &[0, -600, 0, -700, 0, -600]), Some((6, GameResult::WhiteWins)));
        assert_eq!(ends(&rules, &[-900, 0, -900, 0, -900, 0]), Some((5, GameResult::BlackWins)));
        assert_eq!(ends(&rules, &[0, -600, 0, -599, 0, -600, 0, -600]), None);
        assert_eq!(ends(&rules, &[-900, -900, -900, -900]), None);
    }

    #[test]
    fn by_the_two_sided_rule_the_winner_has_to_agree() {
        let rules = resign("600,2,twosided");
        assert_eq!(ends(&rules, &[700, -600, 599, -600, 700, -600, 700, -600]), Some((8, GameResult::WhiteWins)));
        assert_eq!(ends(&rules, &[0, -600, 0, -600, 0, -600]), None);
    }

    #[test]
    fn scores_near_zero_draw_from_a_move_on() {
        assert_eq!(ends(&draw("3,2,8"), &[8, -8, 0, 5, 8, 8, 0]), Some((6, GameResult::Draw)));
        assert_eq!(ends(&draw("0,2,8"), &[9, -8, 0, 5, 8, 8, 0]), Some((5, GameResult::Draw)));
        assert_eq!(ends(&draw("1,3,0"), &[0, 0, 0, 0, 1, 0, 0, 0, 0, 0]), None);
    }

    #[test]
    fn a_capture_or_pawn_move_or_a_move_without_score_begins_anew() {
        let rules = draw("0,1,50");
        let mut adjudicator = Adjudicator::new(&rules);
        let mut position = Position::start();
        let mut play = |mv: &str, score: Option<i32>| {
            position.play(position.board().parse_uci(mv).unwrap());
            adjudicator.judge(position.board(), 100, score.map(EngineScore::Centipawns)).is_some()
        };
        assert!(!play("g1f3", Some(0)) && !play("e7e5", Some(0)) && !play("f3g1", Some(0)));
        assert!(!play("g8f6", None) && !play("g1f3", Some(0)) && play("f6g8", Some(0)));
    }

    #[test]
    fn mates_are_more_than_any_score() {
        let rules = resign("1000000,1");
        let mut adjudicator = Adjudicator::new(&rules);
        let board = Position::start().board().after(Board::start().parse_uci("e2e4").unwrap());
        assert_eq!(adjudicator.judge(&board, 1, Some(EngineScore::Mate(3))), None);
        let end = adjudicator.judge(&board, 1, Some(EngineScore::Mate(-3)));
        assert_eq!(end.map(|end| end.result), Some(GameResult::BlackWins));
    }

    #[test]
    fn rules_are_read_or_refused_in_words() {
        for text in ["", "600", "600,3,both", "-600,3", "600,0", "600,3,twosided,1", "a,b"] {
            assert!(text.parse::<ResignRule>().is_err_and(|error| !error.is_empty()), "{text}");
        }
        for text in ["", "40,8", "40,0,8", "40,8,-1", "40,8,8,8", "1e9,8,8"] {
            assert!(text.parse::<DrawRule>().is_err_and(|error| !error.is_empty()), "{text}");
        }
        assert_eq!("0,8,0".parse(), Ok(DrawRule { number: 0, moves: 8, score: 0 }));
    }
}
