//! A line of moves as people write it.

use std::fmt::{Display, Write};

use movegen::{Board, Color, Move};

/// Moves from a board in Standard Algebraic Notation with move numbers: `3. Bb5 a6 4. Ba4`, `3... a6 4. Ba4`.
#[must_use]
pub fn numbered_line(board: &Board, line: &[Move]) -> String {
    let mut board = *board;
    let first = board;
    let san = line.iter().map(|&mv| {
        let san = board.san(mv);
        board.play(mv, &mut ());
        san
    });
    number_moves(&first, san)
}

/// As [`numbered_line`], for moves already written, the first of them made on `board`.
#[must_use]
pub fn number_moves(board: &Board, san: impl IntoIterator<Item = impl Display>) -> String {
    let (mut number, mut turn) = (board.fullmove_number(), board.turn());
    let mut text = String::new();
    for (index, san) in san.into_iter().enumerate() {
        let space = if index > 0 { " " } else { "" };
        // Writing to a string cannot fail.
        let _ = match turn {
            Color::White => write!(text, "{space}{number}. {san}"),
            Color::Black if index == 0 => write!(text, "{number}... {san}"),
            Color::Black => write!(text, "{space}{san}"),
        };
        number += u32::from(turn == Color::Black);
        turn = !turn;
    }
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
        assert_eq!(numbered_line(&Board::start(), &line), "1. e4 e5 2. Nf3");
        let mut later = Board::start();
        later.play(line[0], &mut ());
        assert_eq!(numbered_line(&later, &line[1..]), "1... e5 2. Nf3");
        assert_eq!(numbered_line(&later, &[]), "");
    }
}
