//! What is known of a game: the numbers that are summed up, and what it is listed by.

use movegen::GameResult;
use pgn::{Date, PgnGame};

use crate::bytes::{Bytes, put_number, put_text};
use crate::reading::GamePlace;

/// The most letters of a name that are kept.
const MAX_NAME: usize = 80;
/// The highest rating that is believed.
const MAX_RATING: u16 = 4000;

/// The numbers of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// White's rating and Black's; 0 if unknown.
    pub ratings: [u16; 2],
    /// The date as one number, such as 20240517, with 0 for what is unknown.
    pub date: u32,
    pub result: Option<GameResult>,
}

impl Facts {
    pub fn of(game: &PgnGame) -> Self {
        let tag = |name: &str| game.tags.get(name).map(str::trim);
        let rating = |name| tag(name)?.parse().ok().filter(|rating| (1..=MAX_RATING).contains(rating));
        let date = ["UTCDate", "Date", "EventDate"].into_iter().filter_map(tag).find_map(Date::read);
        Self {
            ratings: ["WhiteElo", "BlackElo"].map(|name| rating(name).unwrap_or(0)),
            date: date.map_or(0, Date::as_number),
            result: game.result,
        }
    }

    /// The year; 0 if unknown.
    pub const fn year(&self) -> u32 {
        self.date / 10_000
    }

    /// White's points, doubled; `None` if the game has no result, or one that gives nobody points.
    pub const fn points(&self) -> Option<u32> {
        match self.result {
            Some(GameResult::WhiteWins) => Some(2),
            Some(GameResult::Draw) => Some(1),
            Some(GameResult::BlackWins) => Some(0),
            Some(GameResult::BothLose) | None => None,
        }
    }

    /// Both ratings, if both are known.
    pub fn both_ratings(&self) -> Option<[u32; 2]> {
        (!self.ratings.contains(&0)).then(|| self.ratings.map(u32::from))
    }
}

/// What the record of a game takes in an index, in bytes.
pub const RECORD_LEN: u64 = 16;

/// A game as the index keeps it in memory and in the file: its numbers, and where its names stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    pub facts: Facts,
    /// Where the names begin.
    pub text: u64,
}

impl Record {
    pub fn to_bytes(self) -> [u8; RECORD_LEN as usize] {
        let Facts { ratings: [white, black], date, result } = self.facts;
        let result = match result {
            None => 0,
            Some(GameResult::WhiteWins) => 1,
            Some(GameResult::Draw) => 2,
            Some(GameResult::BlackWins) => 3,
            Some(GameResult::BothLose) => 4_u64,
        };
        let mut bytes = [0; RECORD_LEN as usize];
        bytes[..2].copy_from_slice(&white.to_le_bytes());
        bytes[2..4].copy_from_slice(&black.to_le_bytes());
        bytes[4..8].copy_from_slice(&date.to_le_bytes());
        bytes[8..].copy_from_slice(&(self.text << 8 | result).to_le_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut bytes = Bytes(bytes);
        let ratings = [bytes.fixed(2)? as u16, bytes.fixed(2)? as u16];
        let (date, last) = (bytes.fixed(4)? as u32, bytes.fixed(8)?);
        let result = match last & 0xFF {
            0 => None,
            1 => Some(GameResult::WhiteWins),
            2 => Some(GameResult::Draw),
            3 => Some(GameResult::BlackWins),
            4 => Some(GameResult::BothLose),
            _ => return None,
        };
        Some(Self { facts: Facts { ratings, date, result }, text: last >> 8 })
    }
}

/// What a game is listed by.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    pub white: String,
    pub black: String,
    pub place: GamePlace,
}

/// The most bytes of a [`Listing`].
pub const MAX_LISTING: u64 = 2 * (4 * MAX_NAME as u64 + 2) + 40;

impl Listing {
    pub fn of(game: &PgnGame, place: GamePlace) -> Self {
        let name = |tag| game.tags.get(tag).unwrap_or("?").chars().take(MAX_NAME).collect();
        Self { white: name("White"), black: name("Black"), place }
    }

    pub fn put(&self, bytes: &mut Vec<u8>) {
        put_text(bytes, &self.white, MAX_NAME);
        put_text(bytes, &self.black, MAX_NAME);
        let GamePlace { file, line, start, length } = self.place;
        [file as u64, line, start, length].into_iter().for_each(|number| put_number(bytes, number));
    }

    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut bytes = Bytes(bytes);
        let (white, black) = (bytes.text()?, bytes.text()?);
        let file = bytes.small()? as usize;
        let place = GamePlace { file, line: bytes.number()?, start: bytes.number()?, length: bytes.number()? };
        Some(Self { white, black, place })
    }
}

#[cfg(test)]
mod tests {
    use pgn::PgnReader;

    use super::*;

    #[test]
    fn games_are_read_as_they_are_written() {
        let text =
            "[White \"Łódź, Ana\"]\n[WhiteElo \"2100\"]\n[BlackElo \"-\"]\n[Date \"2024.05.??\"]\n\n1. e4 1/2-1/2";
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        let facts = Facts::of(&game);
        assert_eq!((facts.ratings, facts.date, facts.year()), ([2100, 0], 20_240_500, 2024));
        assert_eq!((facts.points(), facts.both_ratings()), (Some(1), None));
        let record = Record { facts, text: 1 << 40 };
        assert_eq!(Record::from_bytes(&record.to_bytes()), Some(record));
        assert_eq!(Record::from_bytes(&[9; 16]), None);
        let listing = Listing::of(&game, GamePlace { file: 3, line: 400, start: 70_000, length: 9 });
        let mut bytes = Vec::new();
        listing.put(&mut bytes);
        assert!((bytes.len() as u64) < MAX_LISTING);
        assert_eq!(Listing::read(&bytes), Some(listing));
        assert!((0..bytes.len()).all(|end| Listing::read(&bytes[..end]).is_none()));
    }
}
