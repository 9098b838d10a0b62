//! A profile as text for the terminal.

use std::io::{self, Write};

use super::model::{Position, Profile, Row};
use crate::judge::BLUNDER;

/// The most rows of a table.
const MAX_ROWS: usize = 12;
/// The widest name, in characters.
const WIDTH: usize = 36;

/// Writes the summary.
pub(super) fn write(output: &mut dyn Write, profile: &Profile) -> io::Result<()> {
    let Profile { player, total, practice, .. } = profile;
    writeln!(output, "{player}: {}", results(total))?;
    if total.moves == 0 {
        return writeln!(output, "no move could be judged");
    }
    write!(output, "accuracy {}, {} % of a point lost a move", number(total.accuracy), number(total.loss))?;
    match total.trend {
        Some(trend) => writeln!(output, ", {trend:+.2} accuracy a month")?,
        None => writeln!(output)?,
    }
    for (title, rows) in profile.tables().into_iter().chain([("Month", &profile.months[..])]) {
        table(output, title, rows)?;
    }
    if !practice.is_empty() {
        writeln!(output, "\nTo practise")?;
    }
    practice.iter().try_for_each(|position| writeln!(output, "{}\n    {}", position.fen, story(position)))
}

/// `12 games: 5 won, 3 drawn, 4 lost`.
pub(super) fn results(row: &Row) -> String {
    let games = cli::counted(usize::try_from(row.games).unwrap_or(usize::MAX), "game");
    format!("{games}: {} won, {} drawn, {} lost", row.wins, row.draws, row.losses)
}

/// A number with one decimal, or a dash.
pub(super) fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"))
}

/// What happened in a position.
pub(super) fn story(position: &Position) -> String {
    let Position { times, loss, played, best, number, black, opponent, date, .. } = position;
    let dots = if *black { "..." } else { "." };
    let best = best.as_ref().map(|best| format!(", {best} was best")).unwrap_or_default();
    let date = if date.is_empty() { String::new() } else { format!(", {date}") };
    let often = if *times > 1 { format!(" in {times} games") } else { String::new() };
    let sign = if *loss > 100.0 * BLUNDER * *times as f64 { "??" } else { "?" };
    format!("{number}{dots} {played}{sign}{best}; {loss:.0} % of a point lost{often}; against {opponent}{date}")
}

fn table(output: &mut dyn Write, title: &str, rows: &[Row]) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(
        output,
        "\n{title:WIDTH$} {:>6} {:>6} {:>6} {:>8} {:>6} {:>8}",
        "games", "score", "moves", "accuracy", "loss", "blunders"
    )?;
    for row in rows.iter().take(MAX_ROWS) {
        let name: String = row.name.chars().take(WIDTH).collect();
        let (score, accuracy, loss) = (number(row.score), number(row.accuracy), number(row.loss));
        writeln!(
            output,
            "{name:WIDTH$} {:>6} {score:>6} {:>6} {accuracy:>8} {loss:>6} {:>8}",
            row.games, row.moves, row.blunders
        )?;
    }
    if rows.len() > MAX_ROWS {
        writeln!(output, "... and {} more", rows.len() - MAX_ROWS)?;
    }
    Ok(())
}
