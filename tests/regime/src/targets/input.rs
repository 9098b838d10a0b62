//! Files as they are stored: compressed, in UTF-16, or as text.

use std::io::{self, BufReader, Cursor, ErrorKind, Read};

/// How much is read of what a few bytes may unfold to.
const MAX: u64 = 1 << 20;

/// The text, and the kind of error that ends it, do not depend on the pieces in which a file is read. What is damaged is
/// told as such.
///
/// # Panics
///
/// If they do, or it is not.
pub fn check(data: &[u8]) {
    let (whole, end) = text(data.to_vec(), 1 << 16);
    let (pieces, same_end) = text(data.to_vec(), 1 + data.len() % 7);
    assert_eq!(same_end, end);
    // Decoders give back what comes before a damage by the piece.
    let is_same =
        if end.is_some() { pieces.starts_with(&whole) || whole.starts_with(&pieces) } else { pieces == whole };
    assert!(is_same, "{} bytes or {}", whole.len(), pieces.len());
    let is_told = |kind| matches!(kind, ErrorKind::InvalidData | ErrorKind::Unsupported);
    assert!(end.is_none_or(is_told), "{end:?}");
}

/// The text in a file that is read in pieces of this many bytes, and what ended it, if that was an error.
fn text(data: Vec<u8>, piece: usize) -> (Vec<u8>, Option<ErrorKind>) {
    let read = |text: &mut Vec<u8>| -> io::Result<()> {
        let input = pgn::text_of(BufReader::with_capacity(piece, Cursor::new(data)))?;
        let mut input = input.take(MAX);
        let mut buffer = vec![0; piece];
        loop {
            match input.read(&mut buffer)? {
                0 => return Ok(()),
                count => text.extend_from_slice(&buffer[..count]),
            }
        }
    };
    let mut text = Vec::new();
    let end = read(&mut text).err().map(|error| error.kind());
    (text, end)
}
