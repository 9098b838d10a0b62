//! Where games start: a FEN, or a file of EPD lines or PGN games.

use std::io::{self, BufRead, BufReader};
use std::path::Path;

use fs_err as fs;
use movegen::{Board, FenError, Move};

use crate::pgn::{PgnError, PgnReader};

/// A position and moves to play before the engines take over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Opening {
    pub start: Board,
    pub moves: Vec<Move>,
}

/// At least one opening.
pub(super) struct Openings(Vec<Opening>);

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is no position.
    #[error("line {line}: {error}")]
    Fen {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        error: FenError,
    },
    /// A game cannot be read.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// There is nothing in the file.
    #[error("there is no opening in the file")]
    Empty,
}

impl From<Board> for Opening {
    fn from(start: Board) -> Self {
        Self { start, moves: Vec::new() }
    }
}

impl Openings {
    pub fn start() -> Self {
        Self(vec![Board::start().into()])
    }

    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        Ok(Self(vec![Board::from_fen(fen)?.into()]))
    }

    pub fn from_file(path: &Path) -> Result<Self, OpeningError> {
        let file = BufReader::new(fs::File::open(path)?);
        let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        if is_pgn { Self::from_pgn(file) } else { Self::from_epd(file) }
    }

    fn from_pgn(input: impl BufRead) -> Result<Self, OpeningError> {
        let opening = |game: Result<crate::pgn::PgnGame, PgnError>| {
            let tree = game?.tree;
            Ok(Opening { start: *tree.start(), moves: tree.main_moves().collect() })
        };
        Self::some(PgnReader::new(input).map(opening).collect::<Result<_, OpeningError>>()?)
    }

    fn from_epd(input: impl BufRead) -> Result<Self, OpeningError> {
        let mut openings = Vec::new();
        for (index, line) in input.lines().enumerate() {
            let line = line?;
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let board =
                Board::from_fen(position(&line)).map_err(|error| OpeningError::Fen { line: index + 1, error })?;
            openings.push(board.into());
        }
        Self::some(openings)
    }

    fn some(openings: Vec<Opening>) -> Result<Self, OpeningError> {
        if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(Self(openings)) }
    }

    /// The opening of this number, from 0, beginning again after the last.
    pub fn get(&self, number: usize) -> &Opening {
        &self.0[number % self.0.len()]
    }
}

/// The position of an EPD line: four fields, and a FEN's counters if they follow.
fn position(line: &str) -> &str {
    let mut end = 0;
    for count in 1..=6 {
        let rest = &line[end..];
        let start = end + (rest.len() - rest.trim_start().len());
        let length = line[start..].find(char::is_whitespace).unwrap_or(line.len() - start);
        let field = &line[start..start + length];
        if field.is_empty() || count > 4 && !field.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        end = start + length;
    }
    line[..end].trim_end_matches(';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epd_lines_begin_with_a_position() {
        let fields = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        for rest in ["", " ", " bm e4;", " hmvc 0; fmvn 1; id \"8\";", ";", " c0 \"1 2\";"] {
            assert_eq!(position(&format!("{fields}{rest}")), fields, "{rest}");
        }
        assert_eq!(position(&format!("  {fields} 3 9 bm e4")), format!("  {fields} 3 9"));
        assert_eq!(position(""), "");
    }

    #[test]
    fn both_kinds_of_files_are_read() {
        let epd = Openings::from_epd(
            &b"# comment\n\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n4k3/8/8/8/8/8/4P3/4K3 b - - 3 9\n"[..],
        );
        let epd = epd.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((epd.get(0).start.turn(), epd.get(3).start.fullmove_number()), (movegen::Color::White, 9));
        assert!(matches!(Openings::from_epd(&b"\n8/8 w - -"[..]), Err(OpeningError::Fen { line: 2, .. })));
        assert!(matches!(Openings::from_epd(&b"\n"[..]), Err(OpeningError::Empty)));
        let pgn = Openings::from_pgn(&b"1. e4 e5 *\n\n1. d4 *"[..]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!([pgn.get(0).moves.len(), pgn.get(1).moves.len()], [2, 1]);
        assert!(matches!(Openings::from_pgn(&b"1. e5 *"[..]), Err(OpeningError::Pgn(_))));
    }
}
