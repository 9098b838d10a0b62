//! The names of openings, with their codes in the Encyclopaedia of Chess Openings (ECO).
//!
//! A game's opening is the last position of it that the list names, so that transpositions are recognised. Positions are
//! looked up by their keys.
//!
//! Source: <https://github.com/lichess-org/chess-openings>, commit 51b886249b9e418498d25b6e39b926c3de99c29a, in the public
//! domain by CC0 1.0. `tools/openings/update.py` makes `openings.tsv` from it. A line holds the code, the name, how many
//! half-moves are those of the line before, and the others; the lines are sorted by their moves.

use std::collections::HashMap;

use movegen::{Board, Key};
use once_cell::sync::Lazy;

use crate::tree::Tree;

const LIST: &str = include_str!("eco/openings.tsv");

/// Read on first use, in a few milliseconds. Where there is no memory for it, openings have no names.
static NAMES: Lazy<HashMap<Key, OpeningName>> = Lazy::new(|| {
    let mut names = HashMap::new();
    if names.try_reserve(LIST.lines().count()).is_ok() {
        names.extend(read(LIST).map(|(board, name)| (board.key(), name)));
    }
    names
});

/// An opening by code and name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OpeningName {
    /// The code of the Encyclopaedia of Chess Openings, a letter from A to E and two digits: `B90`.
    pub eco: &'static str,
    /// The name in English: `Sicilian Defense: Najdorf Variation`.
    pub name: &'static str,
}

impl OpeningName {
    /// The opening that has this position, whichever moves led to it; `None` if the list does not name it.
    #[must_use]
    pub fn of_position(board: &Board) -> Option<Self> {
        NAMES.get(&board.key()).copied()
    }

    /// The opening of a game: the last position of its main line, up to a turn that is passed, that the list names.
    /// `None` if there is none or the game does not start from the standard position.
    #[must_use]
    pub fn of_game(tree: &Tree) -> Option<Self> {
        let mut board = *tree.start();
        if board.key() != Board::start().key() {
            return None;
        }
        let names = tree.main_moves().map(|mv| {
            board.play(mv, &mut ());
            Self::of_position(&board)
        });
        names.flatten().last()
    }
}

/// The positions of a list and their names. A line that cannot be read is left out; the tests see that there is none.
fn read(list: &'static str) -> impl Iterator<Item = (Board, OpeningName)> {
    let mut boards = vec![Board::start()];
    list.lines().filter_map(move |line| read_line(line, &mut boards))
}

/// Reads a line; `boards` are the positions of the line before, and then those of this one.
fn read_line(line: &'static str, boards: &mut Vec<Board>) -> Option<(Board, OpeningName)> {
    let mut fields = line.split('\t');
    let (eco, name) = (fields.next()?, fields.next()?);
    let shared: usize = fields.next()?.parse().ok()?;
    boards.truncate(shared + 1);
    for san in fields.next()?.split(' ') {
        let mut board = *boards.last()?;
        board.play(board.parse_san(san).ok()?, &mut ());
        boards.push(board);
    }
    Some((*boards.last()?, OpeningName { eco, name }))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::read::PgnReader;

    fn opening(pgn: &str) -> Option<(&'static str, &'static str)> {
        let game = PgnReader::new(pgn.as_bytes()).next().expect("a game").unwrap_or_else(|error| panic!("{error}"));
        OpeningName::of_game(&game.tree).map(|opening| (opening.eco, opening.name))
    }

    #[test]
    fn every_line_of_the_list_has_its_name_and_no_position_two() {
        let lines: Vec<_> = read(LIST).collect();
        assert_eq!(lines.len(), LIST.lines().count());
        assert!(lines.len() > 3_000);
        let mut seen = HashSet::new();
        for (board, name) in lines {
            assert!(seen.insert(board.key()), "twice: {name:?}");
            assert_eq!(OpeningName::of_position(&board), Some(name));
            let [letter, tens, ones] = name.eco.as_bytes() else { panic!("{name:?}") };
            assert!(matches!(letter, b'A'..=b'E') && tens.is_ascii_digit() && ones.is_ascii_digit(), "{name:?}");
            assert!(!name.name.is_empty() && name.name.trim() == name.name && !name.name.contains('"'), "{name:?}");
        }
    }

    #[test]
    fn well_known_openings_are_named() {
        for (moves, eco, name) in [
            ("1. e4", "B00", "King's Pawn Game"),
            ("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6", "B90", "Sicilian Defense: Najdorf Variation"),
            ("1. e4 e5 2. Nf3 Nc6 3. Bb5", "C60", "Ruy Lopez"),
            ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5", "C50", "Italian Game: Giuoco Piano"),
            ("1. e4 e5 2. Nf3 Nf6", "C42", "Petrov's Defense"),
            ("1. e4 e5 2. f4 exf4", "C33", "King's Gambit Accepted"),
            ("1. e4 e6 2. d4 d5 3. e5", "C02", "French Defense: Advance Variation"),
            ("1. e4 c6", "B10", "Caro-Kann Defense"),
            ("1. d4 d5 2. c4", "D06", "Queen's Gambit"),
            ("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4", "E20", "Nimzo-Indian Defense"),
            ("1. d4 Nf6 2. c4 g6 3. Nc3 d5", "D80", "Grünfeld Defense"),
            ("1. c4", "A10", "English Opening"),
            ("1. f3 e5 2. g4 Qh4# 0-1", "A00", "Barnes Opening: Fool's Mate"),
        ] {
            assert_eq!(opening(moves), Some((eco, name)), "{moves}");
        }
    }

    #[test]
    fn transpositions_are_recognised() {
        let queens_gambit_declined = opening("1. d4 d5 2. c4 e6 3. Nc3 Nf6");
        assert_eq!(queens_gambit_declined.map(|(eco, _)| eco), Some("D35"));
        for moves in ["1. c4 e6 2. Nc3 d5 3. d4 Nf6", "1. d4 Nf6 2. c4 e6 3. Nc3 d5", "1. d4 e6 2. c4 Nf6 3. Nc3 d5"] {
            assert_eq!(opening(moves), queens_gambit_declined, "{moves}");
        }
        assert_eq!(opening("1. e3 e6 2. e4 e5 3. Nf3 Nc6"), opening("1. e4 e5 2. Nf3 Nc6"));
    }

    #[test]
    fn the_last_named_position_counts() {
        let najdorf = opening("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6");
        assert_eq!(opening("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. a3 h6 7. h3 Ra7 8. Ra2"), najdorf);
        assert_eq!(opening("1. e4 (1. d4 d5 2. c4) *"), opening("1. e4"), "of the main line");
        assert_eq!(opening("1. e4 c5 2. -- d6 *"), opening("1. e4 c5"), "up to a turn that is passed");
    }

    #[test]
    fn only_the_standard_position_has_openings() {
        for game in [
            "[Event \"x\"]\n\n*",
            "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n2. Nf3 Nc6 *",
            "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1\"]\n\n1... e5 *",
            "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1\"]\n\n1. e4 *",
            "[Variant \"Chess960\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1\"]\n\n1. e4 *",
        ] {
            assert_eq!(opening(game), None, "{game}");
        }
        let chess960 = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                        [FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1\"]\n\n1. e4 c6 *";
        assert_eq!(opening(chess960), opening("1. e4 c6"), "number 518 is the standard position");
    }
}
