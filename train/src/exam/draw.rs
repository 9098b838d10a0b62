//! Drawing the positions of an exam.
//!
//! They come in units, each of which depends on the seed and its number alone: a game, and what was searched in it. Games
//! begin with the random openings of self-play, of standard chess.
//!
//! Left out are positions in check, which no search evaluates, and those that a search of [`GLANCE_NODES`] nodes scores
//! beyond [`MAX_GLANCE`] centipawns: they are a third of all games, and so near to won or lost that they say little.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use eval::Network;
use movegen::{Board, Position};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use search::SingleThreadedSearcher;

use crate::exam::Set;
use crate::exam::set::without_counters;
use crate::selfplay::{Adjudication, Limits, Openings, Player, Settings, descend};

/// Nodes of the search that leaves out what is decided.
pub const GLANCE_NODES: u64 = 5_000;
/// The most centipawns of either sign that it may find.
pub const MAX_GLANCE: i32 = 1_000;
/// The transposition table of each search but those of the games of few nodes, in MiB.
pub const HASH_MIB: usize = 16;

/// The sets of seven units in a row. A deep game yields about as much as three units of another set, so that an exam is
/// balanced wherever it ends.
const PATTERN: [Set; 7] = [Set::SelfPlay, Set::Trees, Set::SelfPlay, Set::Trees, Set::SelfPlay, Set::Trees, Set::Deep];

/// Positions drawn from a game of few nodes.
const OF_A_GAME: usize = 6;
/// Roots in such a game whose trees are walked, and walks in each tree.
const ROOTS: usize = 2;
const WALKS: usize = 4;
/// The most half-moves from a root.
const MAX_STEPS: usize = 16;
/// Moves of a deep game that positions are drawn from: that itself, and one of the principal variation.
const DEEP_MOVES: usize = 7;

/// The set that a unit belongs to.
#[must_use]
pub fn set_of(unit: u64) -> Set {
    PATTERN[(unit % PATTERN.len() as u64) as usize]
}

/// How positions are drawn; the defaults are those of a real exam.
#[derive(Clone, Copy, Debug)]
pub struct Nodes {
    /// Soft nodes a move of the games that networks learn from.
    pub play: u64,
    /// Nodes of the searches whose trees are walked, and of the moves of deep games.
    pub deep: u64,
}

impl Default for Nodes {
    fn default() -> Self {
        Self { play: 200, deep: 100_000 }
    }
}

/// Draws positions.
pub struct Drawer {
    seed: u64,
    nodes: Nodes,
    openings: Openings,
    player: Player,
    deep_player: Player,
    searcher: SingleThreadedSearcher,
}

impl Drawer {
    /// One that draws with a network.
    #[must_use]
    pub fn new(network: &Arc<Network>, nodes: Nodes, seed: u64) -> Self {
        let of_games = Settings { limits: Limits::from_soft(nodes.play), opening_score: 300, ..Settings::default() };
        let of_deep_games = Settings {
            limits: Limits { soft: nodes.deep, hard: nodes.deep },
            adjudication: Adjudication::OF_MATCHES,
            hash_mib: HASH_MIB,
            ..of_games
        };
        Self {
            seed,
            nodes,
            openings: Openings::new(0.0),
            player: Player::new(network, of_games),
            deep_player: Player::new(network, of_deep_games),
            searcher: SingleThreadedSearcher::new(Arc::clone(network), HASH_MIB),
        }
    }

    /// The positions of a unit, all of them different; `None` if `stop` is set before the last is drawn.
    pub fn draw(&mut self, unit: u64, stop: &AtomicBool) -> Option<Vec<Board>> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ (unit + 1).rotate_left(32));
        let boards = match set_of(unit) {
            Set::SelfPlay => self.of_game(OF_A_GAME, &mut rng, stop)?,
            Set::Trees => self.of_trees(&mut rng, stop)?,
            Set::Deep => self.of_deep_game(&mut rng, stop)?,
        };
        let mut seen = HashSet::new();
        let boards = boards.iter().filter_map(without_counters).filter(|board| seen.insert(board.key()));
        Some(boards.filter(|board| is_open(&mut self.searcher, board)).collect())
    }

    /// Random positions of a new game.
    fn of_game(&mut self, count: usize, rng: &mut Xoshiro256PlusPlus, stop: &AtomicBool) -> Option<Vec<Board>> {
        let game = self.player.play(&self.openings, rng, stop)?;
        let boards: Vec<Board> = game.replay().flatten().map(|step| step.board).collect();
        Some((0..count).filter_map(|_| boards.get(rng.random_range(..boards.len().max(1)))).copied().collect())
    }

    /// Positions in the trees of searches from random positions of a new game. Their roots are searched with a fresh table,
    /// which is then walked down by [`descend`] for a random number of half-moves, fewer where the table knows no more.
    fn of_trees(&mut self, rng: &mut Xoshiro256PlusPlus, stop: &AtomicBool) -> Option<Vec<Board>> {
        let limits = search::Limits { nodes: Some(self.nodes.deep), ..search::Limits::default() };
        let mut boards = Vec::new();
        for board in self.of_game(ROOTS, rng, stop)? {
            let root = Position::from(board);
            self.searcher.forget();
            self.searcher.search(&root, &limits);
            for _ in 0..WALKS {
                let most = rng.random_range(1..=MAX_STEPS);
                boards.extend(descend(&self.searcher, &root, most, rng).map(|(position, _)| *position.board()));
            }
        }
        Some(boards)
    }

    /// Of random moves of a new deep game: the position that was searched, and one from the principal variation.
    fn of_deep_game(&mut self, rng: &mut Xoshiro256PlusPlus, stop: &AtomicBool) -> Option<Vec<Board>> {
        let opening = self.deep_player.draw_opening(&self.openings, rng, stop)?;
        let mut searched = Vec::new();
        self.deep_player.play_watched(opening, stop, &mut |searcher, position| {
            searched.push((*position.board(), searcher.line().to_vec()));
        })?;
        let mut boards = Vec::new();
        for _ in 0..DEEP_MOVES.min(searched.len()) {
            let (mut board, line) = searched.swap_remove(rng.random_range(..searched.len()));
            boards.push(board);
            let plies = rng.random_range(1..=line.len().max(1));
            line.iter().take(plies).for_each(|&mv| board.play(mv, &mut ()));
            boards.push(board);
        }
        Some(boards)
    }
}

/// Whether a position is one to ask about.
fn is_open(searcher: &mut SingleThreadedSearcher, board: &Board) -> bool {
    if board.in_check() || board.has_insufficient_material() {
        return false;
    }
    searcher.forget();
    let limits = search::Limits { nodes: Some(GLANCE_NODES), ..search::Limits::default() };
    let found = searcher.search(&Position::from(*board), &limits);
    found.is_some_and(|found| found.score.0.abs() <= MAX_GLANCE)
}
