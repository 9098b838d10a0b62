//! A search of a position about which something is known, and which leaves behind what it finds.
//!
//! What is known is told first. Until the search is as deep, its own lines say less: of them only the cost is told, and if
//! it ends by then, the answer is the known one. So whoever analyses never sees a position become less well understood.
//!
//! What a search of another version or with another network found is told before that, marked as such, if it is deeper. It is
//! only something to begin with: all lines of the search follow, and the answer is its own.
//!
//! The search itself is one like any other. Entries of the transposition table for the known line, with its score and the
//! depth left, were tried: ten positions took 614,000 nodes instead of 603,000 to get back to depth 13, and 1.69 million
//! instead of 1.56 to depth 15.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use movegen::unwinnable::is_dead;
use movegen::{Board, Budget, Move};
use search::{Found, Limits, Report, Reporter, TablebaseFault};

use crate::memory::{AnalysisMemory, OtherFound, Subject, suffices};
use crate::print::{Announcer, Recalled};

/// While a search runs, its result is kept this often: what a kill can cost.
const KEPT_EVERY: Duration = Duration::from_secs(1);

/// The reporter of such a search.
pub(crate) struct Analysis<W> {
    announcer: Announcer<W>,
    memory: Arc<dyn AnalysisMemory>,
    subject: Subject,
    /// How many lines each iteration has.
    line_count: usize,
    known: Option<Found>,
    /// Whether the newest iteration is less deep than what is known.
    is_behind: bool,
    /// Whether a line has been told since what is known was.
    has_told_more: bool,
    /// What the search has found, also in the middle of an iteration.
    found: Found,
    /// The same after the last whole iteration, unless it has been kept.
    whole: Option<Found>,
    /// When something was kept.
    kept: Instant,
}

impl<W: Write + Send> Analysis<W> {
    /// Asks what is known.
    pub(crate) fn new(announcer: Announcer<W>, memory: Arc<dyn AnalysisMemory>, subject: Subject) -> Self {
        let board = subject.position.board();
        let line_count = board.count_legal_moves().min(subject.settings.multi_pv);
        let known = (line_count > 0).then(|| memory.recall(&subject)).flatten();
        let known = known.filter(|known| is_told(known, line_count, board));
        Self {
            announcer,
            memory,
            subject,
            line_count,
            is_behind: known.is_some(),
            known,
            has_told_more: false,
            found: Found::default(),
            whole: None,
            kept: Instant::now(),
        }
    }

    /// Tells what is known. True if that is the answer, and nothing has to be searched.
    pub(crate) fn begin(&mut self, limits: &Limits) -> bool {
        let is_answer = self.known.as_ref().is_some_and(|known| suffices(known, limits));
        if !is_answer {
            self.tell_other();
        }
        let Some(known) = &self.known else { return false };
        let Found { depth, nodes, .. } = *known;
        let rest = if is_answer { "; no search is needed" } else { "" };
        self.announcer.message(format_args!("from the analysis store: depth {depth} by {nodes} nodes{rest}"));
        self.tell_known();
        if is_answer {
            self.finished(None, None);
        }
        is_answer
    }

    /// Tells what another version or network found, if it is deeper than what is known.
    fn tell_other(&mut self) {
        let other = (self.line_count > 0).then(|| self.memory.recall_other(&self.subject)).flatten();
        let is_told = |found: &Found| {
            self.known.as_ref().is_none_or(|known| found.depth > known.depth)
                && is_told(found, self.line_count, self.subject.position.board())
        };
        let Some(OtherFound { found, by }) = other.filter(|other| is_told(&other.found)) else { return };
        let Found { depth, nodes, .. } = found;
        self.announcer.message(format_args!(
            "from the analysis store, by {by}: depth {depth} by {nodes} nodes; it is searched again"
        ));
        self.announcer.recalled(&found, self.recalled());
    }

    fn tell_known(&mut self) {
        let Some(known) = &self.known else { return };
        self.announcer.recalled(known, self.recalled());
        self.has_told_more = false;
    }

    /// What results do not tell of the position.
    fn recalled(&self) -> Recalled {
        let Subject { position, tablebase, .. } = &self.subject;
        let board = position.board();
        let from_tables = tablebase.as_ref().is_some_and(|tables| tables.covers(board));
        // What may take longer is for the search, which can be stopped.
        Recalled { from_tables, is_dead: is_dead(board, Budget::FAST) }
    }

    /// Keeps the last whole iteration. What is deeper than a known result is worth at least its nodes, even if an earlier
    /// search of this session had left most of it in the table.
    fn keep(&mut self) {
        if let Some(mut whole) = self.whole.take() {
            whole.nodes = whole.nodes.max(self.known.as_ref().map_or(0, |known| known.nodes));
            self.memory.keep(&self.subject, whole);
            self.kept = Instant::now();
        }
    }

    /// Whether a depth is less than what is known.
    fn is_shallow(&self, depth: i32) -> bool {
        self.known.as_ref().is_some_and(|known| i64::from(depth) < i64::from(known.depth))
    }
}

impl<W: Write + Send> Reporter for Analysis<W> {
    fn line(&mut self, report: &Report<'_>) {
        self.found.hear(report);
        if report.multi_pv == 1 {
            self.is_behind = self.is_shallow(report.depth);
        }
        if self.is_behind {
            self.announcer.cost(report);
            return;
        }
        self.has_told_more = true;
        self.announcer.line(report);
        if report.multi_pv == self.line_count && self.found.is_exact() {
            self.whole = Some(self.found.clone());
            if self.kept.elapsed() >= KEPT_EVERY {
                self.keep();
            }
        }
    }

    fn current(&mut self, depth: i32, mv: Move, number: usize) {
        if !self.is_shallow(depth) {
            self.announcer.current(depth, mv, number);
        }
    }

    fn tablebase_fault(&mut self, fault: &TablebaseFault) {
        self.announcer.tablebase_fault(fault);
    }

    fn finished(&mut self, best: Option<Move>, ponder: Option<Move>) {
        self.keep();
        let known = self.known.as_ref().filter(|_| self.is_behind).and_then(|known| known.lines.first());
        let Some(line) = known else { return self.announcer.finished(best, ponder) };
        let (best, reply) = (line.moves.first().copied(), reply(self.subject.position.board(), &line.moves));
        if self.has_told_more {
            self.tell_known();
        }
        self.announcer.finished(best, reply);
    }
}

/// Whether a result of a memory can be told: all its lines are there, exact, and can be played.
fn is_told(found: &Found, line_count: usize, board: &Board) -> bool {
    found.lines.len() == line_count && found.is_exact() && found.fits(board)
}

/// The expected reply: none if the game would be over.
fn reply(board: &Board, line: &[Move]) -> Option<Move> {
    let &[best, reply, ..] = line else { return None };
    let after = board.after(best).after(reply);
    after.has_legal_move().then_some(reply)
}
