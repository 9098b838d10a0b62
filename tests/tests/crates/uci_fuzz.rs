//! Random and mutated lines against a session in this process: no panic, no hang, and exactly one best move for each
//! `go` that is accepted.
//!
//! A few thousand lines on every run; more with `VANCURA_FUZZ_LINES=10000000 cargo test --release -p vancura-tests --test
//! uci_fuzz -- --nocapture`, which also wants a second to be enough for any batch of lines. `VANCURA_FUZZ_SEED` chooses
//! other lines. What only costs time is left out: large tables, many threads, deep counts, files to be written.

use std::env;
use std::io::{self, Write};
use std::process;
use std::str;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use movegen::Board;
use tests::data::announce;
use tests::lines::{is_quit, searches};
use tests::play::{Random, scatter};
use uci::Session;

/// Lines that a session reads at once, up to the end of its input.
const BATCH: usize = 64;
/// Batches that one session reads.
const BATCHES: usize = 200;
/// What no batch may take, however busy the machine is.
const HANG: Duration = Duration::from_secs(60);
/// What no batch may take when many are tried.
const SLOW: Duration = Duration::from_secs(1);

/// What a session has said: its best moves and the searches it has refused.
#[derive(Default)]
struct Answers {
    best_moves: AtomicU64,
    refusals: AtomicU64,
}

/// Where a session writes to. Each write is some whole lines.
struct Output(Arc<Answers>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).expect("the session writes UTF-8");
        assert!(text.ends_with('\n') && !text.contains('\r'), "{text:?}");
        for line in text.lines() {
            if line.starts_with("bestmove ") {
                self.0.best_moves.fetch_add(1, Relaxed);
            } else if line.starts_with("info string error: `go` ignored") {
                self.0.refusals.fetch_add(1, Relaxed);
            } else if line.starts_with("info ") {
                assert!(line.len() < 8000 && !line.contains(char::is_control), "{line:?}");
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lines as clients send them, more or less.
struct Lines(Random);

impl Lines {
    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        self.0.pick(choices)
    }

    fn chance(&mut self, of: usize) -> bool {
        self.0.below(of) == 0
    }

    fn number(&mut self) -> String {
        match self.0.below(8) {
            0 => self.pick(&["0", "-1", "-0", "+7", "1.5", "1e9", "0x10", "٣", "", "NaN", "1,000"]).to_owned(),
            1 => self.pick(&["9223372036854775808", "-9223372036854775809", "18446744073709551616"]).to_owned(),
            2 => format!("{}{}", self.pick(&["", "-"]), "9".repeat(1 + self.0.below(40))),
            3 => (self.0.next() as i64).to_string(),
            _ => self.0.below(200).to_string(),
        }
    }

    fn moves(&mut self, mut board: Board) -> String {
        let mut text = String::new();
        for _ in 0..self.0.below(12) {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[self.0.below(legal.len())];
            text.push_str(&format!(" {mv}"));
            board.play(mv, &mut ());
        }
        if self.chance(6) {
            text.push_str(
                self.pick(&[" 0000", " (none)", " e2e4", " e7e8q", " e1g1", " e1h1", " a9a1", " E2E4", " é"]),
            );
        }
        text
    }

    fn position(&mut self) -> String {
        let fen = match self.0.below(4) {
            0 | 1 => None,
            2 => Some(scatter(&mut self.0)),
            _ => Some(
                self.pick(&[
                    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/RKRNBBQN w CAge - 0 1",
                    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                    "8/8/8/8/8/3k4/3q4/5K2 w - - 99 200",
                    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
                    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
                    "8/8/8/8/8/8/8/8 w - - 0 1",
                    "4k3/8/8/8/8/8/8/4K2R w K",
                ])
                .to_owned(),
            ),
        };
        let board = fen.as_ref().map_or_else(|| Some(Board::start()), |fen| Board::from_fen(fen).ok());
        let moves = board.filter(|_| !self.chance(3)).map(|board| self.moves(board)).unwrap_or_default();
        let start = fen.map_or_else(|| "startpos".to_owned(), |fen| format!("fen {fen}"));
        if moves.is_empty() { format!("position {start}") } else { format!("position {start} moves{moves}") }
    }

    fn go(&mut self) -> String {
        const LIMITS: [&str; 12] = [
            "wtime",
            "btime",
            "winc",
            "binc",
            "movestogo",
            "movetime",
            "depth",
            "nodes",
            "mate",
            "nodes",
            "depth",
            "perft",
        ];
        let mut line = "go".to_owned();
        for _ in 0..self.0.below(4) {
            match self.0.below(8) {
                0 => line.push_str(" infinite"),
                1 => line.push_str(" ponder"),
                2 => line.push_str(&format!(" searchmoves{}", self.moves(Board::start()))),
                _ => line.push_str(&format!(" {} {}", self.pick(&LIMITS), self.number())),
            }
        }
        line
    }

    fn option(&mut self) -> String {
        const NAMES: [&str; 25] = [
            "Hash",
            "Threads",
            "Clear Hash",
            "Ponder",
            "MultiPV",
            "Move Overhead",
            "Contempt",
            "MoveOverhead",
            "UCI_Chess960",
            "Skill Level",
            "UCI_LimitStrength",
            "UCI_Elo",
            "OwnBook",
            "BookFile",
            "Debug Log File",
            "nodestime",
            "SyzygyPath",
            "SyzygyProbeDepth",
            "SyzygyProbeLimit",
            "Syzygy50MoveRule",
            "UCI_ShowWDL",
            "UCI_AnalyseMode",
            "UCI_Opponent",
            "EvalFile",
            "No Such Option",
        ];
        let name = self.pick(&NAMES);
        let value = match self.0.below(5) {
            0 => self.number(),
            1 => self.pick(&["true", "false", "True", "yes"]).to_owned(),
            2 => self
                .pick(&["<empty>", "<embedded>", "no/such/path", "\"no such\"", "~/no:~/such", "caf\u{e9}"])
                .to_owned(),
            _ => (1 + self.0.below(3)).to_string(),
        };
        match self.0.below(12) {
            0 => format!("setoption name {name}"),
            1 => format!("setoption {name} value {value}"),
            2 => format!("setoption  name\t{name}  value   {value} "),
            _ => format!("setoption name {name} value {value}"),
        }
    }

    fn sound(&mut self) -> String {
        match self.0.below(100) {
            0..30 => self.position(),
            30..50 => self.option(),
            50..70 => self.go(),
            70..96 => {
                let plain = ["stop", "stop", "stop", "ponderhit", "isready", "uci", "register later", "xboard", "flip"];
                self.pick(&plain).to_owned()
            }
            _ => {
                let rare = [
                    "ucinewgame",
                    "debug on",
                    "debug off",
                    "d",
                    "eval",
                    "perft 1",
                    "go perft 2",
                    "spsa",
                    "compiler",
                    "help",
                    "license",
                    "quit",
                    "bench x",
                    "speedtest",
                    "genfens 1 seed 1",
                    "export_net",
                    "",
                ];
                self.pick(&rare).to_owned()
            }
        }
    }

    fn byte(&mut self) -> u8 {
        match self.0.below(3) {
            0 => self.0.pick(b"\0\t\r \x0b\x7f\x80\xE9\xFF\xEF\"\\/-+"),
            1 => self.0.pick(b"0123456789abcdefghKQkq"),
            _ => self.0.next() as u8,
        }
    }

    /// Some bytes changed, put in, left out or repeated.
    fn mutate(&mut self, line: &mut Vec<u8>) {
        for _ in 0..1 + self.0.below(4) {
            let at = self.0.below(line.len() + 1);
            let byte = self.byte();
            match self.0.below(6) {
                0 => line.insert(at, byte),
                1 => line.truncate(at),
                2 if at < line.len() => line[at] = byte,
                3 if at < line.len() => drop(line.remove(at)),
                4 => {
                    let part = line[at..].to_vec();
                    line.extend(part);
                }
                5 => {
                    let other = self.sound().into_bytes();
                    line.splice(at..at, other);
                }
                _ => line.insert(0, byte),
            }
        }
    }

    fn next(&mut self) -> Vec<u8> {
        let mut line = self.sound().into_bytes();
        if self.chance(3) {
            self.mutate(&mut line);
        }
        if self.chance(50_000) {
            line = line.repeat((1 << 20) / line.len().max(1));
        }
        if self.chance(30) {
            line.splice(0..0, *b"\xEF\xBB\xBF");
        }
        line.retain(|&byte| byte != b'\n');
        if self.chance(8) {
            line.push(b'\r');
        }
        line
    }
}

/// Shows the lines that were being read when something went wrong.
struct Evidence(Arc<Mutex<(Instant, Vec<u8>)>>);

impl Drop for Evidence {
    fn drop(&mut self) {
        if thread::panicking() {
            self.show("these lines");
        }
    }
}

impl Evidence {
    fn show(&self, what: &str) {
        let held = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        announce(&format!("{what}:\n{}", held.1.escape_ascii()));
    }
}

/// Feeds lines to one session after the other. Returns how many searches were asked for, and the longest time that a
/// batch took.
fn feed(seed: u64, count: usize) -> (u64, Duration) {
    let mut lines = Lines(Random::new(seed));
    let evidence = Evidence(Arc::new(Mutex::new((Instant::now(), Vec::new()))));
    let is_done = Arc::new(AtomicBool::new(false));
    watch(&evidence, &is_done);
    let (mut fed, mut searched, mut slowest) = (0, 0, Duration::ZERO);
    while fed < count {
        let answers = Arc::<Answers>::default();
        let mut session = Session::new(Output(Arc::clone(&answers)));
        let mut wanted = 0;
        for _ in 0..BATCHES.min((count - fed).div_ceil(BATCH)) {
            let mut batch = Vec::new();
            for _ in 0..BATCH {
                let line = lines.next();
                let Some(searches) = searches(&line) else { continue };
                let is_quit = is_quit(&line);
                wanted += searches;
                batch.extend(line);
                batch.push(b'\n');
                // Nothing is read beyond it.
                if is_quit {
                    break;
                }
            }
            let start = Instant::now();
            *evidence.0.lock().expect("nobody panics while holding it") = (start, batch.clone());
            session.run(&batch[..]);
            fed += BATCH;
            slowest = slowest.max(start.elapsed());
            let answered = answers.best_moves.load(Relaxed) + answers.refusals.load(Relaxed);
            assert_eq!(answered, wanted, "best moves and refusals, and searches asked for");
        }
        searched += wanted;
    }
    is_done.store(true, Relaxed);
    (searched, slowest)
}

/// Ends the process, with the lines at fault, when a batch hangs.
fn watch(evidence: &Evidence, is_done: &Arc<AtomicBool>) {
    let (evidence, is_done) = (Evidence(Arc::clone(&evidence.0)), Arc::clone(is_done));
    thread::spawn(move || {
        while !is_done.load(Relaxed) {
            thread::sleep(Duration::from_millis(100));
            let since = evidence.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).0;
            if since.elapsed() > HANG && !is_done.load(Relaxed) {
                evidence.show("no end to these lines");
                process::abort();
            }
        }
    });
}

fn number(name: &str) -> Option<u64> {
    let value = env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|error| panic!("{name}={value:?}: {error}")))
}

#[test]
fn any_lines_are_survived_and_each_search_is_answered_once() {
    let seed = number("VANCURA_FUZZ_SEED").unwrap_or(1);
    let wanted = number("VANCURA_FUZZ_LINES");
    let count = wanted.unwrap_or(6_000) as usize;
    // A second thread helps even on one core: sessions wait for their searchers now and then.
    let workers = wanted.map_or(1, |_| thread::available_parallelism().map_or(1, usize::from).max(2));
    let start = Instant::now();
    let results: Vec<_> = thread::scope(|scope| {
        let feed = |worker| scope.spawn(move || feed(seed + 1_000_003 * worker as u64, count.div_ceil(workers)));
        let handles: Vec<_> = (0..workers).map(feed).collect();
        handles.into_iter().map(|handle| handle.join().expect("a worker panicked")).collect()
    });
    let searched: u64 = results.iter().map(|(searched, _)| searched).sum();
    let slowest = results.iter().map(|(_, slowest)| *slowest).max().unwrap_or_default();
    let rate = count as f64 / start.elapsed().as_secs_f64();
    announce(&format!(
        "{count} lines, {searched} searches, {rate:.0} lines a second, the slowest {BATCH} of them took {slowest:?}"
    ));
    assert!(searched as usize > count / 20, "hardly a search among so many lines");
    assert!(wanted.is_none() || slowest < SLOW, "too slow");
}
