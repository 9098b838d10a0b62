//! `vancura tb`: what endgame tables say about a position and its moves.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::Args;
use cli::{Printable, folders, read_position, tell};
use movegen::{Board, FenError, FenStyle, Position};
use search::{NoTableAnswer, Tablebase};

/// What the words mean.
const WORDS: &str = "\
Results count for the side to move. A cursed win is one that the fifty-move rule spoils, a blessed
loss one that it saves. DTZ is the number of half-moves to the next capture, pawn move or mate if
both sides play for it; it may be 1 too small.

Example:
  vancura tb --syzygy ~/syzygy \"8/8/8/8/3k4/8/4Q3/K7 w - - 0 1\"";

/// Asks Syzygy endgame tables how a position ends, and which moves are best.
#[derive(Args, Debug)]
#[command(after_long_help = WORDS)]
pub struct TbArguments {
    /// The position
    #[arg(required = true)]
    fen: Vec<String>,
    /// Folders with the tables, and with folders that hold them
    #[arg(long, env = "SYZYGY_PATH", value_name = "FOLDERS", hide_env_values = true)]
    syzygy: Option<OsString>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum TbError {
    /// The position cannot be read.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// No folder with tables was given.
    #[error("no endgame tables given; name their folder with --syzygy or the variable SYZYGY_PATH")]
    NoPath,
    /// There are none.
    #[error("there are no Syzygy tables in {0}")]
    NoTables(String),
    /// They say nothing of this position.
    #[error("{0}")]
    NoAnswer(#[from] NoTableAnswer),
    /// The answer cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[from] io::Error),
}

/// Shows what the tables say.
///
/// # Errors
///
/// If there are no tables for the position, or the answer cannot be written.
pub fn run(arguments: &TbArguments) -> Result<(), TbError> {
    let board = read_position(&arguments.fen)?;
    let path = arguments.syzygy.as_ref().filter(|path| !path.is_empty()).ok_or(TbError::NoPath)?;
    let tables = Tablebase::open(&folders(path));
    let answer = ask(&tables, &board, &path.to_string_lossy());
    for fault in tables.take_faults() {
        tell(format_args!("warning: {fault}"));
    }
    let mut output = Printable::new(io::stdout().lock());
    output.write_all(answer?.as_bytes())?;
    output.flush()?;
    Ok(())
}

fn ask(tables: &Tablebase, board: &Board, path: &str) -> Result<String, TbError> {
    let (wdl_files, dtz_files) = tables.files();
    if wdl_files == 0 && board.has_legal_move() {
        return Err(TbError::NoTables(path.to_owned()));
    }
    let answer = tables.consult(&Position::from(*board))?;
    let dtz = |dtz: Option<i32>| dtz.map_or_else(|| "?".to_owned(), |dtz| dtz.to_string());
    let mut text = format!(
        "{}\nTable {}, of {wdl_files} with results and {dtz_files} with distances\n\n",
        board.fen(FenStyle::Standard),
        Tablebase::name_for(board)
    );
    text += &format!("WDL  {}\nDTZ  {}\n\n{:<8} {:<13} {:>4}\n", answer.wdl, dtz(answer.dtz), "move", "result", "DTZ");
    for ranked in answer.moves {
        text += &format!("{:<8} {:<13} {:>4}\n", board.san(ranked.mv), ranked.wdl, dtz(ranked.dtz));
    }
    if board.halfmove_clock() > 0 {
        let clock = board.halfmove_clock();
        text += &format!(
            "\nMoves are judged {clock} half-moves after the last capture or pawn move, WDL as if that were now.\n"
        );
    }
    Ok(text)
}
