//! A thread that searches one position after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use movegen::{Board, CastlingStyle, Move};
use search::{Report, Reporter, Request, Searcher, Settings, Tablebase};

use crate::answer::{Analysis, Answer};
use crate::job::{PositionJob, PositionQueue};
use crate::task::Task;

/// A searcher, once there is something to search.
pub struct Worker {
    hash_mib: usize,
    tablebase: Option<Arc<Tablebase>>,
    searcher: Option<Searcher>,
}

impl Worker {
    /// One whose table has so many MiB.
    #[must_use]
    pub const fn new(hash_mib: usize, tablebase: Option<Arc<Tablebase>>) -> Self {
        Self { hash_mib, tablebase, searcher: None }
    }

    /// MiB of its table.
    #[must_use]
    pub const fn hash_mib(&self) -> usize {
        self.hash_mib
    }

    /// The endgame tables it asks.
    #[must_use]
    pub const fn tablebase(&self) -> Option<&Arc<Tablebase>> {
        self.tablebase.as_ref()
    }

    /// The searcher, which knows nothing, so that what it finds depends on nothing but the question.
    pub fn searcher(&mut self) -> &mut Searcher {
        let searcher = self.searcher.get_or_insert_with(|| {
            let mut searcher = Searcher::on_this_thread(self.hash_mib);
            searcher.set_tablebase(self.tablebase.clone());
            searcher
        });
        searcher.new_game();
        searcher
    }

    /// Gives the memory of the searcher back, until it is needed again.
    pub fn rest(&mut self) {
        self.searcher = None;
    }

    /// Searches a position until its limits are reached or `stop` is raised, and tells `hear` what is found meanwhile.
    pub fn search(&mut self, task: Task, stop: &AtomicBool, hear: impl FnMut(&Analysis) + Send + 'static) -> Analysis {
        let Task { position, limits, multi_pv, contempt, style } = task;
        let board = *position.board();
        if let Some(end) = Analysis::of_end(&board) {
            return end;
        }
        let settings = Settings { multi_pv, contempt, move_overhead: Duration::ZERO, ..Settings::default() };
        let listener = Listener { analysis: Analysis::default(), board, style, hear };
        let searcher = self.searcher();
        let request = Request { position, limits, settings, received: Instant::now() };
        searcher.search(request, listener, stop).map(|listener| listener.analysis).unwrap_or_default()
    }

    /// Answers what the queue has, until its end.
    pub(crate) fn work(&mut self, queue: &PositionQueue) {
        while let Some(job) = queue.take() {
            let answer = self.answer(&job);
            // Done before it is told: then the client may use its id again.
            queue.done(&job, answer.analysis.nodes);
            job.session.answer(&answer);
            if job.session.has_failed() {
                job.session.leave(queue);
            }
        }
    }

    fn answer(&mut self, job: &PositionJob) -> Answer {
        let task = job.query.at(job.turn);
        let answer = Answer::new(job.query.id.clone(), job.turn, task.position.board());
        let (session, so_far) = (Arc::clone(&job.session), answer.clone());
        let (report_every, mut reported) = (job.query.report_every, Instant::now());
        let hear = move |analysis: &Analysis| {
            if report_every.is_some_and(|interval| reported.elapsed() >= interval) {
                reported = Instant::now();
                let best = analysis.lines.first().and_then(|line| line.moves.first()).cloned();
                let analysis = Analysis { best, ..analysis.clone() };
                session.answer(&Answer { during: true, analysis, ..so_far.clone() });
            }
        };
        let analysis = self.search(task, &job.is_cancelled, hear);
        Answer { analysis, cancelled: job.is_cancelled.load(Relaxed), ..answer }
    }
}

/// Keeps what it hears, and tells of it.
struct Listener<F> {
    analysis: Analysis,
    board: Board,
    style: CastlingStyle,
    hear: F,
}

impl<F: FnMut(&Analysis) + Send> Reporter for Listener<F> {
    fn line(&mut self, report: &Report<'_>) {
        self.analysis.hear(report, &self.board, self.style);
        (self.hear)(&self.analysis);
    }

    fn finished(&mut self, best: Option<Move>, ponder: Option<Move>) {
        let written = |mv: Move| mv.uci(self.style).to_string();
        (self.analysis.best, self.analysis.ponder) = (best.map(written), ponder.map(written));
    }
}
