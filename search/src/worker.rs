//! One search thread: what it remembers between searches, and the state of the search at hand.

use std::sync::Arc;

use eval::{Evaluator, Network};
use movegen::{Board, Key, Move, Position};

use crate::clock::Clock;
use crate::correction::Corrections;
use crate::history::{Arrival, Histories};
use crate::root::RootMove;
use crate::shared::{Control, NodeCount, total};
use crate::stack::{Frame, Lines, Stack};
use crate::strength::Handicap;
use crate::table::TranspositionTable;
use crate::tablebase::{KnownLines, Probing, Tablebase};
use crate::{Limits, Score, Settings};

/// Nodes between two looks at the clock and the stop flag's wider circumstances.
const CHECK_INTERVAL: u64 = 1024;

/// The most the first iteration may take before it can be stopped: about a millisecond.
const FIRST_ITERATION_NODES: u64 = 2_000;

/// What a thread keeps from one search to the next.
pub(crate) struct Memory {
    pub(crate) histories: Histories,
    pub(crate) corrections: Corrections,
    pub(crate) stack: Stack,
    pub(crate) lines: Lines,
    evaluator: Evaluator,
}

impl Memory {
    pub(crate) fn new(network: Arc<Network>) -> Self {
        Self {
            histories: Histories::new(),
            corrections: Corrections::new(),
            stack: Stack::new(),
            lines: Lines::new(),
            evaluator: Evaluator::new(network),
        }
    }
}

/// What a thread is told about a search.
pub(crate) struct Job {
    /// The thread's number; thread 0 leads.
    pub(crate) id: usize,
    pub(crate) position: Arc<Position>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) settings: Settings,
    pub(crate) clock: Clock,
    pub(crate) table: Arc<TranspositionTable>,
    pub(crate) tablebase: Option<Arc<Tablebase>>,
    pub(crate) control: Arc<Control>,
    pub(crate) counts: Arc<[NodeCount]>,
}

/// One thread at work on one search.
pub(crate) struct Worker<'a> {
    pub(crate) job: &'a Job,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) memory: &'a mut Memory,
    pub(crate) root_moves: Vec<RootMove>,
    /// Whether `root_moves` are all there are: else what is found there says nothing about the position.
    pub(crate) sees_all_moves: bool,
    /// What the board at the root looks like.
    pub(crate) root_eval: Score,
    /// The first root move still to be ranked: those before it are the better lines of MultiPV.
    pub(crate) line_index: usize,
    pub(crate) root_depth: i32,
    pub(crate) seldepth: i32,
    /// No null move before this ply, while one is being verified.
    pub(crate) null_move_from: usize,
    pub(crate) nodes: u64,
    /// How endgame tables are asked inside the tree; none if they need not be.
    pub(crate) probing: Option<Probing<'a>>,
    pub(crate) tablebase_hits: u64,
    /// Lines to the mate that endgame tables have shown.
    pub(crate) known_lines: KnownLines,
    /// Who chooses the move in the end, if the engine is to play below its strength.
    pub(crate) handicap: Option<Handicap>,
    next_check: u64,
    /// The search is to end: what comes back from the tree no longer counts.
    pub(crate) stopped: bool,
    /// Keys of the game so far and of the line being searched.
    keys: Vec<Key>,
    /// Where in `keys` the root stands.
    root_index: usize,
    /// The first key in `keys` since the last null move.
    since_null: usize,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(job: &'a Job, memory: &'a mut Memory, root_moves: Vec<RootMove>) -> Self {
        memory.stack.clear();
        memory.evaluator.reset(job.position.board());
        let board = job.position.board();
        let root_eval = Score(memory.evaluator.evaluate(board));
        let sees_all_moves = root_moves.len() == board.count_legal_moves();
        let keys = job.position.history().to_vec();
        let mut worker = Self {
            job,
            table: &job.table,
            memory,
            root_moves,
            sees_all_moves,
            root_eval,
            line_index: 0,
            root_depth: 0,
            seldepth: 0,
            null_move_from: 0,
            nodes: 0,
            probing: Probing::new(job),
            tablebase_hits: 0,
            known_lines: KnownLines::new(),
            handicap: job.settings.strength.map(|strength| Handicap::new(strength, &job.position)),
            next_check: 0,
            stopped: false,
            root_index: keys.len(),
            since_null: 0,
            keys,
        };
        worker.rank_root_moves();
        worker
    }

    /// Whether this thread keeps the clock and reports.
    pub(crate) const fn leads(&self) -> bool {
        self.job.id == 0
    }

    /// Whether the search has to end; once it has, it stays so.
    #[inline]
    pub(crate) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.stopped |= self.job.control.is_stopped() && !self.is_beginning();
        self.stopped
    }

    /// Whether the first iteration still runs, which ends on its own in no time: even a search that is stopped at
    /// once should have looked at the board.
    fn is_beginning(&self) -> bool {
        self.root_depth <= 1 && self.nodes < FIRST_ITERATION_NODES
    }

    #[cold]
    fn check_limits(&mut self) {
        self.publish_nodes();
        self.next_check = self.nodes + CHECK_INTERVAL;
        if !self.leads() {
            return;
        }
        if let Some(limit) = self.job.limits.nodes {
            let total = total(&self.job.counts);
            self.stopped |= total >= limit;
            // With one thread the last stretch ends exactly at the limit.
            self.next_check = self.next_check.min(self.nodes + limit.saturating_sub(total).max(1));
        }
        self.stopped |=
            !self.job.control.is_pondering() && self.job.clock.is_over(total(&self.job.counts)) && !self.is_beginning();
    }

    /// Lets the other threads see what this one has counted.
    pub(crate) fn publish_nodes(&self) {
        self.job.counts[self.job.id].set(self.nodes, self.tablebase_hits);
    }

    /// Plays a legal move from `ply` and opens the next one.
    #[inline]
    pub(crate) fn make(&mut self, board: &Board, mv: Move, ply: usize) -> Board {
        let frame = &mut self.memory.stack[ply];
        frame.arrival = Arrival::of(board, mv);
        self.keys.push(board.key());
        self.nodes += 1;
        let mut child = *board;
        child.play(mv, &mut self.memory.evaluator.push());
        child
    }

    #[inline]
    pub(crate) fn unmake(&mut self) {
        self.keys.pop();
        self.memory.evaluator.pop();
    }

    /// Passes the turn from `ply`; returns the board and what [`unmake_null`](Self::unmake_null) needs back.
    pub(crate) fn make_null(&mut self, board: &Board, ply: usize) -> (Board, usize) {
        let frame = &mut self.memory.stack[ply];
        *frame = Frame { arrival: None, reduction: 0, ..*frame };
        self.keys.push(board.key());
        self.nodes += 1;
        let since_null = std::mem::replace(&mut self.since_null, self.keys.len());
        let mut child = *board;
        child.play_null();
        self.table.prefetch(child.key());
        (child, since_null)
    }

    pub(crate) fn unmake_null(&mut self, since_null: usize) {
        self.since_null = since_null;
        self.keys.pop();
    }

    /// Whether the rules, or a repetition that both sides could repeat, make the position a draw.
    pub(crate) fn is_draw(&self, board: &Board, ply: usize) -> bool {
        // A mate on the board comes before the fifty moves.
        let fifty_moves = board.halfmove_clock() >= 100 && (!board.in_check() || board.has_legal_move());
        fifty_moves || ply > 0 && board.has_insufficient_material() || self.repeats(board)
    }

    /// Whether the position has been there once since the root, or twice with the game before it.
    fn repeats(&self, board: &Board) -> bool {
        let end = self.keys.len();
        let reach = usize::from(board.halfmove_clock()).min(end - self.since_null.min(end));
        let mut seen_before_root = false;
        for distance in (4..=reach).step_by(2) {
            let index = end - distance;
            if self.keys[index] == board.key() {
                if index > self.root_index || seen_before_root {
                    return true;
                }
                seen_before_root = true;
            }
        }
        false
    }

    /// The evaluation as it comes, kept clear of mates and table wins.
    #[inline]
    pub(crate) fn raw_eval(&mut self, board: &Board) -> Score {
        let limit = Score::WIN_BOUND.0 - 1;
        Score(self.memory.evaluator.evaluate(board).clamp(-limit, limit))
    }

    /// An evaluation corrected by what has been learnt and by how near the fifty-move rule is.
    #[inline]
    pub(crate) fn corrected(&self, board: &Board, ply: usize, raw: Score) -> Score {
        let faded = raw.0 * (200 - i32::from(board.halfmove_clock().min(100))) / 200;
        let correction = self.memory.corrections.get(board, self.last_arrivals(ply));
        let limit = Score::WIN_BOUND.0 - 1;
        Score((faded + correction).clamp(-limit, limit))
    }

    /// The arrivals one and two plies ago.
    #[inline]
    pub(crate) fn last_arrivals(&self, ply: usize) -> [Option<Arrival>; 2] {
        [1, 2].map(|plies| self.memory.stack.back(ply, plies).arrival)
    }
}
