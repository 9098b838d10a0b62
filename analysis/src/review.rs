//! A game analysed in pieces, by whoever has the threads for it: the same results as `vancura analyse` has for it.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pgn::PgnGame;
use search::{Found, Limits, Tablebase};

use crate::judge::assemble::assemble;
use crate::model::Game;
use crate::read::games::Reading;
use crate::read::main_line::MainLine;
use crate::search::analyst::{Analyst, SearchMethod};
use crate::search::segment::Segment;

pub use crate::search::search_arguments::hash_for_nodes;

/// How the positions of a game are searched.
#[derive(Clone)]
pub struct ReviewMethod {
    /// Of each position.
    pub nodes: u64,
    /// How many best lines to look for.
    pub multi_pv: usize,
    /// MiB of memory for the table of each search: [`hash_for_nodes`] is what `vancura analyse` takes.
    pub hash_mib: usize,
    /// Endgame tables.
    pub tablebase: Option<Arc<Tablebase>>,
}

/// A game to be analysed.
pub struct Review {
    reading: Reading,
    method: SearchMethod,
}

/// What was found in some positions of a game.
pub struct Reviewed {
    range: Range<usize>,
    segment: Segment,
}

impl Reviewed {
    /// Whether no search was cut short.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.segment.is_complete
    }
}

impl Review {
    /// A game that is to be analysed by this method.
    #[must_use]
    pub fn new(game: PgnGame, method: ReviewMethod) -> Self {
        let ReviewMethod { nodes, multi_pv, hash_mib, tablebase } = method;
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        Self::with(game, SearchMethod { limits, multi_pv, hash_mib, threads: 1, tablebase, is_static: false })
    }

    pub(crate) fn with(game: PgnGame, method: SearchMethod) -> Self {
        let main_line = MainLine::of(&game);
        Self { reading: Reading { number: 1, file: None, line: 0, game, main_line, label: None }, method }
    }

    /// How many positions its main line has: one more than moves.
    #[must_use]
    pub const fn positions(&self) -> usize {
        self.reading.main_line.boards.len()
    }

    /// The pieces in which its positions are searched; their order does not matter.
    pub fn pieces(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        self.reading.main_line.segments()
    }

    /// The positions before and after the last move.
    #[must_use]
    pub const fn last_move(&self) -> Range<usize> {
        self.positions().saturating_sub(2)..self.positions()
    }

    /// Searches some of its positions until that is done or `stop` is raised, and says what the user should be told.
    ///
    /// # Panics
    ///
    /// If there are no such positions.
    pub fn search(&self, range: Range<usize>, stop: &AtomicBool, mut say: impl FnMut(&str)) -> Reviewed {
        let mut analyst = Analyst::new(&self.method);
        let segment = analyst.search(&self.reading.main_line, range.clone(), Vec::new(), stop);
        analyst.take_complaints().iter().for_each(|complaint| say(complaint));
        Reviewed { range, segment }
    }

    /// The game with all that was found. What was not searched is not judged, but the laws have their say.
    #[must_use]
    pub fn game(&self, pieces: impl IntoIterator<Item = Reviewed>) -> Game {
        let mut all: Vec<Option<Found>> = vec![None; self.positions()];
        let mut is_whole = true;
        for Reviewed { range, segment } in pieces {
            all[range].iter_mut().zip(segment.found).for_each(|(slot, found)| *slot = found);
            is_whole &= segment.is_complete;
        }
        let mut game = assemble(&self.reading, &all);
        game.complete &= is_whole;
        game
    }
}

#[cfg(test)]
mod tests {
    use pgn::PgnReader;

    use super::*;

    fn review(text: &str) -> Review {
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        Review::new(game, ReviewMethod { nodes: 500, multi_pv: 1, hash_mib: 1, tablebase: None })
    }

    #[test]
    fn the_order_of_the_pieces_does_not_matter() {
        let review = review("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *");
        let never = AtomicBool::new(false);
        let pieces = || review.pieces().map(|range| review.search(range, &never, |_| ())).collect::<Vec<_>>();
        assert_eq!(pieces().len(), 2);
        let game = review.game(pieces());
        assert!(game.complete && game == review.game(pieces().into_iter().rev()));
    }

    #[test]
    fn without_searches_the_laws_have_their_say() {
        let game = review("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *").game([]);
        assert!(!game.complete && !game.positions[8].claims.is_empty());
    }
}
