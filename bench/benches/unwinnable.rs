//! Whether a side can still mate: our prover beside chasolver, the fastest and most complete other one.
//!
//! Criterion's groups time a few positions. The table goes through the public lists in the folder that
//! `VANCURA_TEST_DATA` names: both provers by turns on the same queries, in the fast and the full mode, with the mean
//! time and how many answers are right, wrong or missing. For the fast mode each query's best of some rounds counts;
//! the full mode runs once, but on every query of a list only with `VANCURA_BENCH_FULL` set.
//!
//! `VANCURA_TEST_DATA=../shared/data cargo bench -p vancura-bench --bench unwinnable`, with `-- table` only the table.

use std::hint::black_box;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use chasolver::Winnability;
use criterion::{BenchmarkId, Criterion};
use movegen::unwinnable::{Budget, Verdict, winnable};
use movegen::{Board, Color};

/// Rounds of the fast mode behind the table: other work on the machine only ever slows.
const ROUNDS: usize = 5;

/// A middlegame, an endgame, a pawn chain, a pawn chain with bishops, a forced line.
const FENS: [&str; 5] = [
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/4k3/8/2P5/2B3p1/1K4P1/8/8 w - - 0 1",
    "8/8/4k3/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1",
    "8/2b1k3/7p/p1p1p1pP/PpP1P1P1/1P1BK3/8/8 b - - 0 50",
    "8/1Q6/2kb1p1p/p1p1pP1P/P1PpP1B1/3P4/6K1/8 b - - 4 61",
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Fast,
    Full,
}

/// A question in both provers' terms, with the right answer.
struct Query {
    board: Board,
    winner: Color,
    their_board: chess::Board,
    winnable: bool,
}

impl Query {
    /// None for the boards that one of the two refuses.
    fn new(fen: &str, winner: Color, winnable: bool) -> Option<Self> {
        let fields: Vec<_> = fen.split_whitespace().take(4).collect();
        let fen = format!("{} 0 1", fields.join(" "));
        let their_board = chess::Board::from_str(&fen).ok()?;
        Some(Self { board: Board::from_fen(&fen).ok()?, winner, their_board, winnable })
    }

    /// Whether the side can win, as far as our prover tells.
    fn ours(&self, mode: Mode) -> Option<bool> {
        let budget = if mode == Mode::Fast { Budget::FAST } else { Budget::FULL };
        match winnable(&self.board, self.winner, budget) {
            Verdict::Winnable(_) => Some(true),
            Verdict::Unwinnable(_) => Some(false),
            Verdict::Undetermined => None,
        }
    }

    /// The same of chasolver.
    fn theirs(&self, mode: Mode) -> Option<bool> {
        let winner = match self.winner {
            Color::White => chess::Color::White,
            Color::Black => chess::Color::Black,
        };
        if mode == Mode::Fast {
            return chasolver::is_unwinnable_fast(&self.their_board, winner).then_some(false);
        }
        chasolver::winnability(&self.their_board, winner).map(|answer| matches!(answer, Winnability::Winnable { .. }))
    }
}

/// The results of one prover on a list.
#[derive(Default)]
struct Score {
    time: Duration,
    right: usize,
    wrong: usize,
}

impl Score {
    fn add(&mut self, query: &Query, answer: Option<bool>, time: Duration) {
        self.time += time;
        self.right += usize::from(answer == Some(query.winnable));
        self.wrong += usize::from(answer == Some(!query.winnable));
    }

    fn mean_micros(&self, queries: usize) -> f64 {
        self.time.as_secs_f64() * 1e6 / queries as f64
    }
}

fn timed(answer: impl Fn() -> Option<bool>, rounds: usize) -> (Option<bool>, Duration) {
    let mut best = Duration::MAX;
    let mut last = None;
    for _ in 0..rounds {
        let start = Instant::now();
        last = black_box(answer());
        best = best.min(start.elapsed());
    }
    (last, best)
}

/// Both provers on each query in turn.
fn race(queries: &[&Query], mode: Mode) -> [Score; 2] {
    let mut scores = [const { Score { time: Duration::ZERO, right: 0, wrong: 0 } }; 2];
    let rounds = if mode == Mode::Fast { ROUNDS } else { 1 };
    for query in queries {
        let ours = timed(|| query.ours(mode), rounds);
        let theirs = timed(|| query.theirs(mode), rounds);
        for (score, (answer, time)) in scores.iter_mut().zip([ours, theirs]) {
            score.add(query, answer, time);
        }
    }
    scores
}

/// A list, how it is read, and each how manieth query is enough for a quick table of the full mode.
struct List {
    file: &'static str,
    parse: fn(&str) -> Vec<Option<Query>>,
    step: usize,
}

const LISTS: [List; 5] = [
    List { file: "lichess-open.txt.zst", parse: labelled, step: 20 },
    List { file: "unfair-open.txt.zst", parse: lost_on_time, step: 5 },
    List { file: "positions-open.txt", parse: labelled, step: 4 },
    List { file: "near-blocked-open.tsv.zst", parse: tabulated, step: 2 },
    List { file: "false-dead-open.tsv", parse: tabulated, step: 1 },
];

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// `WB fen`, with a dash for a side that cannot win.
fn labelled(text: &str) -> Vec<Option<Query>> {
    let both = |line: &str| {
        let (label, fen) = line.split_at(2);
        Color::ALL.map(|winner| Query::new(fen, winner, label.as_bytes()[winner as usize] != b'-'))
    };
    lines(text).flat_map(both).collect()
}

/// A FEN; the side not to move cannot win.
fn lost_on_time(text: &str) -> Vec<Option<Query>> {
    let winner = |fen: &str| if fen.contains(" w ") { Color::Black } else { Color::White };
    lines(text).map(|fen| Query::new(fen, winner(fen), false)).collect()
}

/// Verdict, FEN and intended winner, separated by tabs, under a head line.
fn tabulated(text: &str) -> Vec<Option<Query>> {
    let query = |line: &str| {
        let mut fields = line.split('\t');
        let winnable = fields.next()? == "winnable";
        let (fen, winner) = (fields.next()?, fields.next()?);
        Query::new(fen, if winner == "white" { Color::White } else { Color::Black }, winnable)
    };
    lines(text).skip(1).map(query).collect()
}

fn read(folder: &Path, file: &str) -> std::io::Result<String> {
    let path = folder.join("unwinnable").join(file);
    if path.extension().is_none_or(|extension| extension != "zst") {
        return std::fs::read_to_string(path);
    }
    let mut text = String::new();
    zstd::Decoder::new(std::fs::File::open(path)?)?.read_to_string(&mut text)?;
    Ok(text)
}

fn print_table() {
    let Some(folder) = std::env::var_os("VANCURA_TEST_DATA").map(PathBuf::from) else {
        println!("No table: VANCURA_TEST_DATA is not set");
        return;
    };
    // Benchmarks run in their package's folder, but the path is meant from the workspace's root.
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(folder);
    let in_full = std::env::var_os("VANCURA_BENCH_FULL").is_some();
    println!("\nMean microseconds a query, vancura / chasolver; right and wrong answers of each\n");
    println!("| list | mode | queries | vancura | chasolver | ratio | right | wrong |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    for mode in [Mode::Fast, Mode::Full] {
        for list in &LISTS {
            let text = read(&folder, list.file).unwrap_or_else(|error| panic!("{}: {error}", list.file));
            let queries: Vec<_> = (list.parse)(&text).into_iter().flatten().collect();
            let step = if mode == Mode::Full && !in_full { list.step } else { 1 };
            let queries: Vec<_> = queries.iter().step_by(step).collect();
            let [ours, theirs] = race(&queries, mode);
            let means = [&ours, &theirs].map(|score| score.mean_micros(queries.len()));
            println!(
                "| {} | {} | {} | {:.2} | {:.2} | {:.2} | {} / {} | {} / {} |",
                list.file,
                if mode == Mode::Fast { "fast" } else { "full" },
                queries.len(),
                means[0],
                means[1],
                means[0] / means[1],
                ours.right,
                theirs.right,
                ours.wrong,
                theirs.wrong
            );
        }
    }
}

fn run_groups(criterion: &mut Criterion) {
    for (name, mode) in [("fast", Mode::Fast), ("full", Mode::Full)] {
        let mut group = criterion.benchmark_group(format!("unwinnable/{name}"));
        group.sample_size(20);
        for (number, fen) in FENS.into_iter().enumerate() {
            let query = Query::new(fen, Color::White, true).expect("a board both accept");
            group.bench_function(BenchmarkId::new("vancura", number), |bencher| bencher.iter(|| query.ours(mode)));
            group.bench_function(BenchmarkId::new("chasolver", number), |bencher| bencher.iter(|| query.theirs(mode)));
        }
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    run_groups(&mut criterion);
    criterion.final_summary();
    // Cargo adds `--bench`; a filter, `--test` or `--list` asks for less than the table. No group has the name `table`.
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if arguments == ["--bench"] || arguments == ["table", "--bench"] {
        print_table();
    }
}
