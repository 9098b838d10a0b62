//! Lists of games that can be searched and sorted, in a few tens of bytes a game.

mod names;
mod query;

use std::cmp::Reverse;

use movegen::GameResult;
use pgn::{Date, Tags};

use self::names::Names;
pub use self::query::Query;
use self::query::Term;

/// What a list is searched and sorted by, of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    pub white: String,
    pub black: String,
    pub event: String,
    pub eco: String,
    /// The year, the month and the day, as one number; what is unknown is 0.
    pub date: u32,
    pub result: Option<GameResult>,
    /// Moves of the main line.
    pub plies: u32,
}

impl Heading {
    /// The heading of a game with these tags.
    pub fn new(tags: &Tags, result: Option<GameResult>, plies: usize) -> Self {
        let tag = |name| tags.get(name).filter(|value| !["?", "-"].contains(value)).unwrap_or_default().to_owned();
        let date = ["Date", "UTCDate", "EventDate"].into_iter().filter_map(|name| tags.get(name)).find_map(Date::read);
        Self {
            white: tag("White"),
            black: tag("Black"),
            event: tag("Event"),
            eco: tag("ECO"),
            date: date.map_or(0, Date::as_number),
            result,
            plies: u32::try_from(plies).unwrap_or(u32::MAX),
        }
    }
}

/// What a list is sorted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sort {
    key: SortKey,
    is_reversed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum SortKey {
    /// The order in which the games were added.
    #[default]
    Order,
    /// The last one first.
    Date,
    White,
    Black,
    Event,
    Result,
    Eco,
    Plies,
}

impl Sort {
    /// The order of this name; `-` before it turns it round. `None` if there is no such order.
    pub fn named(name: &str) -> Option<Self> {
        let plain = name.strip_prefix('-').unwrap_or(name);
        let key = match plain {
            "" | "changed" | "number" => SortKey::Order,
            "date" => SortKey::Date,
            "white" => SortKey::White,
            "black" => SortKey::Black,
            "event" => SortKey::Event,
            "result" => SortKey::Result,
            "eco" => SortKey::Eco,
            "plies" => SortKey::Plies,
            _ => return None,
        };
        Some(Self { key, is_reversed: plain != name })
    }

    /// Whether this is the order in which the games were added.
    pub fn is_plain(self) -> bool {
        self == Self::default()
    }
}

/// A game as the index has it. Names are their numbers.
#[derive(Clone, Copy)]
struct Row {
    white: u32,
    black: u32,
    event: u32,
    eco: u32,
    date: u32,
    plies: u32,
    result: Option<GameResult>,
}

/// All games of a list, to be searched and sorted.
#[derive(Default)]
pub struct Index {
    names: Names,
    rows: Vec<Row>,
}

impl Index {
    /// How many games there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds a game.
    pub fn push(&mut self, heading: &Heading) {
        let names = &mut self.names;
        let row = Row {
            white: names.number(&heading.white),
            black: names.number(&heading.black),
            event: names.number(&heading.event),
            eco: names.number(&heading.eco),
            date: heading.date,
            plies: heading.plies,
            result: heading.result,
        };
        self.rows.push(row);
    }

    /// How many moves the main line of a game has.
    pub fn plies(&self, place: usize) -> u32 {
        self.rows.get(place).map_or(0, |row| row.plies)
    }

    /// The places of the games that are looked for, in this order.
    pub fn find(&mut self, query: &Query, sort: Sort) -> Vec<u32> {
        let terms: Vec<_> = query.terms().map(|term| (term, self.names.matches(&term.text))).collect();
        let is_wanted = |row: &Row| terms.iter().all(|(term, names)| is_match(row, term, names));
        // There are never more than a number of this width can count: each takes a few bytes of memory.
        let places = (0..u32::MAX).zip(&self.rows);
        let mut found: Vec<_> = places.filter(|(_, row)| is_wanted(row)).map(|(place, _)| place).collect();
        self.sort(&mut found, sort.key);
        if sort.is_reversed {
            found.reverse();
        }
        found
    }

    fn sort(&mut self, places: &mut [u32], key: SortKey) {
        let Self { names, rows } = self;
        let row = |place: u32| &rows[place as usize];
        let mut by_name = |places: &mut [u32], name: fn(&Row) -> u32| {
            let ranks = names.ranks();
            places.sort_by_key(|&place| ranks[name(row(place)) as usize]);
        };
        match key {
            SortKey::Order => {}
            SortKey::Date => places.sort_by_key(|&place| Reverse(row(place).date)),
            SortKey::White => by_name(places, |row| row.white),
            SortKey::Black => by_name(places, |row| row.black),
            SortKey::Event => by_name(places, |row| row.event),
            SortKey::Eco => by_name(places, |row| row.eco),
            SortKey::Plies => places.sort_by_key(|&place| row(place).plies),
            SortKey::Result => places.sort_by_key(|&place| rank(row(place).result)),
        }
    }
}

const fn rank(result: Option<GameResult>) -> u8 {
    match result {
        Some(GameResult::WhiteWins) => 0,
        Some(GameResult::Draw) => 1,
        Some(GameResult::BlackWins) => 2,
        Some(GameResult::BothLose) => 3,
        None => 4,
    }
}

/// Whether a game has what a term asks for. `names` says of each name whether the term is in it.
fn is_match(row: &Row, term: &Term, names: &[bool]) -> bool {
    let named = |number: u32| names[number as usize];
    let is_result = || term.result.is_some_and(|result| result == row.result);
    let is_date = || term.is_date(row.date);
    match term.field.as_deref() {
        Some("white") => named(row.white),
        Some("black") => named(row.black),
        Some("player") => named(row.white) || named(row.black),
        Some("event") => named(row.event),
        Some("eco") => named(row.eco),
        Some("year" | "date") => is_date(),
        Some("result") => is_result(),
        _ => [row.white, row.black, row.event, row.eco].into_iter().any(named) || is_result() || is_date(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> Index {
        let mut index = Index::default();
        for (white, black, event, eco, date, result, plies) in [
            ("Müller, Karl", "Łódź, Ana", "Open 2019", "B33", "2019.05.01", Some(GameResult::WhiteWins), 40),
            ("Carlsen, M", "Müller, Karl", "Wijk", "C42", "2020.01.12", Some(GameResult::Draw), 80),
            ("", "carlsen, m", "", "", "????.??.??", None, 3),
            ("Ñuñez", "Carlsen, M", "Wijk", "C43", "2019.??.??", Some(GameResult::BlackWins), 61),
        ] {
            let mut tags = Tags::default();
            for (name, value) in [("White", white), ("Black", black), ("Event", event), ("ECO", eco), ("Date", date)] {
                tags.set(name, value);
            }
            index.push(&Heading::new(&tags, result, plies));
        }
        index
    }

    fn found(query: &str, sort: &str) -> Vec<u32> {
        index().find(&Query::new(query), Sort::named(sort).unwrap())
    }

    #[test]
    fn games_are_found_by_all_that_is_asked_for() {
        for (query, expected) in [
            ("", &[0, 1, 2, 3][..]),
            ("muller", &[0, 1]),
            ("MÜLLER", &[0, 1]),
            ("lodz", &[0]),
            ("nunez", &[3]),
            ("carlsen wijk", &[1, 3]),
            ("\"Carlsen, M\"", &[1, 2, 3]),
            ("white:carlsen", &[1]),
            ("black:carlsen 2019", &[3]),
            ("player:carlsen eco:c4", &[1, 3]),
            ("2019", &[0, 3]),
            ("year:2019", &[0, 3]),
            ("2019.05", &[0]),
            ("2019-05-01", &[0]),
            ("1-0", &[0]),
            ("1/2-1/2", &[1]),
            ("½-½", &[1]),
            ("result:*", &[2]),
            ("event:2019", &[0]),
            ("b33", &[0]),
            ("nobody", &[]),
            ("nosuchfield:carlsen", &[]),
        ] {
            assert_eq!(found(query, ""), expected, "{query}");
        }
    }

    #[test]
    fn every_order_can_be_turned_round() {
        for (sort, expected) in [
            ("changed", [0, 1, 2, 3]),
            ("-changed", [3, 2, 1, 0]),
            ("date", [1, 0, 3, 2]),
            ("-date", [2, 3, 0, 1]),
            ("white", [1, 0, 3, 2]),
            ("black", [2, 3, 0, 1]),
            ("result", [0, 1, 3, 2]),
            ("plies", [2, 0, 3, 1]),
            ("eco", [0, 1, 3, 2]),
        ] {
            assert_eq!(found("", sort), expected, "{sort}");
        }
        assert_eq!(found("", "event"), [0, 1, 3, 2]);
        assert!(Sort::named("size").is_none() && Sort::named("--date").is_none());
    }
}
