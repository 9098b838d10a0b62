//! What a file of the input holds, by its name or else by how it begins.

use std::io::{self, BufRead, Cursor, Read};
use std::path::Path;

use pgn::{Epd, is_comment};

use crate::read::table::Header;

/// The most bytes that are looked at to tell what a file holds.
const MOST: u64 = 1 << 16;

/// The form of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// Games in PGN.
    Games,
    /// A position a line, as FEN or EPD.
    Epd,
    /// A table with a column `fen`, separated by commas, semicolons or tabs.
    Csv,
    /// A JSON object a line.
    JsonLines,
}

impl Format {
    /// By the ending of a name, without that of a compression.
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_lowercase();
        let packed = [".zst", ".gz", ".bz2", ".xz", ".zip"];
        let name = packed.into_iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "pgn" => Some(Self::Games),
            "epd" | "fen" | "fens" => Some(Self::Epd),
            "csv" | "tsv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            _ => None,
        }
    }

    /// By the first line that says something. What is nothing else is taken for games, whose reader says what is wrong.
    fn of_line(line: &str) -> Self {
        let is_object = || serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line).is_ok();
        if line.starts_with('{') && is_object() {
            Self::JsonLines
        } else if matches!(Epd::parse(line), Some(Ok(_))) {
            Self::Epd
        } else if Header::of(line).is_some() {
            Self::Csv
        } else {
            Self::Games
        }
    }

    /// By the beginning of a text, which is handed back whole.
    pub fn of_text(mut text: Box<dyn BufRead + Send>) -> io::Result<(Self, Box<dyn BufRead + Send>)> {
        let (mut start, mut format) = (Vec::new(), Self::Games);
        loop {
            let before = start.len();
            let left = MOST.saturating_sub(before as u64);
            if text.by_ref().take(left).read_until(b'\n', &mut start)? == 0 {
                break;
            }
            let line = pgn::decode(&start[before..]);
            if !is_comment(&line) {
                format = Self::of_line(&line);
                break;
            }
        }
        Ok((format, Box::new(Cursor::new(start).chain(text))))
    }

    /// Whether it holds positions without games.
    pub fn is_of_positions(self) -> bool {
        self != Self::Games
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_compressed_or_not() {
        for (name, format) in [
            ("a.pgn", Some(Format::Games)),
            ("A.EPD.zst", Some(Format::Epd)),
            ("x/a.fen.gz", Some(Format::Epd)),
            ("a.tsv", Some(Format::Csv)),
            ("a.b.jsonl.bz2", Some(Format::JsonLines)),
            ("a.txt", None),
            ("-", None),
        ] {
            assert_eq!(Format::of_name(Path::new(name)), format, "{name}");
        }
    }

    #[test]
    fn texts_without_a_name_tell_by_their_beginning_and_stay_whole() {
        for (text, format) in [
            ("# positions\n\n4k3/8/8/8/8/8/8/4K3 w - - bm Ke2;\n", Format::Epd),
            ("{\"id\": 1, \"fen\": \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"}\n", Format::JsonLines),
            ("id;FEN\n1;4k3/8/8/8/8/8/8/4K3 w - -\n", Format::Csv),
            ("\u{feff}fen\n", Format::Csv),
            ("{ a comment } 1. e4 *\n", Format::Games),
            ("[Event \"fen\"]\n\n1. e4 *", Format::Games),
            ("", Format::Games),
        ] {
            let input = Box::new(Cursor::new(text.as_bytes().to_vec()));
            let (found, mut rest) = Format::of_text(input).unwrap();
            let mut whole = String::new();
            rest.read_to_string(&mut whole).unwrap();
            assert_eq!((found, &whole[..]), (format, text), "{text:?}");
        }
    }
}
