//! `vancura suite`: test positions with known solutions, for Vancura and for other engines beside it.

mod attempt;
mod engine;
mod error;
mod goal;
mod problem;
mod progress_table;
mod tally;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use cli::{Printable, cores, counted, in_order, progress_bar, tell};
use pgn::FileKind;

use self::attempt::Attempt;
use self::engine::{SuiteConditions, SuiteEngine};
pub use self::error::SuiteError;
use self::problem::{Problem, read_suite};
use self::progress_table::ProgressTable;
use self::tally::{SuiteTally, Threshold, Totals};
use crate::client::{EngineCommand, UciError};
use crate::interruption::Interruption;

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
  vancura suite wac.epd --time 1 --engine ./other-engine --at-least 95%";

/// Lets engines solve test positions, and counts what they solve.
#[derive(Args, Debug)]
#[command(after_long_help = OPERATIONS)]
pub struct SuiteArguments {
    /// Files of positions in EPD, compressed or not, folders of such files, or `-` for the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Seconds for each position [default: 1 if there is no other limit]
    #[arg(short, long, value_name = "SECONDS", value_parser = cli::read_seconds)]
    time: Option<Duration>,
    /// Nodes for each position
    #[arg(short, long, value_name = "COUNT", value_parser = cli::read_count)]
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
    /// MiB of each engine's transposition table [default: 64, or less for few nodes]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// An option for all engines, such as SyzygyPath
    #[arg(short, long = "option", value_name = "NAME=VALUE", value_parser = cli::read_option)]
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

/// Runs the suites, until all is done or the user presses Ctrl-C. The exit status says whether Vancura solved enough.
///
/// # Errors
///
/// If a file or an engine cannot be used, or the results not be written, or the run is interrupted, after the totals of
/// what is done. What engines do with a position is no error.
pub fn run(arguments: &SuiteArguments) -> Result<ExitCode, SuiteError> {
    run_until(Interruption::on_ctrl_c(), arguments)
}

fn run_until(interruption: Interruption, arguments: &SuiteArguments) -> Result<ExitCode, SuiteError> {
    let files = pgn::files(&arguments.files, FileKind::Positions).map_err(SuiteError::Read)?;
    let suites = files.iter().map(|path| read_suite(path)).collect::<Result<Vec<_>, _>>()?;
    let conditions = conditions(arguments, interruption);
    let mut jobs = start_jobs(arguments, &conditions)?;
    let names: Vec<_> = jobs[0].iter().map(|engine| engine.name().to_owned()).collect();
    let mut output = Printable::new(io::stdout().lock());
    let mut totals = Totals::new(&names);
    let mut is_interrupted = false;
    for (path, problems) in files.iter().zip(&suites) {
        let mut table = (!arguments.quiet).then(|| ProgressTable::new(&names, problems));
        if let Some(table) = &table {
            table.write_header(&mut output)?;
        }
        let solved = solve(problems, &mut jobs, &conditions, |problem, attempts| match &mut table {
            Some(table) => table.write_row(&mut output, problem, attempts),
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
    tell(format_args!("{score} is less than {threshold}"));
    Ok(ExitCode::FAILURE)
}

fn suite_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn conditions(arguments: &SuiteArguments, interruption: Interruption) -> SuiteConditions {
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
    SuiteConditions {
        go,
        patience: time.unwrap_or_default() + Duration::from_secs(arguments.patience),
        // Threads first: some engines share out their table by them.
        defaults: [("Threads", arguments.threads), ("Hash", hash_mib(arguments))]
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

/// The table of each engine: small for few nodes, since it is cleared before each position.
fn hash_mib(arguments: &SuiteArguments) -> u32 {
    // Far more than a search fills, so that what it finds does not depend on it.
    const BYTES_PER_NODE: u64 = 4096;
    const MAX_MIB: u64 = 64;
    let by_nodes =
        |nodes: u64| (nodes.saturating_mul(BYTES_PER_NODE) >> 20).clamp(1, MAX_MIB).next_power_of_two() as u32;
    arguments.hash.unwrap_or_else(|| arguments.nodes.map_or(MAX_MIB as u32, by_nodes))
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
    let threads = counted(arguments.threads as usize, "thread");
    format!("Each position: {}, {threads}, {} MiB", limits.join(" or "), hash_mib(arguments))
}

/// The engines, once for each job.
fn start_jobs(arguments: &SuiteArguments, conditions: &SuiteConditions) -> Result<Vec<Vec<SuiteEngine>>, SuiteError> {
    let jobs = match arguments.jobs {
        Some(jobs) => usize::from(jobs),
        // Searches at the same time take time from each other.
        None if time_limit(arguments).is_some() => 1,
        None => (cores() / arguments.threads as usize).max(1),
    };
    let commands: Vec<_> = [EngineCommand::Own].iter().chain(&arguments.engines).cloned().collect();
    let engines = || commands.iter().map(|command| SuiteEngine::start(command, conditions)).collect();
    (0..jobs).map(|_| engines()).collect()
}

/// What came of a suite.
struct Solved {
    /// How many problems all engines had, the first ones: less than there are if the run was interrupted.
    count: usize,
    /// One for each engine.
    tallies: Vec<SuiteTally>,
}

/// What each engine made of a problem.
type Attempts = Result<Vec<Result<Attempt, UciError>>, SuiteError>;

/// Sets all problems to all engines; `show` hears of each when all have had it, in order.
fn solve(
    problems: &[Problem],
    jobs: &mut [Vec<SuiteEngine>],
    conditions: &SuiteConditions,
    mut show: impl FnMut(&Problem, &[Option<Attempt>]) -> io::Result<()>,
) -> Result<Solved, SuiteError> {
    let names: Vec<_> = jobs[0].iter().map(|engine| engine.name().to_owned()).collect();
    let progress = progress_bar(Some(problems.len() as u64), "positions");
    let attempt = |engines: &mut &mut Vec<SuiteEngine>, index: usize| {
        let problem = &problems[index];
        let Problem { board, goal, .. } = problem;
        let attempts = engines.iter_mut().map(|engine| engine.solve(board, goal, conditions));
        (problem, attempts.collect::<Attempts>())
    };
    let mut solved = Solved { count: 0, tallies: vec![SuiteTally::default(); names.len()] };
    let mut result = Ok(());
    let take = |(problem, attempts): (&Problem, Attempts)| {
        result = attempts.and_then(|attempts| {
            let attempts: Vec<_> =
                attempts.into_iter().zip(&names).map(|(attempt, name)| reported(attempt, name, problem)).collect();
            let tallies = solved.tallies.iter_mut();
            tallies.zip(&attempts).for_each(|(tally, attempt)| tally.add(&problem.goal, attempt.as_ref()));
            solved.count += 1;
            progress.suspend(|| show(problem, &attempts)).map_err(SuiteError::Write)
        });
        progress.inc(1);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    in_order(0..problems.len(), jobs.iter_mut().collect(), None, attempt, take).map_err(SuiteError::Threads)?;
    progress.finish_and_clear();
    match result {
        Ok(()) | Err(SuiteError::Interrupted) => Ok(solved),
        Err(error) => Err(error),
    }
}

/// The attempt of an engine; reports an engine that failed.
fn reported(attempt: Result<Attempt, UciError>, name: &str, problem: &Problem) -> Option<Attempt> {
    attempt.inspect_err(|error| tell(format_args!("{}: {name}: {error}", problem.name))).ok()
}
