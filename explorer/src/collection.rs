//! Games in memory that come and go, with a name each.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;

use movegen::Board;
use pgn::PgnGame;

use crate::answer::Answer;
use crate::facts::{Facts, Listing};
use crate::notes::{Kind, notes_of};
use crate::reading::GamePlace;
use crate::tally::Tally;

/// Half-moves of each game that are kept: those of nearly all games.
const PLIES: usize = 200;

/// The games of one person, each under its name. A question takes time in proportion to all moves of all games.
#[derive(Default)]
pub struct Collection {
    games: BTreeMap<String, Kept>,
}

struct Kept {
    stamp: u64,
    facts: Facts,
    listing: Listing,
    notes: Vec<(u64, u16)>,
}

impl Collection {
    /// Whether the game of this name is kept as it was with this stamp, which changes with the game.
    #[must_use]
    pub fn has(&self, id: &str, stamp: u64) -> bool {
        self.games.get(id).is_some_and(|game| game.stamp == stamp)
    }

    /// Keeps a game under this name, instead of the one that is kept so.
    pub fn put(&mut self, id: &str, stamp: u64, game: &PgnGame) {
        let notes = notes_of(game, PLIES).map(|(key, mv)| (key, mv.bits())).collect();
        let (facts, listing) = (Facts::of(game), Listing::of(game, GamePlace::default()));
        self.games.insert(id.to_owned(), Kept { stamp, facts, listing, notes });
    }

    /// Keeps only those games whose names are wanted.
    pub fn retain(&mut self, is_wanted: impl Fn(&str) -> bool) {
        self.games.retain(|id, _| is_wanted(id));
    }

    /// How many games there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// What the games say of a position, without the game of the name `except`.
    #[must_use]
    pub fn look_up(&self, board: &Board, kind: Kind, except: &str) -> Answer {
        let key = kind.key(board);
        let mut tallies: BTreeMap<u16, Tally> = BTreeMap::new();
        let mut found = HashMap::new();
        // There are never more than a number of this width can count: each takes hundreds of bytes of memory.
        for (number, (id, game)) in (0..u32::MAX).zip(&self.games).filter(|(_, (id, _))| *id != except) {
            let mut moves: Vec<_> = game.notes.iter().filter(|note| note.0 == key).map(|note| note.1).collect();
            moves.sort_unstable();
            moves.dedup();
            for mv in moves {
                tallies.entry(mv).or_default().add(number, mv, game.facts);
                found.insert(number, (id, game));
            }
        }
        let listing = |number: u32| {
            let (id, listing) = found.get(&number).map_or_else(
                || (String::new(), Listing::default()),
                |(id, game)| ((*id).clone(), game.listing.clone()),
            );
            Ok::<_, Infallible>((id, None, listing))
        };
        match Answer::new(board, kind, &tallies, listing) {
            Ok(answer) => answer,
            Err(never) => match never {},
        }
    }
}
