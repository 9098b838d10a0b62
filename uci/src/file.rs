//! The files that options name.

use std::env;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval::network::{HEADER_LEN, PAYLOAD_LEN};
use eval::{Network, NetworkError};
use formats::PolyglotBook;
use movegen::Board;
use platform::{has_room, open_regular_file, without_waiting};

use crate::error::{CommandError, Token};
use crate::log::Log;

/// The network in a file, which is also looked for beside the program.
///
/// # Errors
///
/// If the file cannot be read, or is no network of this version, or there is no memory for it.
pub fn read_network(path: &str) -> Result<Arc<Network>, CommandError> {
    const LARGEST: usize = HEADER_LEN + PAYLOAD_LEN;
    // The file, the weights as one list, and the network.
    if !has_room(3 * LARGEST) {
        return Err(CommandError::NoMemory("another network"));
    }
    let read = || {
        let file = open_regular_file(&locate(path))?;
        let size = file.metadata()?.len();
        let mut bytes = Vec::new();
        // A byte more than a network has tells a longer file.
        file.take(LARGEST as u64 + 1).read_to_end(&mut bytes)?;
        Ok((bytes, usize::try_from(size).unwrap_or(usize::MAX)))
    };
    let (bytes, size) = read().map_err(|error: io::Error| unusable(path, &error))?;
    let network = Network::from_bytes(&bytes).map_err(|error| match error {
        // What was not read follows as well.
        NetworkError::Overlong(beyond) => NetworkError::Overlong(beyond + size.saturating_sub(bytes.len())),
        error => error,
    });
    network.map(Arc::new).map_err(|error| CommandError::Network { path: Token::new(path), error })
}

/// The opening book in a file.
pub(crate) fn open_book(path: &str) -> Result<PolyglotBook, CommandError> {
    open_regular_file(&locate(path)).and_then(PolyglotBook::new).map_err(|error| unusable(path, &error))
}

/// The positions in a file of FEN or EPD.
pub(crate) fn read_positions(path: &str) -> Result<Vec<Board>, CommandError> {
    let file = open_regular_file(&locate(path)).map_err(|error| unusable(path, &error))?;
    formats::read_positions(BufReader::new(file)).map_err(|error| unusable(path, &error))
}

/// A log in a file, which goes on where it ends.
pub(crate) fn create_log(path: &str) -> Result<Log, CommandError> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    let located = locate(path);
    // A pipe that nobody reads is an error rather than a wait, now and later.
    let log = without_waiting(&mut options).open(&located).and_then(Log::start);
    log.map_err(
        |error| if is_pipe(&located) { unusable(path, &"nobody reads this pipe") } else { unusable(path, &error) },
    )
}

/// Whether this is a pipe with a name.
fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        path.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// What stands between two folders in a list of them.
const PATH_SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// The folders of a list as clients send it: with spaces and quotes around any part, and separators at its end.
pub(crate) fn tablebase_folders(list: &str) -> Vec<PathBuf> {
    let parts = list.split(PATH_SEPARATOR).map(|part| part.trim_matches(|letter| letter == '"' || letter == ' '));
    parts.filter(|part| !part.is_empty()).map(locate).collect()
}

fn unusable(path: &str, error: &impl Display) -> CommandError {
    CommandError::File { path: Token::new(path), reason: error.to_string() }
}

/// Writes a network to a file, `vancura-<hash>.nnue` if none is named. Returns where it is.
pub(crate) fn write_network(network: &Network, path: Option<&str>) -> Result<String, CommandError> {
    let path = path.map_or_else(|| format!("vancura-{:016x}.nnue", network.hash()), str::to_owned);
    let written = platform::write_file(Path::new(&path), network.to_bytes());
    written.map_err(|error| unusable(&path, &error))?;
    Ok(path)
}

/// The file meant by a path as clients send it: perhaps in quotes, from the home folder, or relative to the working
/// folder, else to the program's.
pub(crate) fn locate(path: &str) -> PathBuf {
    let unquoted = path.strip_prefix('"').and_then(|path| path.strip_suffix('"')).unwrap_or(path);
    if let Some(rest) = unquoted.strip_prefix("~/")
        && let Some(home) = env::home_dir()
    {
        return home.join(rest);
    }
    let here = PathBuf::from(unquoted);
    if here.exists() {
        return here;
    }
    // An absolute path replaces the folder it is joined to.
    let beside = env::current_exe().ok().and_then(|program| Some(program.parent()?.join(&here)));
    beside.filter(|path| path.exists()).unwrap_or(here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_network_are_named() {
        for (path, start) in [
            ("no such file", "cannot use \"no such file\": "),
            ("/", "cannot use \"/\": not a regular file"),
            ("/dev/null", "cannot use \"/dev/null\": not a regular file"),
            ("/dev/zero", "cannot use \"/dev/zero\": not a regular file"),
            ("\"Cargo.toml\"", "\"\\\"Cargo.toml\\\"\": not a Vancura network"),
        ] {
            let message = read_network(path).unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }

    #[test]
    fn all_bytes_beyond_a_network_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.nnue");
        for extra in [1, 2, 77_777] {
            let mut bytes = Network::embedded().to_bytes();
            bytes.resize(bytes.len() + extra, 0);
            std::fs::write(&path, bytes).unwrap();
            let message = read_network(path.to_str().unwrap()).unwrap_err().to_string();
            assert!(message.ends_with(&format!(": network file is {extra} bytes too long")), "{message}");
        }
    }

    #[test]
    fn lists_of_folders_are_split_as_they_come() {
        let folders = |list: &str| tablebase_folders(&list.replace(':', &PATH_SEPARATOR.to_string()));
        for (list, expected) in [
            ("", &[][..]),
            (": : \"\" ::", &[]),
            ("/a", &["/a"]),
            ("/a:/b c:", &["/a", "/b c"]),
            (" /a : /b c ", &["/a", "/b c"]),
            ("\"/a b\":\"/c\"", &["/a b", "/c"]),
            ("\"/a b:/c\"", &["/a b", "/c"]),
            (":/é/ü", &["/é/ü"]),
        ] {
            assert_eq!(folders(list), expected.iter().map(PathBuf::from).collect::<Vec<_>>(), "{list}");
        }
    }

    #[test]
    fn a_network_is_found_in_the_working_folder_or_by_its_whole_path() {
        let folder = PathBuf::from("../eval/networks");
        let names = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
        let path = names.into_iter().find(|path| path.extension().is_some_and(|name| name == "nnue")).unwrap();
        for path in [path.clone(), path.canonicalize().unwrap()] {
            read_network(path.to_str().unwrap()).unwrap();
        }
    }
}
