//! The handle on a pool of search threads.
//!
//! Each thread parks on its channel of orders. A search is an order to all of them; the first thread leads: it
//! keeps the clock, stops the others, and reports. All search the same position and meet in the transposition table
//! alone, which is known as Lazy SMP (the Chess Programming Wiki, "Lazy SMP"). The pool's owner never waits for a
//! search unless it asks to.

use std::iter;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use eval::Network;
use movegen::{Move, Position};

use crate::clock::Clock;
use crate::root::{Outcome, root_moves, vote};
use crate::shared::{Control, NodeCount, total};
use crate::strength;
use crate::table::TranspositionTable;
use crate::tablebase::Tablebase;
use crate::worker::{Job, Memory, Worker};
use crate::{Limits, Reporter, Settings};

/// One search to be done.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where to search, with the game so far.
    pub position: Position,
    /// When to end.
    pub limits: Limits,
    /// How to go about it.
    pub settings: Settings,
    /// When the request arrived: the clock has been running since.
    pub received: Instant,
}

enum Order {
    Search(Box<Job>, Role),
    /// Forget all that was learnt; from now on this network evaluates.
    Forget(Arc<Network>),
}

/// What a thread does with what it finds.
enum Role {
    /// Collects everybody's outcomes and reports.
    Lead { reporter: Box<dyn Reporter>, outcomes: Receiver<Option<Outcome>> },
    /// Hands its outcome to the leader.
    Help { outcomes: Sender<Option<Outcome>> },
}

struct Thread {
    orders: Sender<Order>,
    handle: JoinHandle<()>,
}

/// Threads that search, and the transposition table they share. Dropping it stops and joins them.
pub struct Searcher {
    threads: Vec<Thread>,
    table: Arc<TranspositionTable>,
    tablebase: Option<Arc<Tablebase>>,
    network: Arc<Network>,
    control: Arc<Control>,
    counts: Arc<[NodeCount]>,
    /// Each thread says here that it has done an order.
    done: (Sender<()>, Receiver<()>),
    /// Orders not known to be done.
    pending: usize,
}

impl Searcher {
    /// A pool of `threads` threads (at least 1) with a table of `hash_mib` MiB, or the largest that can be had, and
    /// the network that comes with the program.
    #[must_use]
    pub fn new(threads: usize, hash_mib: usize) -> Self {
        let mut searcher = Self {
            threads: Vec::new(),
            table: Arc::new(TranspositionTable::new(hash_mib)),
            tablebase: None,
            network: Network::embedded(),
            control: Arc::default(),
            counts: Arc::default(),
            done: unbounded(),
            pending: 0,
        };
        searcher.set_threads(threads);
        searcher
    }

    /// The table's size in MiB, which may be less than was asked for.
    #[must_use]
    pub fn hash_mib(&self) -> usize {
        self.table.mib()
    }

    /// Waits until the pool is idle, then resizes the table. Returns the size it has now, in MiB.
    pub fn set_hash_mib(&mut self, mib: usize) -> usize {
        self.wait();
        if mib != self.hash_mib() {
            // The old table goes before the new one comes, so that both never need room at once.
            self.table = Arc::new(TranspositionTable::new(1));
            self.table = Arc::new(TranspositionTable::new(mib));
        }
        self.hash_mib()
    }

    /// Waits until the pool is idle, then changes the number of threads. Returns the number there is now, which is
    /// less if the system does not grant so many.
    pub fn set_threads(&mut self, threads: usize) -> usize {
        self.wait();
        let wanted = threads.max(1);
        while self.threads.len() > wanted {
            if let Some(Thread { orders, handle }) = self.threads.pop() {
                drop(orders);
                // A thread that panicked has nothing left to say.
                let _ = handle.join();
            }
        }
        while self.threads.len() < wanted {
            let (orders, inbox) = unbounded();
            let (done, network) = (self.done.0.clone(), Arc::clone(&self.network));
            let name = format!("search-{}", self.threads.len());
            match thread::Builder::new().name(name).stack_size(STACK_SIZE).spawn(move || serve(&inbox, &done, network))
            {
                Ok(handle) => self.threads.push(Thread { orders, handle }),
                Err(_) => break,
            }
        }
        self.counts = (0..self.threads.len().max(1)).map(|_| NodeCount::default()).collect();
        self.threads.len()
    }

    /// Waits until the pool is idle, then has another network evaluate, and forgets what the old one taught.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.new_game();
    }

    /// Has the next search ask these endgame tables, or none. One that runs goes on with those it has.
    pub fn set_tablebase(&mut self, tablebase: Option<Arc<Tablebase>>) {
        self.tablebase = tablebase;
    }

    /// Waits until the pool is idle, then forgets all that was learnt: the table and every history.
    pub fn new_game(&mut self) {
        self.wait();
        for thread in &self.threads {
            self.pending += usize::from(thread.orders.send(Order::Forget(Arc::clone(&self.network))).is_ok());
        }
        self.table.clear();
    }

    /// Starts a search and returns at once; waits out one that is still running.
    pub fn start(&mut self, mut request: Request, reporter: Box<dyn Reporter>) {
        self.wait();
        let is_limited = strength::limit(&mut request);
        let team = if is_limited { 1 } else { self.threads.len() };
        self.table.age();
        self.control.begin(request.limits.ponder);
        self.counts.iter().for_each(|count| count.set(0, 0));
        let turn = request.position.board().turn();
        let clock = Clock::new(&request.limits, &request.settings, turn, request.received);
        let (position, limits) = (Arc::new(request.position), Arc::new(request.limits));
        let (sender, outcomes) = unbounded();
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
        };
        let mut lead = Some(Role::Lead { reporter, outcomes });
        for (id, thread) in self.threads.iter().take(team).enumerate() {
            let role = lead.take().unwrap_or_else(|| Role::Help { outcomes: sender.clone() });
            self.pending += usize::from(thread.orders.send(Order::Search(Box::new(job(id)), role)).is_ok());
        }
        // The leader waits no longer when nobody is left who could send.
        drop(sender);
        // A system that grants no thread at all still gets its answer, if only from this one.
        if let Some(role) = lead {
            search(&job(0), role, &mut Memory::new(Arc::clone(&self.network)));
        }
    }

    /// Whether a search runs whose best move has not been reported yet.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.control.is_searching()
    }

    /// Ends the running search, if there is one, which then reports its best move.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The opponent played the expected move: the running search is now on our own clock.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
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

/// Room for the deepest line: each ply holds a picker of some 3 KiB, and debug builds need more.
const STACK_SIZE: usize = 16 << 20;

/// How long the leader waits for what the others have found: on a busy machine some may not run for a while, and their
/// say is not worth the clock.
const PATIENCE: Duration = Duration::from_millis(2);

/// A thread's life: orders until there are no more.
fn serve(orders: &Receiver<Order>, done: &Sender<()>, network: Arc<Network>) {
    let mut memory = Memory::new(network);
    for order in orders {
        let _done = Done(done);
        match order {
            Order::Forget(network) => memory = Memory::new(network),
            Order::Search(job, role) => search(&job, role, &mut memory),
        }
    }
}

/// Says that an order is done when it goes out of scope, even by a panic: nobody is to wait for ever.
struct Done<'a>(&'a Sender<()>);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        // The pool may be gone already.
        let _ = self.0.send(());
    }
}

fn search(job: &Job, role: Role, memory: &mut Memory) {
    let root_moves = root_moves(job.position.board(), &job.limits.search_moves);
    let mut worker = Worker::new(job, memory, root_moves);
    match role {
        Role::Help { outcomes } => {
            // The leader may wait for it.
            let _ = outcomes.send(worker.deepen());
        }
        Role::Lead { mut reporter, outcomes } => {
            worker.reporter = Some(&mut *reporter);
            let own = worker.deepen();
            job.control.sleep_until_wanted(job.limits.infinite);
            job.control.stop();
            let deadline = Instant::now() + PATIENCE;
            let others = iter::from_fn(|| outcomes.recv_deadline(deadline).ok()).flatten();
            let all: Vec<_> = own.into_iter().chain(others).collect();
            // Where the lines or their depth were asked for, the ones reported count; else the best of all threads.
            let Limits { depth, mate, .. } = *job.limits;
            let is_led = job.settings.multi_pv > 1 || depth.is_some() || mate.is_some();
            let mut chosen = if is_led { all.first() } else { vote(&all) }.cloned();
            if let Some(chosen) = &mut chosen
                && let Some(led) = all.first()
                && led.best.mv != chosen.best.mv
            {
                worker.extend_line(&mut chosen.best);
                // From line to line the depth never falls, whoever found the last one.
                chosen.depth = chosen.depth.max(led.depth);
                worker.report_outcome(chosen);
            }
            let faults = job.tablebase.iter().flat_map(|tablebase| tablebase.take_faults());
            faults.for_each(|fault| reporter.tablebase_fault(&fault));
            let best = chosen.as_ref().map(|outcome| &outcome.best.line[..]);
            let mut line = best.unwrap_or_default().iter().copied();
            let (best, reply) = (line.next(), line.next());
            job.control.finish();
            reporter.finished(best, expected(job, best, reply));
        }
    }
}

/// The reply to ponder on: none if the game would be over.
fn expected(job: &Job, best: Option<Move>, reply: Option<Move>) -> Option<Move> {
    let mut board = *job.position.board();
    board.play(best?, &mut ());
    let reply = reply.filter(|&mv| board.is_legal(mv))?;
    board.play(reply, &mut ());
    board.has_legal_move().then_some(reply)
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::TryRecvError;

    use super::*;
    use crate::{Bound, Report, Score};

    /// Passes on what it hears.
    struct Listener {
        nodes: Option<u64>,
        heard: Sender<(Option<u64>, Option<Move>)>,
    }

    impl Reporter for Listener {
        fn line(&mut self, report: &Report<'_>) {
            self.nodes = Some(report.nodes);
        }

        fn finished(&mut self, best: Option<Move>, _: Option<Move>) {
            self.heard.send((self.nodes, best)).unwrap();
        }
    }

    /// The answers to come: nodes in the last line, and the best move.
    fn start(searcher: &mut Searcher, limits: Limits) -> Receiver<(Option<u64>, Option<Move>)> {
        let (heard, answers) = unbounded();
        let settings = Settings::default();
        let request = Request { position: Position::start(), limits, settings, received: Instant::now() };
        searcher.start(request, Box::new(Listener { nodes: None, heard }));
        answers
    }

    #[test]
    fn a_search_stopped_at_once_has_looked_at_the_board() {
        for threads in [1, 3] {
            let mut searcher = Searcher::new(threads, 1);
            for _ in 0..100 {
                let answers = start(&mut searcher, Limits { infinite: true, ..Limits::default() });
                searcher.stop();
                searcher.wait();
                let (nodes, best) = answers.try_recv().unwrap();
                assert!(nodes.unwrap() >= 20 && best.is_some());
                assert_eq!(answers.try_recv(), Err(TryRecvError::Disconnected), "one answer only");
                assert!(!searcher.is_searching());
            }
        }
    }

    #[test]
    fn an_answer_is_held_back_until_it_is_wanted() {
        let mut searcher = Searcher::new(2, 1);
        let answers = start(&mut searcher, Limits { ponder: true, depth: Some(1), ..Limits::default() });
        assert!(answers.recv_timeout(Duration::from_millis(50)).is_err());
        searcher.ponder_hit();
        assert!(answers.recv().unwrap().1.is_some());
        let answers = start(&mut searcher, Limits { infinite: true, depth: Some(1), ..Limits::default() });
        searcher.ponder_hit();
        assert!(answers.recv_timeout(Duration::from_millis(50)).is_err());
        assert!(searcher.is_searching());
        searcher.stop();
        assert!(answers.recv().unwrap().1.is_some());
    }

    #[test]
    fn a_new_search_waits_for_the_one_before_and_repeats_after_a_new_game() {
        let mut searcher = Searcher::new(1, 1);
        let limits = || Limits { nodes: Some(5000), ..Limits::default() };
        let (first, second) = (start(&mut searcher, limits()), start(&mut searcher, limits()));
        searcher.wait();
        let first = first.try_recv().unwrap();
        assert_eq!((first.0, searcher.nodes()), (Some(5000), 5000));
        assert!(second.try_recv().is_ok());
        searcher.new_game();
        assert_eq!(start(&mut searcher, limits()).recv().unwrap(), first);
    }

    #[test]
    fn lines_cut_short_keep_their_own_scores() {
        struct Lines(Sender<(usize, Bound, Score)>);
        impl Reporter for Lines {
            fn line(&mut self, report: &Report<'_>) {
                self.0.send((report.multi_pv, report.bound, report.score)).unwrap();
            }
            fn finished(&mut self, _: Option<Move>, _: Option<Move>) {}
        }
        for nodes in [20_000, 20_500, 21_000, 21_500] {
            let (sender, lines) = unbounded();
            let settings = Settings { multi_pv: 3, ..Settings::default() };
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let request = Request { position: Position::start(), limits, settings, received: Instant::now() };
            let mut searcher = Searcher::new(1, 1);
            searcher.start(request, Box::new(Lines(sender)));
            searcher.wait();
            let lines: Vec<_> = lines.iter().collect();
            let last = &lines[lines.len() - 3..];
            assert_eq!([1, 2, 3], [last[0].0, last[1].0, last[2].0]);
            assert!(last[1..].iter().all(|(_, bound, _)| *bound != Bound::Upper), "{nodes} nodes: {last:?}");
        }
    }

    #[test]
    fn the_pool_changes_size_between_searches() {
        let mut searcher = Searcher::new(0, 0);
        for threads in [4, 1, 2] {
            assert_eq!(searcher.set_threads(threads), threads);
            assert_eq!(searcher.set_hash_mib(threads), threads);
            let answers = start(&mut searcher, Limits { depth: Some(4), ..Limits::default() });
            assert!(answers.recv().unwrap().1.is_some());
        }
    }
}
