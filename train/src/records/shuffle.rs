//! A global shuffle of more records than memory holds.
//!
//! Each record goes to one of several files, by a hash of its board that the seed changes; each file is then shuffled in
//! memory and the files are joined. Order matters: neighbouring positions of a game are nearly equal, and a network
//! trained on them in order learns far less. Equal boards come to the same file, where all but one of them can be left
//! out.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use eval::network::checksum;
use fs_err::File;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tempfile::TempDir;

use crate::records::record::{RECORD_LEN, RawRecord, Record, RecordWriter};

/// The most files to scatter to, well below the number a process may keep open.
const MAX_BUCKETS: u64 = 512;

/// The byte of a record that holds, until it is written, how many times more than once it is wanted; otherwise 0.
const FURTHER_COPIES: usize = 30;

/// Numbers of pieces that a board can have, from 0.
const COUNTS: usize = 33;

/// What a shuffler leaves out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Thinning {
    /// Of records with equal boards, all but one, whichever it is.
    pub repeated: bool,
    /// Of records with a number of pieces that more than this many times the mean number of records have, as many as
    /// are too many. The mean is over those numbers of pieces that there are.
    pub most_of_a_count: f64,
}

impl Thinning {
    /// Everything is kept.
    pub const NONE: Self = Self { repeated: false, most_of_a_count: f64::INFINITY };
}

/// How many records a shuffler left out, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thinned {
    /// Their boards came before.
    pub repeated: u64,
    /// Their number of pieces is frequent.
    pub frequent: u64,
}

/// Takes records in any order and gives them back in random order, equal for equal seeds.
#[derive(Debug)]
pub struct Shuffler {
    rng: Xoshiro256PlusPlus,
    /// Changes which bucket a board goes to.
    salt: u64,
    buckets: Vec<BufWriter<File>>,
    /// Records taken, by the number of pieces.
    counts: [u64; COUNTS],
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
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(Self { salt: rng.random(), rng, buckets, counts: [0; COUNTS], _folder: folder })
    }

    /// Takes a record that will be there so many times, at least once.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn push(&mut self, record: &RawRecord, copies: u8) -> io::Result<()> {
        // A multiple of the hash, the bucket being its upper part: its lower ones hardly mix.
        let hash = (checksum(board_of(record)) ^ self.salt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let bucket = (u128::from(hash) * self.buckets.len() as u128) >> 64;
        self.counts[pieces(record)] += u64::from(copies.max(1));
        let mut record = *record;
        record[FURTHER_COPIES] = copies.saturating_sub(1);
        self.buckets[bucket as usize].write_all(&record)
    }

    /// How likely a record with each number of pieces is kept.
    fn shares(&self, thinning: Thinning) -> [f64; COUNTS] {
        let numbers = self.counts.iter().filter(|&&count| count > 0).count();
        let mean = self.counts.iter().sum::<u64>() as f64 / numbers.max(1) as f64;
        self.counts.map(|count| (thinning.most_of_a_count * mean / count.max(1) as f64).min(1.0))
    }

    /// Gives the records to `writer`, all but those to be left out, which it counts.
    ///
    /// # Errors
    ///
    /// If a file cannot be written or read.
    pub fn finish(mut self, writer: &mut RecordWriter, thinning: Thinning) -> io::Result<Thinned> {
        use std::io::{Read, Seek};
        let shares = self.shares(thinning);
        let mut thinned = Thinned::default();
        for bucket in self.buckets.drain(..) {
            let mut file = bucket.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            let count = file.metadata()?.len() / RECORD_LEN as u64;
            let mut records = vec![[0; RECORD_LEN]; usize::try_from(count).map_err(io::Error::other)?];
            file.read_exact(records.as_flattened_mut())?;
            shuffle(&mut records, &mut self.rng);
            if thinning.repeated {
                let before = records.len();
                let mut seen = HashSet::with_capacity(before);
                // Of equal boards, one with a score is kept, and of these the one that counts most.
                let rank = |record: &RawRecord| (!Record(*record).has_score(), Reverse(record[FURTHER_COPIES]));
                let needs_order = records.iter().any(|record| rank(record) != (false, Reverse(0)));
                if needs_order {
                    records.sort_by_key(rank);
                }
                records.retain(|record| seen.insert(checksum(board_of(record))));
                thinned.repeated += (before - records.len()) as u64;
                if needs_order {
                    shuffle(&mut records, &mut self.rng);
                }
            }
            if copy(&mut records) {
                shuffle(&mut records, &mut self.rng);
            }
            if thinning.most_of_a_count.is_finite() {
                let before = records.len();
                records.retain(|record| self.rng.random::<f64>() < shares[pieces(record)]);
                thinned.frequent += (before - records.len()) as u64;
            }
            writer.write(&records)?;
            // Half of the space is free again while the other half is written.
            file.set_len(0)?;
        }
        Ok(thinned)
    }
}

/// Adds the further copies of records that have any; whether there were some.
fn copy(records: &mut Vec<RawRecord>) -> bool {
    let before = records.len();
    for index in 0..before {
        let copies = std::mem::take(&mut records[index][FURTHER_COPIES]);
        let record = records[index];
        records.extend(std::iter::repeat_n(record, copies.into()));
    }
    records.len() > before
}

/// The bytes of a record that tell its board from others.
fn board_of(record: &RawRecord) -> &[u8] {
    &record[..24]
}

/// The number of pieces.
fn pieces(record: &RawRecord) -> usize {
    Record(*record).pieces().count().min(COUNTS - 1)
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
    use crate::records::record::RecordFile;

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
        (0..COUNT).for_each(|number| shuffler.push(&numbered(number), 1).unwrap());
        let mut writer = RecordWriter::create(&path).unwrap();
        assert_eq!(shuffler.finish(&mut writer, Thinning::NONE).unwrap(), Thinned::default());
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

    /// What is left of these records, and how many are not.
    fn thinned(records: &[RawRecord], thinning: Thinning) -> (Vec<RawRecord>, Thinned) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let mut shuffler = Shuffler::new(folder.path(), records.len() as u64, 10_000, 3).unwrap();
        records.iter().for_each(|record| shuffler.push(record, 1).unwrap());
        let mut writer = RecordWriter::create(&path).unwrap();
        let thinned = shuffler.finish(&mut writer, thinning).unwrap();
        let mut left = vec![[0; RECORD_LEN]; writer.finish().unwrap() as usize];
        RecordFile::open(&path).unwrap().read(&mut left).unwrap();
        (left, thinned)
    }

    #[test]
    fn of_equal_boards_one_is_left() {
        let mut records: Vec<_> = (0..3000).map(|number| numbered(number % 1000)).collect();
        // Another score makes no other board.
        records
            .iter_mut()
            .zip(0_i16..)
            .for_each(|(record, score)| record[24..26].copy_from_slice(&score.to_le_bytes()));
        let (mut left, thinned) = thinned(&records, Thinning { repeated: true, ..Thinning::NONE });
        assert_eq!(thinned, Thinned { repeated: 2000, frequent: 0 });
        left.sort_unstable();
        assert!(left.iter().map(|record| record[..24].to_vec()).eq((0..1000).map(|n: u32| {
            let mut numbers: Vec<_> = (0..1000).map(numbered).collect();
            numbers.sort_unstable();
            numbers[n as usize][..24].to_vec()
        })));
    }

    #[test]
    fn frequent_numbers_of_pieces_are_thinned_to_what_is_asked() {
        // 8,000 records with three pieces and 2,000 with four: 5,000 each would be the mean.
        let record = |number: u32| {
            let mut record = [0; RECORD_LEN];
            record[0] = if number.is_multiple_of(5) { 0b1111 } else { 0b111 };
            record[8..12].copy_from_slice(&number.to_le_bytes());
            record
        };
        let records: Vec<_> = (0..10_000).map(record).collect();
        let (left, thinned) = thinned(&records, Thinning { most_of_a_count: 0.8, ..Thinning::NONE });
        let three = left.iter().filter(|record| pieces(record) == 3).count();
        assert_eq!(left.len() - three, 2000);
        assert!((3800..4200).contains(&three), "{three}");
        assert_eq!(thinned, Thinned { repeated: 0, frequent: 8000 - three as u64 });
    }
}
