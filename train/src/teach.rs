//! Labels from networks: positions scored anew with the mean of what several teachers think of them.
//!
//! A search's score is full of what happens in that one position, of which no evaluation can know; trainings differ in what
//! they make of it. The mean of several networks has less of that noise than the scores that they learned from and than
//! any one of them, so a network learns more from it, also from positions that no search has scored well.

use std::io;
use std::path::Path;

use eval::arch::SCALE;
use rayon::prelude::*;

use crate::kernel::Worker;
use crate::model::{Layout, Parameters};
use crate::record::{RECORD_LEN, RawRecord, Record, RecordError, RecordFile, RecordWriter};

/// Records read at a time.
const BLOCK: usize = 1 << 18;

/// Why positions cannot be scored anew.
#[derive(Debug, thiserror::Error)]
pub enum TeachError {
    /// Nobody teaches.
    #[error("no network to score positions with")]
    NoTeacher,
    /// The teachers have different numbers of neurons.
    #[error("these are weights of networks of different sizes")]
    Sizes,
    /// The records cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Copies a file of records with the mean evaluation of the teachers in place of each score; returns how many there are.
///
/// Results stay as they are. The work is shared out in `parts`, at least 1; scores do not depend on them.
///
/// # Errors
///
/// If there is no teacher, if they are of different sizes, or if a file cannot be read or written.
pub fn teach(records: &Path, taught: &Path, teachers: &[Parameters], parts: usize) -> Result<u64, TeachError> {
    let layout = teachers.first().ok_or(TeachError::NoTeacher)?.layout();
    if teachers.iter().any(|teacher| teacher.layout() != layout) {
        return Err(TeachError::Sizes);
    }
    let mut file = RecordFile::open(records)?;
    let mut writer = RecordWriter::create(taught)?;
    let mut pupils: Vec<Pupil> = (0..parts.max(1)).map(|_| Pupil::new(layout)).collect();
    let mut left = file.count();
    while left > 0 {
        let mut block = vec![[0; RECORD_LEN]; left.min(BLOCK as u64) as usize];
        file.read(&mut block)?;
        let part = block.len().div_ceil(pupils.len());
        let work = pupils.par_iter_mut().zip(block.par_chunks_mut(part));
        work.for_each(|(pupil, records)| pupil.score(records, teachers));
        writer.write(&block)?;
        left -= block.len() as u64;
    }
    Ok(writer.finish()?)
}

/// Scores one part of the records.
struct Pupil {
    worker: Worker,
    outputs: Vec<f32>,
}

impl Pupil {
    fn new(layout: Layout) -> Self {
        Self { worker: Worker::new(layout), outputs: Vec::new() }
    }

    fn score(&mut self, records: &mut [RawRecord], teachers: &[Parameters]) {
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

/// A network's output as a score.
fn centipawns(output: f32) -> i16 {
    (output * SCALE as f32).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::random_records;

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
        let (path, taught) = (folder.path().join("records"), folder.path().join("taught"));
        let records = random_records(5, 1_111);
        write(&path, &records);
        let layout = Layout::new(16);
        let teachers = [0.25, 0.5, -1.5].map(|bias| {
            let mut teacher = Parameters::zero(layout);
            teacher.numbers_mut()[layout.output_bias(0)..].fill(bias);
            teacher
        });
        for parts in [1, 3, 5_000] {
            assert_eq!(teach(&path, &taught, &teachers, parts).unwrap(), 1_111);
            let expected: Vec<_> = records.iter().map(|&record| Record(record).with_score(-100).0).collect();
            assert_eq!(read(&taught), expected);
        }
    }

    /// The score of one teacher is its own evaluation, position by position.
    #[test]
    fn one_teacher_gives_its_own_evaluation() {
        let folder = tempfile::tempdir().unwrap();
        let (path, taught) = (folder.path().join("records"), folder.path().join("taught"));
        let boards = ["8/8/4k3/8/8/3QK3/8/8 w - - 0 1", "4k3/8/8/3pP3/8/8/PPP5/R3K2R b KQ - 0 1"];
        let boards = boards.map(|fen| movegen::Board::from_fen(fen).unwrap());
        write(&path, &boards.map(|board| Record::new(&board, 7, None).0));
        let teacher = Parameters::random(Layout::new(32), 3);
        teach(&path, &taught, std::slice::from_ref(&teacher), 2).unwrap();
        for (record, board) in read(&taught).into_iter().zip(&boards) {
            assert_eq!(Record(record).score(), centipawns(teacher.evaluate(board)));
            assert_eq!(Record(record).result(), None);
        }
    }

    #[test]
    fn teachers_must_be_there_and_alike() {
        let folder = tempfile::tempdir().unwrap();
        let (path, taught) = (folder.path().join("records"), folder.path().join("taught"));
        write(&path, &random_records(1, 3));
        assert!(matches!(teach(&path, &taught, &[], 1), Err(TeachError::NoTeacher)));
        let teachers = [16, 32].map(|hidden| Parameters::zero(Layout::new(hidden)));
        assert!(matches!(teach(&path, &taught, &teachers, 1), Err(TeachError::Sizes)));
        assert!(!taught.exists());
    }
}
