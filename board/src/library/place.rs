//! Where games lie, and how one program keeps others from changing them meanwhile.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::Identity;
use super::cache::ENDING;

/// How long another program may hold the games.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is looked whether it still does.
const PAUSE: Duration = Duration::from_millis(5);

/// Where a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Games,
    /// Where it can be brought back from.
    Bin,
}

impl Place {
    /// The name of the folder.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Bin => "bin",
        }
    }

    /// The name of the file with what is known of the games there.
    pub const fn list(self) -> &'static str {
        match self {
            Self::Games => "games.json",
            Self::Bin => "bin.json",
        }
    }
}

/// The name of a game's file.
pub(super) fn file_name(id: &Identity) -> String {
    format!("{id}{ENDING}")
}

/// A name like this one that nothing in a folder has.
pub(super) fn free_name(folder: &Path, id: &Identity) -> Identity {
    let numbered = (2..).filter_map(|number: u64| Identity::new(&format!("{id}.{number}")));
    let is_free = |name: &Identity| !super::exists(&folder.join(file_name(name)));
    // A name that is too long for a number has a random one.
    numbered.take(10_000).find(is_free).or_else(|| Identity::random().ok()).unwrap_or_else(|| id.clone())
}

/// Held while games are changed; other programs wait.
#[derive(Debug)]
pub(crate) struct DataLock(File);

impl DataLock {
    /// Takes the lock of a folder.
    pub fn take(folder: &Path) -> io::Result<Self> {
        let file = fs_err::OpenOptions::new().write(true).create(true).truncate(false).open(folder.join("lock"))?;
        let file = file.into_parts().0;
        let deadline = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self(file)),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another program is changing the games"));
                }
                // Some file systems have no locks. A file is never overwritten unseen there either.
                Err(TryLockError::Error(_)) => return Ok(Self(file)),
            }
        }
    }
}

impl Drop for DataLock {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}
