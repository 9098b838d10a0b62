//! Positions of a game and from inside its search trees, each searched by itself, and leaves that are not searched.
//!
//! The search asks the network about positions that no game reaches: after blunders, refutations and sacrifices. They
//! are as much worth learning as those of games, and far less alike than neighbours in a game. The games themselves can be
//! played with few nodes and a few of their positions searched with many: scores of deep searches teach what those of
//! shallow ones do not, however many.
//!
//! A leaf costs next to nothing without a search of its own. It has no score then; networks give it one later
//! ([`crate::training::rescore`]).
//!
//! Source: the leaves of a tree as training positions, in nodchip's Stockfish #264; J. Veness et al., "Bootstrapping from Game Tree Search" (2009).

use movegen::{Move, Position};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use search::{SearchResult, SingleThreadedSearcher};

use super::limits::Limits;
use crate::games::game::{Game, ScoredMove};

/// The most half-moves from the root to a leaf: table entries can form a circle.
const MAX_PATH: usize = 24;

/// Which positions are harvested, and how.
#[derive(Clone, Copy, Debug)]
pub struct HarvestSettings {
    /// How likely, from 0 to 1, a position is harvested after the search of a move.
    pub share: f64,
    /// Share of them, from 0 to 1, that are the game's own position; the others are from the tree of its search.
    pub played: f64,
    /// Nodes for the search of each.
    pub limits: Limits,
    /// Leaves kept without a search after the search of a move, on average; at least 0.
    pub unsearched: f64,
}

/// Gathers positions of one game and its trees.
pub(super) struct Harvest {
    settings: HarvestSettings,
    limits: search::Limits,
    /// No position with a larger score of either sign is kept, in centipawns.
    most_score: i32,
    rng: Xoshiro256PlusPlus,
    found: Vec<Game>,
}

impl Harvest {
    /// Positions beyond `most_score` centipawns, a won score, say little: the network needs no exact score to know them as
    /// won.
    pub(super) fn new(settings: HarvestSettings, most_score: i32, rng: &mut Xoshiro256PlusPlus) -> Self {
        Self {
            settings,
            limits: settings.limits.of_a_move(),
            most_score,
            rng: Xoshiro256PlusPlus::from_rng(rng),
            found: Vec::new(),
        }
    }

    /// All positions gathered, each as a game without a result: of one move, or of none if it was not searched.
    pub(super) fn finish(self) -> Vec<Game> {
        self.found
    }

    /// Looks for a position at the root or in the tree of a search that has just ended.
    pub(super) fn after_search(&mut self, searcher: &mut SingleThreadedSearcher, root: &Position) {
        for _ in 0..self.draw_unsearched_count() {
            if let Some(leaf) = self.draw_leaf(searcher, root) {
                self.found.push(Game { start: *leaf.board(), result: None, moves: Vec::new() });
            }
        }
        if self.rng.random::<f64>() < self.settings.share
            && let Some(drawn) = self.draw(searcher, root)
            && let Some(found) = self.search_quiet(searcher, &drawn)
        {
            let start = *drawn.board();
            let scored = ScoredMove::by(start.turn(), found.best, found.score);
            self.found.push(Game { start, result: None, moves: vec![scored] });
        }
    }

    fn draw_unsearched_count(&mut self) -> u32 {
        let mean = self.settings.unsearched;
        // No number is drawn where none is needed: equal seeds give equal games whatever was added since.
        if mean <= 0.0 {
            return 0;
        }
        mean as u32 + u32::from(self.rng.random::<f64>() < mean.fract())
    }

    fn draw(&mut self, searcher: &SingleThreadedSearcher, root: &Position) -> Option<Position> {
        // As above.
        if self.settings.played > 0.0 && self.rng.random::<f64>() < self.settings.played {
            return (!root.board().in_check()).then(|| root.clone());
        }
        self.draw_leaf(searcher, root)
    }

    /// A leaf of the tree that is not in check.
    fn draw_leaf(&mut self, searcher: &SingleThreadedSearcher, root: &Position) -> Option<Position> {
        let (leaf, plies) = descend(searcher, root, MAX_PATH, &mut self.rng)?;
        ((1..MAX_PATH).contains(&plies) && !leaf.board().in_check()).then_some(leaf)
    }

    /// The result of a position's search, if its best move takes nothing and its score is not far from equal. Most
    /// others are recognised by the first iteration.
    fn search_quiet(&self, searcher: &mut SingleThreadedSearcher, position: &Position) -> Option<SearchResult> {
        let is_quiet =
            |found: &SearchResult| !position.board().is_noisy(found.best) && found.score.0.abs() <= self.most_score;
        let first = search::Limits { depth: Some(1), ..self.limits.clone() };
        searcher.search(position, &first).filter(is_quiet)?;
        searcher.search(position, &self.limits).filter(is_quiet)
    }
}

/// Walks from the root down the tree of the last search, as its transposition table remembers it, for at most this many
/// half-moves; returns where that leads, and how many they were. Each step is a random move that has an entry: those that
/// the search looked at in more depth are taken more often.
pub fn descend(
    searcher: &SingleThreadedSearcher,
    root: &Position,
    most: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<(Position, usize)> {
    let turn = root.board().turn();
    let mut position = root.clone();
    for plies in 0..most {
        let board = *position.board();
        let known: Vec<(Move, i32)> = board
            .legal_moves()
            .into_iter()
            .filter_map(|mv| {
                let mut child = board;
                child.play(mv, &mut ());
                Some((mv, searcher.known_depth(turn, &child)?))
            })
            .collect();
        let weight = |depth: i32| u64::from(depth.unsigned_abs() + 1).pow(2);
        let total: u64 = known.iter().map(|&(_, depth)| weight(depth)).sum();
        if total == 0 {
            return Some((position, plies));
        }
        let mut number = rng.random_range(..total);
        let drawn = known.iter().find(|&&(_, depth)| {
            let is_drawn = number < weight(depth);
            number = number.saturating_sub(weight(depth));
            is_drawn
        });
        position.play(drawn?.0);
    }
    Some((position, most))
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::selfplay::{Openings, Player, Settings};
    use crate::training::seed::seed_network;

    fn settings(share: f64, played: f64) -> Settings {
        let limits = Limits::from_soft(60);
        Settings {
            limits,
            harvest: HarvestSettings { share, played, limits, unsearched: 0.0 },
            hash_mib: 1,
            ..Settings::default()
        }
    }

    /// Games played with this share, and what their trees yielded.
    fn play(share: f64) -> (Vec<Game>, Vec<Game>) {
        play_with(settings(share, 0.0))
    }

    fn play_with(settings: Settings) -> (Vec<Game>, Vec<Game>) {
        let mut player = Player::new(&Arc::new(seed_network().unwrap()), settings);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
        let (mut games, mut harvest) = (Vec::new(), Vec::new());
        for _ in 0..8 {
            games.extend(player.play(&Openings::new(0.2), &mut rng, &AtomicBool::new(false)));
            harvest.extend(player.take_harvest());
        }
        (games, harvest)
    }

    #[test]
    fn positions_are_quiet_new_and_as_many_as_asked_for() {
        let (games, harvest) = play(1.0);
        let positions: usize = games.iter().map(|game| game.moves.len()).sum();
        assert!(harvest.len() > positions / 4, "{} of {positions}", harvest.len());
        let mut seen: HashSet<_> = games.iter().flat_map(Game::replay).map(|step| step.unwrap().board.key()).collect();
        let mut repeated = 0;
        for lone in &harvest {
            let &[ScoredMove { mv, score }] = &lone.moves[..] else { panic!("{lone:?}") };
            assert!(lone.result.is_none() && lone.start.is_legal(mv), "{lone:?}");
            assert!(!lone.start.in_check() && !lone.start.is_noisy(mv), "{lone:?}");
            assert!(i32::from(score).abs() <= Settings::default().adjudication.win_score, "{lone:?}");
            repeated += usize::from(!seen.insert(lone.start.key()));
        }
        assert!(repeated < harvest.len() / 5, "{repeated} of {}", harvest.len());
        let fewer = play(0.25).1.len();
        assert!((1..harvest.len() / 2).contains(&fewer), "{fewer} of {}", harvest.len());
        assert!(play(0.0).1.is_empty());
    }

    #[test]
    fn no_position_is_kept_beyond_a_won_score() {
        let mut settings = settings(1.0, 0.0);
        settings.adjudication.win_score = 150;
        let mut player = Player::new(&Arc::new(seed_network().unwrap()), settings);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
        for _ in 0..8 {
            player.play(&Openings::new(0.2), &mut rng, &AtomicBool::new(false)).unwrap();
            let harvest = player.take_harvest();
            assert!(!harvest.is_empty());
            assert!(harvest.iter().all(|lone| i32::from(lone.moves[0].score).abs() <= 150), "{harvest:?}");
        }
    }

    #[test]
    fn positions_of_the_game_itself_are_searched_with_nodes_of_their_own() {
        let mut settings = settings(1.0, 1.0);
        settings.harvest.limits = Limits::from_soft(600);
        let (games, harvest) = play_with(settings);
        let played: HashMap<_, _> = games
            .iter()
            .flat_map(Game::replay)
            .map(|step| step.map(|step| (step.board.key(), step.score)).unwrap())
            .collect();
        assert!(harvest.len() > played.len() / 4, "{} of {}", harvest.len(), played.len());
        let others = harvest.iter().filter(|lone| played[&lone.start.key()] != lone.moves[0].score).count();
        assert!(others > harvest.len() / 2, "{others} of {}", harvest.len());
    }

    #[test]
    fn leaves_without_a_search_are_as_many_as_asked_for_and_not_in_check() {
        let play = |unsearched: f64| {
            let mut settings = settings(0.0, 0.0);
            settings.harvest.unsearched = unsearched;
            play_with(settings)
        };
        for (mean, least, most) in [(0.5, 0.35, 0.55), (3.0, 2.4, 3.0)] {
            let (games, leaves) = play(mean);
            let positions: usize = games.iter().map(|game| game.moves.len()).sum();
            let rate = leaves.len() as f64 / positions as f64;
            assert!((least..=most).contains(&rate), "{mean}: {rate}");
            for leaf in &leaves {
                assert!(leaf.result.is_none() && leaf.moves.is_empty() && !leaf.start.in_check(), "{leaf:?}");
            }
            let different: HashSet<_> = leaves.iter().map(|leaf| leaf.start.key()).collect();
            assert!(different.len() > leaves.len() / 2, "{} of {}", different.len(), leaves.len());
        }
        assert_eq!(play(3.0), play(3.0));
    }

    #[test]
    fn equal_seeds_yield_the_same() {
        assert_eq!(play(0.5), play(0.5));
    }
}
