//! What is found out of a game when its file is read for the first time.

use std::io::{self, BufRead, Read};

use pgn::{NodeId, PgnGame, PgnReader};

use crate::list::Heading;
use crate::paste::Problem;
use crate::positions::{PositionGame, read_position};

/// The most things that are said about one game.
const MAX_PROBLEMS: usize = 20;
/// Games that are handed on together.
const BATCH: usize = 64;
/// The longest line that may be a position, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// A game, or what should have been one.
pub(super) struct Entry {
    /// Where it begins.
    pub start: u64,
    pub line: u64,
    pub heading: Heading,
    pub problems: Vec<Problem>,
    /// With those that are not kept.
    pub problem_count: usize,
}

/// Games that follow one another.
pub(super) struct Batch {
    pub entries: Vec<Entry>,
    /// Where the text ends of which these are the last games.
    pub end: u64,
}

/// A part of a text: where it begins, and the number of its first line.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    pub start: u64,
    pub line: u64,
}

/// Reads games and hands them on; stops when nobody wants them.
pub(super) fn read_games(input: impl BufRead, origin: Origin, mut take: impl FnMut(Batch) -> bool) {
    let mut reader = PgnReader::new(input).from_line(origin.line);
    let mut entries = Vec::new();
    while let Some(game) = reader.next() {
        let bytes = reader.game_bytes();
        let (heading, problems) = match game {
            Ok(game) => {
                let losses = game.remarks.iter().filter(|remark| remark.is_loss());
                (heading_of(&game), losses.map(Problem::of).collect::<Vec<_>>())
            }
            Err(error) => {
                let problem = Problem { line: error.line, text: error.fault.to_string() };
                (Heading::new(reader.lost_tags(), None, 0), vec![problem])
            }
        };
        let end = origin.start + bytes.end;
        entries.push(entry(origin.start + bytes.start, reader.game_line(), heading, problems));
        if entries.len() >= BATCH && !take(Batch { entries: std::mem::take(&mut entries), end }) {
            return;
        }
    }
    let end = origin.start + reader.game_bytes().end;
    take(Batch { entries, end });
}

fn entry(start: u64, line: u64, heading: Heading, mut problems: Vec<Problem>) -> Entry {
    let problem_count = problems.len();
    problems.truncate(MAX_PROBLEMS);
    Entry { start, line, heading, problems, problem_count }
}

fn heading_of(game: &PgnGame) -> Heading {
    let tree = &game.tree;
    let plies = std::iter::successors(tree.main_child(NodeId::ROOT), |&id| tree.main_child(id)).count();
    Heading::new(&game.tags, game.result, plies)
}

/// Reads lines of positions and hands them on; stops when nobody wants them.
pub(super) fn read_positions(mut input: impl BufRead, origin: Origin, mut take: impl FnMut(Batch) -> bool) {
    let (mut entries, mut bytes, mut start) = (Vec::new(), Vec::new(), origin.start);
    for line in origin.line.. {
        bytes.clear();
        let Ok(length) = input.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut bytes) else { break };
        let rest = if bytes.last() == Some(&b'\n') { Ok(0) } else { input.skip_until(b'\n') };
        let length = (length + rest.unwrap_or(0)) as u64;
        if length == 0 {
            break;
        }
        let text = pgn::decode(&bytes);
        if let Some(found) = read_position(&text) {
            let (heading, notes) = match found {
                Ok(PositionGame { game, notes }) => (heading_of(&game), notes),
                Err(error) => {
                    (Heading { event: text.trim().to_owned(), ..Heading::default() }, vec![error.to_string()])
                }
            };
            let problems = notes.into_iter().map(|text| Problem { line, text }).collect();
            entries.push(entry(start, line, heading, problems));
        }
        start += length;
        if entries.len() >= BATCH && !take(Batch { entries: std::mem::take(&mut entries), end: start }) {
            return;
        }
    }
    take(Batch { entries, end: start });
}

/// What is said of a game that is too long to be read at once.
pub(super) fn is_too_large(length: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("the game has {length} bytes, and is not read"))
}
