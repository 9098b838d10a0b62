//! The single-threaded searcher: it searches on the calling thread, for programs that play many games at once.

use std::mem::take;
use std::sync::Arc;
use std::time::Instant;

use eval::Network;
use movegen::{Board, Color, Move, Position};

use crate::root::root_search::RootSearch;
use crate::state::clock::Clock;
use crate::state::control::{Control, NodeCount};
use crate::state::job::Job;
use crate::state::thread_data::ThreadData;
use crate::table::key::tt_key;
use crate::table::transposition::TranspositionTable;
use crate::types::limits::Limits;
use crate::types::request::Settings;
use crate::types::score::Score;

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchResult {
    /// The move it chose.
    pub best: Move,
    /// Its score for the side to move.
    pub score: Score,
    /// The last completed iteration.
    pub depth: i32,
    /// Nodes visited.
    pub nodes: u64,
}

/// A searcher without threads of its own. Its results depend on nothing but the earlier requests.
///
/// ```
/// use eval::Network;
/// use movegen::{Board, Position};
/// use search::{Limits, SingleThreadedSearcher};
///
/// let board = Board::from_fen("k7/8/2K5/8/8/8/8/7R w - - 0 1").expect("a legal position");
/// let mut searcher = SingleThreadedSearcher::new(Network::embedded(), 1);
/// let limits = Limits { nodes: Some(5_000), ..Limits::default() };
/// let result = searcher.search(&Position::from(board), &limits).expect("a legal move");
/// assert_eq!(result.score.moves_to_mate(), Some(2));
/// ```
pub struct SingleThreadedSearcher {
    data: ThreadData,
    /// One for all searches, or one for each side to move.
    tables: Vec<Table>,
    control: Arc<Control>,
    counts: Arc<[NodeCount]>,
    nodes_per_millisecond: u64,
    /// The principal variation of the last search.
    line: Vec<Move>,
}

const NO_MEMORY: &str = "memory for the histories";

/// A transposition table, and whether there is anything in it to clear.
struct Table {
    table: Arc<TranspositionTable>,
    is_used: bool,
}

impl SingleThreadedSearcher {
    /// A searcher with a network and a transposition table of `hash_mib` MiB.
    ///
    /// # Panics
    ///
    /// If there is no memory for the histories, some megabytes.
    #[must_use]
    pub fn new(network: Arc<Network>, hash_mib: usize) -> Self {
        Self::with_tables(network, hash_mib, 1).expect(NO_MEMORY)
    }

    /// As [`new`](Self::new), but `None` if there is no memory for the histories.
    #[must_use]
    pub fn try_new(network: Arc<Network>, hash_mib: usize) -> Option<Self> {
        Self::with_tables(network, hash_mib, 1)
    }

    /// A searcher that plays against itself, with a transposition table of `hash_mib` MiB for each side: neither sees
    /// what the other has found. Both sides share the histories, which keeps twice as much of them in the processor's
    /// caches as two searchers would.
    ///
    /// # Panics
    ///
    /// If there is no memory for the histories, some megabytes.
    #[must_use]
    pub fn for_both_sides(network: Arc<Network>, hash_mib: usize) -> Self {
        Self::with_tables(network, hash_mib, Color::ALL.len()).expect(NO_MEMORY)
    }

    fn with_tables(network: Arc<Network>, hash_mib: usize, count: usize) -> Option<Self> {
        let data = ThreadData::try_new(network)?;
        let table = || Table { table: Arc::new(TranspositionTable::new(hash_mib)), is_used: false };
        Some(Self {
            data,
            tables: std::iter::repeat_with(table).take(count).collect(),
            control: Arc::default(),
            counts: Arc::new([NodeCount::default()]),
            nodes_per_millisecond: 0,
            line: Vec::new(),
        })
    }

    /// From now on this many nodes count as a millisecond on the clock; 0 for real time, the default.
    pub const fn set_nodes_per_millisecond(&mut self, nodes: u64) {
        self.nodes_per_millisecond = nodes;
    }

    /// Clears the tables and histories, as for a new game.
    pub fn forget(&mut self) {
        let mut forgot = false;
        for Table { table, is_used } in &mut self.tables {
            if take(is_used) {
                table.clear();
                forgot = true;
            }
        }
        if forgot {
            self.data.clear_histories();
        }
    }

    /// The depth to which the searches of a side to move have looked at a position, 0 for quiescence search; `None` if
    /// its transposition table does not know the position.
    #[must_use]
    pub fn known_depth(&self, turn: Color, board: &Board) -> Option<i32> {
        let table = &self.tables[turn as usize % self.tables.len()].table;
        table.probe(tt_key(board), 0, board.halfmove_clock()).map(|entry| entry.depth)
    }

    /// The principal variation of the last search, which begins with its best move; empty before any.
    #[must_use]
    pub fn line(&self) -> &[Move] {
        &self.line
    }

    /// Searches a position; `None` if it has no legal move. The limits that hold a move back,
    /// `infinite` and `ponder`, have no effect.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> Option<SearchResult> {
        let settings = Settings { nodes_per_millisecond: self.nodes_per_millisecond, ..Settings::default() };
        let turn = position.board().turn();
        let clock = Clock::new(limits, &settings, position.board(), Instant::now());
        let index = turn as usize % self.tables.len();
        let Table { table, is_used } = &mut self.tables[index];
        *is_used = true;
        table.age();
        self.counts[0].set(0, 0);
        self.control.begin(false);
        let job = Job {
            id: 0,
            position: Arc::new(position.clone()),
            limits: Arc::new(limits.clone()),
            settings,
            clock,
            table: Arc::clone(table),
            tablebase: None,
            control: Arc::clone(&self.control),
            counts: Arc::clone(&self.counts),
            stop: None,
        };
        let mut root_search = RootSearch::new(&job, &mut self.data);
        let result = root_search.deepen()?;
        let (best, worker) = (result.best, &mut root_search.worker);
        self.line.clone_from(&best.line);
        worker.keep_for_next_search(&best);
        // Not the bound of a search that was stopped after it failed low, which depends on the width of the window.
        let score = best.line_score().map_or_else(|| worker.root_eval(), |(score, _)| score);
        Some(SearchResult { best: best.mv, score, depth: result.depth, nodes: worker.watch.nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_requests_have_the_same_results() {
        let limits = Limits { soft_nodes: Some(3000), nodes: Some(30_000), ..Limits::default() };
        let play = || {
            let mut searcher = SingleThreadedSearcher::new(Network::embedded(), 1);
            let mut position = Position::start();
            let mut nodes = Vec::new();
            for _ in 0..10 {
                let found = searcher.search(&position, &limits).unwrap();
                nodes.push((found.best, found.score, found.nodes));
                position.play(found.best);
            }
            nodes
        };
        let first = play();
        assert_eq!(first, play());
        assert!(first.iter().all(|(_, _, nodes)| (3000..=30_000).contains(nodes)));
    }

    #[test]
    fn a_cleared_searcher_plays_as_a_new_one() {
        let limits = Limits { soft_nodes: Some(3000), ..Limits::default() };
        for new in [SingleThreadedSearcher::new, SingleThreadedSearcher::for_both_sides] {
            let mut searcher = new(Network::embedded(), 1);
            let mut play = || {
                searcher.forget();
                let mut position = Position::start();
                let mut nodes = Vec::new();
                for _ in 0..6 {
                    let found = searcher.search(&position, &limits).unwrap();
                    nodes.push((found.best, found.score, found.nodes));
                    position.play(found.best);
                }
                nodes
            };
            assert_eq!(play(), play());
        }
    }

    #[test]
    fn a_node_limit_is_exact() {
        let search = |position: &Position, limit| {
            let limits = Limits { nodes: Some(limit), ..Limits::default() };
            SingleThreadedSearcher::new(Network::embedded(), 1).search(position, &limits).unwrap().nodes
        };
        for limit in [1, 2, 100, 1024, 1025, 7777] {
            assert_eq!(search(&Position::start(), limit), limit);
        }
        // Many in a row: some end in a null-move search, after which ProbCut may not play a move.
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let kiwipete = Position::from(Board::from_fen(kiwipete).unwrap());
        for limit in 30_000..30_020 {
            assert_eq!(search(&kiwipete, limit), limit);
        }
    }

    #[test]
    fn the_line_begins_with_the_best_move_and_can_be_played() {
        let mut searcher = SingleThreadedSearcher::new(Network::embedded(), 1);
        assert!(searcher.line().is_empty());
        let mut position = Position::start();
        let mut longest = 0;
        for _ in 0..6 {
            let best = searcher.search(&position, &Limits { nodes: Some(20_000), ..Limits::default() }).unwrap().best;
            assert_eq!(searcher.line()[0], best);
            longest = longest.max(searcher.line().len());
            let mut board = *position.board();
            for &mv in searcher.line() {
                assert!(board.is_legal(mv), "{mv}");
                board.play(mv, &mut ());
            }
            position.play(best);
        }
        assert!(longest > 2, "{longest}");
    }

    #[test]
    fn mated_and_stalemated_positions_have_no_move() {
        for fen in ["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
            let position = Position::from(Board::from_fen(fen).unwrap());
            assert!(
                SingleThreadedSearcher::new(Network::embedded(), 1)
                    .search(&position, &Limits { depth: Some(3), ..Limits::default() })
                    .is_none()
            );
        }
    }

    #[test]
    fn short_mates_are_found_with_their_distance() {
        for (fen, moves) in [
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
            ("k7/8/2K5/8/8/8/8/7R w - - 0 1", 2),
            ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ] {
            let position = Position::from(Board::from_fen(fen).unwrap());
            let limits = Limits { depth: Some(20), ..Limits::default() };
            let found = SingleThreadedSearcher::new(Network::embedded(), 4).search(&position, &limits).unwrap();
            assert_eq!(found.score.moves_to_mate(), Some(moves), "{fen}");
        }
    }

    /// A closed wall of pawns and a bishop that attacks none of them: dead, although it evaluates as a win.
    #[test]
    fn dead_positions_are_draws_whatever_their_evaluation() {
        let board = Board::from_fen("8/8/k7/p1p1p1p1/P1P1P1P1/3B4/8/K7 w - - 0 1").unwrap();
        assert!(Network::embedded().evaluate(&board) > 100);
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let found =
            SingleThreadedSearcher::new(Network::embedded(), 1).search(&Position::from(board), &limits).unwrap();
        assert_eq!(found.score, Score::DRAW);
    }
}
