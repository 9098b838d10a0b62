//! From files of games to shuffled files of training and validation records.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use platform::FileIdentity;
use rayon::prelude::*;

use crate::games::blocks::{Block, BlockError, Blocks};
use crate::games::game::{Game, GameError};
use crate::games::journal::pending_games;
use crate::records::filter::{Filter, Rejection};
use crate::records::record::{RECORD_LEN, RawRecord, Record, RecordFile, RecordWriter};
use crate::records::shuffle::{Shuffler, Thinned, Thinning};

/// Blocks decoded in parallel at a time.
const BATCH: usize = 32;

/// What to prepare, and how.
#[derive(Clone, Debug)]
pub struct Preparation {
    /// The files of games.
    pub games: Vec<PathBuf>,
    /// Files of records to train on besides, such as those of solved positions.
    pub records: Vec<PathBuf>,
    /// The file of training records to write.
    pub train: PathBuf,
    /// The file of validation records to write.
    pub validation: PathBuf,
    /// Which positions to keep.
    pub filter: Filter,
    /// What of the kept ones to leave out of the training records; of the validation records, only repeated ones are.
    pub thinning: Thinning,
    /// What counts more than once in the training records: the first that fits.
    pub weights: Vec<Weight>,
    /// Of every thousand games, how many are held out for validation.
    pub held_out: u64,
    /// Of the shuffle.
    pub seed: u64,
    /// Bytes of memory to shuffle in.
    pub memory: u64,
}

/// How often the records of some games are among the training records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weight {
    /// Which games: those of the file with this path, or those with this word in their settings.
    pub of: String,
    /// How often, at least once.
    pub times: u8,
}

impl Weight {
    fn fits(&self, path: &Path, settings: &str) -> bool {
        path == Path::new(&self.of) || settings.split_whitespace().any(|word| word == self.of)
    }
}

/// What was found and kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Games read, duplicates not counted.
    pub games: u64,
    /// Games left out because they came before, move for move.
    pub duplicates: u64,
    /// Positions of those games, and harvested positions, searched or not.
    pub positions: u64,
    /// Harvested positions among them.
    pub harvested: u64,
    /// Positions left out, by [`Rejection`].
    pub rejected: [u64; Rejection::ALL.len()],
    /// Records added to them.
    pub added: u64,
    /// Positions left out of all these.
    pub thinned: Thinned,
    /// Positions kept for training, those added among them.
    pub train: u64,
    /// Positions kept for validation.
    pub validation: u64,
    /// Parts of files that gave no games, and journals not read, in words.
    pub damages: Vec<String>,
}

/// The positions kept of one game.
struct Kept {
    /// How often each is wanted.
    copies: u8,
    hash: u64,
    /// Whether it is a game, and not a position from a search tree.
    is_game: bool,
    /// Whether its records have scores: without, they say nothing of a loss.
    has_scores: bool,
    records: Vec<RawRecord>,
    positions: u64,
    rejected: [u64; Rejection::ALL.len()],
    damage: Option<GameError>,
}

impl Preparation {
    /// Reads all games and writes both files of records; the same input and seed give the same files.
    ///
    /// Damaged parts of the input are skipped and listed in the summary. Whole games are held out, chosen by their
    /// hash: a position of a game says too much about its neighbours, and the choice is the same in every generation
    /// of the pool.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written.
    pub fn run(&self, progress: &ProgressBar) -> io::Result<Summary> {
        self.check_outputs()?;
        let mut sizes = self.games.iter().map(|path| Ok(fs_err::metadata(path)?.len()));
        let size = sizes.try_fold(0, |sum, size: io::Result<u64>| Ok::<_, io::Error>(sum + size?))?;
        progress.set_length(size);
        // About three compressed bytes a position; a poor guess costs memory or time, nothing else.
        let mut added = self.records.iter().map(|path| Ok(open(path)?.count()));
        let added = added.try_fold(0, |sum, count: io::Result<u64>| Ok::<_, io::Error>(sum + count?))?;
        let shuffler = |path: &Path, share: u64, added: u64| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Shuffler::new(folder, size / 3 * share / 1000 + added, self.memory, self.seed)
        };
        let mut shufflers = [
            shuffler(&self.train, 1000 - self.held_out.min(1000), added)?,
            shuffler(&self.validation, self.held_out, 0)?,
        ];
        let mut summary = Summary::default();
        let mut seen = HashSet::new();
        let mut used = vec![false; self.weights.len()];
        let mut done = 0;
        for path in &self.games {
            let pending = pending_games(path);
            if pending > 0 {
                let name = path.display();
                summary.damages.push(format!("{name}: {pending} games in its journal not read: `datagen` adds them"));
            }
            let mut blocks = Blocks::open(path)?;
            loop {
                let batch: Vec<_> = blocks.by_ref().take(BATCH).collect();
                if batch.is_empty() {
                    break;
                }
                let copies: Vec<u8> = batch.iter().map(|block| self.copies(block, path, &mut used)).collect();
                let kept: Vec<_> =
                    batch.into_par_iter().zip(copies).map(|(block, copies)| self.keep(block, copies)).collect();
                for kept in kept.into_iter().flatten() {
                    match kept {
                        Ok(kept) => self.scatter(kept, path, &mut seen, &mut shufflers, &mut summary)?,
                        Err(error) if error.is_fatal() => return Err(error.into()),
                        Err(damage) => summary.damages.push(format!("{}: {damage}", path.display())),
                    }
                }
                progress.set_position(done + blocks.consumed());
            }
            done += blocks.consumed();
        }
        if let Some((weight, _)) = self.weights.iter().zip(used).find(|(_, is_used)| !is_used) {
            let text = format!("{}: no games to weigh by that: it is neither a file nor a word of settings", weight.of);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        for path in &self.records {
            summary.added += add_records(path, &mut shufflers[0])?;
        }
        let [train, validation] = shufflers;
        let whole = Thinning { most_of_a_count: f64::INFINITY, ..self.thinning };
        let written = [write(train, &self.train, self.thinning)?, write(validation, &self.validation, whole)?];
        [summary.train, summary.validation] = written.map(|(count, _)| count);
        for (_, Thinned { repeated, frequent }) in written {
            summary.thinned.repeated += repeated;
            summary.thinned.frequent += frequent;
        }
        Ok(summary)
    }

    /// Refuses to write over a file of games, or both outputs to one file.
    fn check_outputs(&self) -> io::Result<()> {
        let inputs = self.games.iter().chain(&self.records);
        let mut used: Vec<_> = inputs.filter_map(|path| FileIdentity::of_input(path)).collect();
        for path in [&self.train, &self.validation] {
            let Some(output) = FileIdentity::of_output(path) else { continue };
            if used.contains(&output) {
                let text = format!("{}: would be overwritten", path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            }
            used.push(output);
        }
        Ok(())
    }

    /// How often the records of a block are wanted; notes which weight says so.
    fn copies(&self, block: &Result<Block, BlockError>, path: &Path, used: &mut [bool]) -> u8 {
        let settings = block.as_ref().map_or("", Block::settings);
        let place = self.weights.iter().position(|weight| weight.fits(path, settings));
        place.map_or(1, |place| {
            used[place] = true;
            self.weights[place].times
        })
    }

    /// What each game of a block yields.
    fn keep(&self, block: Result<Block, BlockError>, copies: u8) -> Vec<Result<Kept, BlockError>> {
        match block {
            Ok(block) => block.games().map(|game| Ok(Kept { copies, ..self.keep_of_game(&game?) })).collect(),
            Err(error) => vec![Err(error)],
        }
    }

    fn keep_of_game(&self, game: &Game) -> Kept {
        let mut kept = Kept {
            copies: 1,
            hash: game.hash(),
            is_game: game.result.is_some(),
            has_scores: true,
            records: Vec::with_capacity(game.moves.len()),
            positions: 0,
            rejected: Default::default(),
            damage: None,
        };
        if game.result.is_none() && game.moves.is_empty() {
            kept.positions = 1;
            kept.has_scores = false;
            match self.filter.judge_unsearched(&game.start) {
                Ok(()) => kept.records.push(Record::unscored(&game.start).0),
                Err(reason) => kept.rejected[reason as usize] += 1,
            }
            return kept;
        }
        let mut next = 0;
        for step in game.replay() {
            let step = match step {
                Ok(step) => step,
                Err(error) => {
                    kept.damage = Some(error);
                    break;
                }
            };
            kept.positions += 1;
            let judged = self.filter.judge(&step, game.result);
            match judged.and(if step.ply < next { Err(Rejection::Neighbour) } else { Ok(()) }) {
                Ok(()) => {
                    next = step.ply + self.filter.spacing;
                    kept.records.push(Record::new(&step.board, step.score, game.result).0);
                }
                Err(reason) => kept.rejected[reason as usize] += 1,
            }
        }
        kept
    }

    fn scatter(
        &self,
        kept: Kept,
        path: &Path,
        seen: &mut HashSet<u64>,
        shufflers: &mut [Shuffler; 2],
        summary: &mut Summary,
    ) -> io::Result<()> {
        if let Some(error) = kept.damage {
            // The result of a game that cannot be replayed is not to be trusted either.
            summary.damages.push(format!("{}: {error}: game left out", path.display()));
            return Ok(());
        }
        if kept.is_game {
            if !seen.insert(kept.hash) {
                summary.duplicates += 1;
                return Ok(());
            }
            summary.games += 1;
        } else {
            summary.harvested += kept.positions;
        }
        summary.positions += kept.positions;
        for (sum, count) in summary.rejected.iter_mut().zip(kept.rejected) {
            *sum += count;
        }
        // Losses are to compare between pools with and without harvested positions.
        let is_eligible = kept.is_game || self.filter.harvested_only && kept.has_scores;
        let held_out = is_eligible && kept.hash % 1000 < self.held_out;
        let copies = if held_out { 1 } else { kept.copies };
        kept.records.iter().try_for_each(|record| shufflers[usize::from(held_out)].push(record, copies))
    }
}

fn open(path: &Path) -> io::Result<RecordFile> {
    RecordFile::open(path).map_err(io::Error::other)
}

/// Gives all records of a file to the shuffler; returns their number.
fn add_records(path: &Path, shuffler: &mut Shuffler) -> io::Result<u64> {
    let mut file = open(path)?;
    let mut left = file.count();
    while left > 0 {
        let mut records = vec![[0; RECORD_LEN]; left.min(1 << 15) as usize];
        file.read(&mut records)?;
        records.iter().try_for_each(|record| shuffler.push(record, 1))?;
        left -= records.len() as u64;
    }
    Ok(file.count())
}

fn write(shuffler: Shuffler, path: &Path, thinning: Thinning) -> io::Result<(u64, Thinned)> {
    let mut writer = RecordWriter::create(path)?;
    let thinned = shuffler.finish(&mut writer, thinning)?;
    Ok((writer.finish()?, thinned))
}

#[cfg(test)]
mod tests;
