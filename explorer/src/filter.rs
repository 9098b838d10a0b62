//! Which games go into an index.

use clap::{Args, ValueEnum};
use pgn::{Date, PgnGame, comparable_name};

use crate::facts::Facts;

/// What is asked for; without anything all games count. A game that does not say what is asked for does not.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Filter {
    /// Only games of this player; `Last, First` is `First Last`, and case does not matter. Several names are those of one
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Only games in which the player has these pieces
    #[arg(long, visible_alias = "color", value_enum, value_name = "COLOUR", requires = "player")]
    colour: Option<Colour>,
    /// Only games from this date on: a year, a month or a day, as 2024, 2024-03 or 2024-03-17
    #[arg(long, value_name = "DATE")]
    since: Option<Date>,
    /// Only games in which both players have this rating or a higher one
    #[arg(long, value_name = "RATING")]
    min_rating: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Colour {
    White,
    Black,
}

impl Filter {
    /// Whether a game counts.
    pub fn accepts(&self, game: &PgnGame, facts: &Facts) -> bool {
        let is_player = |tag| {
            let name = game.tags.get(tag).map(comparable_name);
            name.is_some_and(|name| self.player.iter().any(|player| comparable_name(player) == name))
        };
        let is_of_player = || match self.colour {
            Some(Colour::White) => is_player("White"),
            Some(Colour::Black) => is_player("Black"),
            None => is_player("White") || is_player("Black"),
        };
        // What is not known of a date is 0, and might be later.
        let is_since = |since: Date| Date::from_number(facts.date).is_some_and(|date| date.latest() >= since);
        self.since.is_none_or(is_since)
            && self.min_rating.is_none_or(|least| facts.ratings.iter().all(|&rating| rating > 0 && rating >= least))
            && (self.player.is_empty() || is_of_player())
    }
}
