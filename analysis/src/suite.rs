//! `vancura suite`: test positions with known solutions, for Vancura and for other engines beside it.

mod contender;
mod goal;
mod table;
mod tally;
mod trial;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::Args;
use crossbeam_channel::bounded;
use indicatif::{ProgressBar, ProgressStyle};
use movegen::Board;

use self::contender::{Conditions, Contender};
use self::goal::Goal;
use self::table::Table;
use self::tally::{Tally, Threshold, Totals};
use self::trial::Trial;
use crate::epd::{Epd, read_lines};
use crate::interrupt;
use crate::uci_client::{EngineCommand, Interruption, UciError};

/// What the operations mean.
const OPERATIONS: &str = "\
What solves a position (a line of EPD; SAN and coordinates are both read):
  bm Qg6 Nf3;   the engine plays one of these moves
  am Nxb6;      the engine plays none of these moves
  dm 3; bm #3;  the engine announces mate in 3 or fewer (#-3: that it is mated)
  c8 \"10 7\"; c9 \"e2e4 d2d4\"; or c0 \"e4=10, d4=7\";  points for moves, as in the
                Strategic Test Suite
Time and nodes are those at which the solution became the choice for the last time and stayed;
the totals hold their means over the positions solved. Each position is searched with an empty
table. Lines that cannot be read are reported and skipped; of several moves those that can be read
count, and the others are reported.

Ctrl-C ends the run with the totals of what is done.

The exit status is 0, 1 if --at-least was missed, and 2 if something went wrong.

Examples:
  vancura suite wac.epd --nodes 100000
  vancura suite wac.epd --time 1 --engine stockfish --at-least 95%";

/// Lets engines solve test positions, and counts what they solve.
#[derive(Args, Debug)]
#[command(after_long_help = OPERATIONS)]
pub struct SuiteArguments {
    /// Files of positions in EPD, or `-` for the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Seconds for each position [default: 1 if there is no other limit]
    #[arg(short, long, value_name = "SECONDS", value_parser = read_seconds)]
    time: Option<Duration>,
    /// Nodes for each position
    #[arg(short, long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies for each position
    #[arg(short, long, value_parser = clap::value_parser!(u32).range(1..=255))]
    depth: Option<u32>,
    /// Another engine to set the same positions, beside Vancura: its command line. May be given several times
    #[arg(short, long = "engine", value_name = "COMMAND")]
    engines: Vec<EngineCommand>,
    /// Positions to work on at the same time [default: 1 with --time, else one for each core]
    #[arg(short, long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Threads that each engine searches with
    #[arg(long, default_value_t = 1, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// MiB of each engine's transposition table
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// An option for all engines, such as SyzygyPath
    #[arg(short, long = "option", value_name = "NAME=VALUE", value_parser = crate::play::read_option)]
    options: Vec<(String, String)>,
    /// Seconds beyond the limit after which an engine counts as hung
    #[arg(long, default_value_t = 600, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
    /// Fail if Vancura solves less than this, a number or a percentage; of the points where there are some
    #[arg(long, value_name = "SCORE")]
    at_least: Option<Threshold>,
    /// Only the totals
    #[arg(short, long)]
    quiet: bool,
}

/// Why a suite could not be run.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A file that cannot be read.
    #[error("{0}")]
    Read(#[source] io::Error),
    /// A file without a position to solve.
    #[error("{}: there is no position to solve", .0.display())]
    Empty(PathBuf),
    /// An engine that cannot be started, or not again.
    #[error("{command}: {error}")]
    Engine {
        /// Its command line.
        command: String,
        /// What went wrong.
        error: UciError,
    },
    /// An option that an engine does not have.
    #[error("{command} has no option {name:?}")]
    NoOption {
        /// The engine's command line.
        command: String,
        /// The option.
        name: String,
    },
    /// The threads that were asked for are not to be had.
    #[error("no threads for so many jobs: {0}")]
    Threads(#[source] io::Error),
    /// The results cannot be written.
    #[error("the results cannot be written: {0}")]
    Write(#[from] io::Error),
    /// The user ended the run before its time.
    #[error("interrupted")]
    Interrupted,
}

pub(crate) fn read_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "a time is a number of seconds from 0.001 to 86400".to_owned())
}

/// A position to be solved.
struct Problem {
    name: String,
    board: Board,
    goal: Goal,
}

/// Runs the suites, until all is done or the user presses Ctrl-C. The exit status says whether Vancura solved enough.
///
/// # Errors
///
/// If a file or an engine cannot be used, or the results not be written, or the run is interrupted, after the totals of
/// what is done. What engines do with a position is no error.
pub fn run(arguments: &SuiteArguments) -> Result<ExitCode, SuiteError> {
    let (running, interruption) = bounded(0);
    interrupt::at_ctrl_c(move || drop(running));
    run_until(interruption, arguments)
}

fn run_until(interruption: Interruption, arguments: &SuiteArguments) -> Result<ExitCode, SuiteError> {
    let suites = arguments.files.iter().map(|path| read_suite(path)).collect::<Result<Vec<_>, _>>()?;
    let conditions = conditions(arguments, interruption);
    let mut crews = start_crews(arguments, &conditions)?;
    let names: Vec<_> = crews[0].iter().map(|contender| contender.name().to_owned()).collect();
    let mut output = io::stdout().lock();
    let mut totals = Totals::new(&names);
    let mut is_interrupted = false;
    for (path, problems) in arguments.files.iter().zip(&suites) {
        let mut table = (!arguments.quiet).then(|| Table::new(&names, problems));
        if let Some(table) = &table {
            table.write_header(&mut output)?;
        }
        let solved = solve(problems, &mut crews, &conditions, |problem, trials| match &mut table {
            Some(table) => table.write_row(&mut output, problem, trials),
            None => Ok(()),
        })?;
        is_interrupted = solved.count < problems.len();
        let cut =
            if is_interrupted { format!(", first {} of {}", solved.count, problems.len()) } else { String::new() };
        totals.add(suite_name(path) + &cut, solved.tallies);
        if table.is_some() {
            writeln!(output)?;
        }
        if is_interrupted {
            break;
        }
    }
    writeln!(output, "{}\n\n{totals}", describe(arguments))?;
    output.flush()?;
    if is_interrupted {
        return Err(SuiteError::Interrupted);
    }
    let Some(threshold) = &arguments.at_least else { return Ok(ExitCode::SUCCESS) };
    let score = totals.own();
    if threshold.is_met(score) {
        return Ok(ExitCode::SUCCESS);
    }
    // Nobody may be there to read it.
    let _ = writeln!(io::stderr(), "{score} is less than {threshold}");
    Ok(ExitCode::FAILURE)
}

/// The problems of a file; what cannot be judged is told.
fn read_suite(path: &Path) -> Result<Vec<Problem>, SuiteError> {
    let lines = read_lines(path).map_err(SuiteError::Read)?;
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(&lines) {
        let (problem, faults) = read_problem(number, line);
        for fault in faults {
            // Nobody may be there to read it.
            let _ = writeln!(io::stderr(), "{}:{number}: {fault}", path.display());
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

fn suite_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn conditions(arguments: &SuiteArguments, interruption: Interruption) -> Conditions {
    let time = time_limit(arguments);
    let mut go = "go".to_owned();
    let limits = [
        ("movetime", time.map(|time| time.as_millis() as u64)),
        ("nodes", arguments.nodes),
        ("depth", arguments.depth.map(u64::from)),
    ];
    for (name, value) in limits.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        // Writing to a string cannot fail.
        let _ = write!(go, " {name} {value}");
    }
    Conditions {
        go,
        patience: time.unwrap_or_default() + Duration::from_secs(arguments.patience),
        // Threads first: some engines share out their table by them.
        defaults: [("Threads", arguments.threads), ("Hash", arguments.hash)]
            .map(|(name, value)| (name.to_owned(), value.to_string()))
            .to_vec(),
        options: arguments.options.clone(),
        interruption,
    }
}

fn time_limit(arguments: &SuiteArguments) -> Option<Duration> {
    let is_limited = arguments.nodes.is_some() || arguments.depth.is_some();
    arguments.time.or_else(|| (!is_limited).then_some(Duration::from_secs(1)))
}

/// The conditions in words, without which results say little.
fn describe(arguments: &SuiteArguments) -> String {
    let limits: Vec<_> = [
        time_limit(arguments).map(|time| format!("{} s", time.as_secs_f64())),
        arguments.nodes.map(|nodes| format!("{nodes} nodes")),
        arguments.depth.map(|depth| format!("depth {depth}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    let threads = if arguments.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", arguments.threads) };
    format!("Each position: {}, {threads}, {} MiB", limits.join(" or "), arguments.hash)
}

/// The engines, once for each job.
fn start_crews(arguments: &SuiteArguments, conditions: &Conditions) -> Result<Vec<Vec<Contender>>, SuiteError> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let jobs = match arguments.jobs {
        Some(jobs) => usize::from(jobs),
        // Searches at the same time take time from each other.
        None if time_limit(arguments).is_some() => 1,
        None => (cores / arguments.threads as usize).max(1),
    };
    let commands: Vec<_> = [EngineCommand::Own].iter().chain(&arguments.engines).cloned().collect();
    let crew = || commands.iter().map(|command| Contender::start(command, conditions)).collect();
    (0..jobs).map(|_| crew()).collect()
}

/// What came of a suite.
struct Solved {
    /// How many problems all engines had, the first ones: less than there are if the run was interrupted.
    count: usize,
    /// One for each engine.
    tallies: Vec<Tally>,
}

/// Sets all problems to all engines; `show` hears of each when all have had it, in order.
fn solve(
    problems: &[Problem],
    crews: &mut [Vec<Contender>],
    conditions: &Conditions,
    mut show: impl FnMut(&Problem, &[Option<Trial>]) -> io::Result<()>,
) -> Result<Solved, SuiteError> {
    let names: Vec<_> = crews[0].iter().map(|contender| contender.name().to_owned()).collect();
    let progress = ProgressBar::new(problems.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} positions, {eta} left") {
        progress.set_style(style);
    }
    let attempt = |crew: &mut &mut Vec<Contender>, index: usize| -> Result<Vec<_>, SuiteError> {
        let Problem { board, goal, .. } = &problems[index];
        crew.iter_mut().map(|contender| contender.solve(board, goal, conditions)).collect()
    };
    let mut solved = Solved { count: 0, tallies: vec![Tally::default(); names.len()] };
    let mut result = Ok(());
    let take = |index: usize, attempts: Result<Vec<Result<Trial, UciError>>, SuiteError>| {
        let problem = &problems[index];
        result = attempts.and_then(|attempts| {
            let trials: Vec<_> =
                attempts.into_iter().zip(&names).map(|(trial, name)| heard(trial, name, problem)).collect();
            let tallies = solved.tallies.iter_mut();
            tallies.zip(&trials).for_each(|(tally, trial)| tally.add(&problem.goal, trial.as_ref()));
            solved.count += 1;
            progress.suspend(|| show(problem, &trials)).map_err(SuiteError::Write)
        });
        progress.inc(1);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    crate::ordered::in_order(problems.len(), crews.iter_mut().collect(), attempt, take).map_err(SuiteError::Threads)?;
    progress.finish_and_clear();
    match result {
        Ok(()) | Err(SuiteError::Interrupted) => Ok(solved),
        Err(error) => Err(error),
    }
}

/// What an engine answered; what it did instead is told.
fn heard(trial: Result<Trial, UciError>, name: &str, problem: &Problem) -> Option<Trial> {
    // Nobody may be there to read it.
    trial.inspect_err(|error| drop(writeln!(io::stderr(), "{}: {name}: {error}", problem.name))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds() {
        assert_eq!(read_seconds("1.5"), Ok(Duration::from_millis(1500)));
        for text in ["", "x", "0", "-1", "inf", "NaN", "1e9", "0.0001"] {
            assert!(read_seconds(text).is_err(), "{text}");
        }
    }

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
        ] {
            let (problem, told) = read_problem(1, line);
            assert_eq!((problem.is_some(), told.len()), (is_read, faults), "{line}: {told:?}");
        }
        assert_eq!(read_problem(1, "7k/5Q2/6K1/8/8/8/8/8 b - - dm 1;").1, ["skipped: the game is over"]);
    }
}
