//! One search thread: what it remembers between searches, and the state of the search at hand.

use std::sync::Arc;

use eval::{Evaluator, Network};
use movegen::{Board, Key, Move, PieceType, Position, attacks, cycle};

use crate::clock::Clock;
use crate::correction::Corrections;
use crate::history::{Arrival, Histories};
use crate::root::RootMove;
use crate::shared::{Control, NodeCount, total};
use crate::stack::{Frame, Lines, Stack};
use crate::strength::Handicap;
use crate::table::TranspositionTable;
use crate::tablebase::{KnownLines, Probing, Tablebase};
use crate::{Limits, Reporter, Score, Settings};

/// Nodes between two looks at the clock and the stop flag's wider circumstances.
const CHECK_INTERVAL: u64 = 1024;

/// The most the first iteration may take before it can be stopped, about a millisecond; a limit of nodes holds from the
/// start.
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

    /// The evaluation as it comes, kept clear of mates and table wins.
    #[inline]
    pub(crate) fn raw_eval(&mut self, board: &Board) -> Score {
        let limit = Score::WIN_BOUND.0 - 1;
        Score(self.evaluator.evaluate(board).clamp(-limit, limit))
    }

    /// Forgets what was learnt, in place: the rest is set anew by each search and never shows in what it finds.
    pub(crate) fn forget(&mut self) {
        self.histories.clear();
        self.corrections.clear();
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
    /// Who listens, if anybody does.
    pub(crate) reporter: Option<&'a mut (dyn Reporter + 'a)>,
    pub(crate) root_moves: Vec<RootMove>,
    /// Whether `root_moves` are all there are: else what is found there says nothing about the position.
    pub(crate) sees_all_moves: bool,
    /// What the board at the root looks like.
    pub(crate) root_eval: Score,
    /// The first root move still to be ranked: those before it are the better lines of MultiPV.
    pub(crate) line_index: usize,
    pub(crate) root_depth: i32,
    pub(crate) seldepth: i32,
    /// The width of the window at the root.
    pub(crate) root_width: i32,
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
    /// The move needs no more time, and would be out but for pondering: it is once the opponent has moved.
    pub(crate) has_thought_enough: bool,
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
        memory.histories.begin_search();
        memory.evaluator.reset(job.position.board());
        let board = job.position.board();
        let root_eval = memory.raw_eval(board);
        let sees_all_moves = root_moves.len() == board.count_legal_moves();
        let keys = job.position.history().to_vec();
        let mut worker = Self {
            job,
            table: &job.table,
            memory,
            reporter: None,
            root_moves,
            sees_all_moves,
            root_eval,
            line_index: 0,
            root_depth: 0,
            seldepth: 0,
            root_width: 1,
            null_move_from: 0,
            nodes: 0,
            probing: Probing::new(job),
            tablebase_hits: 0,
            known_lines: KnownLines::new(),
            handicap: job.settings.strength.map(|strength| Handicap::new(strength, &job.position)),
            next_check: 0,
            has_thought_enough: false,
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

    /// Has the limits looked at when the next node begins: what has just been done may have taken long.
    pub(crate) const fn check_limits_soon(&mut self) {
        self.next_check = self.nodes;
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
        self.stopped |= !self.job.control.is_pondering()
            && (self.has_thought_enough || self.job.clock.is_over(total(&self.job.counts)))
            && !self.is_beginning();
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
        frame.move_count = 0;
        frame.quiet = (!board.is_noisy(mv)).then_some(mv);
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
        *frame = Frame { arrival: None, quiet: None, move_count: 0, reduction: 0, ..*frame };
        self.keys.push(board.key());
        self.nodes += 1;
        let since_null = std::mem::replace(&mut self.since_null, self.keys.len());
        let mut child = *board;
        child.play_null();
        self.table.prefetch(tt_key(&child));
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

    /// What a draw is worth at `ply`: nothing, less the contempt of the side that searches. Source: the Chess
    /// Programming Wiki, "Contempt Factor".
    #[inline]
    pub(crate) const fn draw(&self, ply: usize) -> Score {
        let contempt = self.job.settings.contempt;
        Score(Score::DRAW.0 + if ply.is_multiple_of(2) { -contempt } else { contempt })
    }

    /// A draw, or a hair more or less, as in Stockfish: so a search that finds nothing but draws still tells one way
    /// from another.
    #[inline]
    pub(crate) const fn noisy_draw(&self, ply: usize) -> Score {
        Score(self.draw(ply).0 - 1 + (self.nodes & 2) as i32)
    }

    /// Repetition: whether the position has been there once since the root, or twice with the game before it.
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

    /// Whether the side to move can bring back an earlier position, which both sides could then repeat: one within
    /// the tree, or one of the game that has been there twice. How such moves are found: see [`cycle`].
    pub(crate) fn has_upcoming_repetition(&self, board: &Board, ply: usize) -> bool {
        let end = self.keys.len();
        let reach = usize::from(board.halfmove_clock()).min(end - self.since_null.min(end));
        for distance in (3..=reach).step_by(2) {
            let index = end - distance;
            let Some((a, b)) = cycle::single_move(board.key() ^ self.keys[index]) else { continue };
            if !(attacks::between(a, b) & board.occupied()).is_empty() {
                continue;
            }
            if distance < ply {
                return true;
            }
            // Before the root it counts only if it is our piece that returns, and the position has stood there before.
            let ours = [a, b].into_iter().any(|square| board.colors(board.turn()).contains(square));
            if ours && self.keys[..index].contains(&self.keys[index]) {
                return true;
            }
        }
        false
    }

    #[inline]
    pub(crate) fn raw_eval(&mut self, board: &Board) -> Score {
        self.memory.raw_eval(board)
    }

    /// An evaluation corrected by what has been learnt and by how near the fifty-move rule is.
    #[inline]
    pub(crate) fn corrected(&self, board: &Board, ply: usize, raw: Score) -> Score {
        let correction = self.memory.corrections.get(board, self.last_arrivals(ply));
        let limit = Score::WIN_BOUND.0 - 1;
        Score((self.scaled_by_fifty_moves(board, raw).0 + correction).clamp(-limit, limit))
    }

    /// An evaluation that fades as the fifty-move rule comes nearer, as in Stockfish.
    ///
    /// Scaling it by what material is left as well lost 15 +- 18 Elo (1,000 games at 5,000 nodes a move): the network
    /// has outputs for each number of pieces.
    #[inline]
    pub(crate) fn scaled_by_fifty_moves(&self, board: &Board, raw: Score) -> Score {
        Score(raw.0 * (200 - i32::from(board.halfmove_clock().min(100))) / 200)
    }

    /// The arrivals one, two and four plies ago.
    #[inline]
    pub(crate) fn last_arrivals(&self, ply: usize) -> [Option<Arrival>; 3] {
        [1, 2, 4].map(|plies| self.memory.stack.back(ply, plies).arrival)
    }
}

/// The key of a board in the transposition table: positions of equal looks but very unequal distance to the
/// fifty-move rule are told apart, as in Reckless. It eases what is known as the graph history interaction.
#[inline]
pub(crate) fn tt_key(board: &Board) -> Key {
    board.key() ^ clock_key(board.halfmove_clock())
}

/// The key in the table after `mv`, but for castling and en passant; good enough to fetch by.
#[inline]
pub(crate) fn tt_key_after(board: &Board, mv: Move) -> Key {
    let resets = board.is_noisy(mv) || board.pieces(PieceType::Pawn).contains(mv.from());
    let clock = if resets { 0 } else { board.halfmove_clock() + 1 };
    board.key_after(mv) ^ clock_key(clock)
}

/// One number for every eight halfmoves, after the first few, where it hardly matters.
#[inline]
const fn clock_key(clock: u16) -> Key {
    const FIRST: u16 = 16;
    let bucket = clock.saturating_sub(FIRST).div_ceil(8);
    (bucket as Key).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::node::{Pv, Visit};
    use crate::root::root_moves;

    /// Calls `see` with a worker that stands where `moves`, in UCI notation, lead from the start of a game.
    fn after<T>(moves: &str, see: impl FnOnce(&mut Worker<'_>, &Board) -> T) -> T {
        let mut position = Position::start();
        for mv in moves.split_whitespace() {
            let mv = position.board().parse_uci(mv).unwrap();
            position.play(mv);
        }
        at(&position, see)
    }

    /// Calls `see` with a worker that stands at `position`.
    fn at<T>(position: &Position, see: impl FnOnce(&mut Worker<'_>, &Board) -> T) -> T {
        at_with(position, Limits::default(), Settings::default(), see)
    }

    /// As [`at`], in a search with limits and settings.
    fn at_with<T>(
        position: &Position,
        limits: Limits,
        settings: Settings,
        see: impl FnOnce(&mut Worker<'_>, &Board) -> T,
    ) -> T {
        let job = Job {
            id: 0,
            clock: Clock::new(&limits, &settings, position.board().turn(), Instant::now()),
            position: Arc::new(position.clone()),
            limits: Arc::new(limits),
            settings,
            table: Arc::new(TranspositionTable::new(1)),
            tablebase: None,
            control: Arc::default(),
            counts: Arc::new([NodeCount::default()]),
        };
        let mut memory = Memory::new(Network::embedded());
        let mut worker = Worker::new(&job, &mut memory, root_moves(position.board(), &job.limits.search_moves));
        see(&mut worker, position.board())
    }

    #[test]
    fn quiescence_sees_mate_and_stalemate() {
        for (fen, score) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::DRAW),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Score::mated_in(1)),
            ("8/8/8/8/7p/7P/2q5/K6k w - - 0 1", Score::DRAW),
        ] {
            let position = Position::from(Board::from_fen(fen).unwrap());
            let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            let found = at(&position, |worker, board| {
                worker.quiesce::<Pv>(Visit { board, ply: 1, alpha, beta, depth: 0, cut_node: false })
            });
            assert_eq!(found, score, "{fen}");
        }
    }

    #[test]
    fn a_repetition_within_reach_is_seen_before_it_is_played() {
        // Ng8 would bring back the position after 1. Nf3, of which the search was no part: once is not enough.
        assert!(!after("g1f3 g8f6 f3g1", |worker, board| worker.has_upcoming_repetition(board, 1)));
        // The same within the tree.
        assert!(after("g1f3 g8f6 f3g1", |worker, board| worker.has_upcoming_repetition(board, 4)));
        // Before the root, but twice already.
        assert!(after("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", |worker, board| worker.has_upcoming_repetition(board, 1)));
        // A pawn move in between.
        assert!(!after("g1f3 g8f6 f3g1 a7a6", |worker, board| worker.has_upcoming_repetition(board, 5)));
        // Nothing but the way there: White cannot undo what Black has played.
        assert!(!after("g1f3 g8f6", |worker, board| worker.has_upcoming_repetition(board, 3)));
        // The bishop's way back is blocked by a knight that moved in between, and another position it is besides.
        assert!(!after("e2e4 e7e5 f1b5 g8f6 b1c3 f6g8 c3e2", |worker, board| worker.has_upcoming_repetition(board, 7)));
    }

    #[test]
    fn contempt_makes_a_draw_worth_less_to_the_side_that_searches() {
        let (limits, settings) = (Limits::default(), Settings { contempt: 12, ..Settings::default() });
        let draws = at_with(&Position::start(), limits, settings, |worker, _| [0, 1, 2].map(|ply| worker.draw(ply)));
        assert_eq!(draws, [Score(-12), Score(12), Score(-12)]);
    }

    #[test]
    fn positions_far_from_the_fifty_move_rule_share_their_key_and_those_near_do_not() {
        let key = |clock: u16| tt_key(&Board::from_fen(&format!("8/8/4k3/8/8/3RK3/8/8 w - - {clock} 90")).unwrap());
        assert!((0..=16).all(|clock| key(clock) == key(0)));
        for clock in 17..100 {
            assert_eq!(key(clock) == key(clock - 1), clock % 8 != 1, "{clock}");
        }
        assert_ne!(key(60), key(90));
    }

    #[test]
    fn what_is_fetched_is_what_will_be_asked_for() {
        for fen in ["8/8/4k3/8/8/3RK3/7p/8 w - - 40 90", "8/8/4k3/4p3/3P4/3RK3/7p/8 w - - 40 90"] {
            let board = Board::from_fen(fen).unwrap();
            for mv in board.legal_moves() {
                let mut child = board;
                child.play(mv, &mut ());
                assert_eq!(tt_key_after(&board, mv), tt_key(&child), "{mv} in {fen}");
            }
        }
    }
}
