//! What commands cost as people run them: whole processes, three runs of each, by turns where there are several programs.
//!
//! `VANCURA_TEST_DATA=../shared/data cargo bench -p vancura-bench --bench commands` measures `target/release/vancura` and
//! prints a table. Other programs may be named behind `--`, such as an older one; a `datagen` in the folder of a program
//! plays training games. Time is CPU time, of all threads, which other work on the machine changes little.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use movegen::{Board, FenStyle};
use rand::RngExt;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tempfile::TempDir;
use wait4::Wait4;

const RUNS: usize = 3;
/// Positions for `eval` and `winnable`, and half of them for `analyse`.
const POSITIONS: usize = 100_000;
/// How often the 438 games of Lichess are repeated: for `arbiter`, and for the report.
const REPEATED: usize = 10;
const GAMES: usize = 200;

/// What is measured: in what it is told, and how much of that a run does.
struct Task {
    what: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    unit: Unit,
    count: f64,
}

enum Unit {
    /// CPU time for each of some.
    Time(&'static str),
    /// How many a second of CPU time.
    Rate(&'static str),
}

/// The tasks, for games of so many plies in a file. Names of files are those of [`write_inputs`].
fn tasks(plies: f64) -> Vec<Task> {
    let vancura = |what, arguments, unit, count| Task { what, program: "vancura", arguments, unit, count };
    vec![
        vancura("`arbiter games.pgn`, moves alone", &["arbiter", "plain.pgn"], Unit::Rate("plies"), plies),
        vancura("`arbiter games.pgn`, with clocks", &["arbiter", "games.pgn"], Unit::Rate("plies"), plies),
        vancura(
            "`analyse 50000.epd --nodes 1 --csv FILE`",
            &["analyse", "half.epd", "--nodes", "1", "--threads", "1", "--csv", "-"],
            Unit::Time("a position"),
            POSITIONS as f64 / 2.0,
        ),
        vancura("`eval 100000.fens`", &["eval", "positions.epd"], Unit::Time("a position"), POSITIONS as f64),
        vancura(
            "`winnable 100000.fens`",
            &["winnable", "positions.epd"],
            Unit::Time("an answer"),
            2.0 * POSITIONS as f64,
        ),
        vancura(
            "`winnable --fast 100000.fens`",
            &["winnable", "--fast", "positions.epd"],
            Unit::Time("an answer"),
            2.0 * POSITIONS as f64,
        ),
        vancura(
            "`suite -n 1 -j 1 wac.epd`",
            &["suite", "-n", "1", "-j", "1", "wac.epd"],
            Unit::Time("a position"),
            300.0,
        ),
        vancura(
            "`play -n 200 --nodes 30`",
            &["play", "-n", "200", "--nodes", "30", "--openings", "openings.epd", "--pgn", "played.pgn"],
            Unit::Time("a game"),
            GAMES as f64,
        ),
        Task {
            what: "`datagen generate --soft-nodes 200`, a thread",
            program: "datagen",
            arguments: &[
                "generate",
                "pool.games",
                "--games",
                "200",
                "--threads",
                "1",
                "--soft-nodes",
                "200",
                "--seed",
                "1",
            ],
            unit: Unit::Time("a game"),
            count: GAMES as f64,
        },
    ]
}

/// A run: CPU time and the most memory.
#[derive(Clone, Copy)]
struct Cost {
    time: Duration,
    bytes: u64,
}

/// Runs a command in a folder. `None` if it does not know the command, or is not there.
fn run(program: &Path, task: &Task, folder: &Path) -> Option<Cost> {
    for output in ["played.pgn", "pool.games"] {
        // Only some commands write one.
        let _ = fs::remove_file(folder.join(output));
    }
    let mut command = Command::new(program.with_file_name(task.program));
    command.args(task.arguments).current_dir(folder);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
    let ended = child.wait4().expect("a child can be waited for");
    let used = ended.rusage;
    // The arbiter says by its status that games break the laws.
    let is_done = ended.status.code().is_some_and(|code| code <= 1);
    is_done.then_some(Cost { time: used.utime + used.stime, bytes: used.maxrss })
}

/// Three runs as text: the middle, between the least and the most.
fn text(task: &Task, costs: &[Option<Cost>]) -> String {
    let Some(costs) = costs.iter().copied().collect::<Option<Vec<_>>>() else { return "-".to_owned() };
    let mut values: Vec<f64> = costs
        .iter()
        .map(|cost| match task.unit {
            Unit::Time(_) => cost.time.as_secs_f64() * 1e6 / task.count,
            Unit::Rate(_) => task.count / cost.time.as_secs_f64(),
        })
        .collect();
    values.sort_by(f64::total_cmp);
    let unit = match task.unit {
        Unit::Time(of) => format!("µs {of}"),
        Unit::Rate(of) => format!("{of}/s"),
    };
    let digits = if values[0] < 10.0 { 2 } else { 0 };
    let mebibytes = costs.iter().map(|cost| cost.bytes >> 20).max().unwrap_or_default();
    let [least, middle, most] = [0, RUNS / 2, RUNS - 1].map(|index| format!("{:.digits$}", values[index]));
    format!("{middle} {unit} ({least} to {most}), {mebibytes} MiB")
}

/// Positions of random games, as FEN.
fn random_positions(count: usize) -> Vec<String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut board, mut fens) = (Board::start(), Vec::with_capacity(count));
    while fens.len() < count {
        let moves = board.legal_moves();
        if moves.is_empty() || board.fullmove_number() > 120 {
            board = Board::start();
            continue;
        }
        board.play(moves[random.random_range(0..moves.len())], &mut ());
        fens.push(board.fen(FenStyle::Standard));
    }
    fens
}

/// Writes what the commands read; returns how many plies the games have.
fn write_inputs(data: &Path, folder: &Path) -> io::Result<f64> {
    let mut games = String::new();
    zstd::Decoder::new(File::open(data.join("pgn/lichess_db_1000k.pgn.zst"))?)?.read_to_string(&mut games)?;
    let games = games.trim().to_owned() + "\n\n";
    let plies: usize =
        pgn::PgnReader::new(games.as_bytes()).map(|game| game.expect("a legal game").tree.len() - 1).sum();
    fs::write(folder.join("plain.pgn"), bench::without_comments(&games).repeat(REPEATED))?;
    fs::write(folder.join("games.pgn"), games.repeat(REPEATED))?;
    let fens = random_positions(POSITIONS);
    let mut positions = File::create(folder.join("positions.epd"))?;
    positions.write_all(fens.join("\n").as_bytes())?;
    fs::write(folder.join("half.epd"), fens[..POSITIONS / 2].join("\n"))?;
    let openings: Vec<_> = fens.iter().step_by(POSITIONS / GAMES).cloned().collect();
    fs::write(folder.join("openings.epd"), openings.join("\n"))?;
    fs::copy(data.join("epd/wac.epd"), folder.join("wac.epd"))?;
    Ok((plies * REPEATED) as f64)
}

fn main() -> io::Result<()> {
    let Some(data) = std::env::var_os("VANCURA_TEST_DATA") else {
        eprintln!("SKIPPED: VANCURA_TEST_DATA is not set");
        return Ok(());
    };
    let mut programs: Vec<OsString> = std::env::args_os().skip(1).filter(|word| word != "--bench").collect();
    if programs.is_empty() {
        programs.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/vancura").into());
    }
    let programs = programs.iter().map(fs::canonicalize).collect::<io::Result<Vec<PathBuf>>>()?;
    let folder = TempDir::new()?;
    let plies = write_inputs(Path::new(&data), folder.path())?;
    println!("| command |{}", " measured |".repeat(programs.len()));
    println!("|---|{}", "---|".repeat(programs.len()));
    for task in tasks(plies) {
        let mut costs = vec![Vec::new(); programs.len()];
        for _ in 0..RUNS {
            for (program, costs) in programs.iter().zip(&mut costs) {
                costs.push(run(program, &task, folder.path()));
            }
        }
        let texts: Vec<_> = costs.iter().map(|costs| text(&task, costs)).collect();
        println!("| {} | {} |", task.what, texts.join(" | "));
    }
    Ok(())
}
