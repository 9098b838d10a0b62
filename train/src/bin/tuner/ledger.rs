//! `tuner ledger PAGE`: what each heuristic is worth, by games against the search without it.

use std::io;
use std::path::PathBuf;
use std::process::Command as Process;

use clap::Args;
use fs_err as fs;
use search::TUNABLES;
use train::games::datagen::Adjudication;
use train::tuning::ledger::{Conditions, HEURISTICS, Heuristic, Ledger};

use crate::rivals::{self, Job, Rivals, Terms};
use crate::{Error, progress, save};

/// A search ends at so many times the nodes after which it begins no new iteration.
const HARD_SHARE: u64 = 4;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The page to be written, in Markdown. What it is made of is kept beside it as JSON, and gone on with.
    page: PathBuf,
    /// Games of each heuristic that is named, or of the largest if none is named.
    #[arg(long, default_value_t = 1000)]
    games: usize,
    /// Games of each heuristic before the largest are known.
    #[arg(long, default_value_t = 100)]
    screening: usize,
    /// How many of the heuristics that cost most when switched off are measured by all the games.
    #[arg(long, default_value_t = 12)]
    largest: usize,
    /// Nodes of each move after which no new iteration begins.
    #[arg(long, default_value_t = 10_000, value_parser = cli::read_count)]
    nodes: u64,
    /// An EPD or FEN file with positions to start from. Without one nothing is played: the page is written anew.
    #[arg(long)]
    book: Option<PathBuf>,
    /// Each side's transposition table in MiB.
    #[arg(long, default_value_t = 4)]
    hash: usize,
    /// Processes that play at once.
    #[arg(long, default_value_t = 2)]
    processes: usize,
    /// The commit whose search this program has, where it is not that of the working tree.
    #[arg(long)]
    commit: Option<String>,
    /// The heuristics to measure; all by default.
    names: Vec<String>,
}

/// A pair of games: the heuristic by its index, and the number of the pair.
type Pair = (usize, usize);

impl Arguments {
    pub(crate) fn run(&self) -> Result<(), Error> {
        if let Some(name) = self.names.iter().find(|name| find(name).is_none()) {
            return Err(Error::NoHeuristic(name.clone()));
        }
        let mut ledger = self.open()?;
        if let Some(book) = &self.book {
            let hard_nodes = self.nodes.saturating_mul(HARD_SHARE);
            let terms = Terms {
                nodes: self.nodes,
                hard_nodes,
                clock: None,
                book: Some(book.clone()),
                exact: true,
                hash_mib: self.hash,
            };
            let (mut players, results) = rivals::start(&terms, self.processes)?;
            let mut measure = |ledger: &mut Ledger, heuristics: &[usize], games| {
                let pairs = pairs(ledger, heuristics, games);
                self.play(ledger, pairs, &mut players, &results)
            };
            if self.names.is_empty() {
                let all: Vec<_> = (0..HEURISTICS.len()).collect();
                measure(&mut ledger, &all, self.screening)?;
                // Their order may change with each that is measured.
                while let Some(heuristic) = self.next_of_largest(&ledger) {
                    measure(&mut ledger, &[heuristic], self.games)?;
                }
            } else {
                let named: Vec<_> = self.names.iter().filter_map(|name| find(name)).collect();
                measure(&mut ledger, &named, self.games)?;
            }
        }
        Ok(platform::write_file(&self.page, ledger.render())?)
    }

    /// The ledger so far, which must have been kept under the same conditions if it is to be gone on with.
    fn open(&self) -> Result<Ledger, Error> {
        let path = self.state();
        let kept: Option<Ledger> = match fs::read(&path) {
            Ok(bytes) => Some(serde_json::from_slice(&bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let Some(book) = &self.book else { return kept.ok_or(Error::NoLedger(path)) };
        let conditions = Conditions {
            commit: self.commit.clone().unwrap_or_else(head),
            nodes: self.nodes,
            hash_mib: self.hash,
            book: book.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            win_score: Adjudication::OF_MATCHES.win_score,
            draw_score: Adjudication::OF_MATCHES.draw_score,
        };
        match kept {
            Some(ledger) if ledger.conditions == conditions => Ok(ledger),
            Some(ledger) => Err(Error::OtherLedger(path, serde_json::to_string(&ledger.conditions)?)),
            None => Ok(Ledger::new(conditions)),
        }
    }

    fn state(&self) -> PathBuf {
        self.page.with_extension("json")
    }

    /// The first of the largest heuristics that lacks games; `None` once they have them all.
    fn next_of_largest(&self, ledger: &Ledger) -> Option<usize> {
        let ranking = ledger.ranking().into_iter().take(self.largest);
        let lacking = |heuristic: &&Heuristic| !ledger.missing(heuristic, self.games).is_empty();
        ranking.map(|(heuristic, _)| heuristic).find(lacking).and_then(|heuristic| find(heuristic.name))
    }

    /// Plays pairs of games in this order, and keeps each that has ended.
    fn play(
        &self,
        ledger: &mut Ledger,
        pairs: Vec<Pair>,
        players: &mut [Rivals],
        results: &rivals::Results<Pair>,
    ) -> Result<(), Error> {
        let bar = progress(pairs.len() as u64);
        let mut out = 0;
        let mut waiting = pairs.into_iter();
        for player in &mut *players {
            if let Some(pair) = waiting.next() {
                player.ask(job(pair), pair)?;
                out += 1;
            }
        }
        while out > 0 {
            let (player, (index, number), result) = results.next()?;
            // From wins less losses of two games to half points.
            ledger.record(&HEURISTICS[index], number, (result + 2).clamp(0, 4) as u8);
            save(&self.state(), ledger)?;
            bar.inc(1);
            match waiting.next() {
                Some(pair) => players[player].ask(job(pair), pair)?,
                None => out -= 1,
            }
        }
        Ok(())
    }
}

fn find(name: &str) -> Option<usize> {
    HEURISTICS.iter().position(|heuristic| heuristic.name == name)
}

/// The pairs that heuristics lack, one heuristic after another.
fn pairs(ledger: &Ledger, heuristics: &[usize], games: usize) -> Vec<Pair> {
    let of = |&index: &usize| ledger.missing(&HEURISTICS[index], games).into_iter().map(move |number| (index, number));
    heuristics.iter().flat_map(of).collect()
}

/// The search without a heuristic against the search as it is.
fn job((index, number): Pair) -> Job {
    let Heuristic { off, .. } = HEURISTICS[index];
    Job {
        seed: number as u64,
        names: off.iter().map(|(name, _)| (*name).to_owned()).collect(),
        plus: off.iter().map(|(_, value)| *value).collect(),
        minus: off.iter().map(|(name, _)| in_play(name)).collect(),
    }
}

/// The value of a number in play; switches are on.
fn in_play(name: &str) -> i32 {
    TUNABLES.iter().find(|tunable| tunable.name == name).map_or(1, |tunable| tunable.default)
}

/// The commit of the working tree, if there is one.
fn head() -> String {
    let output = Process::new("git").args(["rev-parse", "--short", "HEAD"]).output();
    let commit = output.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    commit.map_or_else(|| "unknown".to_owned(), |commit| String::from_utf8_lossy(&commit).trim().to_owned())
}
