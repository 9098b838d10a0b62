//! `vancura play`: games between engines, refereed by the laws of chess and written as PGN.

mod adjudication;
mod date;
mod entrant;
mod error;
mod referee;
mod resumed;
mod schedule;
mod standings;
mod tournament;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use cli::{folders, tell};
use movegen::TimeControl;
use pgn::Openings;
use platform::FileIdentity;
use search::Tablebase;

use self::adjudication::{AdjudicationRules, DrawRule, ResignRule};
pub use self::entrant::{Entrant, EntrantError};
pub use self::error::PlayError;
use self::referee::{MatchConditions, PONDER};
use self::schedule::{Format, Schedule};
use self::tournament::Tournament;
use crate::client::EngineCommand;
use crate::interruption::Interruption;
use crate::statistics::Sprt;

/// What the laws say that common match runners do not do.
const DIFFERENCES: &str = "\
The games follow the FIDE Laws. Where common match runners differ:
  - Threefold repetition and fifty moves end a game only when claimed, and UCI has no claims: games
    go on to the fifth repetition or the seventy-fifth move. --claim-draws claims for both sides.
  - A dead position ends the game at once, whatever the pieces: blocked walls and forced lines too.
  - A time loss, an illegal move, a crash or a hang loses, but draws if the opponent cannot mate
    by any series of legal moves.
  - Mate and stalemate come before every other rule: a mate with the last of seventy-five moves wins.
  - Nothing is adjudicated by scores or tables but by --resign, --draw and --tb, which count as Cute
    Chess does.

A time control is [MOVES/]SECONDS[+INCREMENT|dDELAY|bDELAY], one for each period, with colons between:
40/5400+30:1800+30. `d` is a simple delay and `b` a Bronstein one.

Ctrl-C ends the match with the standings so far; a second one ends the program at once.

Examples:
  vancura play --nodes 1000 --pgn game.pgn
  vancura play self ./other-engine -n 2 --tc 1+0.01 --openings positions.epd
  vancura play self ./other-engine -n 2 --tc 1+0.01 --openings book.bin --plies 8 --ponder
  vancura play self ./other-engine --nodes 1k --resign 600,3 --draw 40,8,8 --json result.json";

/// In which order openings are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Order {
    /// That of the file
    Sequential,
    /// A random one, which depends on --seed alone
    Random,
}

/// Plays games between UCI engines, or Vancura and itself, by the laws of chess.
#[derive(Args, Debug)]
#[command(after_long_help = DIFFERENCES)]
pub struct PlayArguments {
    /// The engines: command lines, or `self` for Vancura in this process, which also plays against a single one. Before
    /// a command line may stand name=NAME, elo=RATING and any number of option.NAME=VALUE
    #[arg(value_name = "ENGINE")]
    engines: Vec<Entrant>,
    /// How many games each two engines play; colours alternate, and each opening is played twice
    #[arg(short = 'n', long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    /// Who meets whom, of more than two engines
    #[arg(long, value_enum, default_value_t = Format::RoundRobin)]
    format: Format,
    /// Games at the same time, each with engines of its own
    #[arg(long, default_value_t = 1, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Play until it is clear which difference in Elo is the true one, with these chances of error [default: 0.05 each]
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// The position to start from
    #[arg(long, conflicts_with = "openings", value_name = "FEN")]
    fen: Option<String>,
    /// Openings to start from: a file of EPD lines, of games if its name ends in .pgn, or an opening book in Polyglot's format
    /// if it ends in .bin, whose lines are drawn by their weights
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Play at most so many moves of an opening, those of both sides counted
    #[arg(long, value_name = "COUNT")]
    plies: Option<usize>,
    /// In which order the openings are played
    #[arg(long, value_enum, default_value_t = Order::Sequential)]
    order: Order,
    /// What the random order, and the lines drawn from a book, depend on
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    seed: u64,
    /// The time for each side [default: 10+0.1 if there is no other limit]
    #[arg(long, value_name = "CONTROL")]
    tc: Option<TimeControl>,
    /// Milliseconds for each move
    #[arg(long, conflicts_with = "tc", value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    movetime: Option<u64>,
    /// Nodes for each move
    #[arg(long, value_name = "COUNT", value_parser = cli::read_count)]
    nodes: Option<u64>,
    /// Plies for each move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds by which an engine may exceed its time
    #[arg(long, default_value_t = 0, value_name = "MS")]
    margin: u64,
    /// Seconds without an answer after which an engine without a clock forfeits
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
    /// Claim every draw by repetition or fifty moves for the side that may
    #[arg(long)]
    claim_draws: bool,
    /// End a game as lost for an engine whose score was this many centipawns below zero for so many moves in a row;
    /// `twosided` asks for the opponent's agreement
    #[arg(long, value_name = "SCORE,MOVES[,twosided]")]
    resign: Option<ResignRule>,
    /// End a game as drawn, from this move on, if all scores were within so many centipawns of zero for some moves in a row,
    /// without a capture or pawn move
    #[arg(long, value_name = "NUMBER,MOVES,SCORE")]
    draw: Option<DrawRule>,
    /// End games by the Syzygy endgame tables in these folders, as in the variable PATH
    #[arg(long, value_name = "FOLDERS")]
    tb: Option<OsString>,
    /// Engines think on while their opponents do; each needs the option Ponder, which this sets
    #[arg(long)]
    ponder: bool,
    /// Castling is written as Chess960 needs it, even where the start does not show that
    #[arg(long)]
    chess960: bool,
    /// An option for all engines
    #[arg(short, long = "option", value_name = "NAME=VALUE", value_parser = cli::read_option)]
    options: Vec<(String, String)>,
    /// An option for the first engine
    #[arg(long = "option1", value_name = "NAME=VALUE", value_parser = cli::read_option)]
    options1: Vec<(String, String)>,
    /// An option for the second engine
    #[arg(long = "option2", value_name = "NAME=VALUE", value_parser = cli::read_option)]
    options2: Vec<(String, String)>,
    /// Add the games to this file instead of writing them to the standard output
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the results to this file after each game, for programs
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Go on with the match whose first games are in that file
    #[arg(long, requires = "pgn")]
    resume: bool,
}

/// Plays the match.
///
/// # Errors
///
/// If the start or an engine cannot be used, or the games cannot be written, or the file to go on with is of another match;
/// and if the user interrupts the match, after the standings so far.
/// What engines do in a game is no error: it is judged.
pub fn run(arguments: &PlayArguments) -> Result<(), PlayError> {
    let entrants = entrants(arguments);
    if arguments.sprt.is_some() && entrants.len() > 2 {
        return Err(PlayError::Sprt(entrants.len()));
    }
    let openings = match (&arguments.fen, &arguments.openings) {
        (Some(fen), _) => Openings::from_fen(fen)?,
        (None, Some(path)) => {
            let openings = Openings::from_file(path, arguments.seed)?;
            openings.remarks().iter().for_each(|remark| tell(format_args!("{}: {remark}", path.display())));
            openings
        }
        (None, None) => Openings::start(),
    };
    let openings = match arguments.order {
        Order::Sequential => openings,
        Order::Random => openings.shuffled(arguments.seed),
    };
    let openings = arguments.plies.into_iter().fold(openings, Openings::cut_after);
    let files = [&arguments.pgn, &arguments.json].map(|path| FileIdentity::of_output(path.as_deref()?));
    if let [Some(pgn), Some(json)] = files
        && pgn == json
    {
        return Err(PlayError::SameFile);
    }
    let tournament = Tournament {
        entrants: &entrants,
        schedule: Schedule::new(arguments.format, entrants.len(), arguments.games as usize),
        conditions: conditions(arguments, adjudication(arguments)?, Interruption::on_ctrl_c()),
        openings,
        concurrency: usize::from(arguments.concurrency),
        sprt: arguments.sprt,
        pgn: arguments.pgn.as_deref(),
        json: arguments.json.as_deref(),
        resumes: arguments.resume,
    };
    tournament.run()
}

/// The engines with all their options; Vancura for those of the first two that are not named.
fn entrants(arguments: &PlayArguments) -> Vec<Entrant> {
    let mut entrants = arguments.engines.clone();
    let own = Entrant { name: None, elo: None, options: Vec::new(), command: EngineCommand::Own };
    entrants.resize(entrants.len().max(2), own);
    let numbered = [&arguments.options1, &arguments.options2];
    let pondering = arguments.ponder.then(|| (PONDER.to_owned(), "true".to_owned()));
    for (index, entrant) in entrants.iter_mut().enumerate() {
        let more = numbered.get(index).map_or(&[][..], |options| &options[..]);
        entrant.options = [pondering.as_slice(), &arguments.options, &entrant.options, more].concat();
    }
    entrants
}

/// When games end before the laws end them.
fn adjudication(arguments: &PlayArguments) -> Result<AdjudicationRules, PlayError> {
    let tables = match &arguments.tb {
        Some(list) => {
            let tables = Tablebase::open(&folders(list));
            tables.take_faults().iter().for_each(tell);
            if tables.names().next().is_none() {
                return Err(PlayError::NoTables(list.to_string_lossy().into_owned()));
            }
            Some(Arc::new(tables))
        }
        None => None,
    };
    Ok(AdjudicationRules { resign: arguments.resign, draw: arguments.draw, tables })
}

fn conditions(
    arguments: &PlayArguments,
    adjudication: AdjudicationRules,
    interruption: Interruption,
) -> MatchConditions {
    let is_limited = arguments.nodes.is_some() || arguments.depth.is_some();
    let time = match (&arguments.tc, arguments.movetime) {
        (Some(time), _) => time.clone(),
        // The range of the argument is one that a time control can have.
        (None, Some(millis)) => TimeControl::per_move(Duration::from_millis(millis)).unwrap_or_default(),
        (None, None) if is_limited => TimeControl::UNLIMITED,
        (None, None) => "10+0.1".parse().unwrap_or_default(),
    };
    MatchConditions {
        time,
        move_time: arguments.movetime,
        nodes: arguments.nodes,
        depth: arguments.depth,
        margin: Duration::from_millis(arguments.margin),
        patience: Duration::from_secs(arguments.patience),
        claim_draws: arguments.claim_draws,
        adjudication,
        chess960: arguments.chess960,
        interruption,
        has_file: arguments.pgn.is_some(),
    }
}
