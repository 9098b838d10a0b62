//! `vancura explorer`: an index of games is built, and asked for the moves of a position.

mod text;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use cli::{Printable, counted, data_output, progress_bar, read_position, tell};
use movegen::{Board, FenError, MoveError};
use pgn::{FileKind, files};
use platform::FileIdentity;

use crate::facts::Facts;
use crate::filter::Filter;
use crate::index::{Index, IndexError, IndexWriter};
use crate::notes::Kind;
use crate::reading::read_games_on_terminal;

/// One index, and some of what it can be asked.
const EXAMPLES: &str = "\
Examples:
  vancura explorer build games.pgn -o games.index
  vancura explorer games.index
  vancura explorer games.index e4 e5 Nf3
  vancura explorer games.index \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\" --json
  vancura explorer build games.pgn -o anna.index --player \"Anna Berg\" --colour white";

/// Shows which moves were played from a position, in how many games and with what results.
///
/// The games are read once, into an index. A position is found whichever moves led to it. Games of Chess960 are told from
/// those of standard chess.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_long_help = EXAMPLES)]
pub struct ExplorerArguments {
    #[command(subcommand)]
    task: Option<Task>,
    /// The index
    #[arg(required = true, value_name = "INDEX")]
    index: Option<PathBuf>,
    /// A position: moves from the start of the game, or a FEN, which `moves` and moves may follow
    #[arg(value_name = "FEN|MOVES")]
    position: Vec<String>,
    /// Ask for games of Chess960. A position in which somebody may castle as only there is always one of these
    #[arg(long)]
    chess960: bool,
    /// Write the answer as JSON, for programs
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// Build an index of the games in PGN files
    Build(BuildArguments),
}

/// Builds an index.
///
/// Memory stays below half a gigabyte for millions of games; what does not fit is sorted in the folder for temporary files.
#[derive(Args, Debug)]
struct BuildArguments {
    /// Files of games, compressed or not, folders of such files, or `-` for the standard input
    #[arg(required = true, value_name = "FILE.pgn|-")]
    games: Vec<PathBuf>,
    /// The index
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Half-moves of each game that are read
    #[arg(long, value_name = "PLIES", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1000))]
    plies: u32,
    #[command(flatten)]
    filter: Filter,
}

/// Why there is no index or no answer.
#[derive(Debug, thiserror::Error)]
pub enum ExplorerError {
    /// A file of games cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The files of games cannot be found.
    #[error("{0}")]
    Find(#[source] io::Error),
    /// The position cannot be read.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A move cannot be read or made.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// There is no game to put into an index.
    #[error("no game to keep: of {}, none fits what was asked for", counted(*.0, "game"))]
    Nothing(usize),
    /// The index cannot be read.
    #[error("{0}")]
    Index(#[from] IndexError),
    /// The output would overwrite an input.
    #[error("the output would overwrite the input {}", .0.display())]
    Overwrite(PathBuf),
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[from] io::Error),
    /// The index is built, but of some games something is lost.
    #[error("{0}")]
    Lost(String),
}

impl From<(PathBuf, io::Error)> for ExplorerError {
    fn from((path, error): (PathBuf, io::Error)) -> Self {
        Self::Read { path, error }
    }
}

/// Builds an index, or answers from one.
///
/// # Errors
///
/// If something cannot be read or written. Games that cannot be read are an error only after the index is built.
pub fn run(arguments: &ExplorerArguments) -> Result<(), ExplorerError> {
    match (&arguments.task, &arguments.index) {
        (Some(Task::Build(arguments)), _) => build(arguments),
        (None, Some(index)) => {
            let index = Index::open(index)?;
            show(&index, arguments)
        }
        // Which the command line does not let through.
        (None, None) => Ok(()),
    }
}

fn build(arguments: &BuildArguments) -> Result<(), ExplorerError> {
    let paths = files(&arguments.games, FileKind::Games).map_err(ExplorerError::Find)?;
    if let Some(input) = FileIdentity::overwritten(&arguments.output, paths.iter().map(PathBuf::as_path)) {
        return Err(ExplorerError::Overwrite(input.to_owned()));
    }
    let mut index = IndexWriter::create(&arguments.output, arguments.plies as usize)?;
    let mut games = 0;
    let losses = read_games_on_terminal(&paths, |game, place| {
        if !arguments.filter.accepts(game, &Facts::of(game)) {
            return Ok::<_, ExplorerError>(());
        }
        games += 1;
        Ok(index.add(game, place)?)
    })?;
    if games == 0 {
        return Err(ExplorerError::Nothing(losses.games));
    }
    let progress = progress_bar(Some(index.moves()), "moves sorted");
    let positions = index.commit_telling(&paths, |done| progress.set_position(done));
    progress.finish_and_clear();
    let positions = positions?;
    tell(format_args!("{}, {}", counted(games, "game"), counted(positions as usize, "position")));
    losses.message().map_or(Ok(()), |text| Err(ExplorerError::Lost(text)))
}

fn show(index: &Index, arguments: &ExplorerArguments) -> Result<(), ExplorerError> {
    let board = read_place(&arguments.position)?;
    let kind = if arguments.chess960 { Kind::Chess960 } else { Kind::of_board(&board) };
    let answer = index.look_up(&board, kind)?;
    if arguments.json {
        let mut output = data_output();
        serde_json::to_writer(&mut output, &answer).map_err(io::Error::from)?;
        writeln!(output)?;
        return Ok(output.flush()?);
    }
    let mut output = Printable::new(io::stdout().lock());
    text::write(&mut output, &board, &answer)?;
    Ok(output.flush()?)
}

/// The position that words lead to: a FEN or nothing, and moves after it.
fn read_place(words: &[String]) -> Result<Board, ExplorerError> {
    let text = words.join(" ");
    let words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
    let is_position = words.first().is_none_or(|first| first.contains('/') || first == "startpos");
    let (position, moves) = match words.iter().position(|word| word == "moves") {
        Some(place) => (&words[..place], &words[place + 1..]),
        None if is_position => (&words[..], &[][..]),
        None => (&[][..], &words[..]),
    };
    let mut board = read_position(position)?;
    for word in moves {
        // `1.e4` and `1... e5` begin with numbers.
        let mv = word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let is_castling = word.starts_with("0-0");
        if mv.is_empty() {
            continue;
        }
        let mv = if is_castling { word } else { mv };
        let read = board.parse_san(mv).or_else(|error| board.parse_uci(mv).map_err(|_| error));
        board.play(read?, &mut ());
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use movegen::FenStyle;

    use super::*;

    fn place(words: &[&str]) -> Result<String, String> {
        let words: Vec<_> = words.iter().map(ToString::to_string).collect();
        read_place(&words).map(|board| board.fen(FenStyle::Standard)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_position_is_moves_or_a_fen_with_moves() {
        let start = Board::start().fen(FenStyle::Standard);
        assert_eq!([place(&[]), place(&["startpos"])], [Ok(start.clone()), Ok(start)]);
        let after = place(&["e4", "e5", "Nf3"]);
        assert!(after.as_ref().is_ok_and(|fen| fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b")));
        for words in [
            &["1. e4 e5 2. Nf3"][..],
            &["1.e4", "e5", "2.Nf3"],
            &["startpos", "moves", "e2e4", "e7e5", "g1f3"],
            &["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 moves e5 Nf3"],
            &[
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
                "b",
                "KQkq",
                "-",
                "0",
                "1",
                "moves",
                "1...",
                "e5",
                "Nf3",
            ],
        ] {
            assert_eq!(place(words), after, "{words:?}");
        }
        assert!(place(&["e4 c5 Nf3 e6 Be2 Nf6 0-0"]).is_ok());
        for words in [&["e5"][..], &["8/8", "w"], &["startpos", "moves", "e2e5"], &["x", "moves", "e4"]] {
            assert!(place(words).is_err(), "{words:?}");
        }
    }
}
