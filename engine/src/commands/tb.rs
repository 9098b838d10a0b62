//! `vancura tb`: what endgame tables say about a position and its moves.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::Args;
use cli::{Printable, folders, read_position, tell};
use movegen::{Board, FenError, FenStyle, Position};
use search::{Tablebase, Wdl};

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
    /// The side to move has no move.
    #[error("the game is over: {}", if *.is_mate { "checkmate" } else { "stalemate" })]
    Over {
        /// Whether it is mated.
        is_mate: bool,
    },
    /// The tables are for fewer pieces.
    #[error("the position has {pieces} pieces, but the tables have at most {largest}")]
    TooManyPieces {
        /// On the board.
        pieces: usize,
        /// Of any table.
        largest: usize,
    },
    /// A side may still castle.
    #[error("endgame tables do not cover positions in which a side may still castle")]
    Castling,
    /// The table for these pieces, or one that it depends on, is missing or damaged.
    #[error("the table {0}, or one it leads to, is missing or damaged")]
    NoTable(String),
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
    if !board.has_legal_move() {
        return Err(TbError::Over { is_mate: board.in_check() });
    }
    let (wdl_files, dtz_files) = tables.files();
    if wdl_files == 0 {
        return Err(TbError::NoTables(path.to_owned()));
    }
    let (pieces, largest) = (board.occupied().count(), tables.largest());
    if pieces > largest {
        return Err(TbError::TooManyPieces { pieces, largest });
    }
    if !board.castling().is_empty() {
        return Err(TbError::Castling);
    }
    let moves = tables.ranked_moves(&Position::from(*board));
    let (Some(wdl), Some(moves)) = (tables.wdl(board), moves) else {
        return Err(TbError::NoTable(Tablebase::name_for(board)));
    };
    let dtz = |dtz: Option<i32>| dtz.map_or_else(|| "?".to_owned(), |dtz| dtz.to_string());
    let mut text = format!(
        "{}\nTable {}, of {wdl_files} with results and {dtz_files} with distances\n\n",
        board.fen(FenStyle::Standard),
        Tablebase::name_for(board)
    );
    text += &format!(
        "WDL  {}\nDTZ  {}\n\n{:<8} {:<13} {:>4}\n",
        name(wdl),
        dtz(tables.dtz(board)),
        "move",
        "result",
        "DTZ"
    );
    for ranked in moves {
        text += &format!("{:<8} {:<13} {:>4}\n", board.san(ranked.mv), name(ranked.wdl), dtz(ranked.dtz));
    }
    if board.halfmove_clock() > 0 {
        let clock = board.halfmove_clock();
        text += &format!(
            "\nMoves are judged {clock} half-moves after the last capture or pawn move, WDL as if that were now.\n"
        );
    }
    Ok(text)
}

const fn name(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Win => "win",
        Wdl::CursedWin => "cursed win",
        Wdl::Draw => "draw",
        Wdl::BlessedLoss => "blessed loss",
        Wdl::Loss => "loss",
    }
}
