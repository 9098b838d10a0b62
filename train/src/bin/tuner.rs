//! Tunes the numbers of the search by games against itself.
//!
//! `tuner run STATE` asks processes of its own for pairs of games, so that each may hold its own numbers, follows the
//! winners, and keeps what it has in a file to go on from.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command as Process, ExitCode, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Parser, Subcommand};
use crossbeam_channel::{Receiver, Sender, unbounded};
use eval::Network;
use fs_err as fs;
use indicatif::{ProgressBar, ProgressStyle};
use movegen::Color;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use search::TUNABLES;
use serde::{Deserialize, Serialize};
use train::datagen::{Limits, Openings, Player, Settings};
use train::game::GameResult;
use train::spsa::{Parameter, Spsa, Trial};

/// Tunes the numbers of the search by games against itself.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Begins a tuning, or goes on with it if the file is there; then --pairs, --rate and the numbers must be those it
    /// began with.
    Run(Run),
    /// Plays the pairs of games that the standard input asks for, a line each.
    #[command(hide = true)]
    Play(Playing),
}

/// How games are played.
#[derive(Args, Clone)]
struct Playing {
    /// Nodes of each move after which no new iteration begins.
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    /// An EPD or FEN file with positions to start from.
    #[arg(long)]
    book: Option<PathBuf>,
    /// Each side's transposition table in MiB.
    #[arg(long, default_value_t = 4)]
    hash: usize,
}

#[derive(Args)]
struct Run {
    /// Where the tuning is kept, as JSON; gone on with if it is there.
    state: PathBuf,
    /// Pairs of games in all.
    #[arg(long, default_value_t = 10_000)]
    pairs: u64,
    /// The learning rate at the end, as a share of each number's step squared.
    #[arg(long, default_value_t = 0.002)]
    rate: f64,
    /// Processes that play at once.
    #[arg(long, default_value_t = 2)]
    processes: usize,
    #[command(flatten)]
    playing: Playing,
    /// The numbers to tune; all by default.
    names: Vec<String>,
}

/// A pair of games to be played: from one opening, each variant with either colour.
#[derive(Serialize, Deserialize)]
struct Job {
    seed: u64,
    trial: Trial,
    names: Vec<String>,
}

/// How it ended.
#[derive(Serialize, Deserialize)]
struct Reply {
    trial: Trial,
    /// Wins less losses of the variant `plus`.
    result: f64,
}

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Book(#[from] pgn::OpeningError),
    #[error("no number is called {0}")]
    NoNumber(String),
    #[error("{0} holds another tuning ({1}): repeat the command that began it, or choose another file")]
    OtherTuning(PathBuf, String),
    #[error("a process that plays has ended early")]
    Ended,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run(run) => run.run(),
        Command::Play(playing) => playing.serve(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
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
        let (replies, incoming) = unbounded();
        let mut players = Vec::new();
        for _ in 0..self.processes.max(1) {
            players.push(PlayerProcess::start(&self.playing, players.len(), &replies)?);
        }
        drop(replies);
        let bar = ProgressBar::new(spsa.iterations).with_style(
            ProgressStyle::with_template("{pos}/{len} pairs, {per_sec}, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        spsa.follow(
            players.len(),
            |number, spsa| players[number].ask(spsa, &mut rng, &names),
            || next(&incoming),
            |spsa| {
                bar.set_position(spsa.iteration);
                save(&self.state, spsa)
            },
        )?;
        for Parameter { name, value, .. } in &spsa.parameters {
            writeln!(io::stdout(), "{name} = {}", value.round())?;
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
        let parameters = wanted
            .map(|tunable| Parameter {
                name: tunable.name.to_owned(),
                value: f64::from(tunable.default),
                min: f64::from(tunable.min),
                max: f64::from(tunable.max),
                step: f64::from(tunable.step),
            })
            .collect();
        Ok(Spsa { parameters, iteration: 0, iterations: self.pairs, rate: self.rate })
    }
}

fn next(incoming: &Receiver<(usize, Option<Reply>)>) -> Result<(usize, Trial, f64), Error> {
    match incoming.recv() {
        Ok((number, Some(Reply { trial, result }))) => Ok((number, trial, result)),
        _ => Err(Error::Ended),
    }
}

fn seed_from_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

/// Writes the state beside the old one first, so that there is always a whole one.
fn save(path: &Path, spsa: &Spsa) -> Result<(), Error> {
    let fresh = path.with_added_extension("new");
    fs::write(&fresh, serde_json::to_vec_pretty(spsa)?)?;
    Ok(fs::rename(fresh, path)?)
}

/// A process that plays, seen from the one that tunes.
struct PlayerProcess {
    child: Child,
    input: ChildStdin,
}

impl PlayerProcess {
    fn start(playing: &Playing, number: usize, replies: &Sender<(usize, Option<Reply>)>) -> Result<Self, Error> {
        let mut process = Process::new(std::env::current_exe()?);
        process.args(["play", "--nodes", &playing.nodes.to_string(), "--hash", &playing.hash.to_string()]);
        if let Some(book) = &playing.book {
            process.arg("--book").arg(book);
        }
        let mut child = process.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else { return Err(Error::Ended) };
        let replies = replies.clone();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let reply = line.ok().and_then(|line| serde_json::from_str(&line).ok());
                if replies.send((number, reply)).is_err() {
                    return;
                }
            }
            let _ = replies.send((number, None));
        });
        Ok(Self { child, input })
    }

    /// Asks for one more pair.
    fn ask(&mut self, spsa: &Spsa, rng: &mut Xoshiro256PlusPlus, names: &[String]) -> Result<(), Error> {
        let job = Job { seed: rng.random(), trial: spsa.ask(rng), names: names.to_vec() };
        Ok(writeln!(self.input, "{}", serde_json::to_string(&job)?)?)
    }
}

impl Drop for PlayerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Playing {
    fn serve(&self) -> Result<(), Error> {
        let limits = Limits { soft: self.nodes, hard: self.nodes.saturating_mul(4) };
        let settings = Settings { limits, hash_mib: self.hash, ..Settings::default() };
        let mut openings = Openings::new(0.0);
        if let Some(book) = &self.book {
            openings = openings.with_book(book, 1.0)?;
        }
        let mut player = Player::of_rivals(&Network::embedded(), settings);
        for line in io::stdin().lines() {
            let Job { seed, trial, names } = serde_json::from_str(&line?)?;
            let result = play_pair(&mut player, &openings, seed, &trial, &names);
            writeln!(io::stdout(), "{}", serde_json::to_string(&Reply { trial, result })?)?;
        }
        Ok(())
    }
}

/// Plays two games from one opening; wins less losses of the variant `plus`.
fn play_pair(player: &mut Player, openings: &Openings, seed: u64, trial: &Trial, names: &[String]) -> f64 {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let Some(opening) = player.draw_opening(openings, &mut rng, &NEVER) else { return 0.0 };
    let mut result = 0.0;
    for plus in Color::ALL {
        player.forget();
        let game = player.play_from(opening.clone(), &NEVER, &mut |turn| {
            set(names, if turn == plus { &trial.plus } else { &trial.minus });
        });
        result += match (game.map(|game| game.result), plus) {
            (Some(GameResult::WhiteWins), Color::White) | (Some(GameResult::BlackWins), Color::Black) => 1.0,
            (Some(GameResult::Draw) | None, _) => 0.0,
            _ => -1.0,
        };
    }
    result
}

fn set(names: &[String], values: &[i32]) {
    for (name, &value) in names.iter().zip(values) {
        if let Some(tunable) = TUNABLES.iter().find(|tunable| tunable.name == name) {
            tunable.set(value);
        }
    }
}
