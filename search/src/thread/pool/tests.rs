use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use crossbeam_channel::TryRecvError;
use movegen::{Board, ByColor, Move, Position};

use super::*;
use crate::types::limits::Limits;
use crate::types::report::Report;
use crate::types::request::{Interrupt, Settings};
use crate::types::score::{Bound, Score};

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
    start_at(searcher, Position::start(), limits)
}

fn start_at(searcher: &mut Searcher, position: Position, limits: Limits) -> Receiver<(Option<u64>, Option<Move>)> {
    let (heard, answers) = unbounded();
    let request = Request { position, limits, settings: Settings::default(), received: Instant::now() };
    searcher.start(request, Box::new(Listener { nodes: None, heard }));
    answers
}

fn position(fen: &str) -> Position {
    Position::from(Board::from_fen(fen).unwrap())
}

#[test]
fn threads_move_to_their_nodes_and_back() {
    let mut searcher = Searcher::new(3, 1);
    let search = |searcher: &mut Searcher| {
        let answers = start(searcher, Limits { depth: Some(6), ..Limits::default() });
        searcher.wait();
        assert!(answers.try_recv().unwrap().1.is_some());
    };
    // Whether the system grants it or not.
    searcher.set_topology(Topology::new(vec![vec![0], vec![1, 2]]));
    assert!(searcher.nodes.are_bound() && searcher.threads() == 3);
    search(&mut searcher);
    searcher.set_network(Network::embedded());
    search(&mut searcher);
    // One thread may be anywhere.
    assert_eq!((searcher.set_threads(1), searcher.nodes.are_bound()), (1, false));
    let count = |searcher: &mut Searcher| {
        searcher.new_game();
        search(searcher);
        searcher.nodes()
    };
    let nodes = count(&mut searcher);
    assert_eq!((searcher.set_threads(2), searcher.nodes.are_bound()), (2, true));
    searcher.set_topology(Topology::default());
    assert_eq!((searcher.threads(), searcher.nodes.are_bound()), (2, false));
    searcher.set_threads(1);
    assert_eq!(count(&mut searcher), nodes);
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
fn a_search_runs_until_its_best_move_has_been_reported() {
    /// Says that it is about to report, and takes its time to do it.
    struct Slow {
        begun: Sender<()>,
        reported: Arc<AtomicBool>,
    }
    impl Reporter for Slow {
        fn line(&mut self, _: &Report<'_>) {}
        fn finished(&mut self, _: Option<Move>, _: Option<Move>) {
            self.begun.send(()).unwrap();
            thread::sleep(Duration::from_millis(100));
            self.reported.store(true, SeqCst);
        }
    }
    let mut searcher = Searcher::new(2, 1);
    let (begun, has_begun) = unbounded();
    let reported = Arc::new(AtomicBool::new(false));
    let (limits, settings) = (Limits { depth: Some(1), ..Limits::default() }, Settings::default());
    let request = Request { position: Position::start(), limits, settings, received: Instant::now() };
    searcher.start(request, Box::new(Slow { begun, reported: Arc::clone(&reported) }));
    has_begun.recv().unwrap();
    while searcher.is_searching() {}
    assert!(reported.load(SeqCst), "whatever is said next would come before the best move");
}

#[test]
fn a_search_without_threads_ends_by_itself() {
    for limits in [
        Limits { infinite: true, ..Limits::default() },
        Limits { ponder: true, nodes: Some(u64::MAX), ..Limits::default() },
    ] {
        let mut searcher = Searcher::new(1, 1);
        let Thread { orders, handle } = searcher.threads.pop().unwrap();
        drop(orders);
        handle.join().unwrap();
        let answer = start(&mut searcher, limits).try_recv().unwrap();
        assert!(answer.1.is_some());
        assert!(searcher.nodes() > 0 && searcher.nodes() <= NODES_WITHOUT_THREADS);
    }
}

/// A searcher without threads whose inbox says one thing after it has been looked into so often.
fn threadless(looks: usize, interrupt: Option<Interrupt>) -> Searcher {
    let left = AtomicUsize::new(looks);
    let is_due = move || left.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)) == Ok(1);
    Searcher::without_threads(1, Box::new(move || interrupt.filter(|_| is_due())))
}

#[test]
fn a_search_on_this_thread_finds_what_it_finds_on_another() {
    let limits = || Limits { nodes: Some(20_000), ..Limits::default() };
    let mut elsewhere = Searcher::new(1, 1);
    let mut here = threadless(0, None);
    assert_eq!((here.threads(), here.set_threads(8)), (1, 1));
    for _ in 0..3 {
        let expected = start(&mut elsewhere, limits()).recv().unwrap();
        assert_eq!(start(&mut here, limits()).try_recv().unwrap(), expected);
        assert_eq!(here.nodes(), 20_000);
    }
    elsewhere.new_game();
    here.new_game();
    let expected = start(&mut elsewhere, limits()).recv().unwrap();
    assert_eq!(start(&mut here, limits()).try_recv().unwrap(), expected);
}

#[test]
fn a_search_on_this_thread_looks_into_its_inbox() {
    let mut searcher = threadless(20, Some(Interrupt::Stop));
    let answers = start(&mut searcher, Limits { infinite: true, ..Limits::default() });
    assert!(answers.try_recv().unwrap().1.is_some());
    assert!(searcher.nodes() < 30_000);

    let mut searcher = threadless(3, Some(Interrupt::PonderHit));
    let limits = Limits { ponder: true, nodes: Some(10_000), ..Limits::default() };
    assert!(start(&mut searcher, limits).try_recv().unwrap().1.is_some());
}

#[test]
fn a_search_on_this_thread_holds_its_answer_back() {
    let mut searcher = threadless(0, None);
    let answers = start(&mut searcher, Limits { ponder: true, depth: Some(1), ..Limits::default() });
    assert!(answers.try_recv().is_err() && searcher.is_searching());
    searcher.ponder_hit();
    assert!(answers.try_recv().unwrap().1.is_some() && !searcher.is_searching());

    let answers = start(&mut searcher, Limits { infinite: true, depth: Some(1), ..Limits::default() });
    searcher.ponder_hit();
    assert!(answers.try_recv().is_err() && searcher.is_searching());
    searcher.stop();
    assert!(answers.try_recv().unwrap().1.is_some() && !searcher.is_searching());
}

#[test]
fn without_memory_there_is_still_a_legal_move() {
    let (heard, answers) = unbounded();
    let board = Board::start();
    let wanted = board.legal_moves()[7];
    let mut limits = Limits::default();
    limits.search_moves.push(wanted);
    let (sender, results) = unbounded();
    drop(sender);
    let job = Job {
        id: 0,
        position: Arc::new(Position::start()),
        clock: Clock::new(&limits, &Settings::default(), &board, Instant::now()),
        limits: Arc::new(limits),
        settings: Settings::default(),
        table: Arc::new(TranspositionTable::new(1)),
        tablebase: None,
        control: Arc::default(),
        counts: Arc::default(),
        stop: None,
    };
    job.control.begin(false);
    give_up(&job, Role::Main { reporter: Box::new(Listener { nodes: None, heard }), results });
    assert_eq!(answers.try_recv().unwrap(), (None, Some(wanted)));
    assert!(!job.control.is_searching());
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

/// Says whether a line was that of a dead position.
struct DeathWatch(Sender<bool>);

impl Reporter for DeathWatch {
    fn line(&mut self, report: &Report<'_>) {
        self.0.send(report.is_dead).unwrap();
    }

    fn finished(&mut self, _: Option<Move>, _: Option<Move>) {}
}

#[test]
fn while_time_runs_only_quick_proofs_are_made() {
    // That nobody can mate here is found out by a search alone.
    let by_search = "8/pp6/kp4p1/1p4P1/1p4P1/1P4PK/6PP/8 w - - 0 1";
    let by_a_look = "8/8/4k3/8/8/3KB3/8/8 w - - 0 1";
    let hour = Some(Duration::from_secs(3600));
    let depth = Some(3);
    for (fen, limits, expected) in [
        (by_search, Limits { depth, ..Limits::default() }, true),
        (by_search, Limits { depth, move_time: hour, ..Limits::default() }, false),
        (by_search, Limits { depth, remaining: ByColor([hour; 2]), ..Limits::default() }, false),
        (by_a_look, Limits { depth, move_time: hour, ..Limits::default() }, true),
        (by_a_look, Limits { depth, remaining: ByColor([hour; 2]), ..Limits::default() }, true),
    ] {
        let (sender, reports) = unbounded();
        let mut searcher = Searcher::new(1, 1);
        let request =
            Request { position: position(fen), limits, settings: Settings::default(), received: Instant::now() };
        searcher.start(request, Box::new(DeathWatch(sender)));
        searcher.wait();
        let reports: Vec<_> = reports.try_iter().collect();
        assert!(!reports.is_empty() && reports.iter().all(|is_dead| *is_dead == expected), "{fen}: {reports:?}");
    }
}

#[test]
fn proofs_look_into_the_inbox() {
    // The proof takes long here, and comes after the first iteration.
    let long = position("8/3p1p1p/1p6/1P6/BP6/KP6/PP1P1P1P/k7 w - - 0 1");
    let mut searcher = threadless(200, Some(Interrupt::Stop));
    let answers = start_at(&mut searcher, long, Limits { infinite: true, ..Limits::default() });
    assert!(answers.try_recv().unwrap().1.is_some());
    assert!(searcher.nodes() < 10_000, "{} nodes", searcher.nodes());
}

/// Compares the move and the reply with the last line that was reported.
struct Comparing {
    last: Vec<Move>,
    differences: Sender<String>,
}

impl Reporter for Comparing {
    fn line(&mut self, report: &Report<'_>) {
        self.last = report.pv.to_vec();
    }

    fn finished(&mut self, best: Option<Move>, reply: Option<Move>) {
        let line = (self.last.first().copied(), self.last.get(1).copied());
        if best != line.0 || reply.is_some() && reply != line.1 {
            self.differences.send(format!("{best:?} {reply:?}, but the line is {:?}", self.last)).unwrap();
        }
    }
}

/// Threads that agree on a move may expect different replies.
#[test]
fn what_is_played_and_expected_is_what_the_last_line_says() {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r2q1rk1/pp2bppp/2n1bn2/2pp4/8/1P2PN2/PBPPBPPP/RN1Q1RK1 w - - 4 9",
    ];
    let (differences, found) = unbounded();
    for threads in [1, 2, 4] {
        let mut searcher = Searcher::new(threads, 1);
        for number in 0..40 {
            let limits = match number % 3 {
                0 => Limits { nodes: Some(3_000 + 500 * number), ..Limits::default() },
                1 => Limits { move_time: Some(Duration::from_millis(8)), ..Limits::default() },
                _ => Limits { remaining: ByColor([Some(Duration::from_millis(300)); 2]), ..Limits::default() },
            };
            let position = position(fens[number as usize % fens.len()]);
            let request = Request { position, limits, settings: Settings::default(), received: Instant::now() };
            searcher.start(request, Box::new(Comparing { last: Vec::new(), differences: differences.clone() }));
            searcher.wait();
        }
    }
    assert_eq!(found.try_iter().collect::<Vec<_>>(), [""; 0]);
}
