//! Searches: one at a time, line by line, or many on all cores.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use eval::Network;
use movegen::{Board, Move, MoveList};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use search::{Limits, Report, Reporter, Request, STACK_SIZE, Settings, Strength, Tablebase};

use crate::position::{ParsedPosition, PositionInput};
use crate::report::{self, Line};
use crate::work::{SIGNAL_INTERVAL, interruptible, pool};

/// How far to search: nodes, depth, seconds; how many lines; the root moves to search, or none for all.
#[derive(FromPyObject)]
pub(crate) struct LimitsInput(Option<u64>, Option<i32>, Option<f64>, usize, Vec<String>);

impl LimitsInput {
    fn read(&self, board: &Board) -> PyResult<(Limits, usize)> {
        let Self(nodes, depth, seconds, lines, moves) = self;
        let time = seconds.map(Duration::try_from_secs_f64).transpose();
        let move_time = time.map_err(|error| PyValueError::new_err(format!("time: {error}")))?;
        let mut search_moves = MoveList::new();
        for text in moves {
            search_moves.push(board.parse_uci(text).map_err(|error| PyValueError::new_err(error.to_string()))?);
        }
        Ok((Limits { nodes: *nodes, depth: *depth, move_time, search_moves, ..Limits::default() }, (*lines).max(1)))
    }
}

/// What a search has found in the end: its newest lines, the best move and the expected answer.
type Answer = (Vec<Line>, [Option<String>; 2]);

/// Searchers with the same settings, of which each search takes one for itself.
#[pyclass(frozen)]
pub(crate) struct Searcher(Arc<Shared>);

struct Shared {
    settings: Settings,
    threads: usize,
    hash_mib: usize,
    network: Arc<Network>,
    tablebase: Option<Arc<Tablebase>>,
    /// Those that nobody uses.
    idle: Mutex<Vec<search::Searcher>>,
}

impl Shared {
    fn take(&self) -> search::Searcher {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut searcher = idle.unwrap_or_else(|| {
            let mut searcher = match self.threads {
                1 => search::Searcher::on_this_thread(self.hash_mib),
                threads => search::Searcher::new(threads, self.hash_mib),
            };
            searcher.set_network(Arc::clone(&self.network));
            searcher.set_tablebase(self.tablebase.clone());
            searcher
        });
        // So that an answer depends on nothing but the question.
        searcher.new_game();
        searcher
    }

    /// Searches on this thread, which has [`STACK_SIZE`].
    fn search(
        &self,
        parsed: ParsedPosition,
        limits: Limits,
        multi_pv: usize,
        mut listener: Listener,
        stop: &AtomicBool,
    ) -> Option<Listener> {
        if let Some(end) = report::end(parsed.position.board()) {
            listener.tell(end);
            listener.finished(None, None);
            return Some(listener);
        }
        let mut searcher = self.take();
        let settings = Settings { multi_pv, ..self.settings.clone() };
        let request = Request { position: parsed.position, limits, settings, received: Instant::now() };
        let listener = searcher.search(request, listener, stop);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(searcher);
        listener
    }
}

#[pymethods]
impl Searcher {
    /// `syzygy` are folders; `elo` limits the strength.
    #[new]
    fn new(
        threads: usize,
        hash_mib: usize,
        network: Option<&str>,
        syzygy: Vec<PathBuf>,
        contempt: i32,
        elo: Option<(u16, u64)>,
    ) -> PyResult<Self> {
        let unusable = |error: uci::CommandError| PyValueError::new_err(error.to_string());
        let network = network.map_or_else(|| Ok(Network::embedded()), uci::read_network).map_err(unusable)?;
        let tablebase = (!syzygy.is_empty()).then(|| Arc::new(Tablebase::open(&syzygy)));
        if let Some(tablebase) = &tablebase
            && tablebase.names().next().is_none()
        {
            let fault = tablebase.take_faults().first().map(|fault| format!(": {fault}")).unwrap_or_default();
            return Err(PyValueError::new_err(format!("no endgame tables in {syzygy:?}{fault}")));
        }
        let strength = elo.map(|(elo, seed)| Strength::of_elo(elo, seed));
        let settings = Settings { move_overhead: Duration::ZERO, contempt, strength, ..Settings::default() };
        let idle = Mutex::default();
        Ok(Self(Arc::new(Shared { settings, threads, hash_mib, network, tablebase, idle })))
    }

    /// Starts a search, which tells its lines one after the other.
    fn start(&self, input: PositionInput, limits: LimitsInput) -> PyResult<Search> {
        let parsed = input.read()?;
        let (limits, multi_pv) = limits.read(parsed.position.board())?;
        let (sender, messages) = unbounded();
        let stop = Arc::new(AtomicBool::new(false));
        let (shared, is_stopped) = (Arc::clone(&self.0), Arc::clone(&stop));
        let listener = Listener::new(*parsed.position.board(), parsed.style, Some(sender));
        let work = move || {
            shared.search(parsed, limits, multi_pv, listener, &is_stopped);
        };
        let thread = Builder::new().name("vancura".to_owned()).stack_size(STACK_SIZE).spawn(work);
        let thread = thread.map_err(|error| PyMemoryError::new_err(format!("no thread: {error}")))?;
        Ok(Search { messages, stop, thread: Mutex::new(Some(thread)) })
    }

    /// Gives back the memory of searchers that nobody uses.
    fn clear(&self, py: Python<'_>) {
        let idle = std::mem::take(&mut *self.0.idle.lock().unwrap_or_else(PoisonError::into_inner));
        py.detach(|| drop(idle));
    }
}

/// Searches all positions within the same limits, as many at a time as `searches` says: what each found, in their order.
#[pyfunction]
pub(crate) fn analyse_many(
    py: Python<'_>,
    searcher: &Searcher,
    positions: Vec<PositionInput>,
    limits: LimitsInput,
    searches: usize,
) -> PyResult<Vec<Answer>> {
    let read = |input: &PositionInput| {
        let parsed = input.read()?;
        let (limits, multi_pv) = limits.read(parsed.position.board())?;
        Ok((parsed, limits, multi_pv))
    };
    let questions = positions.iter().map(read).collect::<PyResult<Vec<_>>>()?;
    let (pool, shared) = (pool(searches)?, &searcher.0);
    let answers = interruptible(py, |stop| {
        let answer = |(parsed, limits, multi_pv): (ParsedPosition, Limits, usize)| {
            if stop.load(Relaxed) {
                return None;
            }
            let listener = Listener::new(*parsed.position.board(), parsed.style, None);
            let listener = shared.search(parsed, limits, multi_pv, listener, stop)?;
            Some((listener.lines, listener.best))
        };
        pool.install(|| questions.into_par_iter().map(answer).collect::<Option<Vec<_>>>())
    })?;
    answers.ok_or_else(|| PyRuntimeError::new_err("a search has failed"))
}

enum Message {
    Line(Line),
    Best([Option<String>; 2]),
}

/// Keeps the newest of each line, or passes all on to whoever listens.
struct Listener {
    board: Board,
    style: movegen::CastlingStyle,
    sender: Option<Sender<Message>>,
    lines: Vec<Line>,
    best: [Option<String>; 2],
}

impl Listener {
    const fn new(board: Board, style: movegen::CastlingStyle, sender: Option<Sender<Message>>) -> Self {
        Self { board, style, sender, lines: Vec::new(), best: [None, None] }
    }
}

impl Listener {
    fn tell(&mut self, line: Line) {
        if let Some(sender) = &self.sender {
            // If nobody listens any more, the search is about to be stopped.
            let _ = sender.send(Message::Line(line));
            return;
        }
        match self.lines.iter_mut().find(|old| old.0 == line.0) {
            Some(old) => *old = line,
            None => self.lines.push(line),
        }
    }
}

impl Reporter for Listener {
    fn line(&mut self, report: &Report<'_>) {
        self.tell(report::line(report, &self.board, self.style));
    }

    fn finished(&mut self, best: Option<Move>, ponder: Option<Move>) {
        self.best = [best, ponder].map(|mv| mv.map(|mv| mv.uci(self.style).to_string()));
        if let Some(sender) = &self.sender {
            let _ = sender.send(Message::Best(self.best.clone()));
        }
    }
}

/// A running search.
#[pyclass(frozen)]
pub(crate) struct Search {
    messages: Receiver<Message>,
    stop: Arc<AtomicBool>,
    /// `None` once it has been waited for.
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[pymethods]
impl Search {
    /// The next line, or the best move and the expected answer, which come last.
    fn next(&self, py: Python<'_>) -> PyResult<(Option<Line>, [Option<String>; 2])> {
        loop {
            match py.detach(|| self.messages.recv_timeout(SIGNAL_INTERVAL)) {
                Ok(Message::Line(line)) => return Ok((Some(line), [None, None])),
                Ok(Message::Best(best)) => return Ok((None, best)),
                Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("the search has ended")),
                Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| self.stop())?,
            }
        }
    }

    /// Asks the search to end; its best move comes soon.
    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Ends the search and waits for it.
    fn close(&self, py: Python<'_>) {
        self.stop();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A panic has been written to the standard error.
        py.detach(|| thread.map(JoinHandle::join)).transpose().ok();
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop();
    }
}
