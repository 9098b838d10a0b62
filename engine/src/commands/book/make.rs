//! A book from games: how often each move was played, and how it fared.
//!
//! Moves are noted down in memory, sorted and put aside when there are many, and merged at the end: so memory does not grow
//! with the games.
//!
//! Source: Polyglot's `make-book`, whose weights these are: two for a win, one for a draw.

use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use cli::tell;
use formats::BookEntry;
use movegen::{Color, GameResult};
use pgn::{FileKind, PgnGame, PgnReader, files, open};

use super::{BookError, BookWriter};

/// How many moves are kept in memory before they are put aside: 24 bytes each.
const MAX_NOTES: usize = 1 << 22;
/// What a note takes aside.
const NOTE_LEN: usize = 20;

/// Makes a book from games.
#[derive(Args, Debug)]
pub(super) struct MakeArguments {
    /// Files of games, compressed or not, and folders of such files
    #[arg(required = true, value_name = "FILE.pgn")]
    games: Vec<PathBuf>,
    /// The book
    #[arg(short, long, value_name = "FILE.bin")]
    output: PathBuf,
    /// Half-moves of each game that are read
    #[arg(long, value_name = "PLIES", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_ply: u32,
    /// In how many games a move must have been played
    #[arg(long, value_name = "COUNT", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// What a move must have scored, in per cent of the points
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = read_percent)]
    min_score: f64,
    /// Moves of one side only
    #[arg(long, value_enum, value_name = "SIDE")]
    only: Option<Side>,
    /// Give all moves of a position the same weight
    #[arg(long)]
    uniform: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    White,
    Black,
}

/// A move of a position: in how many games, and its points doubled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Note {
    key: u64,
    mv: u16,
    games: u32,
    points: u32,
}

impl Note {
    fn to_bytes(self) -> [u8; NOTE_LEN] {
        let mut bytes = [0; NOTE_LEN];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.mv.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.games.to_le_bytes());
        bytes[16..].copy_from_slice(&self.points.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: [u8; NOTE_LEN]) -> Self {
        let number =
            |range: std::ops::Range<usize>| bytes[range].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        Self {
            key: number(0..8),
            mv: number(8..10) as u16,
            games: number(12..16) as u32,
            points: number(16..20) as u32,
        }
    }

    const fn is_of(&self, other: &Self) -> bool {
        self.key == other.key && self.mv == other.mv
    }

    const fn add(&mut self, other: &Self) {
        self.games = self.games.saturating_add(other.games);
        self.points = self.points.saturating_add(other.points);
    }
}

pub(super) fn run(arguments: &MakeArguments) -> Result<(), BookError> {
    let paths = files(&arguments.games, FileKind::Games).map_err(BookError::Find)?;
    let mut book = BookWriter::create(&arguments.output, &paths)?;
    let mut notes = Notes::default();
    let mut games = 0;
    for path in &paths {
        let text = open(path).map_err(|error| BookError::Read { path: path.clone(), error })?;
        for game in PgnReader::new(text) {
            match game {
                Ok(game) => {
                    games += 1;
                    note(&game, arguments, &mut notes)?;
                }
                Err(error) => tell(format_args!("{}: {error}", path.display())),
            }
        }
    }
    write(notes, arguments, &mut book)?;
    if book.entries == 0 {
        let (min_games, min_score) = (arguments.min_games, arguments.min_score);
        return Err(BookError::Nothing { games, min_games, min_score });
    }
    Ok(book.commit()?)
}

/// Notes the moves of a game down. A game without a result tells which moves are played, and nothing of how they fare.
fn note(game: &PgnGame, arguments: &MakeArguments, notes: &mut Notes) -> io::Result<()> {
    let mut board = *game.tree.start();
    for mv in game.tree.main_moves().take(arguments.max_ply as usize) {
        let turn = board.turn();
        let is_wanted = arguments.only.is_none_or(|side| (side == Side::White) == (turn == Color::White));
        if let (true, Some(entry)) = (is_wanted, BookEntry::new(&board, mv, 0)) {
            let points = match game.result {
                Some(GameResult::WhiteWins) => 2 * u32::from(turn == Color::White),
                Some(GameResult::BlackWins) => 2 * u32::from(turn == Color::Black),
                Some(GameResult::Draw) => 1,
                _ => 0,
            };
            notes.add(Note { key: entry.key, mv: entry.mv, games: 1, points })?;
        }
        board.play(mv, &mut ());
    }
    Ok(())
}

/// Writes what is left, position by position.
fn write(notes: Notes, arguments: &MakeArguments, book: &mut BookWriter) -> io::Result<()> {
    let mut of_position: Vec<Note> = Vec::new();
    for note in notes.merged()? {
        let note = note?;
        if of_position.first().is_some_and(|first| first.key != note.key) {
            write_position(&mut of_position, arguments, book)?;
        }
        of_position.push(note);
    }
    write_position(&mut of_position, arguments, book)
}

/// Those that were played often and well enough, the weightiest first; weights fit the sixteen bits that there are.
fn write_position(notes: &mut Vec<Note>, arguments: &MakeArguments, book: &mut BookWriter) -> io::Result<()> {
    notes.retain(|note| {
        let score = 50.0 * f64::from(note.points) / f64::from(note.games);
        note.games >= arguments.min_games && score >= arguments.min_score && (note.points > 0 || arguments.uniform)
    });
    notes.sort_by_key(|note| (std::cmp::Reverse(note.points), note.mv));
    let most = notes.iter().map(|note| note.points).max().unwrap_or(0).max(u32::from(u16::MAX));
    for note in notes.drain(..) {
        let scaled = u64::from(note.points) * u64::from(u16::MAX) / u64::from(most);
        let weight = if arguments.uniform { 1 } else { u16::try_from(scaled).unwrap_or(u16::MAX).max(1) };
        book.add(BookEntry { key: note.key, mv: note.mv, weight, learn: 0 })?;
    }
    Ok(())
}

/// Notes in memory, and those that were put aside, each part in order.
#[derive(Default)]
struct Notes {
    here: Vec<Note>,
    aside: Vec<std::fs::File>,
}

impl Notes {
    fn add(&mut self, note: Note) -> io::Result<()> {
        if self.here.len() >= MAX_NOTES {
            self.put_aside()?;
        }
        self.here.try_reserve(1).map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        self.here.push(note);
        Ok(())
    }

    /// Sorts what is in memory and sums up what is of the same move.
    fn sort(&mut self) {
        self.here.sort_unstable();
        self.here.dedup_by(|next, kept| {
            let is_same = kept.is_of(next);
            if is_same {
                kept.add(next);
            }
            is_same
        });
    }

    fn put_aside(&mut self) -> io::Result<()> {
        self.sort();
        if self.here.len() < MAX_NOTES / 2 {
            return Ok(());
        }
        let mut file = BufWriter::new(tempfile::tempfile()?);
        self.here.drain(..).try_for_each(|note| file.write_all(&note.to_bytes()))?;
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        self.aside.push(file);
        Ok(())
    }

    /// All in order, each move once.
    fn merged(mut self) -> io::Result<impl Iterator<Item = io::Result<Note>>> {
        self.sort();
        let aside = self.aside.into_iter().map(|file| Box::new(read(BufReader::new(file))) as Stream);
        let mut streams: Vec<_> = aside.chain([Box::new(self.here.into_iter().map(Ok)) as Stream]).collect();
        let mut heads = streams.iter_mut().map(|stream| stream.next().transpose()).collect::<io::Result<Vec<_>>>()?;
        Ok(std::iter::from_fn(move || {
            let least = heads.iter().flatten().map(|note| (note.key, note.mv)).min()?;
            let mut sum: Option<Note> = None;
            for (head, stream) in heads.iter_mut().zip(&mut streams) {
                while let Some(note) = head.filter(|note| (note.key, note.mv) == least) {
                    match &mut sum {
                        Some(sum) => sum.add(&note),
                        None => sum = Some(note),
                    }
                    match stream.next().transpose() {
                        Ok(next) => *head = next,
                        Err(error) => return Some(Err(error)),
                    }
                }
            }
            sum.map(Ok)
        }))
    }
}

type Stream = Box<dyn Iterator<Item = io::Result<Note>>>;

fn read(mut file: BufReader<std::fs::File>) -> impl Iterator<Item = io::Result<Note>> {
    std::iter::from_fn(move || {
        let mut bytes = [0; NOTE_LEN];
        match file.read_exact(&mut bytes) {
            Ok(()) => Some(Ok(Note::from_bytes(bytes))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
            Err(error) => Some(Err(error)),
        }
    })
}

fn read_percent(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|value| (0.0..=100.0).contains(value))
        .ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_the_same_move_are_summed_wherever_they_lie() {
        let note = |key, mv, points| Note { key, mv, games: 1, points };
        let mut notes = Notes { here: vec![note(2, 1, 2), note(1, 7, 0), note(2, 1, 1)], aside: Vec::new() };
        let mut file = tempfile::tempfile().unwrap();
        for note in [note(1, 7, 2), note(3, 1, 1)] {
            file.write_all(&note.to_bytes()).unwrap();
        }
        file.seek(SeekFrom::Start(0)).unwrap();
        notes.aside.push(file);
        let merged: Vec<_> = notes.merged().unwrap().map(Result::unwrap).collect();
        let found: Vec<_> = merged.iter().map(|note| (note.key, note.mv, note.games, note.points)).collect();
        assert_eq!(found, [(1, 7, 2, 2), (2, 1, 2, 3), (3, 1, 1, 1)]);
    }
}
