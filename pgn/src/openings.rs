//! Where games start: a FEN, a file of EPD lines or PGN games, or a book in Polyglot's format.

use std::io::{self, BufRead};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use formats::{PolyglotBook, PositionsError};
use movegen::{Board, FenError, Move};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

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
    source: Source,
    remarks: Vec<Remark>,
    /// The most moves of one, those of both sides counted.
    plies: usize,
}

enum Source {
    List(Vec<Opening>),
    /// Lines are drawn when they are asked for; what number of `seed` draws which does not depend on those before it.
    Book {
        book: Mutex<PolyglotBook>,
        seed: u64,
    },
}

/// The longest line of a book: of one that leads round in a circle.
const MAX_BOOK_PLIES: usize = 200;

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
        Self::of(Source::List(vec![Board::start().into()]))
    }

    /// One position.
    ///
    /// # Errors
    ///
    /// If the FEN is no legal position.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        Ok(Self::of(Source::List(vec![Board::from_fen(fen)?.into()])))
    }

    /// The openings of a file: lines of a book, drawn by their weights as `seed` has it, if its name ends in `.bin`; the main
    /// lines of its games if it ends in `.pgn`, before the ending of a compressed file; else a position on each line, as EPD or
    /// FEN.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is empty, is a book without a move for the start position, or has a line or a game of which
    /// nothing can be read.
    pub fn from_file(path: &Path, seed: u64) -> Result<Self, OpeningError> {
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bin")) {
            Self::from_book(PolyglotBook::open(path)?, seed)
        } else if FileKind::Games.is_of_name(path) {
            Self::from_pgn(open(path)?)
        } else {
            Self::from_epd(read_lines(path)?.iter().map(String::as_str))
        }
    }

    fn from_book(mut book: PolyglotBook, seed: u64) -> Result<Self, OpeningError> {
        if book.moves(&Board::start())?.iter().all(|&(_, weight)| weight == 0) {
            return Err(OpeningError::Empty);
        }
        Ok(Self::of(Source::Book { book: Mutex::new(book), seed }))
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
        if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(Self::of(Source::List(openings))) }
    }

    const fn of(source: Source) -> Self {
        Self { source, remarks: Vec::new(), plies: usize::MAX }
    }

    /// The same openings in a random order that depends on `seed` alone. Lines of a book are in one already.
    #[must_use]
    pub fn shuffled(mut self, seed: u64) -> Self {
        if let Source::List(openings) = &mut self.source {
            openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        }
        self
    }

    /// The same openings with so many of their moves at most, those of both sides counted.
    #[must_use]
    pub const fn cut_after(mut self, plies: usize) -> Self {
        self.plies = plies;
        self
    }

    /// The opening of this number, from 0; a list starts over after its last.
    #[must_use]
    pub fn get(&self, number: usize) -> Opening {
        match &self.source {
            Source::List(openings) => {
                let Opening { start, moves } = &openings[number % openings.len()];
                Opening { start: *start, moves: moves.iter().take(self.plies).copied().collect() }
            }
            Source::Book { book, seed } => {
                // Kept apart, so that the next seed is not the same list one further.
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.rotate_left(32) ^ number as u64);
                let mut book = book.lock().unwrap_or_else(PoisonError::into_inner);
                let start = Board::start();
                let moves = book.line(&start, &mut random, self.plies.min(MAX_BOOK_PLIES));
                Opening { start, moves }
            }
        }
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
        let shorter = cut.cut_after(1);
        assert_eq!([shorter.get(0).moves.len(), shorter.get(7).moves.len()], [1, 1]);
    }

    /// A book of lines from the start position, each move with its weight.
    fn book(lines: &[(&str, u16)]) -> tempfile::NamedTempFile {
        let mut entries = std::collections::BTreeSet::new();
        for &(line, weight) in lines {
            let mut board = Board::start();
            for mv in line.split(' ').map(str::to_owned) {
                let mv = board.parse_uci(&mv).unwrap_or_else(|error| panic!("{error}"));
                entries.extend(formats::BookEntry::new(&board, mv, weight));
                board.play(mv, &mut ());
            }
        }
        let file = tempfile::Builder::new().suffix(".bin").tempfile().unwrap_or_else(|error| panic!("{error}"));
        let bytes: Vec<_> = entries.into_iter().flat_map(formats::BookEntry::to_bytes).collect();
        std::fs::write(file.path(), bytes).unwrap_or_else(|error| panic!("{error}"));
        file
    }

    #[test]
    fn lines_of_a_book_depend_on_their_number_and_the_seed() {
        let file = book(&[("e2e4 e7e5 g1f3", 1), ("d2d4", 1), ("c2c4", 1)]);
        let lines = |seed| {
            let openings = Openings::from_file(file.path(), seed).unwrap_or_else(|error| panic!("{error}"));
            let mut lines: Vec<_> = (0..64).rev().map(|number| openings.get(number).moves).collect();
            lines.reverse();
            assert_eq!(openings.get(5).moves, lines[5], "whatever was asked for before");
            lines
        };
        let first = lines(1);
        assert_eq!(first, lines(1));
        assert_ne!(first, lines(2));
        for (moves, count) in [("e2e4", 3), ("d2d4", 1), ("c2c4", 1)] {
            let found: Vec<_> =
                first.iter().filter(|line| line[0] == Board::start().parse_uci(moves).unwrap_or(line[0])).collect();
            assert!(found.iter().any(|line| line.len() == count), "{moves}");
        }
        let openings = Openings::from_file(file.path(), 1).unwrap_or_else(|error| panic!("{error}")).cut_after(2);
        assert!((0..64).all(|number| openings.get(number).moves.len() <= 2));
    }

    #[test]
    fn a_book_that_leads_in_a_circle_or_nowhere_has_an_end() {
        let circle = book(&[("g1f3 g8f6 f3g1 f6g8", 1)]);
        let openings = Openings::from_file(circle.path(), 1).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(openings.get(0).moves.len(), MAX_BOOK_PLIES);
        for nothing in [book(&[("e2e4", 0)]), book(&[])] {
            assert!(Openings::from_file(nothing.path(), 1).is_err());
        }
    }
}
