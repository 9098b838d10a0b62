//! How good a network is on positions that it has not learned from.

use std::path::Path;

use rayon::prelude::*;

use crate::records::record::{RECORD_LEN, RawRecord, RecordError, RecordFile};
use crate::training::kernel::{Objective, Worker};
use crate::training::model::{Layout, Parameters};

/// The most positions used: enough that the loss's error is far below any difference worth having.
const MAX_POSITIONS: u64 = 2_000_000;

/// Mean squared errors of winning chances, from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// Against the target of training.
    pub target: f64,
    /// Against the score alone.
    pub score: f64,
    /// Against the game's result alone.
    pub result: f64,
}

/// Positions held out, at least one.
#[derive(Debug)]
pub struct Validation {
    records: Vec<RawRecord>,
    workers: Vec<Worker>,
}

impl Validation {
    /// The positions of a file of records, as many as are worth their time, for networks of one layout.
    ///
    /// They are worked in this many `parts` in parallel, at least 1, on which the last bits of losses depend.
    ///
    /// # Errors
    ///
    /// If the file cannot be used.
    pub fn open(path: &Path, layout: Layout, parts: usize) -> Result<Self, RecordError> {
        let mut file = RecordFile::open(path)?;
        let mut records = vec![[0; RECORD_LEN]; file.count().min(MAX_POSITIONS) as usize];
        file.read(&mut records)?;
        Ok(Self { records, workers: (0..parts.max(1)).map(|_| Worker::new(layout)).collect() })
    }

    /// The mean loss of a network.
    pub fn loss(&mut self, parameters: &Parameters, objective: Objective) -> f64 {
        let parts = self.records.par_chunks(self.records.len().div_ceil(self.workers.len()));
        let workers = self.workers.par_iter_mut().zip(parts);
        let losses: Vec<f64> = workers.map(|(worker, records)| worker.loss(parameters, records, objective)).collect();
        losses.iter().sum::<f64>() / self.records.len() as f64
    }

    /// All mean losses of a network, of which those against score and result compare between trainings whatever
    /// their objectives; `wdl` is the share of the result in the target.
    pub fn losses(&mut self, parameters: &Parameters, wdl: f64) -> Losses {
        let [target, score, result] = [wdl as f32, 0.0, 1.0].map(|wdl| self.loss(parameters, Objective { wdl }));
        Losses { target, score, result }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::record::{Record, RecordWriter};
    use crate::records::synthetic::random_records;
    use crate::training::kernel::sigmoid;

    /// A network without weights gives everybody even chances.
    #[test]
    fn losses_are_means_over_all_positions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let records = random_records(3, 1_234);
        let mut writer = RecordWriter::create(&path).unwrap();
        writer.write(&records).unwrap();
        writer.finish().unwrap();

        let chance = |record: &Record| f64::from(sigmoid(f32::from(record.score()) / eval::arch::SCALE as f32));
        let mean = |target: &dyn Fn(&Record) -> f64| {
            let errors = records.iter().map(|&record| (0.5 - target(&Record(record))).powi(2));
            errors.sum::<f64>() / records.len() as f64
        };
        let layout = Layout::new(32);
        for parts in [1, 3, 2_000] {
            let mut validation = Validation::open(&path, layout, parts).unwrap();
            let Losses { target, score, result } = validation.losses(&Parameters::zero(layout), 0.25);
            let result_of = |record: &Record| f64::from(record.result().unwrap());
            let mixed = mean(&|record| 0.25 * result_of(record) + 0.75 * chance(record));
            for (found, expected) in [(target, mixed), (score, mean(&chance)), (result, mean(&result_of))] {
                assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
            }
        }
    }
}
