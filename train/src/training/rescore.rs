//! Knowledge distillation: the scores of records replaced by the mean evaluation of several networks, the teachers.
//!
//! A search's score holds much that is true of that one position alone, which is noise to an evaluation, and each training
//! makes something else of it. The mean of several networks has less of that noise than the scores they learned from and than
//! any one of them. They also give scores to positions that nobody has searched.
//!
//! Sources: G. Hinton, O. Vinyals and J. Dean, "Distilling the Knowledge in a Neural Network" (2015); L. K. Hansen and P.
//! Salamon, "Neural Network Ensembles" (1990).

use std::io;
use std::path::Path;

use eval::arch::SCALE;
use rayon::prelude::*;

use crate::records::record::{RECORD_LEN, RawRecord, Record, RecordError, RecordFile, RecordWriter};
use crate::training::kernel::Worker;
use crate::training::model::{Layout, Parameters};

/// Records read at a time.
const BLOCK: usize = 1 << 18;

/// Why records cannot be rescored.
#[derive(Debug, thiserror::Error)]
pub enum RescoreError {
    /// There is no network.
    #[error("no network to rescore with")]
    NoTeacher,
    /// The networks have different numbers of hidden neurons.
    #[error("these are weights of networks of different sizes")]
    Sizes,
    /// The records cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Which records get a new score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// All of them.
    All,
    /// Those that have none: others keep what a search found.
    Unscored,
}

impl Which {
    fn includes(self, record: &RawRecord) -> bool {
        self == Self::All || !Record(*record).has_score()
    }
}

/// Copies a file of records with the mean evaluation of the teachers as their scores; returns how many got one.
///
/// Results stay as they are. The work is shared out in `parts`, at least 1; scores do not depend on them.
///
/// # Errors
///
/// If there is no teacher, if they are of different sizes, or if a file cannot be read or written.
pub fn rescore(
    records: &Path,
    rescored: &Path,
    which: Which,
    teachers: &[Parameters],
    parts: usize,
) -> Result<u64, RescoreError> {
    let layout = teachers.first().ok_or(RescoreError::NoTeacher)?.layout();
    if teachers.iter().any(|teacher| teacher.layout() != layout) {
        return Err(RescoreError::Sizes);
    }
    let mut file = RecordFile::open(records)?;
    let mut writer = RecordWriter::create(rescored)?;
    let mut rescorers: Vec<Rescorer> = (0..parts.max(1)).map(|_| Rescorer::new(layout)).collect();
    let mut left = file.count();
    let mut count = 0;
    while left > 0 {
        let mut block = vec![[0; RECORD_LEN]; left.min(BLOCK as u64) as usize];
        file.read(&mut block)?;
        left -= block.len() as u64;
        let mut chosen: Vec<RawRecord> = block.iter().copied().filter(|record| which.includes(record)).collect();
        let part = chosen.len().div_ceil(rescorers.len()).max(1);
        let work = rescorers.par_iter_mut().zip(chosen.par_chunks_mut(part));
        work.for_each(|(rescorer, records)| rescorer.rescore(records, teachers));
        let places = block.iter_mut().filter(|record| which.includes(record));
        places.zip(&chosen).for_each(|(record, rescored)| *record = *rescored);
        writer.write(&block)?;
        count += chosen.len() as u64;
    }
    writer.finish()?;
    Ok(count)
}

/// Works one part of each block of records.
struct Rescorer {
    worker: Worker,
    outputs: Vec<f32>,
}

impl Rescorer {
    fn new(layout: Layout) -> Self {
        Self { worker: Worker::new(layout), outputs: Vec::new() }
    }

    fn rescore(&mut self, records: &mut [RawRecord], teachers: &[Parameters]) {
        self.outputs.clear();
        for teacher in teachers {
            self.worker.evaluate(teacher, records, &mut self.outputs);
        }
        let count = records.len();
        for (index, record) in records.iter_mut().enumerate() {
            let sum: f32 = self.outputs[index..].iter().step_by(count).sum();
            *record = Record(*record).with_score(centipawns(sum / teachers.len() as f32)).0;
        }
    }
}

/// A network's output as a score; the conversion saturates.
fn centipawns(output: f32) -> i16 {
    (output * SCALE as f32).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::synthetic::random_records;

    fn write(path: &Path, records: &[RawRecord]) {
        let mut writer = RecordWriter::create(path).unwrap();
        writer.write(records).unwrap();
        writer.finish().unwrap();
    }

    fn read(path: &Path) -> Vec<RawRecord> {
        let mut file = RecordFile::open(path).unwrap();
        let mut records = vec![[0; RECORD_LEN]; file.count() as usize];
        file.read(&mut records).unwrap();
        records
    }

    /// Teachers whose biases alone differ evaluate every position as the mean of those, whatever the parts.
    #[test]
    fn scores_are_the_mean_evaluation_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (path, rescored) = (folder.path().join("records"), folder.path().join("rescored"));
        let records = random_records(5, 1_111);
        write(&path, &records);
        let layout = Layout::new(32);
        let teachers = [0.25, 0.5, -1.5].map(|bias| {
            let mut teacher = Parameters::zero(layout);
            teacher.numbers_mut()[layout.output_bias(0)..].fill(bias);
            teacher
        });
        for parts in [1, 3, 5_000] {
            assert_eq!(rescore(&path, &rescored, Which::All, &teachers, parts).unwrap(), 1_111);
            let expected: Vec<_> = records.iter().map(|&record| Record(record).with_score(-100).0).collect();
            assert_eq!(read(&rescored), expected);
        }
    }

    /// The score of one teacher is its own evaluation, position by position.
    #[test]
    fn one_teacher_gives_its_own_evaluation() {
        let folder = tempfile::tempdir().unwrap();
        let (path, rescored) = (folder.path().join("records"), folder.path().join("rescored"));
        let boards = ["8/8/4k3/8/8/3QK3/8/8 w - - 0 1", "4k3/8/8/3pP3/8/8/PPP5/R3K2R b KQ - 0 1"];
        let boards = boards.map(|fen| movegen::Board::from_fen(fen).unwrap());
        write(&path, &boards.map(|board| Record::new(&board, 7, None).0));
        let teacher = Parameters::random(Layout::new(64), 3);
        rescore(&path, &rescored, Which::All, std::slice::from_ref(&teacher), 2).unwrap();
        for (record, board) in read(&rescored).into_iter().zip(&boards) {
            assert_eq!(Record(record).score(), centipawns(teacher.evaluate(board)));
            assert_eq!(Record(record).result(), None);
        }
    }

    #[test]
    fn records_with_a_score_can_keep_it() {
        let folder = tempfile::tempdir().unwrap();
        let (path, rescored) = (folder.path().join("records"), folder.path().join("rescored"));
        let mut records = random_records(6, 900);
        let board = movegen::Board::start();
        records.iter_mut().step_by(7).for_each(|record| *record = Record::unscored(&board).0);
        write(&path, &records);
        let teacher = Parameters::random(Layout::new(64), 3);
        let score = centipawns(teacher.evaluate(&board));
        for parts in [1, 2] {
            let count = rescore(&path, &rescored, Which::Unscored, std::slice::from_ref(&teacher), parts).unwrap();
            assert_eq!(count, 129);
            let expected = records
                .iter()
                .map(|&record| Record(record))
                .map(|record| if record.has_score() { record.0 } else { record.with_score(score).0 });
            assert_eq!(read(&rescored), expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn teachers_must_be_there_and_alike() {
        let folder = tempfile::tempdir().unwrap();
        let (path, rescored) = (folder.path().join("records"), folder.path().join("rescored"));
        write(&path, &random_records(1, 3));
        assert!(matches!(rescore(&path, &rescored, Which::All, &[], 1), Err(RescoreError::NoTeacher)));
        let teachers = [32, 64].map(|hidden| Parameters::zero(Layout::new(hidden)));
        assert!(matches!(rescore(&path, &rescored, Which::All, &teachers, 1), Err(RescoreError::Sizes)));
        assert!(!rescored.exists());
    }
}
