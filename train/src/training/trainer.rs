//! Following a recipe from random weights to a network.

use std::io;
use std::path::{Path, PathBuf};

use eval::NetworkError;
use indicatif::ProgressBar;
use rayon::prelude::*;

use crate::records::record::{RECORD_LEN, Record, RecordError, RecordFile};
use crate::training::checkpoint::{Checkpoint, CheckpointError, DataId, Entry};
use crate::training::frozen::Frozen;
use crate::training::kernel::{Objective, Worker};
use crate::training::loader::{Loader, Order};
use crate::training::model::{Layout, Parameters};
use crate::training::optimizer::AdamW;
use crate::training::plot;
use crate::training::recipe::{Recipe, RecipeError};
use crate::training::validation::{Losses, Validation};

/// The checkpoint's name in the folder of a run.
pub const CHECKPOINT_NAME: &str = "checkpoint";

/// Why training cannot begin or go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TrainError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{0}")]
    Recipe(#[from] RecipeError),
    #[error("{0}")]
    Data(#[from] RecordError),
    #[error("{0}")]
    Checkpoint(#[from] CheckpointError),
    #[error("{0}")]
    Network(#[from] NetworkError),
    /// Going on with other data would be another training.
    #[error("{0}: not the data this training began with")]
    OtherData(PathBuf),
    /// Nothing says how good these positions are.
    #[error("{0}: positions without scores: give them some with `trainer rescore`")]
    NoScores(PathBuf),
    /// A new training would overwrite an old one.
    #[error("{0} holds a training already: resume it, or choose another folder")]
    FolderInUse(PathBuf),
    /// There is nothing to go on with.
    #[error("{0} holds no training, or one without a finished superbatch: begin it again with `train`")]
    NothingSaved(PathBuf),
    /// The loss is no number any more.
    #[error("the loss of superbatch {0} is not finite: lower the learning rate")]
    Diverged(u64),
}

/// The records looked at for scores: files are shuffled, so that what holds for them holds for all.
const SAMPLE: usize = 1 << 14;

/// Refuses records without scores, as far as a sample tells.
fn require_scores(file: &mut RecordFile, path: &Path) -> Result<(), TrainError> {
    let mut sample = vec![[0; RECORD_LEN]; SAMPLE.min(usize::try_from(file.count()).unwrap_or(SAMPLE))];
    file.read(&mut sample)?;
    file.seek(0)?;
    let all_scored = sample.iter().all(|&record| Record(record).has_score());
    if all_scored { Ok(()) } else { Err(TrainError::NoScores(path.into())) }
}

/// A training in progress.
#[derive(Debug)]
pub struct Training {
    state: Checkpoint,
    frozen: Option<Frozen>,
    workers: Vec<Worker>,
    /// The weights that a batch is worked with, where they are rounded.
    rounded: Option<Parameters>,
    loader: Loader,
    validation: Validation,
}

/// What a training came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// The network's file.
    pub network: PathBuf,
    /// The validation loss of the weights in floating point.
    pub loss: f64,
    /// The validation loss of the network in integers, as it will play.
    pub quantised_loss: f64,
}

impl Training {
    /// Begins a training from random weights, or from given ones.
    ///
    /// # Errors
    ///
    /// If the recipe makes no sense or a file of records cannot be used.
    pub fn start(
        recipe: Recipe,
        weights: Option<Parameters>,
        train: &Path,
        validation: &Path,
    ) -> Result<Self, TrainError> {
        recipe.check()?;
        let mut file = RecordFile::open(train)?;
        require_scores(&mut file, train)?;
        let parameters = weights.unwrap_or_else(|| Parameters::random(Layout::SHIPPED, recipe.seed));
        let state = Checkpoint {
            data: DataId { count: file.count(), fingerprint: file.fingerprint() },
            step: 0,
            history: Vec::new(),
            optimizer: AdamW::new(parameters.layout()),
            parameters,
            recipe,
        };
        Self::from_state(state, file, validation)
    }

    /// Goes on with a saved training, exactly as if it had not stopped.
    ///
    /// # Errors
    ///
    /// If `train` is not the data it began with, or a file of records cannot be used.
    pub fn resume(state: Checkpoint, train: &Path, validation: &Path) -> Result<Self, TrainError> {
        state.recipe.check()?;
        let file = RecordFile::open(train)?;
        if state.data != (DataId { count: file.count(), fingerprint: file.fingerprint() }) {
            return Err(TrainError::OtherData(train.into()));
        }
        Self::from_state(state, file, validation)
    }

    fn from_state(state: Checkpoint, train: RecordFile, validation: &Path) -> Result<Self, TrainError> {
        let layout = state.parameters.layout();
        let validation = Validation::open(validation, layout, state.recipe.parts)?;
        let workers = (0..state.recipe.parts).map(|_| Worker::new(layout)).collect();
        let order = if state.recipe.reorder { Order::Random { seed: state.recipe.seed } } else { Order::File };
        let loader = Loader::start(train, order, state.recipe.batch_size, state.step);
        let frozen = state.recipe.only_bucket.map(|bucket| Frozen::all_but(bucket, &state.parameters));
        let rounded = state.recipe.rounded.then(|| Parameters::zero(layout));
        Ok(Self { state, frozen, workers, rounded, loader, validation })
    }

    /// The state as of the last finished batch.
    #[must_use]
    pub const fn state(&self) -> &Checkpoint {
        &self.state
    }

    /// Whether the recipe has been followed to its end.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.state.step >= self.state.recipe.steps()
    }

    /// Works one superbatch; the progress is counted in positions.
    ///
    /// # Errors
    ///
    /// If the data cannot be read or the loss is no number any more.
    pub fn superbatch(&mut self, progress: &ProgressBar) -> Result<Entry, TrainError> {
        let (batches, batch_size) = (self.state.recipe.batches, self.state.recipe.batch_size);
        progress.set_length(batches * batch_size as u64);
        progress.set_position(0);
        let mut loss = 0.0;
        for batch in 1..=batches {
            loss += self.batch()?;
            progress.inc(batch_size as u64);
            progress.set_message(format!("loss {:.6}", loss / (batch * batch_size as u64) as f64));
        }
        let (recipe, last) = (&self.state.recipe, self.state.step - 1);
        // With the recipe's final share of results, so that losses along a changing share compare.
        let Losses { target, score, result } = self.validation.losses(&self.state.parameters, recipe.wdl_end);
        let entry = Entry {
            superbatch: self.state.step / batches,
            positions: self.state.step * batch_size as u64,
            learning_rate: recipe.learning_rate(last),
            wdl: recipe.wdl(last),
            train_loss: loss / (batches * batch_size as u64) as f64,
            validation_loss: target,
            score_loss: Some(score),
            result_loss: Some(result),
        };
        if !entry.train_loss.is_finite() || !entry.validation_loss.is_finite() {
            return Err(TrainError::Diverged(entry.superbatch));
        }
        self.state.history.push(entry);
        Ok(entry)
    }

    /// Writes the losses so far as a table and as a picture.
    fn save_course(&self, folder: &Path) -> Result<(), TrainError> {
        if self.state.history.is_empty() {
            return Ok(());
        }
        platform::write_file(&folder.join("loss.csv"), plot::csv(&self.state.history))?;
        let drawn = plot::draw(&self.state.history, &folder.join("loss.svg"));
        Ok(drawn.map_err(|error| io::Error::other(error.to_string()))?)
    }

    /// Learns from one batch; returns the sum of its squared errors.
    fn batch(&mut self) -> Result<f64, TrainError> {
        let records = self.loader.next_batch()?;
        let Checkpoint { recipe, parameters, optimizer, step, .. } = &mut self.state;
        let objective = Objective { wdl: recipe.wdl(*step) as f32 };
        let share = 1.0 / records.len() as f32;
        // The gradient of the rounded weights moves the exact ones, which gather steps too small to see: the
        // straight-through estimator of Y. Bengio et al. (2013).
        let worked: &Parameters = match &mut self.rounded {
            Some(rounded) => {
                parameters.round_into(rounded);
                rounded
            }
            None => parameters,
        };
        let parts = records.par_chunks(records.len().div_ceil(self.workers.len()));
        let losses: Vec<f64> = self
            .workers
            .par_iter_mut()
            .zip(parts)
            .map(|(worker, records)| worker.train(worked, records, objective, share))
            .collect();
        let gradients: Vec<&Parameters> = self.workers.iter().take(losses.len()).map(Worker::gradient).collect();
        optimizer.step(parameters, &gradients, *step, recipe.learning_rate(*step), recipe.weight_decay);
        if let Some(frozen) = &self.frozen {
            frozen.restore(parameters);
        }
        *step += 1;
        Ok(losses.iter().sum())
    }

    /// Follows the recipe to its end, saving state and losses in a folder after each superbatch and the quantised
    /// network in the end.
    ///
    /// # Errors
    ///
    /// If the data cannot be read, a file cannot be written, or the loss is no number any more.
    pub fn run(
        &mut self,
        folder: &Path,
        progress: &ProgressBar,
        mut report: impl FnMut(&Entry),
    ) -> Result<Finished, TrainError> {
        // Better now than after hours of training: weights taken from a checkpoint may be of another architecture.
        self.state.parameters.quantise()?;
        fs_err::create_dir_all(folder)?;
        // A process that was killed may have saved its state and not this.
        self.save_course(folder)?;
        while !self.is_done() {
            let entry = self.superbatch(progress)?;
            self.state.save(&folder.join(CHECKPOINT_NAME))?;
            self.save_course(folder)?;
            report(&entry);
        }
        let network = self.state.parameters.quantise()?;
        let path = folder.join(format!("vancura-{:016x}.nnue", network.hash()));
        platform::write_file(&path, network.to_bytes())?;
        let Checkpoint { recipe, parameters, .. } = &self.state;
        let objective = Objective { wdl: recipe.wdl_end as f32 };
        Ok(Finished {
            network: path,
            loss: self.validation.loss(parameters, objective),
            quantised_loss: self.validation.loss(&Parameters::dequantise(&network), objective),
        })
    }
}

/// The state in the folder of a training.
///
/// # Errors
///
/// If there is none, as when the training was ended before its first superbatch was, or it cannot be read.
pub fn load_state(folder: &Path) -> Result<Checkpoint, TrainError> {
    Checkpoint::load(&folder.join(CHECKPOINT_NAME)).map_err(|error| match error {
        CheckpointError::Io(error) if error.kind() == io::ErrorKind::NotFound => {
            TrainError::NothingSaved(folder.into())
        }
        error => error.into(),
    })
}

/// Refuses a folder that holds a training.
///
/// # Errors
///
/// If it does.
pub fn check_unused(folder: &Path) -> Result<(), TrainError> {
    if folder.join(CHECKPOINT_NAME).exists() { Err(TrainError::FolderInUse(folder.into())) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::record::{RawRecord, RecordWriter};
    use crate::records::synthetic::random_records;
    use movegen::Board;

    fn recipe() -> Recipe {
        Recipe { batch_size: 1000, batches: 7, superbatches: 4, parts: 3, wdl_end: 0.6, ..Recipe::default() }
    }

    /// Files of training and validation records; the first is no multiple of a batch.
    fn data(folder: &Path) -> (PathBuf, PathBuf) {
        let write = |name: &str, records: &[RawRecord]| {
            let path = folder.join(name);
            let mut writer = RecordWriter::create(&path).unwrap();
            writer.write(records).unwrap();
            writer.finish().unwrap();
            path
        };
        let records = random_records(1, 5_777);
        (write("train", &records[..5_000]), write("validation", &records[5_000..]))
    }

    fn train_on(training: &mut Training, superbatches: usize) {
        for _ in 0..superbatches {
            training.superbatch(&ProgressBar::hidden()).unwrap();
        }
    }

    fn small(seed: u64) -> Option<Parameters> {
        Some(Parameters::random(Layout::new(32), seed))
    }

    /// The state after a training without a break.
    fn straight(recipe: &Recipe, train: &Path, validation: &Path) -> Checkpoint {
        let mut training = Training::start(recipe.clone(), small(1), train, validation).unwrap();
        train_on(&mut training, 4);
        assert!(training.is_done());
        training.state().clone()
    }

    /// The same, saved and loaded after each superbatch.
    fn stopped(recipe: &Recipe, train: &Path, validation: &Path) -> Checkpoint {
        let mut training = Training::start(recipe.clone(), small(1), train, validation).unwrap();
        train_on(&mut training, 1);
        for _ in 0..3 {
            let path = train.with_file_name(CHECKPOINT_NAME);
            training.state().save(&path).unwrap();
            assert!(!training.is_done());
            training = Training::resume(Checkpoint::load(&path).unwrap(), train, validation).unwrap();
            train_on(&mut training, 1);
        }
        training.state().clone()
    }

    #[test]
    fn records_without_scores_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (train, validation) = data(folder.path());
        let mut records = random_records(1, 3_000);
        records[2_000] = Record::unscored(&Board::start()).0;
        let mut writer = RecordWriter::create(&train).unwrap();
        writer.write(&records).unwrap();
        writer.finish().unwrap();
        let refused = Training::start(recipe(), small(1), &train, &validation);
        assert!(matches!(refused, Err(TrainError::NoScores(path)) if path == train));
    }

    #[test]
    fn resumed_training_is_equal_to_the_last_bit() {
        let folder = tempfile::tempdir().unwrap();
        let (train, validation) = data(folder.path());
        let rounded = Recipe { rounded: true, ..recipe() };
        for recipe in [recipe(), Recipe { warm_up: 10, ..recipe() }, Recipe { reorder: true, ..recipe() }, rounded] {
            assert_eq!(stopped(&recipe, &train, &validation), straight(&recipe, &train, &validation));
        }
    }

    #[test]
    fn equal_recipes_give_equal_networks_whatever_the_number_of_threads() {
        let folder = tempfile::tempdir().unwrap();
        let (train, validation) = data(folder.path());
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut training = Training::start(recipe(), small(1), &train, &validation).unwrap();
                train_on(&mut training, 1);
                training.state().clone()
            })
        };
        let expected = run(1);
        for threads in [2, 3, 8] {
            assert_eq!(run(threads), expected);
        }
    }

    #[test]
    fn other_data_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (train, validation) = data(folder.path());
        let training = Training::start(recipe(), small(1), &train, &validation).unwrap();
        let error = Training::resume(training.state().clone(), &validation, &validation).unwrap_err();
        assert!(matches!(error, TrainError::OtherData(path) if path == validation));
    }

    #[test]
    fn more_parts_than_positions_work() {
        let folder = tempfile::tempdir().unwrap();
        let (train, validation) = data(folder.path());
        let recipe = Recipe { batch_size: 2, parts: 5, batches: 3, superbatches: 1, ..recipe() };
        let mut training = Training::start(recipe, small(1), &train, &validation).unwrap();
        train_on(&mut training, 1);
        assert!(training.is_done());
    }

    #[test]
    fn weights_of_another_architecture_are_refused_before_training() {
        let folder = tempfile::tempdir().unwrap();
        let (train, validation) = data(folder.path());
        let mut training = Training::start(recipe(), small(1), &train, &validation).unwrap();
        let error = training.run(folder.path(), &ProgressBar::hidden(), |_| {}).unwrap_err();
        assert!(matches!(error, TrainError::Network(NetworkError::Architecture { .. })), "{error}");
        assert_eq!(training.state().step, 0);
    }

    #[test]
    fn losses_in_floating_point_and_in_integers_are_close() {
        let folder = tempfile::tempdir().unwrap();
        let (train, validation) = data(folder.path());
        let recipe = Recipe { batches: 2, superbatches: 1, ..recipe() };
        let mut training = Training::start(recipe, None, &train, &validation).unwrap();
        let finished = training.run(folder.path(), &ProgressBar::hidden(), |_| {}).unwrap();
        assert_eq!(Some(finished.loss), training.state().history.last().map(|entry| entry.validation_loss));
        assert_ne!(finished.quantised_loss, finished.loss);
        assert!((finished.quantised_loss - finished.loss).abs() < 0.01 * finished.loss, "{finished:?}");
        assert!(finished.network.is_file());
    }

    #[test]
    fn an_impossible_recipe_and_a_folder_in_use_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (train, validation) = data(folder.path());
        let recipe = Recipe { parts: 0, ..recipe() };
        let error = Training::start(recipe, small(1), &train, &validation).unwrap_err();
        assert!(matches!(error, TrainError::Recipe(_)));

        assert!(check_unused(folder.path()).is_ok());
        fs_err::write(folder.path().join(CHECKPOINT_NAME), "").unwrap();
        assert!(matches!(check_unused(folder.path()), Err(TrainError::FolderInUse(_))));
    }
}
