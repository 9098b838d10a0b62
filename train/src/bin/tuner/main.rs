//! Tunes the numbers of the search by games against itself.
//!
//! `tuner run STATE` asks processes of its own for pairs of games, so that each may hold its own numbers, follows the
//! winners, and keeps what it has in a file to go on from.

mod rivals;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Parser, Subcommand};
use fs_err as fs;
use indicatif::ProgressBar;
use movegen::{TimeControl, TimeControlError};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use search::{TUNABLES, Tunable};
use serde::Serialize;
use train::tuning::spsa::{Effect, Parameter, Spsa};

use crate::rivals::{Job, Terms};

/// Tunes the numbers of the search by games against itself.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Begins a tuning on this machine alone, or goes on with it if the file is there; then --pairs, --rate, --steps and the
    /// numbers must be those it began with. Prints what each number came to, and what moving it was worth in Elo.
    Run(Run),
    /// Plays the pairs of games that the standard input asks for, a line each.
    #[command(hide = true)]
    Play,
}

#[derive(Args)]
struct Run {
    /// Where the tuning is kept, as JSON; gone on with if it is there. Without a clock, its games are kept beside it, in a
    /// file of that name with `.games` behind it, for `trainer prepare`.
    state: PathBuf,
    /// Pairs of games in all.
    #[arg(long, default_value_t = 10_000)]
    pairs: u64,
    /// The learning rate at the end, as a share of each number's step squared.
    #[arg(long, default_value_t = 0.002)]
    rate: f64,
    /// How many times their usual step the numbers are moved; those whose step is 1 are moved by 1.
    #[arg(long, default_value_t = 1.0, value_parser = read_steps)]
    steps: f64,
    /// Processes that play at once.
    #[arg(long, default_value_t = 2)]
    processes: usize,
    /// Nodes of each move, at which its search ends.
    #[arg(long, default_value_t = 20_000, value_parser = cli::read_count)]
    nodes: u64,
    /// A time control for each game, as in 2+0.02 or 40/10, instead of a number of nodes for each move.
    #[arg(long, value_name = "CONTROL")]
    clock: Option<TimeControl>,
    /// Nodes that count as a millisecond on the clock.
    #[arg(long, default_value_t = 400, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    nodes_per_millisecond: u64,
    /// An EPD or FEN file with positions to start from.
    #[arg(long)]
    book: Option<PathBuf>,
    /// Each side's transposition table in MiB.
    #[arg(long, default_value_t = 4)]
    hash: usize,
    /// The numbers to tune; all by default.
    names: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Book(#[from] pgn::OpeningError),
    #[error(transparent)]
    Clock(#[from] TimeControlError),
    #[error("no number is called {0}")]
    NoNumber(String),
    #[error("{0} holds another tuning ({1}): repeat the command that began it, or choose another file")]
    OtherTuning(PathBuf, String),
    #[error("a process that plays has ended early")]
    Ended,
}

fn main() -> ExitCode {
    platform::make_file_size_limits_errors();
    let done = match Arguments::parse().command {
        Command::Run(run) => run.run(),
        Command::Play => rivals::serve(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::tell(format_args!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

impl Run {
    fn run(&self) -> Result<(), Error> {
        let mut spsa = self.begin()?;
        match fs::read(&self.state) {
            Ok(bytes) => {
                let kept: Spsa = serde_json::from_slice(&bytes)?;
                if let Some(difference) = kept.difference(&spsa) {
                    return Err(Error::OtherTuning(self.state.clone(), difference));
                }
                spsa = kept;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        let names: Vec<String> = spsa.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed_from_clock());
        let terms = Terms {
            nodes: self.nodes,
            clock: self.clock.as_ref().map(|control| (control.to_string(), self.nodes_per_millisecond)),
            book: self.book.clone(),
            hash_mib: self.hash,
            // On a clock a move's nodes are not what the settings say.
            games: self.clock.is_none().then(|| self.state.with_added_extension("games")),
        };
        let (mut players, results) = rivals::start(&terms, self.processes)?;
        let bar = progress(spsa.iterations);
        spsa.follow(
            players.len(),
            |number, spsa| {
                let trial = spsa.ask(&mut rng);
                let (plus, minus) = (trial.plus.clone(), trial.minus.clone());
                players[number].ask(Job { seed: rng.random(), names: names.clone(), plus, minus }, trial)
            },
            || results.next().map(|(number, trial, result)| (number, trial, f64::from(result))),
            |spsa| {
                bar.set_position(spsa.iteration);
                save(&self.state, spsa)
            },
        )?;
        for parameter in &spsa.parameters {
            let Effect { elo, error } = spsa.effect(parameter);
            let Parameter { name, value, .. } = parameter;
            writeln!(io::stdout(), "{name} = {value:.0} ({elo:+.1} +- {error:.1})")?;
        }
        Ok(())
    }

    fn begin(&self) -> Result<Spsa, Error> {
        for name in &self.names {
            if TUNABLES.iter().all(|tunable| tunable.name != name) {
                return Err(Error::NoNumber(name.clone()));
            }
        }
        let wanted = TUNABLES
            .iter()
            .filter(|tunable| self.names.is_empty() || self.names.iter().any(|name| name == tunable.name));
        let parameters = wanted.map(|tunable| self.parameter(tunable)).collect();
        Ok(Spsa { parameters, iteration: 0, iterations: self.pairs, rate: self.rate, squares: 0.0 })
    }

    fn parameter(&self, tunable: &Tunable) -> Parameter {
        let (min, max) = (f64::from(tunable.min), f64::from(tunable.max));
        let (value, step) = match (max - min, tunable.step) {
            // On or off: halfway, so that either is tried as often.
            (1.0, _) => (0.5, 0.5),
            (_, 1) => (f64::from(tunable.default), 1.0),
            (_, step) => (f64::from(tunable.default), f64::from(step) * self.steps),
        };
        Parameter { name: tunable.name.to_owned(), value, min, max, step, lead: 0.0 }
    }
}

/// A factor on steps.
fn read_steps(text: &str) -> Result<f64, String> {
    let factor = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.1..=10.0).contains(&factor) { Ok(factor) } else { Err("must be from 0.1 to 10".to_owned()) }
}

fn seed_from_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

/// Replaces the state at once, so that there is always a whole one.
fn save(path: &Path, state: &impl Serialize) -> Result<(), Error> {
    Ok(platform::write_file(path, serde_json::to_vec_pretty(state)?)?)
}

/// A bar that shows how many pairs have been played.
fn progress(pairs: u64) -> ProgressBar {
    ProgressBar::new(pairs).with_style(cli::progress_style("{pos}/{len} pairs, {per_sec}{left}"))
}
