//! An allocator that refuses one large request: options, searches and the analysis of a game must go on or say why not.
//!
//! Only requests of 64 KiB and more are refused, which are those whose size the input or an option determines, and the
//! histories and accumulators of each thread. Rust ends the process when a small one fails, of which there is no way
//! back: against that `platform::has_room` keeps a reserve.
//!
//! Each refusal gets a process of its own, which is this test program again, since one that fails would end it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::env;
use std::io::{self, Write};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use clap::Parser;
use movegen::unwinnable::winnable;
use movegen::{Board, Budget, Color, Verdict};

/// In bytes; what is smaller is never refused.
const LARGE: usize = 64 << 10;

struct Refusing;

/// Large requests are counted and refused only while this is set.
static WATCHES: AtomicBool = AtomicBool::new(false);
/// Large requests so far.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// The request to be refused, from 1.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

fn is_refused(size: usize) -> bool {
    size >= LARGE && WATCHES.load(SeqCst) && COUNT.fetch_add(1, SeqCst) + 1 == REFUSED.load(SeqCst)
}

// SAFETY: all memory comes from the system's allocator by the same call with the same layout, or none does.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the rules of this very function.
        if is_refused(layout.size()) { std::ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        if is_refused(layout.size()) { std::ptr::null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        if is_refused(size) { std::ptr::null_mut() } else { unsafe { System.realloc(block, layout, size) } }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// An output with room for all that is said.
#[derive(Clone)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a client asks for that takes memory.
fn converse() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("copy.nnue");
    std::fs::write(&path, eval::Network::embedded().to_bytes()).expect("a file");
    let script = [
        "setoption name Hash value 4".to_owned(),
        "setoption name Threads value 3".to_owned(),
        "isready".to_owned(),
        "go depth 4".to_owned(),
        "setoption name Hash value 9".to_owned(),
        "ucinewgame".to_owned(),
        format!("position startpos moves {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(6_000)),
        "go depth 3".to_owned(),
        "position startpos".to_owned(),
        "go mate 2 depth 3".to_owned(),
        format!("setoption name EvalFile value {}", path.display()),
        format!("position fen {}", "x".repeat(300_000)),
        format!("setoption name BookFile value {}", "x".repeat(300_000)),
        format!("debug on {}", "é".repeat(100_000)),
        "position startpos".to_owned(),
        "go nodes 500".to_owned(),
    ];
    let latin_1 = vec![0xE9; 200_000];
    let buffer = Buffer(Arc::new(Mutex::new(Vec::with_capacity(1 << 20))));
    let mut session = uci::Session::new(buffer.clone());
    WATCHES.store(true, SeqCst);
    // Each line is read as a client's; at its end a search is stopped and waited for.
    script.iter().for_each(|line| session.run(line.as_bytes()));
    session.run(&latin_1[..]);
    let _ = session.execute("go depth 2");
    session.wait();
    WATCHES.store(false, SeqCst);
    let said = String::from_utf8_lossy(&buffer.0.lock().expect("no writer panics")).into_owned();
    assert_eq!(said.matches("bestmove ").count(), 5, "{said}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.starts_with("bestmove ") && last != "bestmove (none)", "{said}");
}

/// The analysis of one small game.
fn analyse() {
    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: analysis::AnalyseArguments,
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (games, output) = (folder.path().join("games.pgn"), folder.path().join("out.pgn"));
    std::fs::write(&games, "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n").expect("a file");
    let line = ["analyse", "--nodes", "200", "-o", output.to_str().expect("UTF-8"), games.to_str().expect("UTF-8")];
    let line = Line::parse_from(line);
    WATCHES.store(true, SeqCst);
    let result = analysis::run_until(&line.arguments, &AtomicBool::new(false));
    WATCHES.store(false, SeqCst);
    match result {
        Ok(()) => assert!(std::fs::read_to_string(&output).expect("a file").contains("e4")),
        Err(error) => assert_ne!(error.to_string(), ""),
    }
}

/// Whether sides can still mate, which takes long to find out: one of a composition, and one whose time is nearly over.
fn prove() {
    let fens = ["8/3p1p1p/1p6/1P6/BP6/KP6/PP1P1P1P/k7 w - - 0 1", "7k/8/8/4b3/8/8/3PN3/K6r w - - 139 120"];
    for board in fens.map(|fen| Board::from_fen(fen).expect("a position")) {
        for winner in Color::ALL {
            let whole = winnable(&board, winner, Budget::MEDIUM);
            WATCHES.store(true, SeqCst);
            let verdict = winnable(&board, winner, Budget::MEDIUM);
            WATCHES.store(false, SeqCst);
            assert!(verdict == whole || verdict == Verdict::Undetermined, "{board:?}: {verdict:?}");
        }
    }
}

const REQUEST: &str = "VANCURA_REFUSED_REQUEST";

/// Carries one task out with the request refused that the environment names, and says how many there were.
fn carry_out(task: fn()) {
    let Ok(number) = env::var(REQUEST) else { return };
    let _ = eval::Network::embedded();
    REFUSED.store(number.parse().expect("a number"), SeqCst);
    task();
    println!("\nrequests: {}", COUNT.load(SeqCst));
}

/// Runs a task once for each of its large requests, up to `most`, with that one refused.
fn refuse_each(task: &str, most: usize) {
    let run = |number: usize| {
        let mut command = Command::new(env::current_exe().expect("this program has a path"));
        command.args([task, "--exact", "--ignored", "--nocapture"]).env(REQUEST, number.to_string());
        let output = command.output().expect("this program can be run");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{task} without request {number}: {}\n{text}\n{errors}", output.status);
        let count = text.lines().find_map(|line| line.strip_prefix("requests: ")).expect("the number of requests");
        count.parse::<usize>().expect("a number")
    };
    let count = run(0);
    assert!(count > 10, "{task} asks for little memory: {count}");
    // Spread over all of them.
    let step = count.div_ceil(most).max(1);
    (1..=count).step_by(step).for_each(|number| {
        run(number);
    });
}

#[test]
#[ignore = "carried out by `refuse_each`"]
fn conversation() {
    carry_out(converse);
}

#[test]
#[ignore = "carried out by `refuse_each`"]
fn analysis_of_a_game() {
    carry_out(analyse);
}

#[test]
#[ignore = "carried out by `refuse_each`"]
fn proofs() {
    carry_out(prove);
}

#[test]
fn a_refused_request_is_survived() {
    refuse_each("proofs", 8);
    refuse_each("conversation", 25);
    refuse_each("analysis_of_a_game", 15);
}

#[test]
#[ignore = "some minutes"]
fn refused_requests() {
    refuse_each("proofs", usize::MAX);
    refuse_each("conversation", usize::MAX);
    refuse_each("analysis_of_a_game", usize::MAX);
}
