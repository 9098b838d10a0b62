//! Text that somebody pastes, as games: PGN, or lines of positions.

use pgn::{PgnReader, Remark};

use crate::positions::{is_position, read_position};

/// The most things that are said about a text.
const MAX_PROBLEMS: usize = 1000;

/// What could not be read of a text, or not as it stands.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Problem {
    /// Its line, from 1.
    pub line: u64,
    /// What is wrong.
    pub text: String,
}

impl Problem {
    /// What the reader has to say of a game.
    pub fn of(remark: &Remark) -> Self {
        let text = remark.to_string();
        // The line stands beside it.
        let text = text.strip_prefix(&format!("line {}: ", remark.line)).unwrap_or(&text).to_owned();
        Self { line: remark.line, text }
    }
}

/// The games of a pasted text.
#[derive(Debug, serde::Serialize)]
pub struct Pasted {
    /// All of them, as PGN.
    pub pgn: String,
    /// How many there are.
    pub games: usize,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// Reads a pasted text.
pub fn read_pasted(text: &str) -> Pasted {
    if are_positions(text.as_bytes()) { read_lines(text) } else { read_games(text) }
}

/// Whether a text that begins so is made of positions, a line each.
pub fn are_positions(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let mut lines = text.lines().map(|line| line.trim_start_matches('\u{FEFF}').trim());
    lines.find(|line| !pgn::is_comment(line) && !line.is_empty()).is_some_and(is_position)
}

fn read_lines(text: &str) -> Pasted {
    let mut pasted = Pasted { pgn: String::new(), games: 0, problems: Vec::new() };
    for (line, number) in text.lines().zip(1..) {
        let mut note = |text: String| {
            if pasted.problems.len() < MAX_PROBLEMS {
                pasted.problems.push(Problem { line: number, text });
            }
        };
        match read_position(line) {
            None => {}
            Some(Err(error)) => note(error.to_string()),
            Some(Ok(found)) => {
                found.notes.into_iter().for_each(note);
                pasted.pgn.push_str(&found.game.to_string());
                pasted.games += 1;
            }
        }
    }
    pasted
}

/// Games stay as they are written; those that cannot be read too, as a part of the text.
fn read_games(text: &str) -> Pasted {
    let mut pasted = Pasted { pgn: String::new(), games: 0, problems: Vec::new() };
    for game in PgnReader::new(text.as_bytes()) {
        let room = MAX_PROBLEMS.saturating_sub(pasted.problems.len());
        match game {
            Ok(game) => {
                pasted.games += 1;
                pasted
                    .problems
                    .extend(game.remarks.iter().filter(|remark| remark.is_loss()).map(Problem::of).take(room));
            }
            Err(error) => {
                let problem = Problem { line: error.line, text: error.fault.to_string() };
                pasted.problems.extend(Some(problem).filter(|_| room > 0));
            }
        }
    }
    if pasted.games > 0 || !pasted.problems.is_empty() {
        text.clone_into(&mut pasted.pgn);
    }
    pasted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_positions_are_told_apart() {
        let pasted = read_pasted("1. e4 e5 *\n\n1. d4 d5 *\n");
        assert_eq!((pasted.games, pasted.problems.len()), (2, 0));
        let pasted = read_pasted("[Event \"a\"]\n\n1. e4 e5 2. Ke3 *\n\n[FEN \"x\"]\n\n1. e4 *\n");
        assert_eq!(pasted.games, 1);
        assert_eq!(pasted.problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [3, 7]);
        assert!(!pasted.problems[0].text.contains("line 3"), "{:?}", pasted.problems);
        let text =
            "\n# two positions\nposition startpos moves e2e4\n8/8/8/8 w - -\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";
        let pasted = read_pasted(text);
        assert_eq!((pasted.games, PgnReader::new(pasted.pgn.as_bytes()).count()), (2, 2));
        assert_eq!(pasted.problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [4]);
        let pasted = read_pasted("lichess.org/abcdefgh");
        assert!(pasted.games == 0 && pasted.problems[0].text.contains("not fetched"));
        assert_eq!(read_pasted("what is this?").games, 0);
    }
}
