//! `vancura play`: games between two engines, refereed by the laws of chess and written as PGN.

mod date;
mod error;
mod referee;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use cli::{data_output, tell};
use fs_err as fs;
use movegen::{Color, GameResult, TimeControl};
use pgn::{NodeId, Openings, PgnGame, result_text};

pub use self::error::PlayError;
use self::referee::{MatchConditions, Player, play_game};
use crate::client::EngineCommand;

/// What the laws say that common match runners do not do.
const DIFFERENCES: &str = "\
The games follow the FIDE Laws. Where common match runners differ:
  - Threefold repetition and fifty moves end a game only when claimed, and UCI has no claims: games
    go on to the fifth repetition or the seventy-fifth move. --claim-draws claims for both sides.
  - A dead position ends the game at once, whatever the pieces: blocked walls and forced lines too.
  - A time loss, an illegal move, a crash or a hang loses, but draws if the opponent cannot mate
    by any series of legal moves.
  - Mate and stalemate come before every other rule: a mate with the last of seventy-five moves wins.
  - Nothing is adjudicated by scores.

A time control is [MOVES/]SECONDS[+INCREMENT|dDELAY|bDELAY], one for each period, with colons between:
40/5400+30:1800+30. `d` is a simple delay and `b` a Bronstein one.";

/// Plays games between two UCI engines, or Vancura and itself, by the laws of chess.
#[derive(Args, Debug)]
#[command(after_long_help = DIFFERENCES)]
pub struct PlayArguments {
    /// The engine that has White in the first game: a command line, or `self` for Vancura in this process
    #[arg(default_value = "self")]
    first: EngineCommand,
    /// The other engine
    #[arg(default_value = "self")]
    second: EngineCommand,
    /// How many games; colours alternate, and each opening is played twice
    #[arg(short = 'n', long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The position to start from
    #[arg(long, conflicts_with = "openings", value_name = "FEN")]
    fen: Option<String>,
    /// Openings to start from: a file of EPD lines, or of games if its name ends in .pgn
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The time for each side [default: 10+0.1 if there is no other limit]
    #[arg(long, value_name = "CONTROL")]
    tc: Option<TimeControl>,
    /// Milliseconds for each move
    #[arg(long, conflicts_with = "tc", value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    movetime: Option<u64>,
    /// Nodes for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
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
    /// Castling is written as Chess960 needs it, even where the start does not show that
    #[arg(long)]
    chess960: bool,
    /// An option for both engines
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
}

/// Plays the match.
///
/// # Errors
///
/// If the start or an engine cannot be used, or the games cannot be written. What engines do in a game is no error:
/// it is judged.
pub fn run(arguments: &PlayArguments) -> Result<(), PlayError> {
    let conditions = conditions(arguments);
    let openings = match (&arguments.fen, &arguments.openings) {
        (Some(fen), _) => Openings::from_fen(fen)?,
        (None, Some(path)) => Openings::from_file(path)?,
        (None, None) => Openings::start(),
    };
    let options = |own: &[(String, String)]| [&arguments.options, own].concat();
    let mut players = [
        Player::start(&arguments.first, options(&arguments.options1), conditions.patience)?,
        Player::start(&arguments.second, options(&arguments.options2), conditions.patience)?,
    ];
    let mut output: Box<dyn Write> = match &arguments.pgn {
        Some(path) => {
            Box::new(fs::File::from_parts(OpenOptions::new().create(true).append(true).open(path)?, path.clone()))
        }
        None => data_output(),
    };
    let mut score = MatchScore::default();
    for number in 0..arguments.games {
        let white = number as usize % 2;
        let mut game = play_game(&mut players, white, openings.get(number as usize / 2), &conditions)?;
        game.tags.set("Event", "Vancura play");
        game.tags.set("Date", date::today());
        game.tags.set("Round", (number + 1).to_string());
        if let Some(millis) = arguments.movetime {
            // The standard has no word for it; this is what other programs write.
            game.tags.set("TimeControl", format!("{}/move", Duration::from_millis(millis).as_secs_f64()));
        }
        output.write_all(game.to_string().as_bytes()).and_then(|()| output.flush())?;
        score.add(game.result, white);
        tell_result(&game, number + 1, arguments.games);
    }
    tell(format_args!("{} - {}: {score}", players[0].name(), players[1].name()));
    Ok(())
}

fn conditions(arguments: &PlayArguments) -> MatchConditions {
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
        chess960: arguments.chess960,
    }
}

/// Reports the result of a game.
fn tell_result(game: &PgnGame, number: u32, games: u32) {
    let tag = |name| game.tags.get(name).unwrap_or("?");
    let reason = game.tree.main_line().last().map_or(NodeId::ROOT, |(id, _)| id);
    let (white, black, result) = (tag("White"), tag("Black"), result_text(game.result));
    let reason = &game.tree.node(reason).comment;
    tell(format_args!("game {number} of {games}: {white} - {black} {result} ({reason})"));
}

/// The result of a match, for the first engine.
#[derive(Default)]
struct MatchScore {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl MatchScore {
    /// Adds a game in which the engine of this number had White.
    fn add(&mut self, result: Option<GameResult>, white: usize) {
        let Some(result) = result else { return };
        match result.winner() {
            None => self.draws += 1,
            Some(winner) if (winner == Color::White) == (white == 0) => self.wins += 1,
            Some(_) => self.losses += 1,
        }
    }
}

impl std::fmt::Display for MatchScore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let games = self.wins + self.draws + self.losses;
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        let Self { wins, draws, losses } = self;
        write!(f, "{points} of {games}, {wins} won, {draws} drawn, {losses} lost")
    }
}
