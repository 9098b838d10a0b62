//! Files and folders as people name them on a command line.

use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;

/// The deepest folder within a folder that is looked into.
const MAX_DEPTH: usize = 32;

/// Endings of compressed files, which may follow those of the kind.
const COMPRESSED: [&str; 5] = [".zst", ".gz", ".bz2", ".xz", ".zip"];

/// What the files of a folder are to hold; it shows in their names alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// Games: `.pgn`.
    Games,
    /// Positions: `.epd` and `.fen`.
    Positions,
}

impl FileKind {
    const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Games => &[".pgn"],
            Self::Positions => &[".epd", ".fen"],
        }
    }

    /// Whether a file of this name is of this kind, perhaps compressed.
    #[must_use]
    pub fn is_of_name(self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let name = COMPRESSED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
        self.endings().iter().any(|ending| name.ends_with(ending))
    }
}

/// These files, and instead of each folder the files of a kind in it and in the folders within, by name. What is no folder
/// is taken as it is: it may be `-`, or not be there.
///
/// # Errors
///
/// If a folder cannot be listed, or holds no such file.
pub fn files(paths: &[PathBuf], kind: FileKind) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = found.len();
            add_folder(path, kind, MAX_DEPTH, &mut found)?;
            if found.len() == before {
                let text = format!("{}: no file {} in this folder", path.display(), kind.endings().join(" or "));
                return Err(io::Error::new(io::ErrorKind::NotFound, text));
            }
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn add_folder(folder: &Path, kind: FileKind, deep: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = fs::read_dir(folder)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        // A link to a folder may lead back.
        if path.is_dir() && !path.is_symlink() {
            if deep > 0 {
                add_folder(&path, kind, deep - 1, found)?;
            }
        } else if kind.is_of_name(&path) && path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_show_in_names() {
        for name in ["a.pgn", "A.PGN", "a.b.pgn.zst", "x/a.pgn.gz", "a.pgn.bz2"] {
            assert!(FileKind::Games.is_of_name(Path::new(name)), "{name}");
            assert!(!FileKind::Positions.is_of_name(Path::new(name)), "{name}");
        }
        assert!(["a.epd", "a.fen.gz"].iter().all(|name| FileKind::Positions.is_of_name(Path::new(name))));
        assert!(["pgn", "a.zst", "a.pgn.7z", ""].iter().all(|name| !FileKind::Games.is_of_name(Path::new(name))));
    }

    #[test]
    fn folders_stand_for_their_files_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("b/inner")).unwrap();
        fs::create_dir(path("empty")).unwrap();
        for name in ["c.pgn", "a.pgn.gz", "b/inner/x.pgn", "b/y.epd", "notes.txt"] {
            fs::write(path(name), "").unwrap();
        }
        let named = [path("c.pgn"), folder.path().to_owned(), PathBuf::from("-")];
        let expected = [path("c.pgn"), path("a.pgn.gz"), path("b/inner/x.pgn"), path("c.pgn"), PathBuf::from("-")];
        assert_eq!(files(&named, FileKind::Games).unwrap(), expected);
        assert_eq!(files(&[path("b")], FileKind::Positions).unwrap(), [path("b/y.epd")]);
        let error = files(&[path("empty")], FileKind::Games).unwrap_err().to_string();
        assert!(error.ends_with("empty: no file .pgn in this folder"), "{error}");
        assert_eq!(files(&[path("none")], FileKind::Games).unwrap(), [path("none")]);
    }
}
