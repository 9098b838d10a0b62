//! Opening books in Polyglot's format: entries of 16 bytes, big-endian, sorted by the key of the position.
//!
//! Source: M. Galvão, "Book formats" (2007), which also defines the key; shakmaty computes it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use movegen::{Board, FenStyle, Move};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

const ENTRY_LEN: u64 = 16;

/// A book, of which nothing is kept in memory.
#[derive(Debug)]
pub struct PolyglotBook {
    file: File,
    entries: u64,
}

/// A move for a position and how much it is to be preferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BookEntry {
    /// The key of the position.
    pub key: u64,
    /// The move as the format has it.
    pub mv: u16,
    /// How much it is to be preferred beside the other moves of its position.
    pub weight: u16,
    /// What programs that learn keep with it; kept as it is.
    pub learn: u32,
}

impl PolyglotBook {
    /// How many entries a file is judged by.
    const SAMPLES: u64 = 64;

    /// Opens a file; what follows the last whole entry does not count. A file whose entries are not in order is no book.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is not a regular file, or is no book.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::new(File::open(path)?)
    }

    /// As [`open`](Self::open), for a file that is open.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is not a regular file, or is no book.
    pub fn new(file: File) -> io::Result<Self> {
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
        }
        let entries = file.metadata()?.len() / ENTRY_LEN;
        let mut book = Self { file, entries };
        if entries == 0 || !book.is_sorted()? {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not an opening book in Polyglot's format"));
        }
        Ok(book)
    }

    /// Whether some entries from the first to the last are in order, which those of another file hardly ever are.
    fn is_sorted(&mut self) -> io::Result<bool> {
        let count = self.entries.min(Self::SAMPLES);
        let last = self.entries - 1;
        let numbers = (0..count).map(|sample| if count == 1 { 0 } else { sample * last / (count - 1) });
        let keys = numbers.map(|number| self.entry(number).map(|entry| entry.key));
        Ok(keys.collect::<io::Result<Vec<_>>>()?.is_sorted())
    }

    /// A move of the book for a board, drawn by weight among those that `suits` accepts; `None` if it holds none that is
    /// legal and suits, or cannot be read.
    pub fn draw(
        &mut self,
        board: &Board,
        random: &mut Xoshiro256PlusPlus,
        suits: impl Fn(&Move) -> bool,
    ) -> Option<Move> {
        let mut moves = self.moves(board).ok()?;
        moves.retain(|(mv, _)| suits(mv));
        let total: u32 = moves.iter().map(|&(_, weight)| u32::from(weight)).sum();
        let mut number = random.random_range(..total.max(1));
        moves.into_iter().find_map(|(mv, weight)| {
            let chosen = number < u32::from(weight);
            number = number.saturating_sub(u32::from(weight));
            chosen.then_some(mv)
        })
    }

    /// A line of play from a board: moves drawn one after the other, until the book holds none or there are `most`.
    pub fn line(&mut self, start: &Board, random: &mut Xoshiro256PlusPlus, most: usize) -> Vec<Move> {
        let mut board = *start;
        let next = || {
            let mv = self.draw(&board, random, |_| true)?;
            board.play(mv, &mut ());
            Some(mv)
        };
        // A book may lead round in a circle.
        std::iter::from_fn(next).take(most).collect()
    }

    /// How many entries it has.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.entries
    }

    /// Whether it has none; such a file is not opened as a book.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// The legal moves of the book for a board, with their weights.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn moves(&mut self, board: &Board) -> io::Result<Vec<(Move, u16)>> {
        let Some(key) = polyglot_key(board) else { return Ok(Vec::new()) };
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.key < key { low = middle + 1 } else { high = middle }
        }
        let mut moves = Vec::new();
        while low < self.entries {
            let entry = self.entry(low)?;
            if entry.key != key {
                break;
            }
            moves.extend(entry.mv_on(board).map(|mv| (mv, entry.weight)));
            low += 1;
        }
        Ok(moves)
    }

    /// An entry by its place, from 0.
    ///
    /// # Errors
    ///
    /// If there is none, or it cannot be read.
    pub fn entry(&mut self, number: u64) -> io::Result<BookEntry> {
        let mut bytes = [0; ENTRY_LEN as usize];
        self.file.seek(SeekFrom::Start(number * ENTRY_LEN))?;
        self.file.read_exact(&mut bytes)?;
        Ok(BookEntry::from_bytes(bytes))
    }
}

impl BookEntry {
    /// The entry of a move that is legal on a board; `None` for a position that has no key.
    #[must_use]
    pub fn new(board: &Board, mv: Move, weight: u16) -> Option<Self> {
        Some(Self { key: polyglot_key(board)?, mv: move_of(mv), weight, learn: 0 })
    }

    /// As it stands in a file.
    #[must_use]
    pub fn from_bytes(bytes: [u8; ENTRY_LEN as usize]) -> Self {
        let number =
            |range: std::ops::Range<usize>| bytes[range].iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        Self {
            key: number(0..8),
            mv: number(8..10) as u16,
            weight: number(10..12) as u16,
            learn: number(12..16) as u32,
        }
    }

    /// As it stands in a file.
    #[must_use]
    pub fn to_bytes(self) -> [u8; ENTRY_LEN as usize] {
        let mut bytes = [0; ENTRY_LEN as usize];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.mv.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }

    /// The move on a board, if it is legal there: from and to by file and rank, then the promotion, castling as king
    /// takes rook.
    fn mv_on(self, board: &Board) -> Option<Move> {
        let letter = |letters: &[u8; 8], shift: u32| char::from(letters[usize::from(self.mv >> shift & 7)]);
        let square = |shift: u32| [letter(b"abcdefgh", shift), letter(b"12345678", shift + 3)];
        let promotion = ["", "n", "b", "r", "q"].get(usize::from(self.mv >> 12 & 7))?;
        let text: String = square(6).into_iter().chain(square(0)).chain(promotion.chars()).collect();
        board.parse_uci(&text).ok()
    }
}

/// A move as the format has it: castling as the king takes his rook.
fn move_of(mv: Move) -> u16 {
    let promotion = mv.promotes_to().map_or(0, |piece_type| piece_type as u16);
    let square = |square: movegen::Square| square.file() as u16 | (square.rank() as u16) << 3;
    square(mv.to()) | square(mv.from()) << 6 | promotion << 12
}

/// The key of a position in a book.
fn polyglot_key(board: &Board) -> Option<u64> {
    let fen: Fen = board.fen(FenStyle::Shredder).parse().ok()?;
    let position: Chess = fen.into_position(CastlingMode::Chess960).ok()?;
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
    Some(key)
}

#[cfg(test)]
mod tests {
    use movegen::CastlingStyle;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;

    /// The examples of the format's description.
    #[test]
    fn keys_are_those_of_the_format() {
        for (moves, key) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            let mut board = Board::start();
            moves.split_whitespace().for_each(|mv| board.play(board.parse_uci(mv).unwrap(), &mut ()));
            assert_eq!(polyglot_key(&board), Some(key), "{moves}");
        }
    }

    #[test]
    fn moves_are_written_as_they_are_read() {
        for fen in [
            "r3k2r/8/8/8/8/8/6P1/R3K2R w KQkq - 0 1",
            "1n5k/P7/8/3pP3/8/8/8/K7 w - d6 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            for mv in board.legal_moves() {
                let entry = BookEntry::new(&board, mv, 7).unwrap();
                assert_eq!(BookEntry::from_bytes(entry.to_bytes()), entry);
                assert_eq!(entry.mv_on(&board), Some(mv), "{mv}");
            }
        }
    }

    /// A book of these entries: position, move as the format has it, weight.
    fn book(entries: &[(&Board, u16, u16)]) -> tempfile::NamedTempFile {
        let mut entries: Vec<_> =
            entries.iter().map(|(board, mv, weight)| (polyglot_key(board).unwrap(), *mv, *weight)).collect();
        entries.sort_by_key(|entry| entry.0);
        let file = tempfile::NamedTempFile::new().unwrap();
        let bytes = entries.iter().flat_map(|(key, mv, weight)| {
            [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
        });
        std::fs::write(file.path(), bytes.collect::<Vec<_>>()).unwrap();
        file
    }

    #[test]
    fn moves_are_drawn_by_weight_and_only_if_legal() {
        let start = Board::start();
        let castles = Board::from_fen("r3k2r/8/8/8/8/8/6P1/R3K2R w KQkq - 0 1").unwrap();
        let promotes = Board::from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
        const E2E4: u16 = 4 | 3 << 3 | 4 << 6 | 1 << 9;
        const D2D4: u16 = 3 | 3 << 3 | 3 << 6 | 1 << 9;
        const E2E5: u16 = 4 | 4 << 3 | 4 << 6 | 1 << 9;
        const E1H1: u16 = 7 | 4 << 6;
        const A7A8R: u16 = 7 << 3 | 6 << 9 | 3 << 12;
        let entries =
            [(&start, E2E4, 3), (&start, D2D4, 1), (&start, E2E5, 9), (&castles, E1H1, 1), (&promotes, A7A8R, 1)];
        let file = book(&entries);
        let mut book = PolyglotBook::open(file.path()).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut count = |board: &Board, text: &str| {
            let drawn = (0..400).filter_map(|_| book.draw(board, &mut random, |_| true));
            drawn.filter(|mv| mv.uci(CastlingStyle::Standard).to_string() == text).count()
        };
        assert!((270..330).contains(&count(&start, "e2e4")));
        assert!((70..130).contains(&count(&start, "d2d4")));
        assert_eq!((count(&castles, "e1g1"), count(&promotes, "a7a8r")), (400, 400));
        assert_eq!(book.draw(&castles.flipped(), &mut random, |_| true), None);
        // Of what does not suit, none is drawn.
        let mut queens = || book.draw(&start, &mut random, |mv| mv.uci(CastlingStyle::Standard).to_string() != "e2e4");
        assert!((0..20).all(|_| queens().is_some_and(|mv| mv.uci(CastlingStyle::Standard).to_string() == "d2d4")));
        assert_eq!(book.draw(&start, &mut random, |_| false), None);
    }

    #[test]
    fn what_is_no_book_is_refused() {
        assert!(PolyglotBook::open(Path::new("no such book")).is_err());
        assert!(PolyglotBook::open(Path::new("/")).is_err());
        let short = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(short.path(), [0; 15]).unwrap();
        assert!(PolyglotBook::open(short.path()).is_err());
        let game =
            concat!("[Event \"A game\"]\n[Site \"?\"]\n[Result \"1-0\"]\n\n", "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n");
        std::fs::write(short.path(), game).unwrap();
        let error = PolyglotBook::open(short.path()).unwrap_err().to_string();
        assert_eq!(error, "not an opening book in Polyglot's format");
    }

    #[test]
    fn any_bytes_are_survived() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        for length in [16, 17, 160, 1600] {
            let bytes: Vec<u8> = (0..length).map(|_| random.random()).collect();
            std::fs::write(file.path(), &bytes).unwrap();
            assert!(PolyglotBook::open(file.path()).is_ok() || bytes.len() > 31, "one entry is in order");
            // In order, whatever else they hold.
            let mut entries: Vec<_> = bytes.chunks_exact(16).collect();
            entries.sort_unstable();
            std::fs::write(file.path(), entries.concat()).unwrap();
            let mut book = PolyglotBook::open(file.path()).unwrap();
            assert_eq!(book.draw(&Board::start(), &mut random, |_| true), None);
        }
    }
}
