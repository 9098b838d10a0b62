//! One engine at one position: what it chose, and since when.

use std::time::Duration;

use movegen::{Board, Move};

use super::goal::Goal;
use crate::client::{Answer, Info};

/// A point in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Moment {
    /// Since the `go`.
    pub time: Duration,
    /// Nodes visited until then, as far as the engine tells.
    pub nodes: u64,
}

/// What an engine made of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Attempt {
    /// The move it chose, as people write it.
    pub choice: String,
    /// When the solution became its choice for the last time, and stayed; none if it is no solution.
    pub solved: Option<Moment>,
    /// What the move is worth.
    pub points: u32,
}

/// Follows a search and remembers since when its choice solves the position.
pub(super) struct Watch<'a> {
    board: &'a Board,
    goal: &'a Goal,
    since: Option<Moment>,
}

impl<'a> Watch<'a> {
    pub const fn new(board: &'a Board, goal: &'a Goal) -> Self {
        Self { board, goal, since: None }
    }

    /// Hears a line of the search.
    pub fn hear(&mut self, info: &Info, elapsed: Duration) {
        let is_best = info.multi_pv.is_none_or(|rank| rank == 1);
        let Some(first) = info.pv.first().filter(|_| is_best) else { return };
        let is_met = self.parse(first).is_some_and(|mv| self.goal.is_met(mv, info.score));
        if !is_met {
            self.since = None;
        } else if self.since.is_none() {
            self.since = Some(Moment { time: elapsed, nodes: info.nodes.unwrap_or_default() });
        }
    }

    /// The attempt, when the search has ended.
    pub fn conclude(self, answer: &Answer) -> Attempt {
        let Some(mv) = self.parse(&answer.best) else {
            return Attempt { choice: answer.best.clone(), solved: None, points: 0 };
        };
        let end = Moment { time: answer.elapsed, nodes: answer.info.nodes.unwrap_or_default() };
        let is_met = self.goal.is_met(mv, answer.info.score);
        let solved = is_met.then(|| self.since.unwrap_or(end));
        Attempt { choice: self.board.san(mv), solved, points: self.goal.points_for(mv) }
    }

    fn parse(&self, text: &str) -> Option<Move> {
        self.board.parse_uci(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgn::EngineScore;
    use pgn::Epd;

    const LINE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    /// What comes of a search that shows these moves, one a millisecond with a thousand nodes each, and then plays.
    fn conclude(operations: &str, shown: &[(&str, EngineScore)], best: &str) -> Attempt {
        let epd = Epd::parse(&format!("{LINE} {operations}")).unwrap().unwrap();
        let (goal, _) = Goal::of(&epd).unwrap();
        let mut watch = Watch::new(&epd.board, &goal);
        let mut last = Info::default();
        for (number, (mv, score)) in (1..).zip(shown) {
            let pv = vec![(*mv).to_owned(), "e7e5".to_owned()];
            last = Info { pv, score: Some(*score), nodes: Some(number * 1000), ..Info::default() };
            watch.hear(&last, Duration::from_millis(number));
        }
        let elapsed = Duration::from_millis(99);
        watch.conclude(&Answer { best: best.to_owned(), ponder: None, elapsed, info: last })
    }

    fn moment(millis: u64) -> Option<Moment> {
        Some(Moment { time: Duration::from_millis(millis), nodes: millis * 1000 })
    }

    const EVEN: EngineScore = EngineScore::Centipawns(0);

    #[test]
    fn a_solution_counts_from_when_it_stays() {
        let solved = |shown: &[&str], best| {
            let shown: Vec<_> = shown.iter().map(|mv| (*mv, EVEN)).collect();
            conclude("bm e4 c4;", &shown, best).solved
        };
        assert_eq!(solved(&["e2e4", "e2e4", "e2e4"], "e2e4"), moment(1));
        assert_eq!(solved(&["d2d4", "e2e4", "e2e4"], "e2e4"), moment(2));
        assert_eq!(solved(&["e2e4", "d2d4", "e2e4"], "e2e4"), moment(3), "given up once, it counts from its return");
        assert_eq!(solved(&["d2d4", "e2e4", "c2c4"], "c2c4"), moment(2), "one solution may give way to another");
        assert_eq!(solved(&["e2e4", "e2e4", "d2d4"], "d2d4"), None);
        assert_eq!(solved(&["e2e4"], "d2d4"), None, "the move played counts, not the move shown");
        let at_the_end = Some(Moment { time: Duration::from_millis(99), nodes: 1000 });
        assert_eq!(solved(&["d2d4"], "e2e4"), at_the_end);
        assert_eq!(solved(&[], "e2e4").map(|moment| moment.nodes), Some(0));
    }

    #[test]
    fn a_mate_counts_from_when_it_is_announced() {
        let mate = |moves| ("a2a3", EngineScore::Mate(moves));
        assert_eq!(conclude("dm 3;", &[("a2a3", EVEN), mate(5), mate(3), mate(2)], "a2a3").solved, moment(3));
        assert_eq!(conclude("dm 3;", &[mate(5)], "a2a3").solved, None);
        assert_eq!(conclude("dm 3;", &[mate(3), ("a2a3", EVEN)], "a2a3").solved, None);
    }

    #[test]
    fn only_the_best_line_counts() {
        let epd = Epd::parse(&format!("{LINE} bm e4;")).unwrap().unwrap();
        let (goal, _) = Goal::of(&epd).unwrap();
        let mut watch = Watch::new(&epd.board, &goal);
        let info = |rank, mv: &str| Info { multi_pv: Some(rank), pv: vec![mv.to_owned()], ..Info::default() };
        watch.hear(&info(1, "e2e4"), Duration::from_millis(1));
        watch.hear(&info(2, "d2d4"), Duration::from_millis(2));
        watch.hear(&Info::default(), Duration::from_millis(3));
        let answer =
            Answer { best: "e2e4".to_owned(), ponder: None, elapsed: Duration::from_secs(1), info: Info::default() };
        assert_eq!(watch.conclude(&answer).solved.map(|moment| moment.time), Some(Duration::from_millis(1)));
    }

    #[test]
    fn the_choice_is_written_for_people_and_paid() {
        let attempt = conclude("bm e4; c0 \"e4=10, Nf3=4\"", &[("g1f3", EVEN)], "g1f3");
        assert_eq!((&attempt.choice[..], attempt.solved, attempt.points), ("Nf3", None, 4));
        for best in ["(none)", "0000", "e2e5", ""] {
            let attempt = conclude("bm e4; c0 \"e4=10, Nf3=4\"", &[("e2e4", EVEN)], best);
            assert_eq!((&attempt.choice[..], attempt.solved, attempt.points), (best, None, 0));
        }
    }
}
