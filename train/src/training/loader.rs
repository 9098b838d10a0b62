//! Reads batches ahead of the trainer.

use std::io;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::records::record::{RECORD_LEN, RawRecord, RecordFile};
use crate::records::shuffle::shuffle;

/// Batches read ahead.
const AHEAD: usize = 8;

/// Records that stay together when each epoch has an order of its own. A batch is drawn from many blocks, yet reading
/// costs little more than in the order of the file.
const BLOCK: u64 = 1024;

/// In which order records are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// That of the file, round and round.
    File,
    /// For each epoch another order of blocks of records, which depends on nothing but the seed and the epoch.
    Random {
        /// Of the orders.
        seed: u64,
    },
}

/// Batches of records, epoch after epoch.
#[derive(Debug)]
pub struct Loader {
    batches: Receiver<io::Result<Vec<RawRecord>>>,
}

impl Loader {
    /// Starts reading at a batch, counted from 0.
    #[must_use]
    pub fn start(mut file: RecordFile, order: Order, batch_size: usize, first_batch: u64) -> Self {
        let (sender, batches) = sync_channel(AHEAD);
        let mut route = Route::new(order, file.count());
        let mut next = u128::from(first_batch) * batch_size as u128;
        // Ends when the loader is dropped, as sending fails then.
        thread::spawn(move || {
            loop {
                let mut records = vec![[0; RECORD_LEN]; batch_size];
                let batch = route.read(&mut file, next, &mut records).map(|()| records);
                next = next.wrapping_add(batch_size as u128);
                let failed = batch.is_err();
                if sender.send(batch).is_err() || failed {
                    return;
                }
            }
        });
        Self { batches }
    }

    /// The next batch.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn next_batch(&self) -> io::Result<Vec<RawRecord>> {
        self.batches.recv().unwrap_or_else(|_| Err(io::Error::other("the data could not be read further")))
    }
}

/// Where the records of an endless stream, epoch after epoch, lie in the file.
struct Route {
    order: Order,
    /// Records in the file.
    count: u64,
    /// The epoch whose order `blocks` is.
    epoch: Option<u128>,
    /// The whole blocks of the file by their numbers, in the order in which the epoch reads them.
    blocks: Vec<u64>,
}

impl Route {
    const fn new(order: Order, count: u64) -> Self {
        Self { order, count, epoch: None, blocks: Vec::new() }
    }

    /// Fills `records` with those of the stream from `next` on, counted from 0.
    fn read(&mut self, file: &mut RecordFile, mut next: u128, mut records: &mut [RawRecord]) -> io::Result<()> {
        while !records.is_empty() {
            let (place, run) = self.locate(next);
            let run = usize::try_from(run).unwrap_or(usize::MAX).min(records.len());
            let (now, later) = records.split_at_mut(run);
            file.seek(place)?;
            file.read(now)?;
            next += run as u128;
            records = later;
        }
        Ok(())
    }

    /// The place in the file of a record of the stream, and how many from there on, at least one, the stream has in
    /// the order of the file.
    fn locate(&mut self, record: u128) -> (u64, u64) {
        let (epoch, place) = (record / u128::from(self.count), (record % u128::from(self.count)) as u64);
        // What fills no block at the end of the file stays there.
        if let Order::Random { seed } = self.order
            && place / BLOCK < self.count / BLOCK
        {
            self.enter(epoch, seed);
            let within = place % BLOCK;
            (self.blocks[(place / BLOCK) as usize] * BLOCK + within, BLOCK - within)
        } else {
            (place, self.count - place)
        }
    }

    /// Draws the order of an epoch, if it is another one than before.
    fn enter(&mut self, epoch: u128, seed: u64) {
        if self.epoch == Some(epoch) {
            return;
        }
        self.epoch = Some(epoch);
        self.blocks.clear();
        self.blocks.extend(0..self.count / BLOCK);
        // Far apart even for neighbouring seeds and epochs: the golden ratio by 2^64.
        let seed = seed.wrapping_add((epoch as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        shuffle(&mut self.blocks, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::records::record::RecordWriter;

    /// A file of records that begin with their number.
    fn numbered(path: &Path, count: u32) -> RecordFile {
        let record = |number: u32| {
            let mut record = [0; RECORD_LEN];
            record[..4].copy_from_slice(&number.to_le_bytes());
            record
        };
        let mut writer = RecordWriter::create(path).unwrap();
        writer.write(&(0..count).map(record).collect::<Vec<_>>()).unwrap();
        writer.finish().unwrap();
        RecordFile::open(path).unwrap()
    }

    fn number(record: &RawRecord) -> u32 {
        u32::from_le_bytes(*record.first_chunk().unwrap())
    }

    #[test]
    fn batches_begin_anywhere_and_go_round() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        for first in [0, 1, 7, 100, u64::MAX / 2] {
            let loader = Loader::start(numbered(&path, 10), Order::File, 4, first);
            for batch in 0..20 {
                let start = (u128::from(first) + batch) * 4;
                let expected = [0, 1, 2, 3].map(|index| ((start + index) % 10) as u32);
                assert_eq!(loader.next_batch().unwrap().iter().map(number).collect::<Vec<_>>(), expected);
            }
        }
    }

    #[test]
    fn each_epoch_reads_every_record_once_in_another_order() {
        const COUNT: u32 = 10 * BLOCK as u32 + 77;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let loader = Loader::start(numbered(&path, COUNT), Order::Random { seed: 5 }, COUNT as usize, 0);
        let mut epochs: Vec<Vec<u32>> =
            (0..3).map(|_| loader.next_batch().unwrap().iter().map(number).collect()).collect();
        assert!(epochs[0] != epochs[1] && epochs[1] != epochs[2] && epochs[0] != epochs[2]);
        for epoch in &mut epochs {
            epoch.sort_unstable();
            assert!(epoch.iter().copied().eq(0..COUNT));
        }
    }

    #[test]
    fn a_random_order_is_entered_anywhere() {
        const COUNT: u32 = 3 * BLOCK as u32 + 500;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let start = |first| Loader::start(numbered(&path, COUNT), Order::Random { seed: 9 }, 900, first);
        let straight = start(0);
        let batches: Vec<_> = (0..12).map(|_| straight.next_batch().unwrap()).collect();
        for (first, batch) in batches.iter().enumerate() {
            assert!(start(first as u64).next_batch().unwrap() == *batch, "batch {first}");
        }
    }
}
