//! Lines of text in whatever letters and with whatever ends they come.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;

/// The text of a line: UTF-8 with or without byte order mark, else a byte for each letter as in Latin-1.
#[must_use]
pub fn decode(line: &[u8]) -> Cow<'_, str> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    std::str::from_utf8(line).map_or_else(|_| Cow::Owned(line.iter().copied().map(char::from).collect()), Cow::Borrowed)
}

/// The lines of a file, or of the standard input for `-`, whatever their ends and letters.
///
/// # Errors
///
/// If it cannot be read. The error names the file.
pub fn read_lines(path: &Path) -> io::Result<Vec<String>> {
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        bytes
    } else {
        fs_err::read(path)?
    };
    Ok(split_lines(&bytes))
}

fn split_lines(bytes: &[u8]) -> Vec<String> {
    // Some files end their lines with a zero, as strings in C.
    bytes.split(|&byte| byte == b'\n').map(|line| decode(line).replace(char::is_control, " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_may_have_any_line_ends_and_letters() {
        let lines = split_lines(b"\xEF\xBB\xBFone\r\ntwo\n\n  caf\xE9 \nzero\0\nlast");
        assert_eq!(lines, ["one", "two", "", "café", "zero ", "last"]);
        let error = read_lines(Path::new("no such file")).unwrap_err().to_string();
        assert!(error.contains("no such file"), "{error}");
    }
}
