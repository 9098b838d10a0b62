//! The lines of a table of positions, and its header.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most bytes of a row: a quotation that is not closed goes on to the end of the file.
const MOST: u64 = 1 << 20;

/// Where in the rows stand what is read of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    separator: u8,
    pub fen: usize,
    pub id: Option<usize>,
}

impl Header {
    /// The header that this line is, if it names a column `fen`. `PuzzleId` is what the puzzles of Lichess have for an id.
    pub fn of(line: &str) -> Option<Self> {
        let line = line.trim_start_matches('\u{feff}');
        b",;\t".iter().find_map(|&separator| {
            let names: Vec<_> = line.split(char::from(separator)).map(|name| name.trim().trim_matches('"')).collect();
            let place = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
            Some(Self { separator, fen: place("fen")?, id: place("id").or_else(|| place("puzzleid")) })
        })
    }
}

/// A row: its line, and its fields or why there are none.
pub(crate) type Row = (u64, Result<Vec<String>, String>);

/// The rows below the header.
pub(crate) struct Rows<R> {
    reader: csv::Reader<Limited<R>>,
    left: Arc<AtomicU64>,
    is_over: bool,
}

impl<R: BufRead> Rows<R> {
    /// The header of a table, if it has one, and its rows.
    pub fn new(mut text: R) -> io::Result<Option<(Header, Self)>> {
        let mut first = Vec::new();
        text.by_ref().take(MOST).read_until(b'\n', &mut first)?;
        let Some(header) = Header::of(&pgn::decode(&first)) else { return Ok(None) };
        let left = Arc::new(AtomicU64::new(MOST));
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(header.separator)
            // What stands before it in some files is trimmed away; as an end of its own it would hide which line this is.
            .terminator(csv::Terminator::Any(b'\n'))
            .from_reader(Limited { input: text, left: Arc::clone(&left) });
        Ok(Some((header, Self { reader, left, is_over: false })))
    }
}

impl<R: BufRead> Iterator for Rows<R> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        while !self.is_over {
            self.left.store(MOST, Relaxed);
            let mut record = csv::ByteRecord::new();
            // The header is the first line.
            let line = self.reader.position().line() + 1;
            match self.reader.read_byte_record(&mut record) {
                Ok(false) => self.is_over = true,
                Ok(true) => {
                    let fields: Vec<_> = record.iter().map(|field| pgn::decode(field).into_owned()).collect();
                    if fields.iter().any(|field| !field.is_empty()) {
                        return Some((record.position().map_or(line, |place| place.line() + 1), Ok(fields)));
                    }
                }
                Err(error) => {
                    self.is_over = true;
                    return Some((line, Err(error.to_string())));
                }
            }
        }
        None
    }
}

/// An input of which only so much is read for one row.
struct Limited<R> {
    input: R,
    left: Arc<AtomicU64>,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        let Some(left) = self.left.load(Relaxed).checked_sub(length as u64) else {
            let text = format!("a row of more than {MOST} bytes: is a quotation not closed?");
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        };
        self.left.store(left, Relaxed);
        Ok(length)
    }
}
