//! Where paths lead.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// How many symbolic links in a row are followed, as on most systems.
const MAX_LINKS: usize = 40;

/// The path behind all symbolic links, whether a file is there or not.
///
/// # Errors
///
/// If there are too many of them, or the path names no file.
pub fn link_target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            // What is absolute replaces the folder that it is joined to.
            Ok(link) => path = folder_of(&path).join(link),
            Err(_) if path.file_name().is_none() => return Err(io::ErrorKind::IsADirectory.into()),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "too many symbolic links"))
}

/// The folder that a path lies in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
