//! Self-play games for training: `datagen generate` plays them, `datagen import` takes them from PGN files, `datagen
//! stats` looks into a file of them, `datagen pack`, `merge` and `unpack` change its form.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use clap::{Args, Parser, Subcommand, value_parser};
use cli::{printable, progress_style, stop_on_ctrl_c, tell};
use endgame::{Material, Tables};
use eval::Network;
use indicatif::{ProgressBar, ProgressStyle};
use train::endings::endgames::write_solved;
use train::exam::draw::Nodes;
use train::exam::work::Labels;
use train::exam::{self, Set};
use train::games::packed::{Converted, Packing, pack_files, unpack_files};
use train::games::{import, import_matches, stats};
use train::selfplay::{Adjudication, HarvestSettings, Limits, Openings, Plan, Progress, Settings, Summary, generate};
use train::training::network_file::read_network_file;

/// Self-play games for training.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays games and appends them to a file, until Ctrl-C or as many as asked for.
    Generate(Generate),
    /// Appends games that match runners such as fastchess recorded as PGN, with a score after each move, to a file.
    Import {
        /// Where the games go; they are added to what is there.
        file: PathBuf,
        /// For matches at a fixed number of nodes, as `vancura play` writes them: only what players searched whose names
        /// begin so, packed, with the nodes as settings; against others each position by itself, without the result. May
        /// be given more than once.
        #[arg(long, value_name = "NAME")]
        player: Vec<String>,
        /// PGN files; - is the standard input.
        #[arg(required = true)]
        pgn: Vec<PathBuf>,
    },
    /// Solves all endings of up to four pieces and writes records of random positions of them, with their exact results,
    /// for `trainer prepare`.
    Solved {
        /// The file of records to write.
        file: PathBuf,
        /// How many positions.
        #[arg(long, default_value_t = 1_000_000)]
        positions: u64,
        /// A number that decides all positions.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Draws the positions of an exam of networks and labels each by a deep search, in a work file, until Ctrl-C or all are
    /// there; goes on with a work file that is there. --finish makes the exam of it.
    Exam(Exam),
    /// Packs games into a new file, a quarter as long, for keeping and carrying. Scores are rounded to a sixty-fourth of
    /// winning chance, and those are left out that training does not use, in check or with a capture or promotion as
    /// best move.
    Pack {
        /// Files of games, packed or not.
        #[arg(required = true)]
        sources: Vec<PathBuf>,
        /// The file to write.
        file: PathBuf,
        /// What is to be known of the games later, such as "soft-nodes=200 network=c2b77ffc"; games that were packed
        /// before keep theirs.
        #[arg(long, default_value = "")]
        settings: String,
    },
    /// Writes packed games as `generate` does, into a new file.
    Unpack {
        /// Files of games, packed or not.
        #[arg(required = true)]
        sources: Vec<PathBuf>,
        /// The file to write.
        file: PathBuf,
    },
    /// Packs the games of several files into a new one, and leaves out those that came before.
    Merge {
        /// The file to write.
        file: PathBuf,
        /// Files of games, packed or not.
        #[arg(required = true)]
        sources: Vec<PathBuf>,
        /// As of `pack`.
        #[arg(long, default_value = "")]
        settings: String,
    },
    /// Shows what is in a file of games, packed or not, and replays all of them.
    Stats {
        /// The file.
        file: PathBuf,
    },
}

/// Share of the games from Chess960 arrays where none is asked for.
const CHESS960_SHARE: f64 = 0.18;

/// Share of the games from a book where none is asked for.
const BOOK_SHARE: f64 = 0.3;

#[derive(Args)]
struct Generate {
    /// Where the games go; they are added to what is there.
    file: PathBuf,
    /// Games to play; without it, until Ctrl-C.
    #[arg(long)]
    games: Option<u64>,
    /// Games played at once; all cores by default.
    #[arg(long)]
    threads: Option<usize>,
    /// Nodes after which no new iteration of a move's search begins.
    #[arg(long, default_value_t = Settings::default().limits.soft, value_parser = cli::read_count)]
    soft_nodes: u64,
    /// Nodes after which a move's search ends; 8 times the soft ones by default.
    #[arg(long, value_parser = cli::read_count)]
    hard_nodes: Option<u64>,
    /// The network both sides evaluate with; the one that comes with the program by default.
    #[arg(long)]
    network: Option<PathBuf>,
    /// Share of the games from Chess960 and double Chess960 arrays, from 0 to 1; 0.18 by default, or what the book's
    /// share leaves if that is less.
    #[arg(long, value_parser = parse_share)]
    chess960: Option<f64>,
    /// An EPD or FEN file with positions to start from.
    #[arg(long)]
    book: Option<PathBuf>,
    /// Share of the games from the book, from 0 to 1; 0.3 by default, or what the share of Chess960 leaves if that is
    /// less.
    #[arg(long, value_parser = parse_share, requires = "book")]
    book_share: Option<f64>,
    /// Openings scored beyond this many centipawns are not played.
    #[arg(long, default_value_t = Settings::default().opening_score, value_parser = value_parser!(i32).range(1..))]
    opening_score: i32,
    /// Adjudicate a win after four plies with a score of this many centipawns; harvested positions beyond it are not kept
    /// either.
    #[arg(long, default_value_t = Settings::default().adjudication.win_score, value_parser = value_parser!(i32).range(1..))]
    win_score: i32,
    /// Share of the games, from 0 to 1, in which no win is adjudicated.
    #[arg(long, default_value_t = Settings::default().play_out_share, value_parser = parse_share)]
    play_out: f64,
    /// How likely, from 0 to 1, after the search of a move a position from its tree is searched by itself and kept as
    /// well.
    #[arg(long, default_value_t = Settings::default().harvest.share, value_parser = parse_share)]
    harvest: f64,
    /// Nodes after which no new iteration of such a search begins; those of a move by default. It ends after 8 times as
    /// many.
    #[arg(long, value_parser = cli::read_count)]
    harvest_nodes: Option<u64>,
    /// Share of such positions, from 0 to 1, that are the game's own and not from the tree.
    #[arg(long, default_value_t = Settings::default().harvest.played, value_parser = parse_share)]
    harvest_played: f64,
    /// How many positions from its tree, on average, are kept after the search of a move without a search of their own:
    /// `trainer rescore` gives them scores.
    #[arg(long, default_value_t = Settings::default().harvest.unsearched, value_parser = parse_mean)]
    unsearched: f64,
    /// Each side's transposition table in MiB.
    #[arg(long, default_value_t = Settings::default().hash_mib)]
    hash: usize,
    /// A number that decides all games; drawn from the clock without it.
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(Args)]
struct Exam {
    /// The work file, to which each label is added as soon as it is found.
    work: PathBuf,
    /// Positions of each set.
    #[arg(long, default_value_t = 6000, value_parser = value_parser!(u64).range(1..=1_000_000))]
    positions: u64,
    /// Nodes of the search that labels a position.
    #[arg(long, default_value_t = 1_000_000, value_parser = cli::read_count)]
    nodes: u64,
    /// Soft nodes a move of the games that positions are drawn from.
    #[arg(long, default_value_t = Nodes::default().play, value_parser = cli::read_count)]
    play_nodes: u64,
    /// Nodes of the searches whose trees positions are drawn from, and of the moves of deep games.
    #[arg(long, default_value_t = Nodes::default().deep, value_parser = cli::read_count)]
    deep_nodes: u64,
    /// The network of all searches; the one that comes with the program by default.
    #[arg(long)]
    network: Option<PathBuf>,
    /// A number that decides all positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions labelled at once; what is labelled does not depend on it.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Search nothing; write the labels there are as an exam for `trainer exam`, into a new file, compressed if its name
    /// ends with .zst.
    #[arg(long, value_name = "FILE")]
    finish: Option<PathBuf>,
}

fn main() -> ExitCode {
    platform::make_file_size_limits_errors();
    let done = match Arguments::parse().command {
        Command::Generate(arguments) => arguments.run(),
        Command::Import { file, player, pgn } => add_games(&file, &player, &pgn).map_err(|error| error.to_string()),
        Command::Solved { file, positions, seed } => solved(&file, positions, seed).map_err(|error| error.to_string()),
        Command::Exam(arguments) => arguments.run(),
        Command::Pack { sources, file, settings } => {
            converted(pack_files(&sources, &file, &Packing { settings, without_duplicates: false }))
        }
        Command::Merge { file, sources, settings } => {
            converted(pack_files(&sources, &file, &Packing { settings, without_duplicates: true }))
        }
        Command::Unpack { sources, file } => converted(unpack_files(&sources, &file)),
        Command::Stats { file } => stats(&file).map_err(|error| error.to_string()).map(|stats| {
            say(&stats);
            if stats.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }),
    };
    done.unwrap_or_else(|error| {
        tell(format_args!("datagen: {error}"));
        ExitCode::FAILURE
    })
}

impl Generate {
    fn run(self) -> Result<ExitCode, String> {
        let openings = self.openings()?;
        let limits = Limits::from_soft(self.soft_nodes);
        let limits = Limits { hard: self.hard_nodes.unwrap_or(limits.hard), ..limits };
        let settings = Settings {
            limits,
            opening_score: self.opening_score,
            play_out_share: self.play_out,
            adjudication: Adjudication { win_score: self.win_score, ..Settings::default().adjudication },
            harvest: HarvestSettings {
                share: self.harvest,
                played: self.harvest_played,
                limits: self.harvest_nodes.map_or(limits, Limits::from_soft),
                unsearched: self.unsearched,
            },
            hash_mib: self.hash,
        };
        let threads = self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
        let network = self.network.as_deref().map_or_else(|| Ok(Network::embedded()), read_network)?;
        let plan =
            Plan { network, settings, openings, games: self.games, threads, seed: self.seed.unwrap_or_else(seed) };
        let stop = stop_on_ctrl_c();
        let mut bar = Bar::new(self.games);
        let summary = generate(&plan, &self.file, &stop, &mut bar).map_err(|error| error.to_string())?;
        bar.bar.finish_and_clear();
        say(&describe(&summary));
        Ok(ExitCode::SUCCESS)
    }

    /// Where games start: a share that was not asked for makes room for one that was.
    fn openings(&self) -> Result<Openings, String> {
        let Some(book) = &self.book else { return Ok(Openings::new(self.chess960.unwrap_or(CHESS960_SHARE))) };
        let book_share = self.book_share.unwrap_or_else(|| BOOK_SHARE.min(1.0 - self.chess960.unwrap_or(0.0)));
        let chess960 = self.chess960.unwrap_or_else(|| CHESS960_SHARE.min(1.0 - book_share));
        if chess960 + book_share > 1.0 {
            return Err(format!("--chess960 {chess960} and --book-share {book_share} are more than all games"));
        }
        Openings::new(chess960).with_book(book, book_share).map_err(|error| format!("{}: {error}", book.display()))
    }
}

impl Exam {
    fn run(self) -> Result<ExitCode, String> {
        let plan = exam::label::Plan {
            network: self.network.as_deref().map_or_else(|| Ok(Network::embedded()), read_network)?,
            drawn: Nodes { play: self.play_nodes, deep: self.deep_nodes },
            nodes: self.nodes,
            positions: self.positions as usize,
            seed: self.seed,
            threads: self.threads,
        };
        let labels = match &self.finish {
            Some(_) => Labels::read(&self.work, &plan.terms()),
            None => {
                let bar = cli::progress_bar(Some(self.positions * Set::ALL.len() as u64), "labels");
                plan.run(&self.work, &stop_on_ctrl_c(), &mut |labels| bar.set_position(labels.len() as u64))
            }
        };
        let labels = labels.map_err(|error| error.to_string())?;
        let sets = labels.choose(plan.positions);
        let counts = Set::ALL.map(|set| format!("{} {}", set.name(), sets[set as usize].len()));
        if let Some(file) = &self.finish {
            exam::file::write(file, &plan, &sets).map_err(|error| error.to_string())?;
        }
        say(&format!("{} labels: {}", labels.len(), counts.join(", ")));
        Ok(ExitCode::SUCCESS)
    }
}

/// Says what was converted, and what was not.
fn converted(done: io::Result<Converted>) -> Result<ExitCode, String> {
    let done = done.map_err(|error| error.to_string())?;
    done.faults.iter().for_each(|fault| tell(format_args!("warning: {fault}")));
    say(&done);
    Ok(ExitCode::SUCCESS)
}

fn add_games(file: &Path, players: &[String], pgn: &[PathBuf]) -> io::Result<ExitCode> {
    let mut warn = |fault| tell(format_args!("warning: {fault}"));
    let imported =
        if players.is_empty() { import(file, pgn, &mut warn)? } else { import_matches(file, pgn, players, &mut warn)? };
    say(&imported);
    Ok(ExitCode::SUCCESS)
}

fn solved(file: &Path, positions: u64, seed: u64) -> io::Result<ExitCode> {
    let materials = Material::all(endgame::MAX_PIECES);
    let template = "[{elapsed_precise}] {msg} [{wide_bar}] {human_pos}/{human_len}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(materials.len() as u64).with_style(style).with_message("solving");
    let tables = Tables::solve(&materials, |_| bar.inc(1));
    bar.set_message("writing");
    bar.set_position(0);
    bar.set_length(positions);
    write_solved(&tables, file, positions, seed, || bar.inc(1))?;
    bar.finish_and_clear();
    Ok(ExitCode::SUCCESS)
}

/// A share of the games, from 0 to 1.
fn parse_share(text: &str) -> Result<f64, String> {
    parse_up_to(text, 1.0)
}

/// Positions for each move, on average; a tree of few nodes has no more to give.
fn parse_mean(text: &str) -> Result<f64, String> {
    parse_up_to(text, 100.0)
}

fn parse_up_to(text: &str, most: f64) -> Result<f64, String> {
    let number = text.parse().map_err(|error| format!("{error}"))?;
    if (0.0..=most).contains(&number) { Ok(number) } else { Err(format!("not from 0 to {most}")) }
}

fn read_network(path: &Path) -> Result<Arc<Network>, String> {
    let bytes = read_network_file(path).map_err(|error| error.to_string())?;
    Network::from_bytes(&bytes).map(Arc::new).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes to stdout; nobody need be reading.
fn say(text: &dyn Display) {
    let _ = writeln!(io::stdout(), "{}", printable(&text.to_string()));
}

/// A seed no other run has.
fn seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
    now ^ u64::from(std::process::id()).rotate_left(40)
}

fn describe(summary: &Summary) -> String {
    format!(
        "{} games, {} positions, {} harvested, {} unsearched, {:.0} positions/s, {:.1} % draws",
        summary.games,
        summary.positions,
        summary.harvested,
        summary.unsearched,
        summary.rate(),
        100.0 * summary.draws as f64 / summary.games.max(1) as f64
    )
}

/// How often a line tells how far things are where nothing can move on a terminal.
const LINE_AFTER: Duration = Duration::from_secs(60);

/// Progress on stderr: a bar on a terminal, a line now and then in a file.
struct Bar {
    bar: ProgressBar,
    /// When the last line was written; none on a terminal.
    last_line: Option<Instant>,
}

impl Bar {
    fn new(games: Option<u64>) -> Self {
        let template = match games {
            Some(_) => "{bar:30} {pos}/{len} games{left}  {msg}",
            None => "{spinner} {pos} games in {elapsed}  {msg}",
        };
        let bar = games.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let last_line = (!io::stderr().is_terminal()).then(Instant::now);
        Self { bar: bar.with_style(progress_style(template)), last_line }
    }
}

impl Progress for Bar {
    fn game_done(&mut self, summary: &Summary) {
        self.bar.set_position(summary.games);
        self.bar.set_message(describe(summary));
        if let Some(last_line) = &mut self.last_line
            && last_line.elapsed() >= LINE_AFTER
        {
            *last_line = Instant::now();
            // Nobody need be reading.
            let _ = writeln!(io::stderr(), "{}", describe(summary));
        }
    }
}
