//! A position on the command line.

use std::io::{self, Write};

use movegen::{Board, FenError};

/// The board that some words name: a FEN, in quotes or not, `startpos`, or nothing for the start of a normal game.
/// What was ignored or changed in it is told.
pub(crate) fn read_board(words: &[String]) -> Result<Board, FenError> {
    let text = words.join(" ");
    if matches!(text.trim(), "" | "startpos") {
        return Ok(Board::start());
    }
    let (board, warnings) = Board::from_fen_with_warnings(&text)?;
    for warning in warnings {
        // Nobody may be there to read it.
        let _ = writeln!(io::stderr(), "warning: FEN: {warning}");
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use movegen::FenStyle;

    use super::*;

    fn read(words: &[&str]) -> Result<String, String> {
        let words: Vec<_> = words.iter().map(ToString::to_string).collect();
        read_board(&words).map(|board| board.fen(FenStyle::Standard)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_fen_may_stand_in_quotes_or_not() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 9";
        assert_eq!(read(&[fen]).as_deref(), Ok(fen));
        assert_eq!(read(&fen.split(' ').collect::<Vec<_>>()).as_deref(), Ok(fen));
        let start = Ok(Board::start().fen(FenStyle::Standard));
        assert_eq!([read(&[]), read(&[""]), read(&["startpos"])], [start.clone(), start.clone(), start]);
        assert_eq!(read(&["nonsense"]), Err("board \"nonsense\" has 1 ranks, not 8".to_owned()));
    }
}
