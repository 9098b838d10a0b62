//! Pairs of games between two variants of the search, played by processes of their own: the numbers that are tuned belong
//! to the whole process.

use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command as Process, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};
use eval::Network;
use movegen::Color;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use search::TUNABLES;
use serde::{Deserialize, Serialize};
use train::games::game::{Game, GameResult};
use train::games::packed::{append_packed, settings_of_play};
use train::selfplay::{Adjudication, Limits, NodeTime, Openings, Player, Settings};
use train::tuning::spsa::Trial;

use crate::Error;

/// How games are played.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Terms {
    /// Nodes of each move, at which its search ends: with a soft limit, numbers that make iterations larger would take
    /// more nodes, and win by that.
    pub(crate) nodes: u64,
    /// The time control of each game, which then limits the moves, and the nodes that count as a millisecond of it.
    pub(crate) clock: Option<(String, u64)>,
    /// An EPD or FEN file with positions to start from.
    pub(crate) book: Option<PathBuf>,
    /// Each side's transposition table in MiB.
    pub(crate) hash_mib: usize,
    /// Where the games go, if they are kept.
    pub(crate) games: Option<PathBuf>,
}

/// A pair of games to be played: from one opening, each variant with either color.
#[derive(Serialize, Deserialize)]
pub(crate) struct Job {
    /// It decides the opening.
    pub(crate) seed: u64,
    /// The numbers that tell the variants apart.
    pub(crate) names: Vec<String>,
    /// Their values in one variant.
    pub(crate) plus: Vec<i32>,
    /// Their values in the other one.
    pub(crate) minus: Vec<i32>,
}

/// A job, and what its owner knows it by.
#[derive(Serialize, Deserialize)]
struct Request {
    job: Job,
    note: Trial,
}

/// How a pair ended.
#[derive(Serialize, Deserialize)]
struct Reply {
    note: Trial,
    /// Wins less losses of the variant `plus`, from -2 to 2.
    result: i32,
}

/// What a process has to say, by its number: nothing once it has ended.
type Heard = (usize, Option<Reply>);

/// Starts processes that play at once; whoever is asked for a pair notes the trial that comes back with its result.
pub(crate) fn start(terms: &Terms, processes: usize) -> Result<(Vec<Rivals>, Results), Error> {
    let (replies, results) = unbounded();
    let rivals =
        (0..processes.max(1)).map(|number| Rivals::start(terms, number, &replies)).collect::<Result<_, _>>()?;
    Ok((rivals, Results(results)))
}

/// The results of all processes.
pub(crate) struct Results(Receiver<Heard>);

impl Results {
    /// Waits for the next one: the number of the process, what was noted with the job, and wins less losses of `plus`.
    pub(crate) fn next(&self) -> Result<(usize, Trial, i32), Error> {
        match self.0.recv() {
            Ok((number, Some(Reply { note, result }))) => Ok((number, note, result)),
            _ => Err(Error::Ended),
        }
    }
}

/// A process that plays, seen from the one that asks.
pub(crate) struct Rivals {
    child: Child,
    input: ChildStdin,
}

impl Rivals {
    fn start(terms: &Terms, number: usize, replies: &Sender<Heard>) -> Result<Self, Error> {
        let mut process = Process::new(std::env::current_exe()?);
        let mut child = process.arg("play").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Error::Ended);
        };
        writeln!(input, "{}", serde_json::to_string(terms)?)?;
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
    pub(crate) fn ask(&mut self, job: Job, note: Trial) -> Result<(), Error> {
        Ok(writeln!(self.input, "{}", serde_json::to_string(&Request { job, note })?)?)
    }
}

impl Drop for Rivals {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays what the standard input asks for: the terms first, then a pair each line.
pub(crate) fn serve() -> Result<(), Error> {
    let mut lines = io::stdin().lines();
    let Some(first) = lines.next() else { return Ok(()) };
    let terms: Terms = serde_json::from_str(&first?)?;
    let settings = Settings {
        limits: Limits { soft: terms.nodes, hard: terms.nodes },
        adjudication: Adjudication::OF_MATCHES,
        play_out_share: 0.0,
        hash_mib: terms.hash_mib,
        ..Settings::default()
    };
    let mut openings = Openings::new(0.0);
    if let Some(book) = &terms.book {
        openings = openings.with_book(book, 1.0)?;
    }
    let mut player = Player::of_rivals(&Network::embedded(), settings);
    if let Some((control, nodes_per_millisecond)) = &terms.clock {
        player =
            player.with_clocks(NodeTime { control: control.parse()?, nodes_per_millisecond: *nodes_per_millisecond });
    }
    for line in lines {
        let Request { job, note } = serde_json::from_str(&line?)?;
        let (result, games) = job.play(&mut player, &openings);
        if let Some(path) = &terms.games {
            append_packed(path, &games, &settings_of_play(terms.nodes, "tuner"))?;
        }
        writeln!(io::stdout(), "{}", serde_json::to_string(&Reply { note, result })?)?;
    }
    Ok(())
}

impl Job {
    /// Plays two games from one opening; wins less losses of the variant `plus`, and the games.
    fn play(&self, player: &mut Player, openings: &Openings) -> (i32, Vec<Game>) {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        // The pair before may have been about other numbers.
        TUNABLES.iter().for_each(|tunable| tunable.set(tunable.default));
        self.set(&self.minus);
        let Some(opening) = player.draw_opening(openings, &mut rng, &NEVER) else { return (0, Vec::new()) };
        let (mut result, mut games) = (0, Vec::new());
        for plus in Color::ALL {
            player.forget();
            let game = player.play_from(opening.clone(), &NEVER, &mut |turn| {
                self.set(if turn == plus { &self.plus } else { &self.minus });
            });
            result += match (game.as_ref().and_then(|game| game.result), plus) {
                (Some(GameResult::WhiteWins), Color::White) | (Some(GameResult::BlackWins), Color::Black) => 1,
                (Some(GameResult::Draw | GameResult::BothLose) | None, _) => 0,
                _ => -1,
            };
            games.extend(game);
        }
        (result, games)
    }

    fn set(&self, values: &[i32]) {
        for (name, &value) in self.names.iter().zip(values) {
            if let Some(tunable) = TUNABLES.iter().find(|tunable| tunable.name == name) {
                tunable.set(value);
            }
        }
    }
}
