//! A thread that searches one position after the other.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use movegen::{Board, CastlingStyle, Move};
use search::{Report, Reporter, Request, Searcher, Settings, Tablebase};

use crate::answer::Answer;
use crate::queue::{Job, Queue};
use crate::session::Session;

/// A searcher, once there is something to search.
pub(crate) struct Worker {
    hash_mib: usize,
    tablebase: Option<Arc<Tablebase>>,
    searcher: Option<Searcher>,
}

impl Worker {
    pub const fn new(hash_mib: usize, tablebase: Option<Arc<Tablebase>>) -> Self {
        Self { hash_mib, tablebase, searcher: None }
    }

    /// Answers what the queue has, until its end.
    pub fn work(&mut self, queue: &Queue) {
        while let Some(job) = queue.take() {
            let answer = self.search(&job);
            // Done before it is told: then the client may use its id again.
            queue.done(&job, answer.nodes);
            job.session.answer(&answer);
            if job.session.has_failed() {
                job.session.leave(queue);
            }
        }
    }

    fn search(&mut self, job: &Arc<Job>) -> Answer {
        let (position, limits) = job.query.at(job.turn);
        let board = *position.board();
        let mut answer = Answer::new(job.query.id.clone(), job.turn, &board);
        if answer.end(&board) {
            return answer;
        }
        let searcher = self.searcher.get_or_insert_with(|| {
            let mut searcher = Searcher::on_this_thread(self.hash_mib);
            searcher.set_tablebase(self.tablebase.clone());
            searcher
        });
        // So that an answer depends on nothing but the query.
        searcher.new_game();
        let settings = Settings {
            multi_pv: job.query.multi_pv,
            contempt: job.query.contempt,
            move_overhead: Duration::ZERO,
            ..Settings::default()
        };
        let received = Instant::now();
        let listener = Listener {
            answer: answer.clone(),
            board,
            style: job.query.style,
            session: Arc::clone(&job.session),
            report_every: job.query.report_every,
            reported: received,
        };
        let request = Request { position, limits, settings, received };
        let listener = searcher.search(request, listener, &job.is_cancelled);
        let found = listener.map_or(answer, |listener| listener.answer);
        Answer { cancelled: job.is_cancelled.load(Relaxed), ..found }
    }
}

/// Keeps what it hears, and tells of it now and then.
struct Listener {
    answer: Answer,
    board: Board,
    style: CastlingStyle,
    session: Arc<Session>,
    report_every: Option<Duration>,
    /// When something was told last.
    reported: Instant,
}

impl Reporter for Listener {
    fn line(&mut self, report: &Report<'_>) {
        self.answer.hear(report, &self.board, self.style);
        if self.report_every.is_some_and(|interval| self.reported.elapsed() >= interval) {
            self.reported = Instant::now();
            let best = self.answer.lines.first().and_then(|line| line.moves.first()).cloned();
            self.session.answer(&Answer { during: true, best, ..self.answer.clone() });
        }
    }

    fn finished(&mut self, best: Option<Move>, ponder: Option<Move>) {
        let written = |mv: Move| mv.uci(self.style).to_string();
        (self.answer.best, self.answer.ponder) = (best.map(written), ponder.map(written));
    }
}
