//! Openings for OpenBench: random moves from the start or from a book, where they leave both sides a game.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use eval::Network;
use movegen::{Board, FenStyle};
use rand::seq::IteratorRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use search::{Limits, RandomMoves, SingleThreadedSearcher, is_balanced, random_opening};

use crate::error::{CommandError, Token};
use crate::file::read_positions;
use crate::print::Printer;
use crate::words::{Words, integer};

/// Half-moves played at random from the start, or one more.
const PLIES: usize = 8;
/// Half-moves played at random from a position of a book, or one more.
const PLIES_FROM_BOOK: usize = 2;
/// An opening is left out if one side stands better than this after a search, in the network's centipawns.
const MAX: i32 = 250;
const SEARCH_NODES: u64 = 2_000;
const HASH_MIB: usize = 2;

/// What follows `genfens`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenFens<'a> {
    /// How many openings.
    pub count: u64,
    /// Decides which.
    pub seed: u64,
    /// A file of positions to start from.
    pub book: Option<&'a str>,
}

impl<'a> GenFens<'a> {
    /// Reads `N seed S book FILE|None`; what else may follow has no meaning here.
    pub(crate) fn parse(mut words: Words<'a>) -> Result<Self, CommandError> {
        let number = |word: Option<&str>| {
            let count = word.and_then(integer).map(|number| number.max(0).cast_unsigned());
            count.ok_or_else(|| CommandError::NoNumber { name: "genfens", found: Token::from(word) })
        };
        let mut wanted = Self { count: number(words.next())?, seed: 0, book: None };
        while let Some(word) = words.next() {
            match word {
                "seed" => wanted.seed = number(words.next())?,
                "book" => wanted.book = words.next().filter(|book| !book.eq_ignore_ascii_case("none")),
                _ => {}
            }
        }
        Ok(wanted)
    }

    /// The openings to draw from.
    pub(crate) fn openings(&self) -> Result<Openings, CommandError> {
        let book = self.book.map_or_else(|| Ok(vec![Board::start()]), read_positions)?;
        let plies = if self.book.is_some() { PLIES_FROM_BOOK } else { PLIES };
        Ok(Openings { count: self.count, seed: self.seed, book, plies })
    }
}

/// Openings to be drawn.
pub(crate) struct Openings {
    count: u64,
    seed: u64,
    book: Vec<Board>,
    plies: usize,
}

impl Openings {
    /// Prints them.
    pub(crate) fn print<W: Write>(&self, network: &Arc<Network>, printer: &Printer<W>, stop: &AtomicBool) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let Some(mut searcher) = SingleThreadedSearcher::try_new(Arc::clone(network), HASH_MIB) else {
            return printer.fault(&CommandError::NoMemory("a search"));
        };
        let limits = Limits { nodes: Some(SEARCH_NODES), ..Limits::default() };
        let mut found = 0;
        while found < self.count && !printer.is_broken() && !stop.load(Relaxed) {
            let Some(start) = self.book.iter().choose(&mut random) else { return };
            let Some(position) = random_opening(start, self.plies, RandomMoves::Uniform, &mut random) else { continue };
            searcher.forget();
            if is_balanced(&position, &mut searcher, &limits, MAX) {
                printer.line(format_args!("info string genfens {}", position.board().fen(FenStyle::Standard)));
                found += 1;
            }
        }
    }
}
