//! From files of games to shuffled files of training and validation records.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use platform::FileIdentity;
use rayon::prelude::*;

use crate::games::blocks::{Block, BlockError, Blocks};
use crate::games::datagen::pending_games;
use crate::games::game::{Game, GameError};
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
    /// Of every thousand games, how many are held out for validation.
    pub held_out: u64,
    /// Of the shuffle.
    pub seed: u64,
    /// Bytes of memory to shuffle in.
    pub memory: u64,
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
                let kept: Vec<_> = batch.into_par_iter().map(|block| self.keep(block)).collect();
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

    /// What each game of a block yields.
    fn keep(&self, block: Result<Block, BlockError>) -> Vec<Result<Kept, BlockError>> {
        match block {
            Ok(block) => block.games().map(|game| Ok(self.keep_of_game(&game?))).collect(),
            Err(error) => vec![Err(error)],
        }
    }

    fn keep_of_game(&self, game: &Game) -> Kept {
        let mut kept = Kept {
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
        kept.records.iter().try_for_each(|record| shufflers[usize::from(held_out)].push(record))
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
        records.iter().try_for_each(|record| shuffler.push(record))?;
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
mod tests {
    use super::*;
    use crate::games::blocks::write_games;
    use crate::records::synthetic::{random_games, random_records};
    use movegen::{Move, Square};

    fn preparation(folder: &Path, games: &[Vec<Game>]) -> Preparation {
        let write = |(index, games): (usize, &Vec<Game>)| {
            let path = folder.join(format!("{index}.games"));
            let mut bytes = Vec::new();
            games.chunks(8).for_each(|games| write_games(&mut bytes, games).unwrap());
            fs_err::write(&path, bytes).unwrap();
            path
        };
        Preparation {
            games: games.iter().enumerate().map(write).collect(),
            records: vec![],
            train: folder.join("train"),
            validation: folder.join("validation"),
            filter: Filter::default(),
            thinning: Thinning::NONE,
            held_out: 200,
            seed: 3,
            memory: 10_000,
        }
    }

    fn read(path: &Path) -> Vec<RawRecord> {
        let mut file = RecordFile::open(path).unwrap();
        let mut records = vec![[0; RECORD_LEN]; file.count() as usize];
        file.read(&mut records).unwrap();
        records
    }

    /// The records of these games that pass the filter, sorted.
    fn expected(games: &[Game]) -> Vec<RawRecord> {
        let mut records = Vec::new();
        for game in games {
            let steps = game.replay().flatten().filter(|step| Filter::default().judge(step, game.result).is_ok());
            records.extend(steps.map(|step| Record::new(&step.board, step.score, game.result).0));
        }
        records.sort_unstable();
        records
    }

    #[test]
    fn every_kept_position_is_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let games = [random_games(1, 100), random_games(2, 50)];
        let preparation = preparation(folder.path(), &games);
        let summary = preparation.run(&ProgressBar::hidden()).unwrap();
        let (train, validation) = (read(&preparation.train), read(&preparation.validation));
        assert_eq!((summary.train, summary.validation), (train.len() as u64, validation.len() as u64));
        assert_eq!((summary.games, summary.duplicates), (150, 0));
        assert_eq!(summary.positions, games.iter().flatten().map(|game| game.moves.len() as u64).sum::<u64>());
        assert_eq!(summary.positions, summary.train + summary.validation + summary.rejected.iter().sum::<u64>());
        let share = summary.validation as f64 / (summary.train + summary.validation) as f64;
        assert!((0.1..0.3).contains(&share), "{share}");
        let mut records = [train, validation].concat();
        records.sort_unstable();
        assert_eq!(records, expected(&games.concat()));
    }

    #[test]
    fn packed_games_give_the_same_positions() {
        let folder = tempfile::tempdir().unwrap();
        let games = random_games(12, 100);
        let mut preparation = preparation(folder.path(), std::slice::from_ref(&games));
        // But for their scores.
        let positions = |preparation: &Preparation| {
            let summary = preparation.run(&ProgressBar::hidden()).unwrap();
            let blank = |record: RawRecord| Record(record).with_score(0).0;
            let files = [&preparation.train, &preparation.validation].map(|path| {
                let mut records: Vec<_> = read(path).into_iter().map(blank).collect();
                records.sort_unstable();
                records
            });
            (summary.rejected, files)
        };
        for filter in [Filter::default(), Filter { min_ply: 0, spacing: 3, ..Filter::default() }] {
            preparation.filter = filter;
            write_games(&mut fs_err::File::create(&preparation.games[0]).unwrap(), &games).unwrap();
            let plain = positions(&preparation);
            fs_err::write(&preparation.games[0], crate::games::packed::pack(&games, "")).unwrap();
            assert_eq!(positions(&preparation), plain);
        }
    }

    #[test]
    fn positions_from_search_trees_are_kept_for_training_alone() {
        let folder = tempfile::tempdir().unwrap();
        let games = random_games(8, 200);
        let lone: Vec<Game> =
            games.iter().map(|game| Game { result: None, moves: game.moves[..1].to_vec(), ..game.clone() }).collect();
        let preparation = preparation(folder.path(), &[lone.clone(), games]);
        let summary = preparation.run(&ProgressBar::hidden()).unwrap();
        assert_eq!((summary.games, summary.duplicates, summary.harvested), (200, 0, 200));
        let without_result = |path: &Path| {
            read(path).into_iter().filter(|record| Record(*record).result().is_none()).collect::<Vec<_>>()
        };
        let mut found = without_result(&preparation.train);
        found.sort_unstable();
        assert_eq!(found, expected(&lone));
        assert!(!found.is_empty() && without_result(&preparation.validation).is_empty());
    }

    #[test]
    fn positions_without_a_search_are_kept_for_training_if_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let boards: Vec<_> =
            random_games(10, 60).iter().flat_map(|game| game.replay().last()).map(|step| step.unwrap().board).collect();
        let leaves: Vec<_> = boards.iter().map(|&start| Game { start, result: None, moves: Vec::new() }).collect();
        let mut preparation = preparation(folder.path(), &[leaves, random_games(11, 50)]);
        let without = preparation.run(&ProgressBar::hidden()).unwrap();
        assert_eq!(without.rejected[Rejection::Unsearched as usize], 60);
        preparation.filter.unsearched = true;
        let with = preparation.run(&ProgressBar::hidden()).unwrap();
        let usable = boards.iter().filter(|&board| preparation.filter.judge_unsearched(board).is_ok());
        let mut expected: Vec<_> = usable.map(|board| Record::unscored(board).0).collect();
        expected.sort_unstable();
        assert!(expected.len() > 20);
        assert_eq!(with.rejected[Rejection::Unsearched as usize], 0);
        assert_eq!((with.train, with.validation), (without.train + expected.len() as u64, without.validation));
        let train = read(&preparation.train);
        assert!(expected.iter().all(|record| train.contains(record)));
        // Alone they are no validation either.
        preparation.filter.harvested_only = true;
        let alone = preparation.run(&ProgressBar::hidden()).unwrap();
        assert_eq!((alone.train, alone.validation), (expected.len() as u64, 0));
    }

    #[test]
    fn harvested_positions_alone_are_kept_and_held_out() {
        let folder = tempfile::tempdir().unwrap();
        let games = random_games(8, 200);
        let lone: Vec<Game> =
            games.iter().map(|game| Game { result: None, moves: game.moves[..1].to_vec(), ..game.clone() }).collect();
        let mut preparation = preparation(folder.path(), &[lone.clone(), games.clone()]);
        preparation.filter.harvested_only = true;
        let summary = preparation.run(&ProgressBar::hidden()).unwrap();
        let played: u64 = games.iter().map(|game| game.moves.len() as u64).sum();
        assert_eq!(summary.rejected[Rejection::Played as usize], played);
        let (train, validation) = (read(&preparation.train), read(&preparation.validation));
        assert!(!train.is_empty() && !validation.is_empty(), "{} {}", train.len(), validation.len());
        let mut records = [train, validation].concat();
        records.sort_unstable();
        assert_eq!(records, expected(&lone));
    }

    #[test]
    fn games_are_held_out_whole_and_the_same_ones_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let games = random_games(4, 60);
        let mut preparation = preparation(folder.path(), std::slice::from_ref(&games));
        preparation.run(&ProgressBar::hidden()).unwrap();
        let mut validation = read(&preparation.validation);
        validation.sort_unstable();
        let held_out: Vec<Game> = games.iter().filter(|game| game.hash() % 1000 < 200).cloned().collect();
        assert!(!held_out.is_empty());
        assert_eq!(validation, expected(&held_out));

        preparation.seed += 1;
        preparation.run(&ProgressBar::hidden()).unwrap();
        let mut again = read(&preparation.validation);
        assert_ne!(again, validation, "another seed must give another order");
        again.sort_unstable();
        assert_eq!(again, validation);
    }

    #[test]
    fn the_same_input_gives_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        let preparation = preparation(folder.path(), &[random_games(5, 40)]);
        let run = || {
            preparation.run(&ProgressBar::hidden()).unwrap();
            [&preparation.train, &preparation.validation].map(|path| fs_err::read(path).unwrap())
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn duplicates_damage_and_illegal_games_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let games = random_games(6, 30);
        let mut illegal = random_games(7, 3);
        illegal[1].moves[30].mv = Move::normal(Square::A1, Square::H8);
        let preparation = preparation(folder.path(), &[games.clone(), games[..10].to_vec(), illegal.clone()]);
        let mut bytes = fs_err::read(&preparation.games[0]).unwrap();
        bytes.extend(b"torn");
        fs_err::write(&preparation.games[0], bytes).unwrap();
        let summary = preparation.run(&ProgressBar::hidden()).unwrap();
        assert_eq!((summary.games, summary.duplicates), (32, 10));
        assert_eq!(summary.damages.len(), 2, "{:?}", summary.damages);
        let mut records = [read(&preparation.train), read(&preparation.validation)].concat();
        records.sort_unstable();
        illegal.remove(1);
        assert_eq!(records, expected(&[games, illegal].concat()));
    }

    #[test]
    fn neighbours_are_thinned_out() {
        let folder = tempfile::tempdir().unwrap();
        let games = random_games(11, 40);
        let mut preparation = preparation(folder.path(), std::slice::from_ref(&games));
        let all = preparation.run(&ProgressBar::hidden()).unwrap();
        preparation.filter.spacing = 4;
        let summary = preparation.run(&ProgressBar::hidden()).unwrap();
        let kept = |summary: &Summary| summary.train + summary.validation;
        assert_eq!(kept(&summary) + summary.rejected[Rejection::Neighbour as usize], kept(&all));
        // Where positions between are left out for other reasons, less than three of four go.
        assert!((0.25..0.5).contains(&(kept(&summary) as f64 / kept(&all) as f64)), "{summary:?}");
    }

    #[test]
    fn records_are_added_to_those_of_the_games() {
        let folder = tempfile::tempdir().unwrap();
        let games = random_games(9, 30);
        let mut preparation = preparation(folder.path(), std::slice::from_ref(&games));
        let more = random_records(10, 40_000);
        let path = folder.path().join("more");
        let mut writer = RecordWriter::create(&path).unwrap();
        writer.write(&more).unwrap();
        writer.finish().unwrap();
        preparation.records.push(path);
        let summary = preparation.run(&ProgressBar::hidden()).unwrap();
        assert_eq!(summary.added, 40_000);
        let (train, validation) = (read(&preparation.train), read(&preparation.validation));
        assert_eq!((summary.train, summary.validation), (train.len() as u64, validation.len() as u64));
        let mut records = [train, validation].concat();
        records.sort_unstable();
        let mut expected = [expected(&games), more].concat();
        expected.sort_unstable();
        assert_eq!(records, expected);
    }

    #[test]
    fn no_file_is_named_twice() {
        let folder = tempfile::tempdir().unwrap();
        let good = preparation(folder.path(), &[random_games(8, 3)]);
        let before = fs_err::read(&good.games[0]).unwrap();
        for bad in [
            Preparation { train: good.games[0].clone(), ..good.clone() },
            Preparation { validation: good.games[0].clone(), ..good.clone() },
            Preparation { validation: good.train.clone(), ..good.clone() },
        ] {
            let error = bad.run(&ProgressBar::hidden()).unwrap_err();
            assert!(error.to_string().contains("would be overwritten"), "{error}");
        }
        assert_eq!(fs_err::read(&good.games[0]).unwrap(), before);
    }

    #[test]
    fn missing_files_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let mut preparation = preparation(folder.path(), &[vec![]]);
        preparation.games.push(folder.path().join("none"));
        assert!(preparation.run(&ProgressBar::hidden()).is_err());
    }
}
