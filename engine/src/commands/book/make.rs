//! A book from games: how often each move was played, and how it fared.
//!
//! A [`Sorter`] keeps what was played on disk, in sorted runs: so memory does not grow with the games.
//!
//! Source: Polyglot's `make-book`, whose weights these are: two for a win, one for a draw.

use std::cmp::Reverse;
use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use cli::{counted, tell};
use explorer::{Note, Sorter, read_games_on_terminal};
use formats::BookEntry;
use movegen::{Color, GameResult};
use pgn::{FileKind, PgnGame, files};

use super::{BookError, BookWriter};

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
    #[arg(long, visible_alias = "plies", value_name = "PLIES", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_ply: u32,
    /// In how many games a move must have been played
    #[arg(long, value_name = "COUNT", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// What a move must have scored, in per cent of the points
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = read_percent)]
    min_score: f64,
    /// Moves of one side only
    #[arg(long, visible_alias = "side", value_enum, value_name = "SIDE")]
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

/// What a note has below the points of a move: when it was played first.
const POINTS_BITS: u32 = 2;

/// A move of a position: in how many games, its points doubled, and the number of the note when it was played first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Played {
    mv: u16,
    games: u32,
    points: u32,
    first: u32,
}

/// What the games have in them.
#[derive(Default)]
struct Gathered {
    notes: Sorter,
    /// Games that end in no result, in which nothing scores.
    without_result: usize,
}

pub(super) fn run(arguments: &MakeArguments) -> Result<(), BookError> {
    let paths = files(&arguments.games, FileKind::Games).map_err(BookError::Find)?;
    let mut book = BookWriter::create(&arguments.output, &paths)?;
    let mut gathered = Gathered::default();
    let losses = read_games_on_terminal(&paths, |game, _| Ok::<_, BookError>(gathered.note(game, arguments)?))?;
    let Gathered { notes, without_result } = gathered;
    write(notes, arguments, &mut book)?;
    if without_result > 0 && !arguments.uniform {
        let games = counted(without_result, "game");
        tell(format_args!("no result, so no points for any move: {games} (--uniform keeps moves without points)"));
    }
    if book.entries == 0 {
        let (min_games, min_score) = (arguments.min_games, arguments.min_score);
        return Err(BookError::Nothing { games: losses.games, min_games, min_score });
    }
    book.commit()?;
    losses.message().map_or(Ok(()), |text| Err(BookError::Lost(text)))
}

impl Gathered {
    /// Notes the moves of a game down. A game without a result tells which moves are played, and nothing of how they fare.
    fn note(&mut self, game: &PgnGame, arguments: &MakeArguments) -> io::Result<()> {
        self.without_result += usize::from(game.result.is_none());
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
                // Beyond what fits, all moves are as late as the last that does.
                let number = self.notes.len().min(u64::from(u32::MAX >> POINTS_BITS)) as u32;
                self.notes.add(Note { key: entry.key, mv: entry.mv, value: number << POINTS_BITS | points })?;
            }
            board.play(mv, &mut ());
        }
        Ok(())
    }
}

/// Writes the moves, position by position.
fn write(notes: Sorter, arguments: &MakeArguments, book: &mut BookWriter) -> io::Result<()> {
    let (mut key, mut moves) = (0, Vec::<Played>::new());
    for note in notes.sorted()? {
        let Note { key: next, mv, value } = note?;
        let (first, points) = (value >> POINTS_BITS, value & ((1 << POINTS_BITS) - 1));
        if next != key {
            write_position(key, &mut moves, arguments, book)?;
            key = next;
        }
        match moves.last_mut().filter(|played| played.mv == mv) {
            Some(played) => {
                played.games = played.games.saturating_add(1);
                played.points = played.points.saturating_add(points);
            }
            None => moves.push(Played { mv, games: 1, points, first }),
        }
    }
    write_position(key, &mut moves, arguments, book)
}

/// Those that were played often and well enough, the weightiest first, of equal ones that which was played first; weights fit
/// the sixteen bits that there are.
fn write_position(
    key: u64,
    moves: &mut Vec<Played>,
    arguments: &MakeArguments,
    book: &mut BookWriter,
) -> io::Result<()> {
    moves.retain(|&Played { games, points, .. }| {
        let score = 50.0 * f64::from(points) / f64::from(games);
        games >= arguments.min_games && score >= arguments.min_score && (points > 0 || arguments.uniform)
    });
    let weight = |played: &Played| if arguments.uniform { 1 } else { played.points };
    moves.sort_by_key(|played| (Reverse(weight(played)), played.first, played.mv));
    let most = moves.iter().map(|played| played.points).max().unwrap_or(0).max(u32::from(u16::MAX));
    for Played { mv, points, .. } in moves.drain(..) {
        let scaled = u64::from(points) * u64::from(u16::MAX) / u64::from(most);
        let weight = if arguments.uniform { 1 } else { u16::try_from(scaled).unwrap_or(u16::MAX).max(1) };
        book.add(BookEntry { key, mv, weight, learn: 0 })?;
    }
    Ok(())
}

fn read_percent(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|value| (0.0..=100.0).contains(value))
        .ok_or_else(|| "expected a number from 0 to 100".to_owned())
}
