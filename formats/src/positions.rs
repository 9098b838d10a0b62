//! Files of positions, one on each line.

use std::io::{self, BufRead};

use movegen::{Board, FenError};

use crate::text::split_lines;

/// How compressed files begin: gzip, bzip2, Zstandard, xz, ZIP.
const COMPRESSED: [&[u8]; 5] = [b"\x1F\x8B", b"BZh", b"\x28\xB5\x2F\xFD", b"\xFD7zXZ", b"PK\x03\x04"];

/// Why there are no positions.
#[derive(Debug, thiserror::Error)]
pub enum PositionsError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is no position.
    #[error("line {line}: {error}")]
    Fen {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        error: FenError,
    },
    /// The file is no text yet.
    #[error("the file is compressed; unpack it first")]
    Compressed,
    /// There is nothing in the file.
    #[error("no opening in the file")]
    Empty,
}

/// The positions of a text, one on each line as FEN or EPD, of which the first four fields count; at least one.
/// Lines that begin with `#`, `%`, `;` or `//` are comments.
///
/// # Errors
///
/// If the text cannot be read, is compressed or empty, or has a line that is no position.
pub fn read_positions(mut input: impl BufRead) -> Result<Vec<Board>, PositionsError> {
    let start = input.fill_buf()?;
    if COMPRESSED.iter().any(|beginning| start.starts_with(beginning)) {
        return Err(PositionsError::Compressed);
    }
    let mut positions = Vec::new();
    for (index, line) in split_lines(input)?.iter().enumerate() {
        let text = line.trim_start();
        if text.is_empty() || text.starts_with(['#', '%', ';']) || text.starts_with("//") {
            continue;
        }
        // With the words that may stand before it.
        let leaders = text.split_whitespace().take_while(|word| !word.contains('/')).count();
        let fields: Vec<_> = text.split_whitespace().take(leaders + 4).collect();
        let board = Board::from_fen(&fields.join(" "));
        positions.push(board.map_err(|error| PositionsError::Fen { line: index + 1, error })?);
    }
    if positions.is_empty() { Err(PositionsError::Empty) } else { Ok(positions) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_fields_of_each_line_count() {
        let text = "\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n# x\n// y\n; z\n\nfen 4k3/8/8/8/8/8/4P3/4K3 b - - 3 9\r\n";
        let positions = read_positions(text.as_bytes()).unwrap();
        assert_eq!(positions.iter().map(Board::fullmove_number).collect::<Vec<_>>(), [1, 1]);
        assert!(matches!(read_positions(&b"\n8/8 w - -"[..]), Err(PositionsError::Fen { line: 2, .. })));
        assert!(matches!(read_positions(&b"\n"[..]), Err(PositionsError::Empty)));
        assert!(matches!(read_positions(&b"\x1F\x8B\x08\0"[..]), Err(PositionsError::Compressed)));
    }
}
