//! `vancura mate`: is there a mate in a given number of moves?

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use cli::{cores, read_position};
use movegen::{Board, FenError};
use pgn::numbered_line;
use search::{FoundMate, Limits, Searcher};

/// The most moves that can be asked for.
const MAX_MOVES: i64 = FoundMate::MAX_MOVES as i64;

/// What the exit status says.
const STATUS: &str = "\
The exit status is 0 if the mate was found, 1 if not, and 2 if something went wrong.

Examples:
  vancura mate \"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1\" 3
  vancura mate \"k7/7R/1K6/8/8/8/8/8 b - - 0 1\" -1";

/// Looks for a mate in a number of moves, and shows it.
#[derive(Args, Debug)]
#[command(after_long_help = STATUS)]
pub struct MateArguments {
    /// The position, in quotes
    fen: String,
    /// Moves of the side that mates, at most; negative if the side to move is mated
    #[arg(allow_negative_numbers = true, value_parser = clap::value_parser!(i16).range(-MAX_MOVES..=MAX_MOVES))]
    moves: i16,
    /// Seconds to look for it, at most [default: 60 unless --nodes is given]
    #[arg(short, long, value_name = "SECONDS", value_parser = cli::read_seconds)]
    time: Option<Duration>,
    /// Nodes to visit, at most
    #[arg(short, long, value_name = "COUNT", value_parser = cli::read_count)]
    nodes: Option<u64>,
    /// Threads to search with [default: one for each core]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// MiB of the transposition table
    #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum MateError {
    /// The position cannot be read.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A mate in 0 moves is on the board or not.
    #[error("the number of moves must not be 0")]
    NoMoves,
    /// The side to move has no move.
    #[error("the game is over: {}", if *.is_mate { "checkmate" } else { "stalemate" })]
    Over {
        /// Whether it is mated.
        is_mate: bool,
    },
    /// The answer cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[from] io::Error),
}

/// Looks for the mate. The exit status says whether it was found.
///
/// # Errors
///
/// If there is nothing to look for, or the answer cannot be written.
pub fn run(arguments: &MateArguments) -> Result<ExitCode, MateError> {
    let board = read_position(std::slice::from_ref(&arguments.fen))?;
    let wanted = i32::from(arguments.moves);
    if wanted == 0 {
        return Err(MateError::NoMoves);
    }
    if !board.has_legal_move() {
        return Err(MateError::Over { is_mate: board.in_check() });
    }
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let mut searcher = Searcher::new(threads, arguments.hash as usize);
    let answer = searcher.find_mate(&board, wanted, &limits(arguments), &AtomicBool::new(false));
    let mut output = io::stdout().lock();
    let is_found = answer.is_found(wanted);
    if answer.is_denied {
        writeln!(output, "no {}", FoundMate::name(wanted))?;
    } else if !is_found {
        writeln!(output, "no {} found within {}", FoundMate::name(wanted), limits_in_words(arguments))?;
    }
    if let Some(mate) = answer.mate {
        let prefix = if is_found { "" } else { "but " };
        writeln!(output, "{prefix}{}: {}", FoundMate::name(mate.moves), line_on(&board, &mate))?;
    }
    output.flush()?;
    Ok(if is_found { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The line, with dots behind it if it does not reach the mate.
fn line_on(board: &Board, mate: &FoundMate) -> String {
    let text = numbered_line(board, &mate.line);
    if text.ends_with('#') { text } else { text + " ..." }
}

fn limits(arguments: &MateArguments) -> Limits {
    Limits { move_time: time_limit(arguments), nodes: arguments.nodes, ..Limits::default() }
}

fn time_limit(arguments: &MateArguments) -> Option<Duration> {
    arguments.time.or_else(|| arguments.nodes.is_none().then_some(Duration::from_secs(60)))
}

fn limits_in_words(arguments: &MateArguments) -> String {
    let time = time_limit(arguments).map(|time| format!("{} s", time.as_secs_f64()));
    let nodes = arguments.nodes.map(|nodes| format!("{nodes} nodes"));
    [time, nodes].into_iter().flatten().collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_cut_short_says_so() {
        let board = Board::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
        let line = vec![board.parse_san("Rd8").unwrap()];
        assert_eq!(line_on(&board, &FoundMate { moves: 1, line }), "1. Rd8#");
        let line = vec![board.parse_san("Rd7").unwrap()];
        assert_eq!(line_on(&board, &FoundMate { moves: 3, line }), "1. Rd7 ...");
    }
}
