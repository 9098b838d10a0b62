//! An answer as text for the terminal.

use std::io::{self, Write};

use cli::counted;
use movegen::Board;

use crate::answer::{Answer, GameRow, MoveRow};

/// Writes the moves of a position and its games.
pub(super) fn write(output: &mut dyn Write, board: &Board, answer: &Answer) -> io::Result<()> {
    let Answer { fen, opening, moves, top, newest, .. } = answer;
    writeln!(output, "{fen}{}", if answer.chess960 { " (Chess960)" } else { "" })?;
    if let Some([code, name]) = opening {
        writeln!(output, "{code} {name}")?;
    }
    if moves.is_empty() {
        let is_over = !board.has_legal_move();
        return writeln!(output, "{}", if is_over { "the game is over" } else { "no game has a move here" });
    }
    let games = answer.games();
    writeln!(output, "{}", counted(usize::try_from(games).unwrap_or(usize::MAX), "game"))?;
    writeln!(
        output,
        "\n{:8} {:>9} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}  years",
        "move", "games", "share", "white", "draw", "black", "rating", "perf."
    )?;
    moves.iter().try_for_each(|row| write_move(output, row, games))?;
    for (title, rows) in [("Highest ratings", top), ("Latest", newest)] {
        writeln!(output, "\n{title}")?;
        rows.iter().try_for_each(|row| write_game(output, row))?;
    }
    Ok(())
}

fn write_move(output: &mut dyn Write, row: &MoveRow, games: u64) -> io::Result<()> {
    let percent = |part: u64, of: u64| match of {
        0 => "–".to_owned(),
        of => format!("{:.1} %", 100.0 * part as f64 / of as f64),
    };
    let finished = row.white + row.draws + row.black;
    let [white, draws, black] = [row.white, row.draws, row.black].map(|part| percent(part, finished));
    let [rating, performance] =
        [row.rating, row.performance].map(|rating| rating.map_or("–".to_owned(), |rating| rating.to_string()));
    let years = match (row.first_year, row.last_year) {
        (Some(first), Some(last)) if first < last => format!("{first}–{last}"),
        (first, last) => first.or(last).map_or("–".to_owned(), |year| year.to_string()),
    };
    let share = percent(row.games, games);
    writeln!(
        output,
        "{:8} {:>9} {share:>6} {white:>6} {draws:>6} {black:>6} {rating:>6} {performance:>6}  {years}",
        row.san, row.games
    )
}

fn write_game(output: &mut dyn Write, row: &GameRow) -> io::Result<()> {
    let player = |name: &str, rating: Option<u16>| match rating {
        Some(rating) => format!("{name} ({rating})"),
        None => name.to_owned(),
    };
    let (white, black) = (player(&row.white, row.white_rating), player(&row.black, row.black_rating));
    let year = row.year.map_or_else(String::new, |year| format!(", {year}"));
    let file = row.file.as_deref().unwrap_or_default();
    writeln!(output, "  {:8} {white} – {black}  {}{year}, {file}:{}", row.san, row.result, row.line)
}
