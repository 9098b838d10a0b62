//! The files of the tables: finding, checking and reading them.

use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use platform::{has_room, open_regular_file, without_waiting};
#[cfg(not(target_family = "wasm"))]
use shakmaty_syzygy::filesystem::OsFilesystem;
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

use crate::tablebase::material::Material;
use crate::types::tablebase::TablebaseFault;

/// What a table stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Results: won, drawn or lost.
    Wdl,
    /// Distances to the next capture or pawn move.
    Dtz,
}

impl Kind {
    const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }

    /// The first bytes of each file.
    const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xE8, 0x23, 0x5D],
            Self::Dtz => [0xD7, 0x66, 0x0C, 0xA5],
        }
    }
}

/// A file that has the name of a table.
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) material: Material,
    pub(crate) kind: Kind,
}

/// The files with the name of a table in a folder and in the folders directly inside it, sorted by name.
pub(crate) fn find(folder: &Path, faults: &mut Vec<TablebaseFault>) -> Vec<Found> {
    let entries = match list(folder) {
        Ok(entries) => entries,
        Err(error) => {
            faults.push(TablebaseFault::Folder { path: folder.to_owned(), reason: error.to_string() });
            return Vec::new();
        }
    };
    let mut found: Vec<_> = entries.iter().filter_map(|path| recognize(path)).collect();
    // The user did not name the inner folders, so one that cannot be listed is no fault.
    let deeper = entries.iter().filter(|path| recognize(path).is_none() && path.is_dir());
    found.extend(deeper.filter_map(|inner| list(inner).ok()).flatten().filter_map(|path| recognize(&path)));
    found
}

fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort_unstable();
    Ok(paths)
}

fn recognize(path: &Path) -> Option<Found> {
    let extension = path.extension()?;
    let kind = [Kind::Wdl, Kind::Dtz].into_iter().find(|kind| extension == kind.extension())?;
    let material = Material::parse(path.file_stem()?.to_str()?)?;
    Some(Found { path: path.to_owned(), material, kind })
}

/// Checks the size and the first bytes of a file. Damage further inside is found by probing.
pub(crate) fn check(path: &Path, kind: Kind) -> Result<(), TablebaseFault> {
    let name = path;
    let path = || path.to_owned();
    let unreadable = |error: io::Error| TablebaseFault::Unreadable { path: path(), reason: error.to_string() };
    let mut file = without_waiting(OpenOptions::new().read(true)).open(name).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(TablebaseFault::NoFile { path: path() });
    }
    // Blocks of 64 bytes and a checksum of 16.
    if metadata.len() % 64 != 16 {
        return Err(TablebaseFault::Size { path: path(), size: metadata.len() });
    }
    let mut magic = [0; 4];
    file.read_exact(&mut magic).map_err(unreadable)?;
    if magic == kind.magic() { Ok(()) } else { Err(TablebaseFault::Header { path: path() }) }
}

/// Up to this size a file is kept in memory once it is opened: all 3- and 4-piece tables, and many of 5 pieces.
const KEPT_WHOLE: u64 = 1 << 20;
/// Of a larger file the beginning is kept: opening the table reads it in thousands of small pieces.
const KEPT_OF_LARGE: u64 = 1 << 15;

/// Files read without `unsafe`, with their beginnings kept in memory.
#[derive(Debug, Default)]
pub(crate) struct CachedFiles(OsFilesystem);

impl Filesystem for CachedFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.0.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.0.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let size = self.regular_file_size(path)?;
        let kept = if size <= KEPT_WHOLE { size } else { KEPT_OF_LARGE };
        // The library opens a table once and keeps it, so that opening many must leave some memory.
        if !has_room(2 * kept as usize) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let mut beginning = Vec::new();
        open_regular_file(path)?.take(kept).read_to_end(&mut beginning)?;
        Ok(Box::new(CachedFile { file: self.0.open(path)?, beginning }))
    }
}

/// A WebAssembly program has no files.
#[cfg(target_family = "wasm")]
#[derive(Debug, Default)]
struct OsFilesystem;

#[cfg(target_family = "wasm")]
impl Filesystem for OsFilesystem {
    fn regular_file_size(&self, _: &Path) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn read_dir(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn open(&self, _: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

struct CachedFile {
    file: Box<dyn RandomAccessFile>,
    beginning: Vec<u8>,
}

impl RandomAccessFile for CachedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, hint: ReadHint) -> io::Result<usize> {
        let kept = usize::try_from(offset).ok().and_then(|start| self.beginning.get(start..)?.get(..buffer.len()));
        match kept {
            Some(bytes) => {
                buffer.copy_from_slice(bytes);
                Ok(bytes.len())
            }
            None => self.file.read_at(buffer, offset, hint),
        }
    }
}
