//! The text of an open file, to be read in places.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// The text of a file.
pub(super) struct StoredText {
    file: Mutex<File>,
    original: Option<Original>,
}

/// A file of the user, as it was when it was opened.
struct Original {
    path: PathBuf,
    stamp: (u64, Option<SystemTime>),
}

impl StoredText {
    /// The text of a file that is read where it lies.
    pub fn original(path: &Path) -> io::Result<Self> {
        let file = fs_err::File::open(path)?.into_parts().0;
        let original = Original { path: path.to_owned(), stamp: stamp(&file.metadata()?) };
        Ok(Self { file: Mutex::new(file), original: Some(original) })
    }

    /// A text that is written first, into a file without a name in this folder, or where the system has such files.
    pub fn scratch(folder: &Path) -> io::Result<Self> {
        let file = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
        let file = file.or_else(|_| tempfile::tempfile())?;
        Ok(Self { file: Mutex::new(file), original: None })
    }

    /// Whether it is the file of the user.
    pub const fn is_original(&self) -> bool {
        self.original.is_some()
    }

    fn file(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds to a text that is written.
    pub fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.file();
        file.seek(SeekFrom::End(0))?;
        file.write_all(bytes)
    }

    /// A part of the text.
    pub fn read(&self, start: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut file = self.file();
        if let Some(Original { path, stamp: expected }) = &self.original
            && stamp(&file.metadata()?) != *expected
        {
            let text = format!("{} has been changed since it was opened; open it again", path.display());
            return Err(io::Error::new(io::ErrorKind::StaleNetworkFileHandle, text));
        }
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        (&mut *file).take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn stamp(metadata: &Metadata) -> (u64, Option<SystemTime>) {
    (metadata.len(), metadata.modified().ok())
}

#[cfg(all(test, target_os = "linux"))]
impl StoredText {
    /// A text for which there is no room.
    pub fn full() -> io::Result<Self> {
        let file = File::options().read(true).write(true).open("/dev/full")?;
        Ok(Self { file: Mutex::new(file), original: None })
    }
}
