//! What a line of a suite asks for.

use std::fmt;

use movegen::{Board, Move, MoveError};
use pgn::EngineScore;
use pgn::Epd;

/// What solves a position, and what each answer is worth.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Goal {
    /// Any of these moves, if there are some (`bm`).
    pub best: Vec<Move>,
    /// None of these moves (`am`).
    pub avoid: Vec<Move>,
    /// A mate announced in so many moves or fewer; negative to be mated (`dm`, `bm #3`).
    pub mate: Option<i32>,
    /// What moves are worth that have their own points, as in the Strategic Test Suite.
    pub points: Vec<(Move, u32)>,
}

/// Why a line asks for nothing that can be judged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum GoalError {
    /// A move cannot be read.
    #[error("{opcode}: {error}")]
    Move { opcode: &'static str, error: MoveError },
    /// The operand of `dm` is not a number of moves.
    #[error("dm: {0:?} is not a number of moves")]
    Mate(String),
    /// There are points, but no moves to go with them.
    #[error("c8: there are {points} points, but c9 and c7 do not name as many legal moves")]
    Points { points: usize },
    /// Nothing is asked.
    #[error("nothing to solve: no bm, am, dm or points")]
    Nothing,
}

impl Goal {
    /// What the operations ask for, and what of them cannot be read and does not count. Nothing may be left out that
    /// makes the position easier to solve: of several best moves all but one may be missing, but of moves to avoid
    /// none, unless there is a best move.
    pub fn of(epd: &Epd) -> Result<(Self, Vec<GoalError>), GoalError> {
        let mut faults = Vec::new();
        let mut goal = Self::default();
        goal.read_moves(epd, "bm", &mut faults);
        goal.read_moves(epd, "am", &mut faults);
        let has_all_moves = faults.is_empty();
        if let Some(text) = epd.operands("dm").next() {
            match read_mate(text) {
                Some(moves) => goal.mate = Some(moves),
                None => faults.push(GoalError::Mate(text.to_owned())),
            }
        }
        match points(epd) {
            Ok(points) => goal.points = points,
            Err(error) => faults.push(error),
        }
        if goal.is_open() {
            let most = goal.most_points();
            goal.best = goal.points.iter().filter(|(_, points)| *points == most).map(|(mv, _)| *mv).collect();
        }
        let is_no_easier = has_all_moves || !goal.best.is_empty() || goal.avoid.is_empty() && goal.mate.is_some();
        if is_no_easier && !goal.is_open() {
            return Ok((goal, faults));
        }
        Err(faults.into_iter().next().unwrap_or(GoalError::Nothing))
    }

    fn read_moves(&mut self, epd: &Epd, opcode: &'static str, faults: &mut Vec<GoalError>) {
        let words = with_promotions(&epd.operands(opcode).collect::<Vec<_>>().join(" "));
        for text in words.split_whitespace() {
            if let Some(moves) = text.strip_prefix('#').and_then(read_mate) {
                self.mate = Some(moves);
                continue;
            }
            match read_move(&epd.board, text) {
                Some(Ok(mv)) if opcode == "bm" => self.best.push(mv),
                Some(Ok(mv)) => self.avoid.push(mv),
                Some(Err(error)) => faults.push(GoalError::Move { opcode, error }),
                None => {}
            }
        }
    }

    const fn is_open(&self) -> bool {
        self.best.is_empty() && self.avoid.is_empty() && self.mate.is_none()
    }

    /// Whether a choice solves the position. Where a line asks for both, either a right move or the mate will do.
    pub fn is_met(&self, mv: Move, score: Option<EngineScore>) -> bool {
        let mates = match (self.mate, score) {
            (Some(wanted), Some(EngineScore::Mate(found))) => {
                found.signum() == wanted.signum() && found.unsigned_abs() <= wanted.unsigned_abs()
            }
            _ => false,
        };
        let asks_for_moves = !self.best.is_empty() || !self.avoid.is_empty();
        let fits = (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv);
        mates || asks_for_moves && fits
    }

    /// What a move is worth.
    pub fn points_for(&self, mv: Move) -> u32 {
        self.points.iter().find(|(known, _)| *known == mv).map_or(0, |(_, points)| *points)
    }

    /// What the best move is worth; 0 without points.
    pub fn most_points(&self) -> u32 {
        self.points.iter().map(|(_, points)| *points).max().unwrap_or_default()
    }

    /// The goal as a few words: `Qg6`, `not Nxb6`, `mate in 3`.
    pub fn describe(&self, board: &Board) -> String {
        let moves = |moves: &[Move]| moves.iter().map(|&mv| board.san(mv)).collect::<Vec<_>>().join(" ");
        let mut parts = Vec::new();
        if !self.best.is_empty() {
            parts.push(moves(&self.best));
        }
        if !self.avoid.is_empty() {
            parts.push(format!("not {}", moves(&self.avoid)));
        }
        if let Some(mate) = self.mate {
            parts.push(MateIn(mate).to_string());
        }
        parts.join(", ")
    }
}

/// Moves to mate as words.
struct MateIn(i32);

impl fmt::Display for MateIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", if self.0 < 0 { "mated" } else { "mate" }, self.0.unsigned_abs())
    }
}

fn read_mate(text: &str) -> Option<i32> {
    text.parse().ok().filter(|&moves| moves != 0)
}

/// Moves without commas, and `f8 = Q` as one word.
fn with_promotions(moves: &str) -> String {
    let text = format!(" {} ", moves.replace(',', " "));
    ["Q", "R", "B", "N"].into_iter().fold(text, |text, piece| {
        let spaced = [format!(" = {piece} "), format!("= {piece} "), format!(" ={piece} ")];
        spaced.iter().fold(text, |text, spaced| text.replace(spaced, &format!("={piece} ")))
    })
}

/// A move with what may stand around it: `23...Qg6`, `(Qg6!?)`. None for a text that is nothing but marks.
fn read_move(board: &Board, text: &str) -> Option<Result<Move, MoveError>> {
    const MARKS: &str = "+#!?()=.";
    if text.chars().all(|letter| MARKS.contains(letter)) {
        return None;
    }
    let text = text.trim_matches(['(', ')']);
    let unnumbered = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let text = if unnumbered.starts_with('.') { unnumbered.trim_start_matches('.') } else { text };
    if text.is_empty() {
        return None;
    }
    Some(board.parse_san(text))
}

/// The worth of moves: `c8` holds the points and `c9` or `c7` the moves, or `c0` holds both, `Nf3=10, d4=7`.
fn points(epd: &Epd) -> Result<Vec<(Move, u32)>, GoalError> {
    let words = |opcode| epd.operands(opcode).flat_map(str::split_whitespace).collect::<Vec<_>>();
    let numbers: Option<Vec<u32>> = words("c8").into_iter().map(|word| word.parse().ok()).collect();
    if let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) {
        let moves = ["c9", "c7"].into_iter().find_map(|opcode| {
            let moves: Vec<_> = words(opcode).into_iter().filter_map(|text| epd.board.parse_san(text).ok()).collect();
            (moves.len() == numbers.len()).then_some(moves)
        });
        let moves = moves.ok_or(GoalError::Points { points: numbers.len() })?;
        return Ok(moves.into_iter().zip(numbers).collect());
    }
    // Any other remark may stand there as well.
    let valued = |part: &str| {
        let (text, points) = part.split_once('=').filter(|(text, _)| !text.is_empty())?;
        // A promotion has such a sign of its own.
        let (text, points) = part.rsplit_once('=').unwrap_or((text, points));
        Some((epd.board.parse_san(text).ok()?, points.parse().ok()?))
    };
    let remarks = epd.operands("c0").flat_map(|remark| remark.split(',')).map(str::trim);
    Ok(remarks.map(valued).collect::<Option<_>>().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn epd(fen: &str, operations: &str) -> Epd {
        Epd::parse(&format!("{fen} {operations}")).unwrap().unwrap_or_else(|error| panic!("{operations}: {error}"))
    }

    fn goal(operations: &str) -> Goal {
        let (goal, faults) = Goal::of(&epd(START, operations)).unwrap_or_else(|error| panic!("{operations}: {error}"));
        assert_eq!(faults, [], "{operations}");
        goal
    }

    fn mv(text: &str) -> Move {
        Board::start().parse_san(text).unwrap()
    }

    fn meets(goal: &Goal, text: &str) -> bool {
        goal.is_met(mv(text), Some(EngineScore::Centipawns(30)))
    }

    #[test]
    fn best_moves_may_be_several_and_decorated() {
        for operations in [
            "bm e4 Nf3;",
            "bm e2e4 g1f3",
            "bm e4!, Nf3 + ?;",
            "bm 1.e4 1. Nf3",
            "bm e4; bm Nf3;",
            "bm (e4!?) Ng1-f3+",
            "bm \"e4 Nf3\"",
        ] {
            let goal = goal(operations);
            assert_eq!(goal.best, [mv("e4"), mv("Nf3")], "{operations}");
            assert!(meets(&goal, "e4") && meets(&goal, "Nf3") && !meets(&goal, "d4"));
            assert_eq!(goal.describe(&Board::start()), "e4 Nf3");
        }
    }

    #[test]
    fn moves_to_avoid_leave_all_others() {
        let avoiding = goal("am f3 g4;");
        assert!(meets(&avoiding, "e4") && !meets(&avoiding, "f3") && !meets(&avoiding, "g4"));
        assert_eq!(avoiding.describe(&Board::start()), "not f3 g4");
        let both = goal("bm e4; am f3;");
        assert!(meets(&both, "e4") && !meets(&both, "d4") && !meets(&both, "f3"));
        assert_eq!(both.describe(&Board::start()), "e4, not f3");
    }

    #[test]
    fn mates_are_solved_by_announcing_them_in_time() {
        let mate = |goal: &Goal, moves| goal.is_met(mv("a3"), Some(EngineScore::Mate(moves)));
        for operations in ["dm 3;", "bm #3;"] {
            let goal = goal(operations);
            assert_eq!([1, 3, 4, -1, -3].map(|moves| mate(&goal, moves)), [true, true, false, false, false]);
            assert!(!meets(&goal, "e4") && !goal.is_met(mv("e4"), None));
            assert_eq!(goal.describe(&Board::start()), "mate in 3");
        }
        let lost = goal("bm #-2;");
        assert_eq!([-1, -2, -3, 1].map(|moves| mate(&lost, moves)), [true, true, false, false]);
        assert_eq!(lost.describe(&Board::start()), "mated in 2");
        let either = goal("bm e4; dm 2;");
        assert!(meets(&either, "e4") && !meets(&either, "a3") && mate(&either, 2));
    }

    #[test]
    fn points_come_in_three_forms() {
        for operations in [
            "bm e4; c0 \"comment\"; c8 \"10 7\"; c9 \"e2e4 d2d4\";",
            "bm e4; c7 \"e4 d4\"; c8 \"10 7\"; c9 \"a remark of another kind\";",
            "bm e4; c8 10 7; c9 e2e4 d2d4;",
            "bm e4; c0 \"e4=10, d4=7\";",
            "c0 \"e4=10, d4=7\";",
        ] {
            let goal = goal(operations);
            assert_eq!(goal.points, [(mv("e4"), 10), (mv("d4"), 7)], "{operations}");
            assert_eq!([mv("e4"), mv("d4"), mv("a3")].map(|mv| goal.points_for(mv)), [10, 7, 0]);
            assert_eq!((goal.most_points(), &goal.best[..]), (10, &[mv("e4")][..]));
        }
        let promotion = epd("8/4P2k/8/8/8/8/8/K7 w - -", "c0 \"e8=Q=9,e8=N=1\"");
        let points: Vec<_> = Goal::of(&promotion).unwrap().0.points.into_iter().map(|(_, points)| points).collect();
        assert_eq!(points, [9, 1]);
        for remark in ["", "J. Polgar-Berkes, Budapest 2003", "6men", "e4=10, and more", "=", "e4=-1", "e9=1"] {
            assert!(goal(&format!("bm e4; c0 \"{remark}\";")).points.is_empty(), "{remark}");
        }
    }

    #[test]
    fn promotions_may_be_written_with_spaces() {
        let pawn = epd("8/4P2k/8/8/8/8/8/K7 w - -", "bm e8 = N, e8= Q;");
        let (goal, faults) = Goal::of(&pawn).unwrap();
        assert_eq!((&goal.describe(&pawn.board)[..], &faults[..]), ("e8=N e8=Q", &[][..]));
        assert!(meets(&self::goal("bm e4 = ; id \"equal\";"), "e4"));
    }

    #[test]
    fn what_can_be_read_counts_if_that_is_no_easier() {
        for (operations, wanted, fault) in [
            ("bm e4 nonsense;", "e4", "bm: \"nonsense\" is not a move"),
            ("bm e5 e4; am f3;", "e4, not f3", "bm: \"e5\" is not a legal move here"),
            ("bm e4; am Ke2;", "e4", "am: \"Ke2\" is not a legal move here"),
            ("bm e5; dm 3;", "mate in 3", "bm: \"e5\" is not a legal move here"),
            ("am f3; dm x;", "not f3", "dm: \"x\" is not a number of moves"),
            (
                "bm e4; c8 \"1 2 3\"; c9 \"e2e4 d2d4\";",
                "e4",
                "c8: there are 3 points, but c9 and c7 do not name as many legal moves",
            ),
        ] {
            let (goal, faults) = Goal::of(&epd(START, operations)).unwrap();
            let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
            assert_eq!((&goal.describe(&Board::start())[..], &faults[..]), (wanted, &[fault.to_owned()][..]));
        }
    }

    #[test]
    fn what_cannot_be_judged_is_named() {
        for (operations, message) in [
            ("", "nothing to solve: no bm, am, dm or points"),
            ("id \"x\";", "nothing to solve: no bm, am, dm or points"),
            ("bm;", "nothing to solve: no bm, am, dm or points"),
            ("am ! ?;", "nothing to solve: no bm, am, dm or points"),
            ("bm e5;", "bm: \"e5\" is not a legal move here"),
            ("bm nonsense; am f3;", "bm: \"nonsense\" is not a move"),
            ("am f3 nonsense;", "am: \"nonsense\" is not a move"),
            ("am f3 nonsense; dm 3;", "am: \"nonsense\" is not a move"),
            ("am Ne4;", "am: \"Ne4\" is not a legal move here"),
            ("dm x;", "dm: \"x\" is not a number of moves"),
            ("dm 0;", "dm: \"0\" is not a number of moves"),
            ("bm #x", "bm: \"#x\" is not a move"),
            (
                "c8 \"1 2 3\"; c9 \"e2e4 d2d4\";",
                "c8: there are 3 points, but c9 and c7 do not name as many legal moves",
            ),
        ] {
            assert_eq!(Goal::of(&epd(START, operations)).map_err(|error| error.to_string()), Err(message.to_owned()));
        }
        let two_knights = epd("4k3/8/8/8/8/8/8/N3N1K1 w - -", "bm Nc2;");
        let error = Goal::of(&two_knights).unwrap_err().to_string();
        assert_eq!(error, "bm: \"Nc2\" may mean a1c2 or e1c2");
    }
}
