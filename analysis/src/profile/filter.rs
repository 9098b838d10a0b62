//! Which games of a player count, and which of their moves.

use clap::{Args, ValueEnum};
use pgn::Date;

use super::played::Played;
use crate::model::Side;

/// What is asked for; without anything all games and moves count.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct Filter {
    /// Only games from this date on: a year, a month or a day, as 2024, 2024-03 or 2024-03-17
    #[arg(long, value_name = "DATE")]
    since: Option<Date>,
    /// Only games up to this date
    #[arg(long, value_name = "DATE")]
    until: Option<Date>,
    /// Only games with these pieces
    #[arg(long, visible_alias = "color", value_enum, value_name = "COLOUR")]
    colour: Option<Colour>,
    /// Only games whose opening has this code (B90, or B9 for ten of them) or these words in its name
    #[arg(long, value_name = "CODE|NAME")]
    opening: Option<String>,
    /// Only games against opponents with such a rating: 1600-1800, 1600- or -1800
    #[arg(long, value_name = "FROM-TO", allow_hyphen_values = true, value_parser = read_range)]
    rating: Option<Range>,
    /// Only moves with so many seconds left on the clock: 0-30
    #[arg(long, value_name = "FROM-TO", allow_hyphen_values = true, value_parser = read_range)]
    time_left: Option<Range>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Colour {
    White,
    Black,
}

/// Both ends belong to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    from: u64,
    to: u64,
}

impl Range {
    const fn has(self, value: u64) -> bool {
        self.from <= value && value <= self.to
    }
}

impl Filter {
    /// Whether a game counts. One that does not say what is asked for does not.
    pub fn accepts(&self, game: &Played) -> bool {
        let date = Date::read(&game.date);
        let is_colour = |colour| (colour == Colour::White) == (game.side == Side::White);
        let is_rated = |range: Range| game.opponent_rating.is_some_and(|rating| range.has(u64::from(rating)));
        let is_opening = |wanted: &str| game.opening.to_lowercase().contains(&wanted.to_lowercase());
        self.since.is_none_or(|since| date.is_some_and(|date| date.latest() >= since))
            && self.until.is_none_or(|until| date.is_some_and(|date| date <= until.latest()))
            && self.colour.is_none_or(is_colour)
            && self.rating.is_none_or(is_rated)
            && self.opening.as_deref().is_none_or(is_opening)
    }

    /// Leaves the moves that count; whether the game still does.
    pub fn apply(&self, game: &mut Played) -> bool {
        let Some(range) = self.time_left else { return true };
        game.moves.retain(|mv| mv.left_ms.is_some_and(|left| range.has(left / 1000)));
        !game.moves.is_empty()
    }
}

fn read_range(text: &str) -> Result<Range, String> {
    let end = |text: &str, open| if text.trim().is_empty() { Some(open) } else { text.trim().parse().ok() };
    let range = text.split_once('-').and_then(|(from, to)| Some(Range { from: end(from, 0)?, to: end(to, u64::MAX)? }));
    range
        .filter(|range| range.from <= range.to)
        .ok_or_else(|| "expected a range as 1600-1800, 1600- or -1800".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        assert!(read_range("1600-1800").is_ok_and(|range| range.has(1600) && range.has(1800) && !range.has(1801)));
        assert!(
            read_range("-30").is_ok_and(|range| range.has(0)) && read_range("30-").is_ok_and(|range| range.has(9999))
        );
        assert!(read_range("x").is_err() && read_range("5-1").is_err() && read_range("5").is_err());
    }
}
