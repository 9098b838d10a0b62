//! One thread at work on one search: all that the nodes of the tree read and write.

use movegen::{Board, Move};

use crate::history::piece_to::PieceTo;
use crate::state::job::Job;
use crate::state::probing::Probing;
use crate::state::repetition::KeyHistory;
use crate::state::root_move::RootMove;
use crate::state::root_state::{DETAILS_AFTER, RootState};
use crate::state::stack::StackEntry;
use crate::state::thread_data::{LastSearch, ThreadData};
use crate::state::watch::LimitWatch;
use crate::table::key::tt_key;
use crate::table::transposition::TranspositionTable;
use crate::tablebase::rank::By;

/// The state of one search on one thread, in parts. The steps of the tree are its methods, each in its own file.
pub(crate) struct Worker<'a> {
    /// The position, limits and settings.
    pub(crate) job: &'a Job<'a>,
    pub(crate) table: &'a TranspositionTable,
    /// Histories, search stack, PV table and accumulators.
    pub(crate) data: &'a mut ThreadData,
    /// For repetitions.
    pub(crate) keys: KeyHistory,
    /// Node counts, clock and stop flag.
    pub(crate) watch: LimitWatch<'a>,
    pub(crate) root: RootState<'a>,
    /// How to probe endgame tables inside the tree; none if there is no need.
    pub(crate) probing: Option<Probing<'a>>,
    /// No null move before this ply, while one is being verified.
    pub(crate) null_move_from: usize,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(job: &'a Job<'a>, data: &'a mut ThreadData, root_moves: Vec<RootMove>) -> Self {
        let board = job.position.board();
        data.begin_search(board);
        let has_all_moves = root_moves.len() == board.count_legal_moves();
        let mut worker = Self {
            job,
            table: &job.table,
            data,
            keys: KeyHistory::new(&job.position),
            watch: LimitWatch::new(job),
            root: RootState::new(root_moves, has_all_moves),
            probing: Probing::new(job),
            null_move_from: 0,
        };
        worker.rank_root_moves();
        worker
    }

    /// What the last search left, if that was this side's last turn of the same game.
    pub(crate) fn last_search(&self) -> Option<LastSearch> {
        let is_last_turn = |last: &LastSearch| last.board.ply() + 1 == self.job.position.board().ply();
        self.data.last_search.filter(is_last_turn)
    }

    /// Keeps what the next search of the game may use.
    pub(crate) fn keep_for_next_search(&mut self, best: &RootMove) {
        let board = self.job.position.board().after(best.mv);
        self.data.last_search = best.line_score().map(|(score, _)| LastSearch { board, score });
    }

    /// Whether this is the main thread, which keeps the clock and reports.
    pub(crate) const fn is_main(&self) -> bool {
        self.job.id == 0
    }

    /// Whether the search has to end; once true, it stays so.
    #[inline]
    pub(crate) fn must_stop(&mut self) -> bool {
        self.watch.must_stop(self.root.depth)
    }

    /// Plays a legal move from `ply`.
    #[inline]
    pub(crate) fn make(&mut self, board: &Board, mv: Move, ply: usize) -> Board {
        let entry = &mut self.data.stack[ply];
        entry.piece_to = PieceTo::of(board, mv);
        entry.move_count = 0;
        entry.quiet = (!board.is_noisy(mv)).then_some(mv);
        self.keys.push(board.key());
        self.watch.nodes += 1;
        let mut child = *board;
        child.play(mv, &mut self.data.evaluator.push());
        child
    }

    #[inline]
    pub(crate) fn unmake(&mut self) {
        self.keys.pop();
        self.data.evaluator.pop();
    }

    /// Plays a null move from `ply`; returns the board and what [`unmake_null`](Self::unmake_null) needs.
    pub(crate) fn make_null(&mut self, board: &Board, ply: usize) -> (Board, usize) {
        let entry = &mut self.data.stack[ply];
        *entry = StackEntry { piece_to: None, quiet: None, move_count: 0, reduction: 0, ..*entry };
        self.watch.nodes += 1;
        let since_null = self.keys.push_null(board.key());
        let mut child = *board;
        child.play_null();
        self.table.prefetch(tt_key(&child));
        (child, since_null)
    }

    pub(crate) fn unmake_null(&mut self, since_null: usize) {
        self.keys.pop_null(since_null);
    }

    /// Whether the search has taken so long that details are worth reporting, and someone receives them.
    pub(crate) fn takes_long(&self) -> bool {
        self.root.reporter.is_some() && self.job.clock.elapsed() >= DETAILS_AFTER
    }

    /// Ranks the root moves by endgame tables. Those of the best rank come first, and only they are searched.
    fn rank_root_moves(&mut self) {
        let Some(Probing { tables, pieces, fifty_moves, .. }) = self.probing else { return };
        let position = &*self.job.position;
        if position.board().occupied().count() > pieces || !position.board().castling().is_empty() {
            return;
        }
        let moves = || self.root.moves.iter().map(|root_move| root_move.mv);
        // On a slow disk each table may take long, and a move without a rank is better than one that is late.
        let watch = &mut self.watch;
        let mut may_go_on = || !watch.must_break_off();
        let by_dtz = tables.rank_by_dtz(position, moves(), fifty_moves, By::Result, &mut may_go_on);
        let knows_distance = by_dtz.is_some();
        let by_result = || tables.rank_by_wdl(position, moves(), fifty_moves, &mut may_go_on);
        let Some(ranks) = by_dtz.or_else(by_result) else { return };
        self.watch.tablebase_hits += ranks.len() as u64;
        self.root.rank(ranks);
        // With distances the ranks make sure that a win makes progress, and the search looks for mates. Without them it
        // has to find its way from one table to the next.
        let wins = self.root.moves.first().and_then(|root_move| root_move.rank).is_some_and(|rank| rank.score.0 > 0);
        if knows_distance || !wins {
            self.probing = None;
        }
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use std::sync::Arc;
    use std::time::Instant;

    use eval::Network;
    use movegen::Position;

    use super::Worker;
    use crate::state::clock::Clock;
    use crate::state::control::NodeCount;
    use crate::state::job::Job;
    use crate::state::root_move::root_moves;
    use crate::state::thread_data::ThreadData;
    use crate::table::transposition::TranspositionTable;
    use crate::types::limits::Limits;
    use crate::types::request::Settings;

    /// Calls `see` with a worker at `position`.
    pub(crate) fn with_worker<T>(position: &Position, settings: Settings, see: impl FnOnce(&mut Worker<'_>) -> T) -> T {
        let limits = Limits::default();
        let job = Job {
            id: 0,
            clock: Clock::new(&limits, &settings, position.board(), Instant::now()),
            position: Arc::new(position.clone()),
            limits: Arc::new(limits),
            settings,
            table: Arc::new(TranspositionTable::new(1)),
            tablebase: None,
            control: Arc::default(),
            counts: Arc::new([NodeCount::default()]),
            stop: None,
        };
        let mut data = ThreadData::try_new(Network::embedded()).unwrap();
        let root_moves = root_moves(position.board(), &job.limits.search_moves);
        see(&mut Worker::new(&job, &mut data, root_moves))
    }
}
