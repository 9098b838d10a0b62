//! What has to wait for its place in a file, kept on disk: memory does not grow with the number of games.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::Path;

/// Bytes that wait. They lie in a file without a name, which the system removes with the process, whatever ends it.
#[derive(Debug)]
pub(crate) struct TempFile {
    file: BufWriter<File>,
}

impl TempFile {
    /// Nothing yet. It will lie in this folder, where what it waits for has room; in the system's folder for such files
    /// if there is none or nothing can lie there.
    ///
    /// # Errors
    ///
    /// If no file can be made.
    pub fn new(folder: Option<&Path>) -> io::Result<Self> {
        let beside = folder.and_then(|folder| tempfile::tempfile_in(folder).ok());
        let file = beside.map_or_else(tempfile::tempfile, Ok)?;
        Ok(Self { file: BufWriter::new(file) })
    }

    /// All that was written, from the beginning. What is written later must not come while this is read.
    ///
    /// # Errors
    ///
    /// If the last of it cannot be written down.
    pub fn read(&mut self) -> io::Result<BufReader<&File>> {
        self.file.rewind()?;
        Ok(BufReader::new(self.file.get_ref()))
    }
}

impl Write for TempFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn what_was_put_aside_comes_back_as_often_as_asked() {
        let folder = tempfile::tempdir().unwrap();
        for place in [None, Some(folder.path()), Some(Path::new("/no/such/folder"))] {
            let mut spill = TempFile::new(place).unwrap();
            let text = "0123456789".repeat(10_000);
            spill.write_all(text.as_bytes()).unwrap();
            for _ in 0..2 {
                let mut again = String::new();
                spill.read().unwrap().read_to_string(&mut again).unwrap();
                assert!(again == text, "{} bytes", again.len());
            }
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "and leaves nothing behind");
    }
}
