//! The pool of search threads.
//!
//! Each thread waits on its channel of orders. A search is an order to all of them; the main thread keeps the clock, stops
//! the others, and reports. All search the same position and share nothing but the transposition table: Lazy SMP. The
//! owner of the pool never waits for a search unless it asks to.
//!
//! Source: the Chess Programming Wiki, "Lazy SMP".

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};
use eval::Network;
use platform::{Reserve, Topology, give_back_freed_memory};

use crate::state::clock::Clock;
use crate::state::control::{Control, NodeCount, total};
use crate::state::job::Job;
use crate::state::thread_data::ThreadData;
use crate::strength::level;
use crate::table::transposition::TranspositionTable;
use crate::tablebase::probe::Tablebase;
use crate::thread::nodes::Nodes;
use crate::thread::role::{Answer, Role, give_up, search};
use crate::types::limits::Limits;
use crate::types::report::Reporter;
use crate::types::request::{Inbox, Request};

enum Order {
    Search(Box<Job<'static>>, Role),
    /// Clear the histories; from now on evaluate with this network.
    Forget(Arc<Network>),
}

struct Thread {
    orders: Sender<Order>,
    handle: JoinHandle<()>,
}

/// A pool of search threads, and the transposition table they share. Dropping it stops and joins them.
///
/// A [`Request`] starts a search, which runs in the background and tells a [`Reporter`] what it finds:
///
/// ```
/// use std::sync::mpsc::{Sender, channel};
/// use std::time::Instant;
///
/// use movegen::{Board, Move, Position};
/// use search::{Limits, Report, Reporter, Request, Searcher, Settings};
///
/// struct BestMove(Sender<Option<Move>>);
///
/// impl Reporter for BestMove {
///     fn line(&mut self, report: &Report<'_>) {
///         println!("depth {}: {:?} {:?}", report.depth, report.score, report.pv);
///     }
///
///     fn finished(&mut self, best: Option<Move>, _ponder: Option<Move>) {
///         self.0.send(best).expect("someone waits for it");
///     }
/// }
///
/// let board = Board::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").expect("a legal position");
/// let (sender, best) = channel();
/// let mut searcher = Searcher::new(1, 1);
/// let request = Request {
///     position: Position::from(board),
///     limits: Limits { depth: Some(4), ..Limits::default() },
///     settings: Settings::default(),
///     received: Instant::now(),
/// };
/// searcher.start(request, Box::new(BestMove(sender)));
/// let best = best.recv().expect("one answer").expect("a legal move");
/// assert_eq!(board.san(best).to_string(), "Rd8#");
/// ```
pub struct Searcher {
    threads: Vec<Thread>,
    table: Arc<TranspositionTable>,
    tablebase: Option<Arc<Tablebase>>,
    /// The network, and where threads run.
    nodes: Nodes,
    control: Arc<Control>,
    counts: Arc<[NodeCount]>,
    /// Each thread signals here that an order is done.
    done: (Sender<()>, Receiver<()>),
    /// Orders not yet done.
    pending: usize,
    /// Searches run on the thread that starts them.
    is_threadless: bool,
    /// What a search on this thread works with, if there has been one.
    own: Option<Box<ThreadData>>,
    /// The answer of a search on this thread that is to be held back.
    held: Option<Answer>,
}

impl Searcher {
    /// A pool of `threads` threads (at least 1) with a table of `hash_mib` MiB, or the largest that can be had, and
    /// the network that comes with the program.
    #[must_use]
    pub fn new(threads: usize, hash_mib: usize) -> Self {
        Self::with(Control::default(), false, threads, hash_mib)
    }

    /// A searcher without threads of its own, for systems that have none: [`start`](Self::start) returns when the search
    /// has ended, which looks into the inbox while it runs. An answer that is to be held back is given at
    /// [`stop`](Self::stop) or [`ponder_hit`](Self::ponder_hit).
    #[must_use]
    pub fn without_threads(hash_mib: usize, inbox: Inbox) -> Self {
        Self::with(Control::with_inbox(inbox), true, 1, hash_mib)
    }

    /// A searcher for callers that wait for each [`search`](Self::search), which runs on their own thread: with few nodes,
    /// waking another one would take longer than the search. The thread needs [`STACK_SIZE`].
    #[must_use]
    pub fn on_this_thread(hash_mib: usize) -> Self {
        Self::with(Control::default(), true, 1, hash_mib)
    }

    fn with(control: Control, is_threadless: bool, threads: usize, hash_mib: usize) -> Self {
        let mut searcher = Self {
            threads: Vec::new(),
            table: Arc::new(TranspositionTable::new(1)),
            tablebase: None,
            nodes: Nodes::new(Topology::default(), Network::embedded()),
            control: Arc::new(control),
            counts: Arc::default(),
            done: unbounded(),
            pending: 0,
            is_threadless,
            own: None,
            held: None,
        };
        searcher.set_threads(threads);
        // Without threads of its own, the pool will never have one.
        searcher.is_threadless |= cfg!(target_family = "wasm") && searcher.threads.is_empty();
        searcher.set_hash_mib(hash_mib);
        searcher
    }

    /// The number of threads, which may be less than was asked for.
    #[must_use]
    pub fn threads(&self) -> usize {
        if self.is_threadless { 1 } else { self.threads.len() }
    }

    /// The table's size in MiB, which may be less than was asked for.
    #[must_use]
    pub fn hash_mib(&self) -> usize {
        self.table.mib()
    }

    /// Waits until the pool is idle, then resizes the table. Returns the size it has now, in MiB, which is less if the
    /// system has not that much besides what the threads need.
    pub fn set_hash_mib(&mut self, mib: usize) -> usize {
        self.wait();
        if mib != self.hash_mib() {
            // The old table is freed before the new one is allocated, so that both never need memory at once.
            self.table = Arc::new(TranspositionTable::new(1));
            // The reserve is left whatever size the table gets.
            if mib > 1
                && let Some(_reserve) = Reserve::take(Reserve::for_threads(self.threads.len()))
            {
                self.table = Arc::new(TranspositionTable::new(mib));
            }
        }
        self.hash_mib()
    }

    /// Waits until the pool is idle, then changes the number of threads. Returns the number there is now, which is
    /// less if the system does not grant that many. Threads come before the table: it becomes smaller if that lets more of
    /// them work.
    pub fn set_threads(&mut self, threads: usize) -> usize {
        self.wait();
        let wanted = if self.is_threadless { 0 } else { threads.max(1) };
        let must_move = self.nodes.place(wanted);
        self.shrink(if must_move { 0 } else { wanted });
        self.grow(wanted);
        let mib = self.hash_mib();
        if self.threads.len() < wanted && mib > 1 {
            self.table = Arc::new(TranspositionTable::new(1));
            self.grow(wanted);
            self.set_hash_mib(mib);
        }
        self.counts = (0..self.threads.len().max(1)).map(|_| NodeCount::default()).collect();
        self.threads()
    }

    /// Waits until the pool is idle, then binds threads to the NUMA nodes of this machine where that pays: each node has its
    /// own copy of the network. The default topology, without nodes, binds none. What is found stays the same.
    pub fn set_topology(&mut self, topology: Topology) {
        self.wait();
        let threads = self.threads.len();
        let were_bound = self.nodes.are_bound();
        self.nodes = Nodes::new(topology, Arc::clone(self.nodes.shared_network()));
        if self.nodes.place(threads) || were_bound {
            self.shrink(0);
            self.set_threads(threads);
        }
    }

    /// Ends threads down to this number, and gives the system back what they had.
    fn shrink(&mut self, wanted: usize) {
        if self.threads.len() <= wanted {
            return;
        }
        while self.threads.len() > wanted {
            if let Some(Thread { orders, handle }) = self.threads.pop() {
                drop(orders);
                // A thread that panicked has nothing left to say.
                let _ = handle.join();
            }
        }
        give_back_freed_memory();
    }

    /// Adds threads up to this number, or as many as the system grants.
    fn grow(&mut self, wanted: usize) {
        self.threads.reserve_exact(wanted.saturating_sub(self.threads.len()));
        while self.threads.len() < wanted {
            // Held until the thread has allocated what it starts with, part of which the C library takes unasked.
            let Some(_reserve) = Reserve::take(Reserve::for_threads(self.threads.len() + 1)) else { break };
            let stacks = if self.threads.is_empty() { &STACK_SIZES[..] } else { &STACK_SIZES[..1] };
            let Some(thread) = stacks.iter().find_map(|&stack| self.spawn(stack)) else { break };
            self.threads.push(thread);
            self.pending += 1;
            self.wait();
        }
    }

    /// Starts one thread, with all the memory that it will search with; `None` if the system does not grant it.
    fn spawn(&mut self, stack_size: usize) -> Option<Thread> {
        let id = self.threads.len();
        // The new thread inherits it.
        let _binding = self.nodes.bind(id);
        let data = ThreadData::try_new(self.nodes.network(id))?;
        let (orders, inbox) = unbounded();
        let done = self.done.0.clone();
        // A thread that gets its stack but not its first small allocations would end the process.
        drop(Reserve::take(stack_size + MIN_TO_BEGIN)?);
        let builder = thread::Builder::new().name(format!("search-{id}")).stack_size(stack_size);
        let handle = builder.spawn(move || serve(&inbox, &done, data)).ok()?;
        Some(Thread { orders, handle })
    }

    /// Waits until the pool is idle, then evaluates with another network, and clears table and histories.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.nodes.set_network(network);
        self.new_game();
    }

    /// Sets the endgame tables for the next search, or none. A running search keeps those it has.
    pub fn set_tablebase(&mut self, tablebase: Option<Arc<Tablebase>>) {
        self.tablebase = tablebase;
    }

    /// Waits until the pool is idle, then clears the table and all histories.
    pub fn new_game(&mut self) {
        self.wait();
        for (id, thread) in self.threads.iter().enumerate() {
            self.pending += usize::from(thread.orders.send(Order::Forget(self.nodes.network(id))).is_ok());
        }
        if let Some(own) = &mut self.own {
            own.begin_game(Arc::clone(self.nodes.shared_network()));
        }
        self.table.clear();
    }

    /// Starts a search and returns at once; waits out one that is still running.
    pub fn start(&mut self, request: Request, reporter: Box<dyn Reporter>) {
        self.start_until(request, reporter, None);
    }

    /// As [`start`](Self::start). A search on this thread ends when `stop` is set; others only by [`stop`](Self::stop).
    pub(super) fn start_until(&mut self, mut request: Request, reporter: Box<dyn Reporter>, stop: Option<&AtomicBool>) {
        self.wait();
        let is_limited = level::limit(&mut request);
        if self.threads.is_empty() && !self.control.has_inbox() {
            limit_without_threads(&mut request.limits, !self.is_threadless);
        }
        let team = if is_limited { 1 } else { self.threads.len() };
        self.table.age();
        self.control.begin(request.limits.ponder);
        self.counts.iter().for_each(|count| count.set(0, 0));
        let board = request.position.board();
        let clock = Clock::new(&request.limits, &request.settings, board, request.received);
        let (position, limits) = (Arc::new(request.position), Arc::new(request.limits));
        let (sender, results) = unbounded();
        let job = |id| Job {
            id,
            position: Arc::clone(&position),
            limits: Arc::clone(&limits),
            settings: request.settings.clone(),
            clock,
            table: Arc::clone(&self.table),
            tablebase: self.tablebase.clone().filter(|_| !is_limited),
            control: Arc::clone(&self.control),
            counts: Arc::clone(&self.counts),
            stop: None,
        };
        let mut main = Some(Role::Main { reporter, results });
        for (id, thread) in self.threads.iter().take(team).enumerate() {
            let role = main.take().unwrap_or_else(|| Role::Helper { results: sender.clone() });
            self.pending += usize::from(thread.orders.send(Order::Search(Box::new(job(id)), role)).is_ok());
        }
        // The main thread stops waiting when no sender is left.
        drop(sender);
        // If there is no thread at all, this one searches.
        if let Some(role) = main {
            let own = self.own.take().or_else(|| {
                let network = Arc::clone(self.nodes.shared_network());
                ThreadData::try_new(network).map(Box::new)
            });
            match own {
                Some(mut data) => {
                    self.held = search(&Job { stop, ..job(0) }, role, &mut data);
                    // Where threads exist, the memory is better used for one of them once it can be had.
                    self.own = Some(data).filter(|_| self.is_threadless);
                }
                None => give_up(&job(0), role),
            }
        }
    }

    /// Whether a search runs whose best move has not been reported yet. If it is just being reported, this waits for that.
    #[must_use]
    pub fn is_searching(&mut self) -> bool {
        if self.control.is_searching() {
            return true;
        }
        self.wait();
        false
    }

    /// Ends the running search, if there is one, which then reports its best move.
    pub fn stop(&mut self) {
        self.control.stop();
        self.answer();
    }

    /// The opponent played the expected move: the running search is now on our own clock.
    pub fn ponder_hit(&mut self) {
        self.control.ponder_hit();
        self.answer();
    }

    /// Gives the answer that was held back, if it no longer is to be.
    fn answer(&mut self) {
        if let Some(answer) = self.held.take_if(|answer| self.control.is_wanted(answer.is_infinite)) {
            answer.give(&self.control);
        }
    }

    /// Waits until the running search, if there is one, has reported its best move.
    pub fn wait(&mut self) {
        while self.pending > 0 && self.done.1.recv().is_ok() {
            self.pending -= 1;
        }
    }

    /// Nodes visited by the last search, or so far by the one that runs; exact once it has ended.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        total(&self.counts)
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        self.stop();
        self.wait();
        for Thread { orders, handle } in self.threads.drain(..) {
            drop(orders);
            // A thread that panicked has nothing left to say.
            let _ = handle.join();
        }
    }
}

/// Stack size for the deepest line, in bytes: each ply holds up to three move pickers of some 4 KiB, 3.5 MiB in all, and
/// debug builds need more.
pub const STACK_SIZE: usize = 16 << 20;

/// The first thread makes do with the smaller size where there is no memory for the larger.
const STACK_SIZES: [usize; 2] = [STACK_SIZE, 6 << 20];

/// What a thread takes from the system before it runs our code, in bytes, with a margin.
const MIN_TO_BEGIN: usize = 256 << 10;

/// The node limit of a search without threads, during which no `stop` can arrive.
const NODES_WITHOUT_THREADS: u64 = 200_000;

/// Limits a search on the caller's thread, which cannot be stopped: to few nodes if only a lack of memory keeps the pool from
/// having threads.
fn limit_without_threads(limits: &mut Limits, must_be_short: bool) {
    (limits.infinite, limits.ponder) = (false, false);
    if must_be_short {
        limits.nodes = Some(limits.nodes.map_or(NODES_WITHOUT_THREADS, |nodes| nodes.min(NODES_WITHOUT_THREADS)));
    }
}

/// Carries out orders until the channel closes.
fn serve(orders: &Receiver<Order>, done: &Sender<()>, mut data: ThreadData) {
    // It has begun.
    drop(Done(done));
    for order in orders {
        let _done = Done(done);
        match order {
            Order::Forget(network) => data.begin_game(network),
            // Only a search without threads holds its answer back; here the thread sleeps meanwhile.
            Order::Search(job, role) => drop(search(&job, role, &mut data)),
        }
    }
}

/// Signals that an order is done when it goes out of scope, even by a panic, so that no one waits forever.
struct Done<'a>(&'a Sender<()>);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        // The pool may be gone already.
        let _ = self.0.send(());
    }
}

#[cfg(test)]
mod tests;
