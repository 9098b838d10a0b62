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
/// The most bytes of memory, about, that the games take: enough for a hundred thousand.
const MAX_BYTES: usize = 128 << 20;
/// What a game takes beside its names and moves, in bytes, about.
const GAME_BYTES: usize = 256;

/// The games of one person, each under its name. A question takes time in proportion to all moves of all games.
pub struct Collection {
    games: BTreeMap<String, Kept>,
    bytes: usize,
    max_bytes: usize,
}

struct Kept {
    stamp: u64,
    facts: Facts,
    listing: Listing,
    /// The positions, and the move made in each.
    keys: Vec<u64>,
    moves: Vec<u16>,
}

impl Kept {
    fn bytes(&self, id: &str) -> usize {
        let Self { keys, moves, listing, .. } = self;
        let names = id.len() + listing.white.len() + listing.black.len();
        GAME_BYTES + names + size_of_val(&keys[..]) + size_of_val(&moves[..])
    }
}

impl Default for Collection {
    fn default() -> Self {
        Self::with_limit(MAX_BYTES)
    }
}

impl Collection {
    /// No games yet, which may take so many bytes of memory, about.
    #[must_use]
    pub fn with_limit(max_bytes: usize) -> Self {
        Self { games: BTreeMap::new(), bytes: 0, max_bytes }
    }

    /// Whether the game of this name is kept as it was with this stamp, which changes with the game.
    #[must_use]
    pub fn has(&self, id: &str, stamp: u64) -> bool {
        self.games.get(id).is_some_and(|game| game.stamp == stamp)
    }

    /// Keeps a game under this name, instead of the one that is kept so. Where there is no room for it, it is not kept, and the
    /// answer is `false`.
    #[must_use = "there may be no room for it"]
    pub fn put(&mut self, id: &str, stamp: u64, game: &PgnGame) -> bool {
        self.remove(id);
        let (keys, moves) = notes_of(game, PLIES).map(|(key, mv)| (key, mv.bits())).unzip();
        let (facts, listing) = (Facts::of(game), Listing::of(game, GamePlace::default()));
        let mut kept = Kept { stamp, facts, listing, keys, moves };
        kept.keys.shrink_to_fit();
        kept.moves.shrink_to_fit();
        let bytes = kept.bytes(id);
        let has_room = self.max_bytes - self.bytes >= bytes;
        if has_room {
            self.bytes += bytes;
            self.games.insert(id.to_owned(), kept);
        }
        has_room
    }

    /// Keeps the game of this name no more.
    pub fn remove(&mut self, id: &str) {
        self.bytes -= self.games.remove(id).map_or(0, |game| game.bytes(id));
    }

    /// Keeps only those games whose names are wanted.
    pub fn retain(&mut self, is_wanted: impl Fn(&str) -> bool) {
        let bytes = &mut self.bytes;
        self.games.retain(|id, game| {
            let stays = is_wanted(id);
            *bytes -= if stays { 0 } else { game.bytes(id) };
            stays
        });
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
            let notes = game.keys.iter().zip(&game.moves).filter(|&(&noted, _)| noted == key);
            let mut moves: Vec<_> = notes.map(|(_, &mv)| mv).collect();
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
