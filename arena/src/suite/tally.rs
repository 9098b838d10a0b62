//! The results of the engines, and whether they reach the threshold.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::attempt::Attempt;
use super::goal::Goal;
use crate::markdown::Table;

/// One engine on one suite.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct SuiteTally {
    problems: u64,
    solved: u64,
    points: u64,
    most_points: u64,
    /// Of the positions solved.
    time: Duration,
    /// Of the positions solved.
    nodes: u64,
}

impl SuiteTally {
    /// Adds what an engine made of a position; nothing if it failed.
    pub fn add(&mut self, goal: &Goal, attempt: Option<&Attempt>) {
        self.problems += 1;
        self.most_points += u64::from(goal.most_points());
        let Some(attempt) = attempt else { return };
        self.points += u64::from(attempt.points);
        if let Some(moment) = attempt.solved {
            self.solved += 1;
            self.time += moment.time;
            self.nodes += moment.nodes;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.problems += other.problems;
        self.solved += other.solved;
        self.points += other.points;
        self.most_points += other.most_points;
        self.time += other.time;
        self.nodes += other.nodes;
    }

    /// The points where there are some, else the positions solved.
    const fn score(&self) -> SuiteScore {
        if self.most_points > 0 {
            SuiteScore { reached: self.points, most: self.most_points }
        } else {
            SuiteScore { reached: self.solved, most: self.problems }
        }
    }
}

/// So much of so much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SuiteScore {
    pub reached: u64,
    pub most: u64,
}

impl SuiteScore {
    fn percentage(self) -> f64 {
        100.0 * self.reached as f64 / self.most.max(1) as f64
    }
}

impl fmt::Display for SuiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} ({:.1} %)", self.reached, self.most, self.percentage())
    }
}

/// All engines on all suites.
pub(super) struct Totals<'a> {
    engines: &'a [String],
    suites: Vec<(String, Vec<SuiteTally>)>,
}

impl<'a> Totals<'a> {
    pub const fn new(engines: &'a [String]) -> Self {
        Self { engines, suites: Vec::new() }
    }

    pub fn add(&mut self, suite: String, tallies: Vec<SuiteTally>) {
        self.suites.push((suite, tallies));
    }

    /// The score of the first engine.
    pub fn own(&self) -> SuiteScore {
        let mut sum = SuiteTally::default();
        self.suites.iter().filter_map(|(_, tallies)| tallies.first()).for_each(|tally| sum.merge(tally));
        sum.score()
    }
}

/// A table in Markdown, to be read as it is or pasted; times and nodes are means over what was solved.
impl fmt::Display for Totals<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(["<suite", "<engine", ">solved", ">points", ">time to solve, s", ">nodes to solve"]);
        for (suite, tallies) in &self.suites {
            for (engine, tally) in self.engines.iter().zip(tallies) {
                let solved = SuiteScore { reached: tally.solved, most: tally.problems };
                let points = SuiteScore { reached: tally.points, most: tally.most_points };
                let mean = |sum: f64, digits: usize| match tally.solved {
                    0 => "-".to_owned(),
                    solved => format!("{:.digits$}", sum / solved as f64),
                };
                table.add([
                    suite.clone(),
                    engine.clone(),
                    solved.to_string(),
                    if tally.most_points > 0 { points.to_string() } else { "-".to_owned() },
                    mean(tally.time.as_secs_f64(), 3),
                    mean(tally.nodes as f64, 0),
                ]);
            }
        }
        write!(f, "{table}")
    }
}

/// The least that is enough.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Threshold {
    Count(u64),
    Percentage(f64),
}

impl Threshold {
    pub fn is_met(&self, score: SuiteScore) -> bool {
        match *self {
            Self::Count(count) => score.reached >= count,
            Self::Percentage(percentage) => score.percentage() >= percentage,
        }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Percentage(percentage) => write!(f, "{percentage} %"),
        }
    }
}

/// `280` or `93.5%`.
impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let threshold = match text.strip_suffix('%') {
            None => text.parse().ok().map(Self::Count),
            Some(number) => {
                let percentage = number.trim().parse().ok().filter(|percentage| (0.0..=100.0).contains(percentage));
                percentage.map(Self::Percentage)
            }
        };
        threshold.ok_or_else(|| "expected a number, or a percentage such as 90%".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::super::attempt::Moment;
    use super::*;
    use pgn::Epd;

    fn goal(operations: &str) -> Goal {
        let line = format!("4k3/8/8/8/8/8/4P3/4K3 w - - {operations}");
        Goal::of(&Epd::parse(&line).unwrap().unwrap()).unwrap().0
    }

    fn attempt(millis: Option<u64>, points: u32) -> Attempt {
        let solved = millis.map(|millis| Moment { time: Duration::from_millis(millis), nodes: 10 * millis });
        Attempt { choice: "e4".to_owned(), solved, points }
    }

    #[test]
    fn what_is_solved_is_counted_and_what_failed_is_not() {
        let mut tally = SuiteTally::default();
        for attempt in [Some(attempt(Some(100), 0)), Some(attempt(None, 0)), None, Some(attempt(Some(300), 0))] {
            tally.add(&goal("bm e4;"), attempt.as_ref());
        }
        assert_eq!(tally.score(), SuiteScore { reached: 2, most: 4 });
        let engines = ["Vancura".to_owned()];
        let mut totals = Totals::new(&engines);
        totals.add("a.epd".to_owned(), vec![tally]);
        let expected = "\
| suite | engine  |          solved | points | time to solve, s | nodes to solve |
|-------|---------|----------------:|-------:|-----------------:|---------------:|
| a.epd | Vancura | 2 of 4 (50.0 %) |      - |            0.200 |           2000 |";
        assert_eq!(totals.to_string(), expected);
        assert_eq!(totals.own().to_string(), "2 of 4 (50.0 %)");
    }

    #[test]
    fn points_count_for_more_than_solutions() {
        let mut tally = SuiteTally::default();
        tally.add(&goal("c0 \"e4=10, e3=4\""), Some(&attempt(None, 4)));
        tally.add(&goal("c0 \"e4=10, e3=4\""), Some(&attempt(Some(1), 10)));
        assert_eq!(tally.score(), SuiteScore { reached: 14, most: 20 });
        let (own, other) = (vec![tally.clone(), SuiteTally::default()], vec![tally, SuiteTally::default()]);
        let engines = ["one".to_owned(), "two".to_owned()];
        let mut totals = Totals::new(&engines);
        totals.add("a".to_owned(), own);
        totals.add("b".to_owned(), other);
        assert_eq!(totals.own(), SuiteScore { reached: 28, most: 40 });
        assert!(totals.to_string().contains("| b     | two    |  0 of 0 (0.0 %) |"), "{totals}");
    }

    #[test]
    fn thresholds_are_numbers_or_percentages() {
        let score = SuiteScore { reached: 9, most: 10 };
        for (text, is_met) in [("9", true), ("10", false), ("90%", true), ("90.5%", false), ("0", true)] {
            assert_eq!(text.parse::<Threshold>().map(|threshold| threshold.is_met(score)), Ok(is_met), "{text}");
        }
        assert_eq!("90.5 %".parse::<Threshold>().map(|threshold| threshold.to_string()), Ok("90.5 %".to_owned()));
        for text in ["", "x", "-1", "%", "101%", "NaN%", "-1%"] {
            assert!(text.parse::<Threshold>().is_err(), "{text}");
        }
    }
}
