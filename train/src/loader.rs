//! Reads batches ahead of the trainer.

use std::io;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use crate::record::{RECORD_LEN, RawRecord, RecordFile};

/// Batches read ahead.
const AHEAD: usize = 8;

/// Batches of records in the order of the file, round and round.
#[derive(Debug)]
pub struct Loader {
    batches: Receiver<io::Result<Vec<RawRecord>>>,
}

impl Loader {
    /// Starts reading at a batch, counted from 0.
    #[must_use]
    pub fn start(mut file: RecordFile, batch_size: usize, first_batch: u64) -> Self {
        let (sender, batches) = sync_channel(AHEAD);
        let first = u128::from(first_batch) * batch_size as u128 % u128::from(file.count());
        // Ends when the loader is dropped, as sending fails then.
        thread::spawn(move || {
            let mut start = file.seek(first as u64);
            loop {
                let batch = start.and_then(|()| {
                    let mut records = vec![[0; RECORD_LEN]; batch_size];
                    file.read(&mut records)?;
                    Ok(records)
                });
                start = Ok(());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::RecordWriter;

    #[test]
    fn batches_begin_anywhere_and_go_round() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let mut writer = RecordWriter::create(&path).unwrap();
        writer.write(&(0..10).map(|number| [number; RECORD_LEN]).collect::<Vec<_>>()).unwrap();
        writer.finish().unwrap();
        for first in [0, 1, 7, 100, u64::MAX / 2] {
            let loader = Loader::start(RecordFile::open(&path).unwrap(), 4, first);
            for batch in 0..20 {
                let start = (u128::from(first) + batch) * 4;
                let expected = [0, 1, 2, 3].map(|index| [((start + index) % 10) as u8; RECORD_LEN]);
                assert_eq!(loader.next_batch().unwrap(), expected);
            }
        }
    }
}
