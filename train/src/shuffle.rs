//! A global shuffle of more records than memory holds.
//!
//! Each record goes to a random one of several files; each file is then shuffled in memory and the files are joined.
//! Every order of all records is equally likely. It matters: neighbouring positions of a game are nearly equal, and
//! a network trained on them in order learns far less.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use fs_err::File;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tempfile::TempDir;

use crate::record::{RECORD_LEN, RawRecord, RecordWriter};

/// The most files to scatter to, well below the number a process may keep open.
const MAX_BUCKETS: u64 = 512;

/// Takes records in any order and gives them back in random order, equal for equal seeds.
#[derive(Debug)]
pub struct Shuffler {
    rng: Xoshiro256PlusPlus,
    buckets: Vec<BufWriter<File>>,
    /// Removes the files when dropped.
    _folder: TempDir,
}

impl Shuffler {
    /// Scatters to files in a new folder inside `folder`, as many as keep each below `memory` bytes if there are
    /// about `expected` records.
    ///
    /// # Errors
    ///
    /// If the files cannot be created.
    pub fn new(folder: &Path, expected: u64, memory: u64, seed: u64) -> io::Result<Self> {
        let count = (expected.saturating_mul(RECORD_LEN as u64) / memory.max(1) + 1).min(MAX_BUCKETS);
        let folder = TempDir::with_prefix_in(".shuffle-", folder)?;
        let create = |index| {
            let options = fs_err::OpenOptions::new().read(true).write(true).create_new(true).to_owned();
            let file = options.open(folder.path().join(format!("{index}")))?;
            Ok(BufWriter::with_capacity(1 << 16, file))
        };
        let buckets = (0..count).map(create).collect::<io::Result<_>>()?;
        Ok(Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), buckets, _folder: folder })
    }

    /// Takes a record.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn push(&mut self, record: &RawRecord) -> io::Result<()> {
        let bucket = self.rng.random_range(..self.buckets.len());
        self.buckets[bucket].write_all(record)
    }

    /// Gives all records to `writer`.
    ///
    /// # Errors
    ///
    /// If a file cannot be written or read.
    pub fn finish(mut self, writer: &mut RecordWriter) -> io::Result<()> {
        use std::io::{Read, Seek};
        for bucket in self.buckets.drain(..) {
            let mut file = bucket.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            let count = file.metadata()?.len() / RECORD_LEN as u64;
            let mut records = vec![[0; RECORD_LEN]; usize::try_from(count).map_err(io::Error::other)?];
            file.read_exact(records.as_flattened_mut())?;
            shuffle(&mut records, &mut self.rng);
            writer.write(&records)?;
            // Half of the space is free again while the other half is written.
            file.set_len(0)?;
        }
        Ok(())
    }
}

/// Puts items in random order.
pub fn shuffle<T>(items: &mut [T], rng: &mut Xoshiro256PlusPlus) {
    for unsettled in (1..items.len()).rev() {
        items.swap(unsettled, rng.random_range(..=unsettled));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::RecordFile;

    const COUNT: u32 = 20_000;

    fn numbered(number: u32) -> RawRecord {
        let mut record = [0; RECORD_LEN];
        record[..4].copy_from_slice(&number.to_le_bytes());
        record
    }

    fn shuffled(memory: u64, seed: u64) -> Vec<u32> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let mut shuffler = Shuffler::new(folder.path(), COUNT.into(), memory, seed).unwrap();
        (0..COUNT).for_each(|number| shuffler.push(&numbered(number)).unwrap());
        let mut writer = RecordWriter::create(&path).unwrap();
        shuffler.finish(&mut writer).unwrap();
        assert_eq!(writer.finish().unwrap(), u64::from(COUNT));
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 1, "files left behind");
        let mut records = vec![[0; RECORD_LEN]; COUNT as usize];
        RecordFile::open(&path).unwrap().read(&mut records).unwrap();
        records.iter().map(|record| u32::from_le_bytes(*record.first_chunk().unwrap())).collect()
    }

    #[test]
    fn every_record_comes_back_once_in_another_order() {
        for memory in [u64::MAX, 100_000, 1] {
            let order = shuffled(memory, 1);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..COUNT));
            // Independent places: about one record in its own place, and no memory of the order before.
            assert!(order.iter().zip(0..).filter(|(number, place)| *number == place).count() < 10);
            let rises = order.windows(2).filter(|pair| pair[0] < pair[1]).count();
            assert!((9_700..10_300).contains(&rises), "{rises}");
            let moved: f64 = order.iter().zip(0..COUNT).map(|(&number, place)| f64::from(number.abs_diff(place))).sum();
            // The mean distance of two random places is a third of the length.
            let mean = moved / f64::from(COUNT) / f64::from(COUNT);
            assert!((mean - 1.0 / 3.0).abs() < 0.01, "{mean}");
        }
    }

    #[test]
    fn equal_seeds_give_equal_orders() {
        assert_eq!(shuffled(100_000, 5), shuffled(100_000, 5));
        assert_ne!(shuffled(100_000, 5), shuffled(100_000, 6));
    }
}
