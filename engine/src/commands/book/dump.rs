//! What is in a book: its lines from a position, each with the share of its last move.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use cli::{Printable, read_position};
use formats::PolyglotBook;
use movegen::{Board, Key, Move};
use pgn::numbered_line;

use super::{BookError, open};

/// Shows the lines of a book.
#[derive(Args, Debug)]
pub(super) struct DumpArguments {
    /// The book
    #[arg(value_name = "FILE.bin")]
    book: PathBuf,
    /// The position to begin with, in quotes [default: the start of the game]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Half-moves of the longest line
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=200))]
    plies: u32,
}

/// A line that is still to be shown, and the share of its last move in per cent.
struct Line {
    moves: Vec<Move>,
    board: Board,
    share: f64,
}

pub(super) fn run(arguments: &DumpArguments) -> Result<(), BookError> {
    let start = read_position(arguments.fen.as_slice())?;
    let mut book = open(&arguments.book)?;
    let mut output = Printable::new(io::stdout().lock());
    let mut seen: HashSet<Key> = HashSet::from([start.key()]);
    let mut lines = next(&mut book, arguments, &start, &[])?;
    if lines.is_empty() {
        writeln!(output, "the book has no move here")?;
    }
    while let Some(Line { moves, board, share }) = lines.pop() {
        let is_known = !seen.insert(board.key());
        let note = if is_known { " (as above)" } else { "" };
        writeln!(output, "{share:5.1} %  {}{note}", numbered_line(&start, &moves))?;
        if !is_known && moves.len() < arguments.plies as usize {
            lines.extend(next(&mut book, arguments, &board, &moves)?);
        }
    }
    Ok(output.flush()?)
}

/// The moves of a position, the last of them to be shown first.
fn next(
    book: &mut PolyglotBook,
    arguments: &DumpArguments,
    board: &Board,
    before: &[Move],
) -> Result<Vec<Line>, BookError> {
    let mut moves = book.moves(board).map_err(|error| BookError::Read { path: arguments.book.clone(), error })?;
    let total: f64 = moves.iter().map(|&(_, weight)| f64::from(weight)).sum();
    moves.sort_by_key(|&(_, weight)| weight);
    let line = |(mv, weight): (Move, u16)| Line {
        moves: before.iter().copied().chain([mv]).collect(),
        board: board.after(mv),
        share: if total > 0.0 { 100.0 * f64::from(weight) / total } else { 0.0 },
    };
    Ok(moves.into_iter().map(line).collect())
}
