//! Where games start: a FEN, or a file of EPD lines or PGN games.

use std::io::{self, BufRead};
use std::path::Path;

use formats::PositionsError;
use movegen::{Board, FenError, Move};

use crate::epd::{Epd, EpdError};
use crate::fault::PgnError;
use crate::files::FileKind;
use crate::game::PgnGame;
use crate::input::open;
use crate::read::PgnReader;
use crate::remark::Remark;
use crate::text::read_lines;

/// A position and moves to play before the engines take over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Where the moves start.
    pub start: Board,
    /// Legal one after the other.
    pub moves: Vec<Move>,
}

/// At least one opening.
pub struct Openings {
    openings: Vec<Opening>,
    remarks: Vec<Remark>,
}

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is no position.
    #[error("line {line}: {error}")]
    Epd {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        error: EpdError,
    },
    /// A game cannot be read.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// There is nothing in the file.
    #[error("no opening in the file")]
    Empty,
}

impl From<Board> for Opening {
    fn from(start: Board) -> Self {
        Self { start, moves: Vec::new() }
    }
}

impl Openings {
    /// The start position alone.
    #[must_use]
    pub fn start() -> Self {
        Self { openings: vec![Board::start().into()], remarks: Vec::new() }
    }

    /// One position.
    ///
    /// # Errors
    ///
    /// If the FEN is no legal position.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        Ok(Self { openings: vec![Board::from_fen(fen)?.into()], remarks: Vec::new() })
    }

    /// The openings of a file: the main lines of its games if its name ends in `.pgn`, before the ending
    /// of a compressed file, else a position on each line, as
    /// EPD or FEN.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is empty or has a line or a game of which nothing can be read.
    pub fn from_file(path: &Path) -> Result<Self, OpeningError> {
        if FileKind::Games.is_of_name(path) {
            Self::from_pgn(open(path)?)
        } else {
            Self::from_epd(read_lines(path)?.iter().map(String::as_str))
        }
    }

    fn from_pgn(input: impl BufRead) -> Result<Self, OpeningError> {
        let mut remarks = Vec::new();
        let openings = PgnReader::new(input).map(|game| {
            let PgnGame { tree, remarks: of_game, .. } = game?;
            remarks.extend(of_game);
            Ok(Opening { start: *tree.start(), moves: tree.main_moves().collect() })
        });
        let openings = openings.collect::<Result<_, OpeningError>>()?;
        Ok(Self { remarks, ..Self::some(openings)? })
    }

    fn from_epd<'a>(lines: impl Iterator<Item = &'a str>) -> Result<Self, OpeningError> {
        Self::some(read_each(lines, |line| Some(Epd::parse(line)?.map(|epd| epd.board.into())))?)
    }

    fn some(openings: Vec<Opening>) -> Result<Self, OpeningError> {
        if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(Self { openings, remarks: Vec::new() }) }
    }

    /// The same openings in the order into which this brings them.
    #[must_use]
    pub fn reordered(mut self, reorder: impl FnOnce(&mut [Opening])) -> Self {
        reorder(&mut self.openings);
        self
    }

    /// The opening of this number, from 0, starting over after the last.
    #[must_use]
    pub fn get(&self, number: usize) -> &Opening {
        &self.openings[number % self.openings.len()]
    }

    /// What the reader has to say of the games that they are from, such as where one of them could not be read on.
    #[must_use]
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }
}

/// The positions of a file, compressed or not, one on each line as FEN or EPD, of which the first four fields count; at
/// least one.
///
/// # Errors
///
/// If the file cannot be read, is empty or has a line that is no position.
pub fn read_positions(path: &Path) -> Result<Vec<Board>, OpeningError> {
    formats::read_positions(open(path)?).map_err(|error| match error {
        PositionsError::Io(error) => error.into(),
        PositionsError::Fen { line, error } => OpeningError::Epd { line, error: error.into() },
        PositionsError::Empty => OpeningError::Empty,
        // Within what has been unpacked.
        error @ PositionsError::Compressed => io::Error::new(io::ErrorKind::InvalidData, error).into(),
    })
}

/// What the lines hold, without those for which `read` returns `None`.
fn read_each<'a, T>(
    lines: impl Iterator<Item = &'a str>,
    read: impl Fn(&'a str) -> Option<Result<T, EpdError>>,
) -> Result<Vec<T>, OpeningError> {
    let numbered = (1..).zip(lines);
    let items = numbered
        .filter_map(|(line, text)| read(text).map(|item| item.map_err(|error| OpeningError::Epd { line, error })));
    items.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_files_are_read() {
        let lines = ["# comment", "", "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;", "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9\r"];
        let epd = Openings::from_epd(lines.into_iter()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((epd.get(0).start.turn(), epd.get(3).start.fullmove_number()), (movegen::Color::White, 9));
        assert!(matches!(Openings::from_epd(["", "8/8 w - -"].into_iter()), Err(OpeningError::Epd { line: 2, .. })));
        assert!(matches!(Openings::from_epd([""].into_iter()), Err(OpeningError::Empty)));
        let pgn = Openings::from_pgn(&b"1. e4 e5 *\n\n1. d4 *"[..]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!([pgn.get(0).moves.len(), pgn.get(1).moves.len()], [2, 1]);
        assert!(matches!(Openings::from_pgn(&b"1. e5 *"[..]), Err(OpeningError::Pgn(_))));
        let cut = Openings::from_pgn(&b"1. e4 e5 2. Ke8 *"[..]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((cut.get(0).moves.len(), cut.remarks().len()), (2, 1));
    }
}
