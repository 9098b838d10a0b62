//! `vancura winnable`: which side can still mate, for each position of a file.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use cli::{Printable, counted, progress_style};
use indicatif::{ProgressBar, ProgressDrawTarget};
use movegen::unwinnable::{Budget, Examination, Verdict, examine};
use movegen::{Board, CastlingStyle, Color, FenError};
use pgn::{Epd, FileKind, files, is_comment, read_lines};
use rayon::prelude::*;

/// How many lines are answered before any is written: enough for all threads, and a bound on what is kept.
const CHUNK: usize = 4_096;

/// A look at both ways to ask.
const EXAMPLES: &str = "\
Examples:
  vancura winnable positions.fens
  vancura winnable --ignore-75-moves --nodes 1M positions.fens";

/// Proves for each position of a file whether a side can still mate by any series of legal moves.
///
/// Each line is a FEN, with `white` or `black` after it for one side or nothing for both. The answer is `winnable`
/// with a helpmate in UCI moves and a `#`, `unwinnable` with the reason, or `undetermined`; then the positions looked
/// at and the time. Castling is written as the king taking its rook. Empty lines and those with a `#` in front are
/// left out, and lines that are no position are reported by number and skipped.
///
/// The game ends by the seventy-five-move rule: a side that cannot mate before it is unwinnable.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct WinnableArguments {
    /// Files of positions, compressed or not, folders of such files, or `-` for the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only the proofs that are cheap enough for every move of a game; they find no helpmates
    #[arg(long, conflicts_with = "nodes")]
    fast: bool,
    /// How many positions to look at for each answer, at most
    #[arg(long, value_name = "COUNT", value_parser = cli::read_count)]
    nodes: Option<u64>,
    /// Count series of moves of any length: the seventy-five-move rule does not end them
    #[arg(long)]
    ignore_75_moves: bool,
}

/// Why the command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum WinnableError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(#[source] io::Error),
    /// There is no question in the file.
    #[error("{}: no position in the file", .0.display())]
    Empty(PathBuf),
    /// The answers cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[source] io::Error),
}

/// One line of the file.
#[derive(Debug, PartialEq)]
struct Question {
    board: Board,
    winners: Vec<Color>,
}

impl Question {
    /// None for a line without a question.
    fn parse(line: &str) -> Option<Result<Self, FenError>> {
        let line = line.trim();
        if is_comment(line) {
            return None;
        }
        let (fen, winners) = match line.rsplit_once(char::is_whitespace) {
            Some((fen, word)) if word.eq_ignore_ascii_case("white") => (fen, vec![Color::White]),
            Some((fen, word)) if word.eq_ignore_ascii_case("black") => (fen, vec![Color::Black]),
            _ => (line, Color::ALL.to_vec()),
        };
        let board = Board::from_fen(fen.trim()).or_else(|error| match Epd::parse(fen) {
            Some(Ok(epd)) => Ok(epd.board),
            _ => Err(error),
        });
        Some(board.map(|board| Self { board, winners }))
    }
}

/// An answer for one side.
struct Answer {
    winner: Color,
    examination: Examination,
    time: Duration,
}

impl Answer {
    fn find(board: &Board, winner: Color, budget: Budget) -> Self {
        let start = Instant::now();
        let examination = examine(board, winner, budget);
        Self { winner, examination, time: start.elapsed() }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.winner {
            Color::White => "white",
            Color::Black => "black",
        };
        write!(f, "{side} ")?;
        match &self.examination.verdict {
            Verdict::Winnable(line) => {
                f.write_str("winnable")?;
                line.iter().try_for_each(|mv| write!(f, " {}", mv.uci(CastlingStyle::Chess960)))?;
                f.write_str("#")?;
            }
            Verdict::Unwinnable(proof) => write!(f, "unwinnable {proof}")?,
            Verdict::Undetermined => f.write_str("undetermined")?,
        }
        write!(f, " nodes {} us {}", self.examination.nodes, self.time.as_micros())
    }
}

/// The totals over all lines.
#[derive(Default)]
struct WinnableTotals {
    winnable: usize,
    unwinnable: usize,
    undetermined: usize,
    dead: usize,
    bad: usize,
    nodes: u64,
    time: Duration,
}

impl WinnableTotals {
    const fn answers(&self) -> usize {
        self.winnable + self.unwinnable + self.undetermined
    }

    fn add(&mut self, answers: &[Answer]) {
        for answer in answers {
            match answer.examination.verdict {
                Verdict::Winnable(_) => self.winnable += 1,
                Verdict::Unwinnable(_) => self.unwinnable += 1,
                Verdict::Undetermined => self.undetermined += 1,
            }
            self.nodes += answer.examination.nodes;
            self.time += answer.time;
        }
        self.dead += usize::from(answers.len() == 2 && answers.iter().all(|a| a.examination.verdict.is_unwinnable()));
    }
}

impl fmt::Display for WinnableTotals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answers = self.answers();
        let mean = self.time.as_secs_f64() * 1e6 / answers.max(1) as f64;
        write!(
            f,
            "{}: {} winnable, {} unwinnable, {} undetermined; {}, {}; {} nodes, {mean:.1} us an answer",
            counted(answers, "answer"),
            self.winnable,
            self.unwinnable,
            self.undetermined,
            counted(self.dead, "dead position"),
            counted(self.bad, "bad line"),
            self.nodes
        )
    }
}

/// Answers all lines of the file, in their order.
///
/// # Errors
///
/// If the file cannot be read or the standard output not be written.
pub fn run(arguments: &WinnableArguments) -> Result<(), WinnableError> {
    let files = files(&arguments.files, FileKind::Positions).map_err(WinnableError::Read)?;
    let budget = match arguments.nodes {
        _ if arguments.fast => Budget::FAST,
        Some(nodes) => Budget::nodes(nodes),
        None => Budget::FULL,
    };
    let budget = if arguments.ignore_75_moves { budget.without_seventy_five_moves() } else { budget };
    let is_watched = io::stderr().is_terminal();
    let (mut output, mut errors) = (Printable::new(io::stdout().lock()), Printable::new(io::stderr()));
    let mut totals = WinnableTotals::default();
    for path in &files {
        let lines = read_lines(path).map_err(WinnableError::Read)?;
        let before = totals.answers();
        let name = if files.len() > 1 { format!("{}: ", path.display()) } else { String::new() };
        let answered = answer_all(&lines, &name, budget, &mut totals, &mut output, &mut errors, is_watched);
        answered.map_err(WinnableError::Write)?;
        if totals.answers() == before {
            return Err(WinnableError::Empty(path.clone()));
        }
    }
    // That nobody reads it is no error.
    let _ = writeln!(errors, "{totals}");
    Ok(())
}

/// Answers the lines of a file; faults begin with its name.
fn answer_all(
    lines: &[String],
    name: &str,
    budget: Budget,
    totals: &mut WinnableTotals,
    output: &mut impl Write,
    errors: &mut impl Write,
    is_watched: bool,
) -> io::Result<()> {
    let target = if is_watched { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let progress = ProgressBar::with_draw_target(Some(lines.len() as u64), target);
    progress.set_style(progress_style("{bar:40} {pos}/{len} lines{left}"));
    for (chunk_number, chunk) in lines.chunks(CHUNK).enumerate() {
        let answers: Vec<_> = chunk
            .par_iter()
            .map(|line| {
                let answers = Question::parse(line).map(|question| {
                    question.map(|Question { board, winners }| -> Vec<_> {
                        winners.into_iter().map(|winner| Answer::find(&board, winner, budget)).collect()
                    })
                });
                progress.inc(1);
                answers
            })
            .collect();
        let mut written = String::new();
        for (index, (line, answers)) in chunk.iter().zip(answers).enumerate() {
            match answers {
                None => {}
                Some(Ok(answers)) => {
                    totals.add(&answers);
                    for answer in answers {
                        // Writing to a string cannot fail.
                        let _ = writeln!(written, "{}: {answer}", fen_of(line));
                    }
                }
                Some(Err(error)) => {
                    totals.bad += 1;
                    let number = chunk_number * CHUNK + index + 1;
                    // That nobody reads it is no error, here and below.
                    progress.suspend(|| drop(writeln!(errors, "{name}line {number}: {error}")));
                }
            }
        }
        output.write_all(written.as_bytes())?;
    }
    progress.finish_and_clear();
    output.flush()
}

/// The line without the side after it.
fn fen_of(line: &str) -> &str {
    let line = line.trim();
    match line.rsplit_once(char::is_whitespace) {
        Some((fen, side)) if side.eq_ignore_ascii_case("white") || side.eq_ignore_ascii_case("black") => fen.trim(),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(text: &str) -> (Vec<String>, String) {
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        let mut totals = WinnableTotals::default();
        answer_all(&lines, "", Budget::FULL, &mut totals, &mut output, &mut errors, false).unwrap();
        writeln!(errors, "{totals}").unwrap();
        let output = String::from_utf8(output).unwrap();
        (output.lines().map(str::to_owned).collect(), String::from_utf8(errors).unwrap())
    }

    #[test]
    fn answers_come_in_order_and_bad_lines_are_named() {
        let text = "# mate in one, and a bare king\n7k/R7/6K1/8/8/8/8/8 w - - 0 1\n\nnonsense\n\
                    8/8/4k3/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1 Black\n4k3/8/8/8/8/8/8/4K3 b - - white\r\n";
        let (lines, errors) = answers(text);
        let starts = [
            "7k/R7/6K1/8/8/8/8/8 w - - 0 1: white winnable a7a8# nodes ",
            "7k/R7/6K1/8/8/8/8/8 w - - 0 1: black unwinnable material nodes ",
            "8/8/4k3/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1: black unwinnable blocked",
            "4k3/8/8/8/8/8/8/4K3 b - -: white unwinnable material nodes ",
        ];
        assert_eq!(lines.len(), starts.len(), "{lines:#?}");
        for (line, start) in lines.iter().zip(starts) {
            assert!(line.starts_with(start), "{line}");
        }
        assert!(errors.starts_with("line 4: "), "{errors}");
        assert!(errors.contains("4 answers: 1 winnable, 3 unwinnable, 0 undetermined; 0 dead positions, 1 bad line;"));
    }

    #[test]
    fn a_dead_position_is_counted() {
        assert!(answers("4k3/8/8/8/8/8/8/4K3 w - - 0 1").1.contains("1 dead position,"));
        assert!(answers("").1.starts_with("0 answers"));
    }

    #[test]
    fn lines_may_be_epd() {
        let (lines, errors) =
            answers("// comment\n4k3/8/8/8/8/8/8/4K3 w - - hmvc 3; ID \"x\";\n\"4k3/8/8/8/8/8/8/4K3 w - -\" white");
        assert!(lines.len() == 3 && lines.iter().all(|line| line.contains("unwinnable")), "{lines:#?}");
        assert!(errors.contains(" 0 bad lines;"), "{errors}");
    }
}
