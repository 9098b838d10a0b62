//! A call of a tool: pieces of work, and what becomes of them.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use serve::{Fault, Job, Worker};
use tokio::sync::mpsc::UnboundedSender;

use crate::Stop;

/// How often the client is told of progress, at most.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// What a tool answers.
pub(crate) struct Reply {
    /// A few lines of English.
    pub text: String,
    /// An object, by the tool's schema.
    pub data: Value,
}

/// What happens to a call.
pub(crate) enum Event {
    /// So much of the whole is done.
    Progress {
        done: f64,
        total: Option<f64>,
    },
    Done(Result<Reply, Fault>),
}

/// What one worker does without a break. The last piece of a call to be done has its reply.
pub(crate) type Piece = Box<dyn FnOnce(&mut Worker, &Call) -> Option<Result<Reply, Fault>> + Send>;

/// The pieces of a call.
pub(crate) struct Pieces {
    pub all: Vec<Piece>,
    /// What they keep together, in bytes, about.
    pub size: usize,
}

impl Pieces {
    /// A call that one worker does.
    pub fn one(piece: Piece, size: usize) -> Self {
        Self { all: vec![piece], size }
    }
}

/// What the pieces of a call share.
#[derive(Clone)]
pub(crate) struct Call {
    /// Raised when nobody waits for the reply any more.
    pub stop: Stop,
    events: UnboundedSender<Event>,
    /// When progress was told last, and how much.
    told: Arc<Mutex<Option<(Instant, f64)>>>,
    /// Whether the client wants to hear of it.
    wants_progress: bool,
}

impl Call {
    pub fn new(events: UnboundedSender<Event>, wants_progress: bool) -> Self {
        Self { stop: Arc::new(AtomicBool::new(false)), events, told: Arc::default(), wants_progress }
    }

    /// Tells the client of progress, unless it was told a moment ago.
    pub fn progress(&self, done: f64, total: Option<f64>) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = |(at, before): (Instant, f64)| at.elapsed() >= PROGRESS_INTERVAL && done > before;
        if self.wants_progress && told.is_none_or(is_news) {
            *told = Some((Instant::now(), done));
            // That nobody waits any more is no error, here and below.
            let _ = self.events.send(Event::Progress { done, total });
        }
    }

    fn finish(&self, reply: Result<Reply, Fault>) {
        let _ = self.events.send(Event::Done(reply));
    }
}

/// A piece in the queue.
pub(crate) struct PieceJob {
    pub call: Call,
    piece: Mutex<Option<Piece>>,
    priority: i64,
    size: usize,
}

impl PieceJob {
    /// A piece of this priority, which keeps so many bytes.
    pub fn new(call: Call, piece: Piece, priority: i64, size: usize) -> Self {
        Self { call, piece: Mutex::new(Some(piece)), priority, size }
    }

    /// Does it.
    pub fn work(&self, worker: &mut Worker) {
        let piece = self.piece.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(reply) = piece.and_then(|piece| piece(worker, &self.call)) {
            self.call.finish(reply);
        }
    }
}

impl Job for PieceJob {
    fn priority(&self) -> i64 {
        self.priority
    }

    fn size(&self) -> usize {
        self.size
    }

    fn cancel(&self) {
        self.call.stop.store(true, Relaxed);
    }
}
