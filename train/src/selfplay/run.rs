//! Playing many games at once and writing each as it ends.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam_channel::bounded;
use eval::Network;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::{Openings, Player, Settings};
use crate::games::game::{Game, GameResult};
use crate::games::journal::Journal;

/// Finished games that may wait to be written.
const QUEUE: usize = 64;

/// What to generate.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What both sides evaluate with.
    pub network: Arc<Network>,
    /// How games are played.
    pub settings: Settings,
    /// Where they start.
    pub openings: Openings,
    /// The end, after this many games; `None` to go on until stopped.
    pub games: Option<u64>,
    /// Threads, at least 1.
    pub threads: usize,
    /// Where the random numbers come from. Runs with different seeds share no game, and neither do runs with equal
    /// seeds that append to one file.
    pub seed: u64,
}

/// What has been generated so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// Games finished.
    pub games: u64,
    /// Positions in them.
    pub positions: u64,
    /// Harvested positions.
    pub harvested: u64,
    /// Positions from search trees that were not searched themselves.
    pub unsearched: u64,
    /// Games drawn.
    pub draws: u64,
    /// Since the start.
    pub elapsed: Duration,
}

impl Summary {
    /// Searched positions for each second, of games and of search trees.
    #[must_use]
    pub fn rate(&self) -> f64 {
        (self.positions + self.harvested) as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Someone who watches a run.
pub trait Progress {
    /// Another game has been written.
    fn game_done(&mut self, summary: &Summary);
}

impl Progress for () {
    fn game_done(&mut self, _: &Summary) {}
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// No threads to play on.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Plays games and appends them to the file at `path` until the plan is done or `stop` is set; games that are being
/// played then are dropped.
///
/// # Errors
///
/// If the file cannot be written or the threads cannot be started.
pub fn generate(
    plan: &Plan,
    path: &Path,
    stop: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<Summary, GenerateError> {
    let mut journal = Journal::open(path)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads.max(1)).build()?;
    let seeds = Seeds { base: mix(plan.seed ^ mix(journal.written())), next: AtomicU64::new(0) };
    let limit = plan.games.unwrap_or(u64::MAX);
    let started = Instant::now();
    let mut summary = Summary::default();
    let written = pool.in_place_scope(|scope| -> io::Result<()> {
        let (sender, finished) = bounded(QUEUE);
        for _ in 0..plan.threads.max(1) {
            let (sender, seeds) = (sender.clone(), &seeds);
            scope.spawn(move |_| {
                let mut player = Player::new(&plan.network, plan.settings);
                while let Some(mut rng) = seeds.draw(limit)
                    && !stop.load(Relaxed)
                {
                    let game = player.play(&plan.openings, &mut rng, stop);
                    // Nobody listens once writing has failed.
                    if game.into_iter().chain(player.take_harvest()).any(|game| sender.send(game).is_err()) {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for game in finished {
            journal.append(&game)?;
            summary.add(&game);
            summary.elapsed = started.elapsed();
            if game.result.is_some() {
                progress.game_done(&summary);
            }
        }
        journal.close()
    });
    written?;
    summary.elapsed = started.elapsed();
    Ok(summary)
}

impl Summary {
    fn add(&mut self, game: &Game) {
        let Some(result) = game.result else {
            self.harvested += game.moves.len() as u64;
            self.unsearched += u64::from(game.moves.is_empty());
            return;
        };
        self.games += 1;
        self.positions += game.moves.len() as u64;
        self.draws += u64::from(result == GameResult::Draw);
    }
}

/// A stream of seeds, one for each game.
struct Seeds {
    base: u64,
    next: AtomicU64,
}

impl Seeds {
    /// The random numbers of the next game; none after `limit` games.
    fn draw(&self, limit: u64) -> Option<Xoshiro256PlusPlus> {
        let number = self.next.fetch_add(1, Relaxed);
        (number < limit).then(|| Xoshiro256PlusPlus::seed_from_u64(mix(self.base.wrapping_add(number))))
    }
}

/// Spreads close numbers over all of 64 bits, without two that meet. Source: SplitMix64's finaliser.
const fn mix(mut number: u64) -> u64 {
    number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}
