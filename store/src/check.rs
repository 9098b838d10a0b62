//! Examining a file that may be anything, without a change of it.
//!
//! The database notices damage when it verifies the checksums of all its pages. That is a part of its repair, which
//! writes. So it gets to see the file through a [`Glass`]: what it writes is kept in memory and forgotten.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Bound;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redb::backends::FileBackend;
use redb::{BackendError, Builder, Database, StorageBackend};

use crate::error::StoreError;

/// How the files of the database begin.
const MAGIC: &[u8] = b"redb\x1A\x0A\xA9\x0D\x0A";
/// In bytes: how much of a file is kept in memory, less than that of the library, which is made for servers.
pub(crate) const CACHE: usize = 32 << 20;
/// In bytes: what is kept of a write at least.
const BLOCK: usize = 4096;

/// A database whose checksums are right, opened so that nothing is written to the file.
///
/// # Errors
///
/// If the file cannot be read, is no database or is damaged, or another process has it open.
pub(crate) fn examine(path: &Path) -> Result<Database, StoreError> {
    let Opened { mut file, is_read_only } = open(path)?;
    let mut beginning = Vec::new();
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut beginning)?;
    if beginning.is_empty() || !MAGIC.starts_with(&beginning) {
        return Err(StoreError::Foreign);
    }
    if beginning.len() < MAGIC.len() {
        return Err(StoreError::Damaged("a part of it is missing".to_owned()));
    }
    let glass = Glass::new(FileBackend::new(file)?, is_read_only)?;
    Ok(Builder::new().set_cache_size(CACHE).set_check_integrity_on_open(true).create_with_backend(glass)?)
}

/// An open file.
pub(crate) struct Opened {
    pub file: File,
    /// It may be read and not written.
    pub is_read_only: bool,
}

/// Opens a regular file, for writing too where that is allowed: without it, some systems do not let one process have it alone.
pub(crate) fn open(path: &Path) -> io::Result<Opened> {
    let open = |writes| platform::without_waiting(File::options().read(true).write(writes)).open(path);
    let (file, is_read_only) = match open(true) {
        Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
            // If it may not be read either, that is the error.
            (open(false)?, true)
        }
        file => (file?, false),
    };
    let is_file = file.metadata()?.is_file();
    if is_file {
        Ok(Opened { file, is_read_only })
    } else {
        Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"))
    }
}

/// A file that looks changed through it, and is not.
#[derive(Debug)]
struct Glass {
    file: FileBackend,
    /// The file itself could not be changed. Who has it so shares it with others that do, but not with one that writes.
    is_read_only: bool,
    changes: Mutex<Changes>,
}

#[derive(Debug)]
struct Changes {
    /// The length that the file seems to have.
    length: u64,
    /// How much of the file itself can be seen: less than all when it seemed shorter once.
    visible: u64,
    /// What seems to be written, by the number of the block.
    blocks: BTreeMap<u64, Box<[u8; BLOCK]>>,
}

impl Glass {
    fn new(file: FileBackend, is_read_only: bool) -> io::Result<Self> {
        let length = file.len()?;
        let changes = Mutex::new(Changes { length, visible: length, blocks: BTreeMap::new() });
        Ok(Self { file, is_read_only, changes })
    }

    fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the file itself has at a place, and zeros behind its end.
    fn read_file(&self, visible: u64, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let length = usize::try_from(visible.saturating_sub(offset)).unwrap_or(usize::MAX).min(out.len());
        let (there, behind) = out.split_at_mut(length);
        behind.fill(0);
        if there.is_empty() { Ok(()) } else { self.file.read(offset, there) }
    }
}

impl Changes {
    fn check(&self, offset: u64, length: usize) -> io::Result<()> {
        let end = offset.checked_add(length as u64).filter(|end| *end <= self.length);
        end.map(|_| ()).ok_or_else(|| ErrorKind::UnexpectedEof.into())
    }
}

/// The block of a place, and where in it the place is.
const fn block_of(offset: u64) -> (u64, usize) {
    (offset / BLOCK as u64, (offset % BLOCK as u64) as usize)
}

impl StorageBackend for Glass {
    fn len(&self) -> io::Result<u64> {
        Ok(self.changes().length)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let changes = self.changes();
        changes.check(offset, out.len())?;
        self.read_file(changes.visible, offset, out)?;
        let last = block_of(offset + out.len() as u64).0;
        for (number, block) in changes.blocks.range(offset / BLOCK as u64..=last) {
            let start = number * BLOCK as u64;
            let (begin, end) = (offset.max(start), (offset + out.len() as u64).min(start + BLOCK as u64));
            if begin < end {
                let (to, from) = ((begin - offset) as usize, (begin - start) as usize);
                let length = (end - begin) as usize;
                out[to..to + length].copy_from_slice(&block[from..from + length]);
            }
        }
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut changes = self.changes();
        if length < changes.length {
            changes.visible = changes.visible.min(length);
            let (number, offset) = block_of(length);
            changes.blocks.split_off(&(number + 1));
            if let Some(block) = changes.blocks.get_mut(&number) {
                block[offset..].fill(0);
            }
        }
        changes.length = length;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, mut offset: u64, mut data: &[u8]) -> io::Result<()> {
        let mut changes = self.changes();
        changes.check(offset, data.len())?;
        while !data.is_empty() {
            let (number, begin) = block_of(offset);
            let length = data.len().min(BLOCK - begin);
            if !changes.blocks.contains_key(&number) {
                let mut block = Box::new([0; BLOCK]);
                self.read_file(changes.visible, number * BLOCK as u64, &mut block[..])?;
                changes.blocks.insert(number, block);
            }
            if let Some(block) = changes.blocks.get_mut(&number) {
                block[begin..begin + length].copy_from_slice(&data[..length]);
            }
            offset += length as u64;
            data = &data[length..];
        }
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        if self.is_read_only {
            self.file.try_lock_shared_range(start, end)
        } else {
            self.file.try_lock_range(start, end)
        }
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        if self.is_read_only { self.file.lock_shared_range(start, end) } else { self.file.lock_range(start, end) }
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.query_lock_range(start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_seen_and_not_done() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut expected: Vec<u8> = (0..20_000_u32).map(|index| (index % 251) as u8).collect();
        std::fs::write(&path, &expected).unwrap();
        let (old, glass) =
            (expected.clone(), Glass::new(FileBackend::new(open(&path).unwrap().file).unwrap(), false).unwrap());
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for step in 0..600 {
            if step % 50 == 49 {
                let length = 1 + random(40_000);
                glass.set_len(length as u64).unwrap();
                expected.resize(length, 0);
            }
            let begin = random(expected.len());
            let length = random(9_000).min(expected.len() - begin);
            if step % 2 == 0 {
                let data = vec![step as u8; length];
                glass.write(begin as u64, &data).unwrap();
                expected[begin..begin + length].copy_from_slice(&data);
            }
            let mut seen = vec![1; length];
            glass.read(begin as u64, &mut seen).unwrap();
            assert!(seen == expected[begin..begin + length], "step {step}");
        }
        assert_eq!(glass.len().unwrap(), expected.len() as u64);
        assert!(glass.read(expected.len() as u64, &mut [0]).is_err() && glass.write(u64::MAX, &[0]).is_err());
        assert!(std::fs::read(&path).unwrap() == old);
    }
}
