//! `vancura tree`: an analysis tree, grown where it matters most, as correspondence players do it by hand.

mod graph;
mod grow;
mod output;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use cli::{cores, counted, progress_bar, read_position, stop_on_ctrl_c, tell};
use movegen::{Board, Color};
use pgn::PgnLimit;
use platform::OutputFile;
use search::Limits;

use crate::error::AnalyseError;
use crate::model::{Run, RunLimits};
use crate::run::check_files;
use crate::search::analyst::SearchMethod;
use crate::search::archive::Archive;
use crate::search::search_arguments::{hash_for, limits_or_default, open_tables, run_of};
use crate::tree::graph::{Graph, PARTS, Width};
use crate::tree::grow::{Counts, End, Growth};
use crate::tree::output::Opening;
use crate::write::output::Sink;

/// How it is used.
const EXAMPLES: &str = "\
The tree depends neither on the number of threads nor on interruptions, if --nodes or --depth limit
the searches. With --store the same command goes on where it was, with more --positions or without.

Examples:
  vancura tree startpos --nodes 5k --positions 20
  vancura tree --nodes 5k --positions 20 --store tree.db -o tree.pgn -- e4 c5 Nf3
  vancura tree \"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1\" --nodes 5k --positions 10 --book tree.bin";

/// Grows a tree of analysis from a position: each position is searched, and the next one is where it matters most.
///
/// The scores of positions go back to the root by minimax, with transpositions joined and repetitions as draws. It goes on until
/// the tree has as many --positions as it should have, the time --for it is up, or Ctrl-C.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct TreeArguments {
    /// The position: a FEN in quotes, or `startpos`
    #[arg(value_name = "FEN", default_value = "startpos")]
    fen: String,
    /// Moves from there, as Nf3 or g1f3
    #[arg(value_name = "MOVE", last = true)]
    moves: Vec<String>,
    /// Write the tree as a game with variations and evaluations
    #[arg(short, long, value_name = "FILE.pgn")]
    output: Option<PathBuf>,
    /// Write the tree as an opening book in Polyglot's format
    #[arg(long, value_name = "FILE.bin")]
    book: Option<PathBuf>,
    /// Positions that the tree may have [default: as many as there is time for]
    #[arg(long, value_name = "COUNT", value_parser = cli::read_count)]
    positions: Option<u64>,
    /// How long it grows, as in 90s, 30m, 8h or 2d
    #[arg(long = "for", value_name = "TIME", value_parser = read_duration)]
    duration: Option<Duration>,
    /// Points that a move may give away beside the best one, 0 to 1, to be looked at
    #[arg(long, value_name = "POINTS", default_value = "0.05", value_parser = read_points)]
    margin: f64,
    /// Points that a position farther away by one ply matters less
    #[arg(long, value_name = "POINTS", default_value = "0.01", value_parser = read_points)]
    ply_cost: f64,
    /// Look at alternatives for this side alone; the other one plays its best move
    #[arg(long, value_enum)]
    side: Option<SideName>,
    /// Nodes for each position [default: 200000 if there is no other limit]
    #[arg(long, value_name = "COUNT", value_parser = cli::read_count)]
    nodes: Option<u64>,
    /// Seconds for each position
    #[arg(long, alias = "movetime", value_name = "SECONDS", value_parser = cli::read_seconds)]
    time: Option<Duration>,
    /// Plies for each position
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(1..=245))]
    depth: Option<i32>,
    /// How many best moves of each position are looked for
    #[arg(long, value_name = "LINES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: u32,
    /// Search threads, each for a position of its own [default: one for each core]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// MiB of memory for the table of each search [default: by the nodes, 64 at most]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// Folders with Syzygy endgame tables, as in the variable PATH
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<OsString>,
    /// Keep what is found in this file, and take from it what is known
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

/// A side, on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum SideName {
    White,
    Black,
}

/// Grows the tree and writes it.
///
/// # Errors
///
/// If the position or a move cannot be read, there is nothing to look at, or something cannot be written.
pub fn run(arguments: &TreeArguments) -> Result<(), AnalyseError> {
    let opening = read_opening(arguments)?;
    let files = [&arguments.output, &arguments.book, &arguments.store];
    check_files(&[], files.into_iter().flatten().map(PathBuf::as_path))?;
    let width = arguments.width();
    let limits = arguments.limits();
    let (tablebase, complaints) = arguments.syzygy.as_deref().map(open_tables).unwrap_or_default();
    complaints.iter().for_each(tell);
    let method = SearchMethod {
        limits: Limits { move_time: arguments.time, nodes: limits.nodes, depth: arguments.depth, ..Limits::default() },
        multi_pv: arguments.multipv as usize,
        hash_mib: arguments.hash.unwrap_or_else(|| hash_for(&limits, 1)) as usize,
        threads: 1,
        tablebase,
        is_static: false,
    };
    // What cannot be written is said before the work.
    let pgn = arguments.output.as_deref().map(Sink::create).transpose().map_err(AnalyseError::Write)?;
    let book = arguments.book.as_deref().map(OutputFile::create).transpose().map_err(AnalyseError::Write)?;
    let archive = arguments.archive(limits, &method)?;
    let stop = stop_on_ctrl_c();
    let mut graph = Graph::new(&opening.root, opening.repeatable());
    let progress = progress_bar(arguments.positions, "positions");
    let growth = Growth {
        width,
        method: &method,
        threads: arguments.threads.map_or_else(cores, |threads| threads as usize),
        archive: archive.as_ref(),
        positions: arguments.positions.map_or(usize::MAX, |count| usize::try_from(count).unwrap_or(usize::MAX)),
        until: arguments.duration.and_then(|duration| Instant::now().checked_add(duration)),
        stop: &stop,
        progress: &progress,
    };
    let grown = growth.grow(&mut graph);
    progress.finish_and_clear();
    if let Some(archive) = &archive {
        archive.flush(|text| tell(text));
    }
    let (end, counts) = grown?;
    if graph.searched() == 0 {
        return Err(AnalyseError::Interrupted(None));
    }
    if let Some(pgn) = pgn {
        write_game(pgn, &graph, &width, &opening)?;
    }
    if let Some(book) = book {
        write_book(book, &graph, &width)?;
    }
    if arguments.output.as_deref() != Some(Path::new("-")) {
        let mut text = Sink::text();
        output::summary(&mut text, &graph, &width, &opening)
            .and_then(|()| text.commit(false))
            .map_err(AnalyseError::Write)?;
    }
    tell_end(end, counts, &graph, archive.is_some());
    Ok(())
}

/// Tells how much was done, and why there is no more.
fn tell_end(end: End, counts: Counts, graph: &Graph, has_archive: bool) {
    let known = if has_archive { format!(", {} from the store", counts.known) } else { String::new() };
    let why = match end {
        End::Full => "",
        End::Complete => "; nothing is left within the margin",
        End::Stopped => "; stopped",
        End::WithoutStore => "; what is found cannot be kept any more",
        End::OutOfMemory => "; there is no memory for more",
    };
    tell(format_args!("{}{known}; {} nodes{why}", counted(graph.searched(), "position"), counts.nodes));
}

fn write_game(mut sink: Sink, graph: &Graph, width: &Width, opening: &Opening) -> Result<(), AnalyseError> {
    let most = PgnLimit::Variations.most();
    let (game, is_whole) = output::game(graph, width, opening, most);
    if !is_whole {
        tell(format_args!(
            "the game has the most important part of the tree: more than {most} variations are hardly read"
        ));
    }
    let written = sink.write_all(game.to_string().as_bytes());
    written.and_then(|()| sink.commit(false)).map_err(AnalyseError::Write)
}

fn write_book(mut file: OutputFile, graph: &Graph, width: &Width) -> Result<(), AnalyseError> {
    let written = output::book(graph, width).iter().try_for_each(|entry| file.write_all(&entry.to_bytes()));
    written.and_then(|()| file.commit()).map_err(AnalyseError::Write)
}

impl TreeArguments {
    fn width(&self) -> Width {
        let parts = |points: f64| (points * PARTS).round() as u32;
        let side = self.side.map(|side| if side == SideName::White { Color::White } else { Color::Black });
        Width { margin: parts(self.margin), ply: parts(self.ply_cost), side }
    }

    fn limits(&self) -> RunLimits {
        limits_or_default(self.time, self.nodes, self.depth)
    }

    fn archive(&self, limits: RunLimits, method: &SearchMethod) -> Result<Option<Archive>, AnalyseError> {
        let hash = u32::try_from(method.hash_mib).unwrap_or(u32::MAX);
        let run: Run = run_of("tree", limits, self.multipv, hash, 1, method.tablebase.as_deref());
        // Without it the next run could not go on from this one, so it is not left out.
        let open = |path: &PathBuf| {
            Archive::open(path, &run).map_err(|error| AnalyseError::Store { path: path.clone(), error })
        };
        self.store.as_ref().map(open).transpose()
    }
}

impl Opening {
    /// The positions before the root that can be there again.
    fn repeatable(&self) -> Vec<Board> {
        let mut boards = vec![self.start];
        for &mv in &self.moves {
            let last = boards[boards.len() - 1];
            boards.push(last.after(mv));
        }
        boards.pop();
        let count = usize::from(self.root.halfmove_clock()).min(boards.len());
        boards.split_off(boards.len() - count)
    }
}

fn read_opening(arguments: &TreeArguments) -> Result<Opening, AnalyseError> {
    let input = |fen| AnalyseError::Input { input: arguments.fen.clone(), fen };
    let start = read_position(std::slice::from_ref(&arguments.fen)).map_err(input)?;
    let (mut root, mut moves) = (start, Vec::new());
    // Numbers may stand before moves, as in "1. e4 e5".
    let words = arguments.moves.iter().flat_map(|words| words.split_ascii_whitespace());
    let words = words.map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.'));
    for word in words.filter(|word| !word.is_empty()) {
        let mv = root.parse_san(word).or_else(|error| root.parse_uci(word).map_err(|_| error));
        let mv = mv.map_err(AnalyseError::Move)?;
        moves.push(mv);
        root.play(mv, &mut ());
    }
    if !root.has_legal_move() {
        return Err(AnalyseError::Over { is_mate: root.in_check() });
    }
    Ok(Opening { start, moves, root })
}

/// A number of points from 0 to 1.
fn read_points(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|points| (0.0..=1.0).contains(points));
    points.ok_or_else(|| "expected a number of points from 0 to 1".to_owned())
}

/// A time with its unit: seconds, minutes, hours or days; of a number alone, seconds.
fn read_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3600.0),
        Some((at, 'd')) => (&text[..at], 86_400.0),
        _ => (text, 1.0),
    };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = number.parse::<f64>().ok().filter(|_| is_number).map(|number| number * unit);
    let seconds = seconds.filter(|seconds| (0.001..=366.0 * 86_400.0).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected a time such as 90s, 30m, 8h or 2d, up to a year".to_owned())
}
