//! A file to which things are added, each of them whole or not at all.

use std::fs::OpenOptions;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use fs_err::File;

/// A file open for adding to its end. What another process adds to it meanwhile stays.
#[derive(Debug)]
pub struct AppendedFile {
    file: File,
    /// It has an end, unlike a pipe or a terminal.
    is_regular: bool,
}

impl AppendedFile {
    /// Opens a file, or makes it.
    ///
    /// # Errors
    ///
    /// If it cannot be opened for writing.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Not for appending: on Windows such a file cannot be cut off.
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        let is_regular = file.metadata()?.is_file();
        Ok(Self { file: File::from_parts(file, path), is_regular })
    }

    /// Adds bytes. If that fails, the file is as long as before.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !self.is_regular {
            return self.file.write_all(bytes).and_then(|()| self.file.flush());
        }
        // Where the system has no locks, nobody else may add to it.
        let _lock = self.file.file().lock().is_ok().then(|| Unlocking(&self.file));
        let mut file = &self.file;
        let end = file.seek(SeekFrom::End(0))?;
        file.write_all(bytes).inspect_err(|_| {
            // What keeps bytes from being added does not keep them from being taken away.
            let _ = file.file().set_len(end);
        })
    }

    /// Cuts off what comes after this many bytes.
    ///
    /// # Errors
    ///
    /// If the file cannot be cut off.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        if self.is_regular { self.file.file().set_len(length) } else { Ok(()) }
    }
}

/// Lets others add to the file again.
struct Unlocking<'a>(&'a File);

impl Drop for Unlocking<'_> {
    fn drop(&mut self) {
        let _ = self.0.file().unlock();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_added_stands_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "a").unwrap();
        let [mut one, mut other] = [(); 2].map(|()| AppendedFile::open(&path).unwrap());
        one.append(b"b").unwrap();
        other.append(b"c").unwrap();
        one.append(b"d").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"abcd");
        one.cut(2).unwrap();
        other.append(b"e").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"abe");
        assert!(AppendedFile::open(folder.path()).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_without_room_says_so() {
        let error = AppendedFile::open(Path::new("/dev/full")).unwrap().append(b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        AppendedFile::open(Path::new("/dev/null")).unwrap().append(b"x").unwrap();
    }
}
