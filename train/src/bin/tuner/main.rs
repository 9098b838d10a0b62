//! Tunes the numbers of the search by games against itself.
//!
//! `tuner run STATE` asks processes of its own for pairs of games, so that each may hold its own numbers, follows the
//! winners, and keeps what it has in a file to go on from. `tuner screen STATE` plays such pairs for several changes at once
//! and follows none.

mod rivals;
mod variable;

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
use search::TUNABLES;
use serde::Serialize;
use train::tuning::spsa::{Effect, Parameter, Spsa};

use crate::rivals::{Job, Terms};
use crate::variable::{Variable, VariableError};

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
    /// Tries several changes at once and moves nothing: in each pair of games a change is on for one side and off for the
    /// other, at random. Prints what each was worth in Elo, the best first. Goes on if the file is there.
    Screen(Screen),
    /// Plays the pairs of games that the standard input asks for, a line each.
    #[command(hide = true)]
    Play,
}

#[derive(Args)]
struct Run {
    #[command(flatten)]
    games: GamesOptions,
    /// The learning rate at the end, as a share of each number's step squared.
    #[arg(long, default_value_t = 0.002)]
    rate: f64,
    /// How many times their usual step the numbers are moved; those whose step is 1 are moved by 1.
    #[arg(long, default_value_t = 1.0, value_parser = read_steps)]
    steps: f64,
    /// The numbers to tune; all by default. NAME=NUMBER,NUMBER moves several in proportion, as one number in percent.
    names: Vec<String>,
}

#[derive(Args)]
struct Screen {
    #[command(flatten)]
    games: GamesOptions,
    /// The changes, as in lmr_base=600 or futility_base=80,futility_margin=60: what these numbers are where it is on.
    #[arg(required = true)]
    changes: Vec<String>,
}

/// How many games are played, how, and where they are kept.
#[derive(Args)]
struct GamesOptions {
    /// Where the results are kept, as JSON; gone on with if it is there. Without a clock, the games are kept beside it, in a
    /// file of that name with `.games` behind it, for `trainer prepare`.
    state: PathBuf,
    /// Pairs of games in all.
    #[arg(long, default_value_t = 10_000)]
    pairs: u64,
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
    #[error(transparent)]
    Variable(#[from] VariableError),
    #[error("{0} holds another tuning ({1}): repeat the command that began it, or choose another file")]
    OtherTuning(PathBuf, String),
    #[error("a process that plays has ended early")]
    Ended,
}

fn main() -> ExitCode {
    platform::make_file_size_limits_errors();
    let done = match Arguments::parse().command {
        Command::Run(run) => run.run(),
        Command::Screen(screen) => screen.run(),
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
        let all = TUNABLES.iter().map(|tunable| tunable.name.to_owned());
        let names: Vec<_> = if self.names.is_empty() { all.collect() } else { self.names.clone() };
        let variables = names.iter().map(|name| Variable::tuned(name)).collect::<Result<Vec<_>, _>>()?;
        let spsa = self.games.play(&variables, self.steps, self.rate)?;
        for parameter in &spsa.parameters {
            let Effect { elo, error } = spsa.effect(parameter);
            let Parameter { name, value, .. } = parameter;
            writeln!(io::stdout(), "{name} = {value:.0} ({elo:+.1} +- {error:.1})")?;
        }
        Ok(())
    }
}

impl Screen {
    fn run(&self) -> Result<(), Error> {
        let variables = self.changes.iter().map(|change| Variable::switched(change)).collect::<Result<Vec<_>, _>>()?;
        // At a rate of 0 nothing follows the winner.
        let spsa = self.games.play(&variables, 1.0, 0.0)?;
        let mut effects: Vec<_> =
            spsa.parameters.iter().map(|parameter| (&parameter.name, spsa.effect(parameter))).collect();
        effects.sort_by(|(_, one), (_, other)| other.elo.total_cmp(&one.elo));
        for (name, Effect { elo, error }) in effects {
            writeln!(io::stdout(), "{elo:+6.1} +- {error:.1}  {name}")?;
        }
        Ok(())
    }
}

impl GamesOptions {
    /// Plays the pairs that are missing.
    fn play(&self, variables: &[Variable], steps: f64, rate: f64) -> Result<Spsa, Error> {
        variable::check(variables)?;
        let parameters = variables.iter().map(|variable| variable.parameter(steps)).collect();
        let mut spsa = Spsa { parameters, iteration: 0, iterations: self.pairs, rate, squares: 0.0 };
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
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed_from_clock());
        let (mut players, results) = rivals::start(&self.terms(), self.processes)?;
        let bar = progress(spsa.iterations);
        spsa.follow(
            players.len(),
            |number, spsa| {
                let trial = spsa.ask(&mut rng);
                let [plus, minus] = [&trial.plus, &trial.minus].map(|values| variable::numbers(variables, values));
                let names = plus.keys().map(|&name| name.to_owned()).collect();
                let [plus, minus] = [plus, minus].map(|numbers| numbers.into_values().collect());
                players[number].ask(Job { seed: rng.random(), names, plus, minus }, trial)
            },
            || results.next().map(|(number, trial, result)| (number, trial, f64::from(result))),
            |spsa| {
                bar.set_position(spsa.iteration);
                save(&self.state, spsa)
            },
        )?;
        Ok(spsa)
    }

    fn terms(&self) -> Terms {
        Terms {
            nodes: self.nodes,
            clock: self.clock.as_ref().map(|control| (control.to_string(), self.nodes_per_millisecond)),
            book: self.book.clone(),
            hash_mib: self.hash,
            // On a clock a move's nodes are not what the settings say.
            games: self.clock.is_none().then(|| self.state.with_added_extension("games")),
        }
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
