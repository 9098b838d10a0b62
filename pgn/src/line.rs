//! A line of moves as people write it.

use std::fmt::Write;

use movegen::{Board, Color, Move};

/// The line in Standard Algebraic Notation with move numbers: `3. Bb5 a6 4. Ba4`, `3... a6 4. Ba4`.
pub fn numbered(board: &Board, line: &[Move]) -> String {
    let (mut board, mut text) = (*board, String::new());
    for (index, &mv) in line.iter().enumerate() {
        let number = board.fullmove_number();
        // Writing to a string cannot fail.
        let _ = match board.turn() {
            Color::White => write!(text, "{number}. "),
            Color::Black if index == 0 => write!(text, "{number}... "),
            Color::Black => Ok(()),
        };
        let _ = write!(text, "{} ", board.san(mv));
        board.play(mv, &mut ());
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_before_white_and_where_black_begins() {
        let mut board = Board::start();
        let mut line = Vec::new();
        for text in ["e4", "e5", "Nf3"] {
            let mv = board.parse_san(text).unwrap();
            line.push(mv);
            board.play(mv, &mut ());
        }
        assert_eq!(numbered(&Board::start(), &line), "1. e4 e5 2. Nf3");
        let mut later = Board::start();
        later.play(line[0], &mut ());
        assert_eq!(numbered(&later, &line[1..]), "1... e5 2. Nf3");
        assert_eq!(numbered(&later, &[]), "");
    }
}
