//! Perft beside cozy-chess and shakmaty, the two fastest libraries of its kind, and Stockfish where it is installed.
//!
//! All count the last ply without playing it (bulk counting), each in its most natural way. After criterion's
//! groups a table gives the rates and the ratio to the fastest rival. It is timed apart, first move by first move and in
//! rounds that take the libraries by turns, so that it holds on a machine that has other work too. Of Stockfish, the program
//! that `STOCKFISH` names or else `stockfish`, the CPU time of a process counts, less that of one which counts a single ply.
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo bench -p vancura-bench --bench movegen`; with `-- table` at the end only the table.

use std::env;
use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use wait4::Wait4;

/// Rounds behind the table: for each first move the best time counts, since other work only ever slows.
const ROUNDS: usize = 15;

/// A position, the depth to count it to, and what must come out.
struct Task {
    name: &'static str,
    fen: &'static str,
    depth: u8,
    nodes: u64,
}

/// Source: the Chess Programming Wiki, "Perft Results", positions 1, 2 and 5; two of double Chess960.
const TASKS: [Task; 5] = [
    Task {
        name: "startpos",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth: 6,
        nodes: 119_060_324,
    },
    Task {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 5,
        nodes: 193_690_690,
    },
    Task {
        name: "position5",
        fen: "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        depth: 5,
        nodes: 89_941_194,
    },
    Task {
        name: "Chess960 HDfb",
        fen: "1rqbkr2/ppp1p1pp/1n1p2n1/5p2/2bP2P1/7P/PP2PPN1/Q1BR1KNR w HDfb - 0 9",
        depth: 5,
        nodes: 27_876_794,
    },
    Task {
        name: "Chess960 HBhc",
        fen: "nbrnqkbr/pppppppp/8/8/8/8/PPPPPPPP/BRQBNNKR w HBhc - 0 1",
        depth: 6,
        nodes: 109_103_942,
    },
];

const LIBRARIES: [&str; 3] = ["vancura", "cozy-chess", "shakmaty"];

/// The count behind one first move, ready to run.
type Count = Box<dyn Fn() -> u64>;

impl Task {
    fn is_chess960(&self) -> bool {
        self.name.starts_with("Chess960")
    }

    /// The counts behind all first moves, by each of [`LIBRARIES`].
    fn counts(&self) -> [Vec<Count>; 3] {
        let depth = self.depth - 1;
        let ours = movegen::Board::from_fen(self.fen).expect("a legal position");
        let cozy = cozy_chess::Board::from_fen(self.fen, self.is_chess960()).expect("a legal position");
        let fen: Fen = self.fen.parse().expect("a FEN");
        let mode = if self.is_chess960() { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let shakmaty: Chess = fen.into_position(mode).expect("a legal position");

        let mut counts = [const { Vec::<Count>::new() }; 3];
        for mv in ours.legal_moves() {
            let mut child = ours;
            child.play(mv, &mut ());
            counts[0].push(Box::new(move || movegen::perft(black_box(&child), depth)));
        }
        cozy.generate_moves(|moves| {
            for mv in moves {
                let mut child = cozy.clone();
                child.play_unchecked(mv);
                counts[1].push(Box::new(move || cozy_perft(black_box(&child), depth)));
            }
            false
        });
        for mv in shakmaty.legal_moves() {
            let mut child = shakmaty.clone();
            child.play_unchecked(mv);
            counts[2].push(Box::new(move || shakmaty::perft(black_box(&child), depth.into())));
        }
        counts
    }
}

/// Perft as cozy-chess's own example does it, with bulk counting.
fn cozy_perft(board: &cozy_chess::Board, depth: u8) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += cozy_perft(&child, depth - 1);
            }
            false
        });
    }
    nodes
}

fn run_groups(criterion: &mut Criterion) {
    for task in &TASKS {
        let mut group = criterion.benchmark_group(format!("perft/{} depth {}", task.name, task.depth));
        group.sample_size(10).throughput(Throughput::Elements(task.nodes));
        for (library, counts) in LIBRARIES.into_iter().zip(task.counts()) {
            group.bench_function(BenchmarkId::from_parameter(library), |bencher| {
                bencher.iter(|| counts.iter().map(|count| count()).sum::<u64>());
            });
        }
        group.finish();
    }
}

/// Nodes per second of each library.
fn rates(task: &Task) -> [f64; 3] {
    let counts = task.counts();
    let mut best = [const { Vec::new() }; 3];
    for round in 0..ROUNDS {
        for (best, counts) in best.iter_mut().zip(&counts) {
            best.resize(counts.len(), Duration::MAX);
            let mut nodes = 0;
            for (best, count) in best.iter_mut().zip(counts) {
                let start = Instant::now();
                nodes += count();
                *best = start.elapsed().min(*best);
            }
            assert_eq!(nodes, task.nodes, "{} in round {round}", task.name);
        }
    }
    best.map(|times| task.nodes as f64 / times.iter().sum::<Duration>().as_secs_f64())
}

/// The CPU time in which Stockfish counts to a depth. `None` if it is not installed.
fn stockfish_time(task: &Task, depth: u8) -> Option<Duration> {
    let program = env::var_os("STOCKFISH").unwrap_or_else(|| "stockfish".into());
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().ok()?;
    let (is_chess960, fen) = (task.is_chess960(), task.fen);
    let input =
        format!("setoption name UCI_Chess960 value {is_chess960}\nposition fen {fen}\ngo perft {depth}\nquit\n");
    child.stdin.take()?.write_all(input.as_bytes()).ok()?;
    let used = child.wait4().ok()?.rusage;
    Some(used.utime + used.stime)
}

/// Nodes per second of Stockfish.
fn stockfish_rate(task: &Task) -> Option<f64> {
    let best = |depth| (0..ROUNDS).map(|_| stockfish_time(task, depth)).min()?;
    let time = best(task.depth)?.checked_sub(best(1)?)?;
    Some(task.nodes as f64 / time.as_secs_f64())
}

fn print_table() {
    let sliders = if cfg!(target_feature = "bmi2") { "PEXT" } else { "magics" };
    println!("\nPerft on one core, million nodes/s, best of {ROUNDS} rounds; {sliders} for vancura and cozy-chess\n");
    println!("| position | depth | {} | stockfish | vancura / fastest rival |", LIBRARIES.join(" | "));
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for task in &TASKS {
        let [ours, cozy, shakmaty] = rates(task).map(|rate| rate / 1e6);
        let stockfish = stockfish_rate(task).map(|rate| rate / 1e6);
        let shown = stockfish.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.1}"));
        let ratio = ours / cozy.max(shakmaty).max(stockfish.unwrap_or(0.0));
        let (name, depth) = (task.name, task.depth);
        println!("| {name} | {depth} | {ours:.1} | {cozy:.1} | {shakmaty:.1} | {shown} | {ratio:.2} |");
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    run_groups(&mut criterion);
    criterion.final_summary();
    // Cargo adds `--bench`; a filter, `--test` or `--list` asks for less than the table. No group has the name `table`.
    let arguments: Vec<_> = env::args().skip(1).collect();
    if arguments == ["--bench"] || arguments == ["table", "--bench"] {
        print_table();
    }
}
