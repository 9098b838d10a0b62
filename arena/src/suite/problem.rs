//! The positions of a suite.

use std::path::Path;

use cli::tell;
use movegen::Board;
use pgn::{Epd, read_lines};

use super::error::SuiteError;
use super::goal::Goal;

/// A position to be solved.
pub(super) struct Problem {
    pub name: String,
    pub board: Board,
    pub goal: Goal,
}

/// The problems of a file; what cannot be judged is told.
pub(super) fn read_suite(path: &Path) -> Result<Vec<Problem>, SuiteError> {
    let lines = read_lines(path).map_err(SuiteError::Read)?;
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(&lines) {
        let (problem, faults) = read_problem(number, line);
        for fault in faults {
            tell(format_args!("{}:{number}: {fault}", path.display()));
        }
        problems.extend(problem);
    }
    if problems.is_empty() { Err(SuiteError::Empty(path.to_owned())) } else { Ok(problems) }
}

/// The problem of a line, if it holds one, and what is wrong with it.
fn read_problem(number: usize, line: &str) -> (Option<Problem>, Vec<String>) {
    let epd = match Epd::parse(line) {
        None => return (None, Vec::new()),
        Some(Err(error)) => return (None, vec![format!("skipped: {error}")]),
        Some(Ok(epd)) => epd,
    };
    let mut faults: Vec<_> = epd.warnings.iter().map(|warning| format!("warning: {warning}")).collect();
    let goal = match Goal::of(&epd) {
        Ok(_) if !epd.board.has_legal_move() => Err("the game is over".to_owned()),
        goal => goal.map_err(|error| error.to_string()),
    };
    match goal {
        Ok((goal, ignored)) => {
            faults.extend(ignored.iter().map(|error| format!("warning: {error}; the rest of the line counts")));
            let name = epd.id().map_or_else(|| format!("line {number}"), str::to_owned);
            (Some(Problem { name, board: epd.board, goal }), faults)
        }
        Err(error) => {
            faults.push(format!("skipped: {error}"));
            (None, faults)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_named_by_their_id_or_line() {
        let names = |line| read_problem(7, line).0.map(|problem| problem.name);
        assert_eq!(names("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"one\";"), Some("one".to_owned()));
        assert_eq!(names("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"\";"), Some("line 7".to_owned()));
        assert_eq!(names("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4"), Some("line 7".to_owned()));
        assert_eq!(names("# bm e4"), None);
    }

    #[test]
    fn faults_are_named_and_only_true_ones_skip_the_line() {
        for (line, is_read, faults) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w KQ - bm e4;", true, 2),
            ("", false, 0),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;", false, 1),
            ("nonsense", false, 1),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - dm 1;", false, 1),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e5; am e6;", true, 2),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 dm 26", true, 0),
        ] {
            let (problem, told) = read_problem(1, line);
            assert_eq!((problem.is_some(), told.len()), (is_read, faults), "{line}: {told:?}");
        }
        assert_eq!(read_problem(1, "7k/5Q2/6K1/8/8/8/8/8 b - - dm 1;").1, ["skipped: the game is over"]);
    }
}
