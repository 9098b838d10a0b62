//! The files that are open, each by its name for the page.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::{ffi::OsStr, io};

use serde::Serialize;

use crate::opened::{OpenFile, Progress};

/// The most files that are open at a time.
const MAX_FILES: usize = 64;
/// The longest name that a page may give to a file, in bytes.
const MAX_ID: usize = 64;

/// Files by their names.
#[derive(Default)]
pub(super) struct OpenFiles(Mutex<Opened>);

#[derive(Default)]
struct Opened {
    files: BTreeMap<String, (u64, Arc<OpenFile>)>,
    /// How many have been opened.
    count: u64,
}

/// How far a file has been read.
#[derive(Serialize)]
pub(super) struct FileProgress {
    file: String,
    #[serde(flatten)]
    progress: Progress,
}

/// Why a file cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum OpenFilesError {
    #[error("there is no open file {0:?}")]
    NoFile(String),
    #[error("{0} files are open; close some of them first")]
    TooMany(usize),
    #[error("{0:?} is or was the name of another file")]
    Name(String),
}

impl OpenFiles {
    fn opened(&self) -> MutexGuard<'_, Opened> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new file of this name, by the one that the page wants or by a number.
    pub fn add(&self, name: &str, wanted: &str) -> Result<(String, Arc<OpenFile>), OpenFilesError> {
        let mut opened = self.opened();
        if opened.files.len() >= MAX_FILES {
            return Err(OpenFilesError::TooMany(MAX_FILES));
        }
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let is_name = wanted.len() <= MAX_ID && wanted.bytes().all(is_letter);
        // Numbers are given here.
        let is_number = !wanted.is_empty() && wanted.bytes().all(|byte| byte.is_ascii_digit());
        if !is_name || is_number || opened.files.contains_key(wanted) {
            return Err(OpenFilesError::Name(wanted.to_owned()));
        }
        opened.count += 1;
        let number = opened.count;
        let id = if wanted.is_empty() { number.to_string() } else { wanted.to_owned() };
        let file = Arc::new(OpenFile::new(name));
        opened.files.insert(id.clone(), (number, Arc::clone(&file)));
        Ok((id, file))
    }

    /// Opens a file of the command line, and reads it on a thread of its own.
    pub fn open(&self, path: PathBuf, scratch: &Path) -> io::Result<()> {
        let name = path.file_name().unwrap_or(OsStr::new("games")).to_string_lossy().into_owned();
        let name = if path.as_os_str() == "-" { "standard input" } else { &name };
        let (_, file) = self.add(name, "").map_err(io::Error::other)?;
        let scratch = scratch.to_owned();
        thread::Builder::new().spawn(move || file.read_path(&path, &scratch))?;
        Ok(())
    }

    /// A file.
    pub fn get(&self, id: &str) -> Result<Arc<OpenFile>, OpenFilesError> {
        let opened = self.opened();
        let file = opened.files.get(id).map(|(_, file)| Arc::clone(file));
        file.ok_or_else(|| OpenFilesError::NoFile(id.to_owned()))
    }

    /// How far a file has been read, with what could not be.
    pub fn progress(&self, id: &str) -> Result<FileProgress, OpenFilesError> {
        Ok(FileProgress { file: id.to_owned(), progress: self.get(id)?.progress() })
    }

    /// All files, in the order in which they were opened, without what could not be read.
    pub fn all(&self) -> Vec<FileProgress> {
        let opened = self.opened();
        let mut files: Vec<_> = opened.files.iter().collect();
        files.sort_by_key(|(_, (number, _))| *number);
        let progress = |file: &OpenFile| Progress { problems: Vec::new(), ..file.progress() };
        files.into_iter().map(|(id, (_, file))| FileProgress { file: id.clone(), progress: progress(file) }).collect()
    }

    /// Closes a file.
    pub fn close(&self, id: &str) -> Result<(), OpenFilesError> {
        let removed = self.opened().files.remove(id);
        let (_, file) = removed.ok_or_else(|| OpenFilesError::NoFile(id.to_owned()))?;
        file.close();
        Ok(())
    }
}
