//! The lines of files.

use std::io::{self, BufRead, Read};
use std::path::Path;

use formats::{decode_as_it_is, split_lines};

use crate::input::open;

/// The text of an input, of at most so many bytes, each line in UTF-8 or else in Windows-1252; and the error that ended it,
/// if one did.
pub fn decode_text(mut input: impl BufRead, most: usize) -> (String, Option<io::Error>) {
    let (mut text, mut line) = (String::new(), Vec::new());
    loop {
        line.clear();
        let read = input.by_ref().take((most - text.len().min(most)) as u64).read_until(b'\n', &mut line);
        text.push_str(&decode_as_it_is(&line));
        match read {
            Ok(0) => return (text, None),
            Ok(_) => {}
            Err(error) => return (text, Some(error)),
        }
    }
}

/// The lines of a file, or of the standard input for `-`, whatever their ends and letters, compressed or not.
///
/// # Errors
///
/// If it cannot be read, or has more than 33,554,432 lines or one of more than 65,536 bytes, so that no input takes all
/// memory. The error names the file, and for a line its number.
pub fn read_lines(path: &Path) -> io::Result<Vec<String>> {
    let is_standard = path.as_os_str() == "-";
    let name = if is_standard { Path::new("standard input") } else { path };
    // What the opened file says of errors names it already; what is found in it does not.
    open(path).and_then(split_lines).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => named(name, &error),
        _ if is_standard => named(name, &error),
        _ => error,
    })
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = read_lines(Path::new("no such file")).unwrap_err().to_string();
        assert!(error.contains("no such file"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_cannot_be_read_is_named_once() {
        for (path, message) in [("/dev/zero", "line 1 is longer"), ("/dev", "Is a directory")] {
            let error = read_lines(Path::new(path)).unwrap_err().to_string();
            assert!(error.matches(path).count() == 1 && error.contains(message), "{error}");
        }
    }
}
