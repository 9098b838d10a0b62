//! The table that grows while a suite runs.

use std::io::{self, Write};

use super::attempt::Attempt;
use super::problem::Problem;

/// Names of positions are cut here, solutions not: they come last.
const MAX_NAME: usize = 28;

/// The columns: the position, those of each engine, and what was asked for.
pub(super) struct ProgressTable<'a> {
    engines: &'a [String],
    name_width: usize,
    has_points: bool,
}

impl<'a> ProgressTable<'a> {
    pub fn new(engines: &'a [String], problems: &[Problem]) -> Self {
        let longest = problems.iter().map(|problem| problem.name.chars().count()).max().unwrap_or_default();
        let has_points = problems.iter().any(|problem| !problem.goal.points.is_empty());
        Self { engines, name_width: longest.clamp("position".len(), MAX_NAME), has_points }
    }

    pub fn write_header(&self, output: &mut impl Write) -> io::Result<()> {
        let cell = self.columns("move", "solved", "time, s", "nodes", "points");
        let names = self.engines.iter().map(|name| fit(name, cell.len()));
        self.write_line(output, "", names, "")?;
        self.write_line(output, "position", self.engines.iter().map(|_| cell.clone()), "wanted")
    }

    /// A row; an engine that failed at a position has no attempt.
    pub fn write_row(
        &mut self,
        output: &mut impl Write,
        problem: &Problem,
        attempts: &[Option<Attempt>],
    ) -> io::Result<()> {
        let cells = attempts.iter().map(|attempt| match attempt {
            Some(attempt) => {
                let points = attempt.points.to_string();
                let points = if problem.goal.points.is_empty() { "-" } else { &points };
                match attempt.solved {
                    Some(moment) => {
                        let time = format!("{:.3}", moment.time.as_secs_f64());
                        self.columns(&attempt.choice, "yes", &time, &moment.nodes.to_string(), points)
                    }
                    None => self.columns(&attempt.choice, "no", "-", "-", points),
                }
            }
            None => self.columns("-", "failed", "-", "-", "-"),
        });
        self.write_line(output, &problem.name, cells, &problem.goal.describe(&problem.board))?;
        // So that the user sees each row at once.
        output.flush()
    }

    fn columns(&self, mv: &str, solved: &str, time: &str, nodes: &str, points: &str) -> String {
        let cell = format!("{mv:<8} {solved:<6} {time:>8} {nodes:>11}");
        if self.has_points { format!("{cell} {points:>6}") } else { cell }
    }

    fn write_line(
        &self,
        output: &mut impl Write,
        name: &str,
        cells: impl Iterator<Item = String>,
        wanted: &str,
    ) -> io::Result<()> {
        let mut line = fit(name, self.name_width);
        for cell in cells {
            line.push_str("  ");
            line.push_str(&cell);
        }
        line.push_str("  ");
        line.push_str(wanted);
        writeln!(output, "{}", line.trim_end())
    }
}

/// The text in exactly so many columns.
fn fit(text: &str, width: usize) -> String {
    format!("{text:<width$.width$}")
}
