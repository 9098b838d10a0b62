//! A position as it stands in an index.

use std::collections::BTreeMap;

use crate::bytes::{Bytes, put_number};
use crate::facts::Facts;
use crate::tally::{Lists, Sums, Tally};

/// Of a move in so many games or fewer, all games are listed.
pub(super) const FEW: usize = 16;

/// What a game adds to a sum at the most, by far: a rating, or a year.
const MAX_OF_A_GAME: u64 = 10_000;

/// A move of a position while its games come, sorted by their numbers.
#[derive(Default)]
pub(super) struct MoveEntry {
    mv: u16,
    /// The games, as long as they are few.
    games: Vec<u32>,
    tally: Tally,
}

impl MoveEntry {
    pub fn new(mv: u16) -> Self {
        Self { mv, ..Self::default() }
    }

    pub const fn mv(&self) -> u16 {
        self.mv
    }

    pub fn add(&mut self, game: u32, facts: Facts) {
        if self.games.len() <= FEW {
            self.games.push(game);
        }
        self.tally.add(game, self.mv, facts);
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.mv.to_le_bytes());
        let Sums { games, white, draws, black, rated, ratings, points, years } = self.tally.sums;
        put_number(bytes, games);
        if self.games.len() <= FEW {
            let mut before = 0;
            for &game in &self.games {
                put_number(bytes, u64::from(game - before));
                before = game;
            }
            return;
        }
        let years = years.map(u64::from);
        let sums = [white, draws, black, rated, ratings[0], ratings[1], points, years[0], years[1]];
        sums.into_iter().for_each(|number| put_number(bytes, number));
        let Lists { top, newest } = &self.tally.lists;
        for list in [top, newest] {
            put_number(bytes, list.games().len() as u64);
            list.games().iter().for_each(|ranked| put_number(bytes, u64::from(ranked.game)));
        }
    }
}

/// Adds a position with its moves.
pub(super) fn put_position(bytes: &mut Vec<u8>, difference: u64, moves: &[MoveEntry]) {
    put_number(bytes, difference);
    put_number(bytes, moves.len() as u64);
    moves.iter().for_each(|mv| mv.put(bytes));
}

/// The moves of the position with this key in a block that begins with the key `first`; none if it is not there. `facts`
/// knows the games. `None` if the block is not as it was written.
pub(super) fn find<E>(
    block: &[u8],
    first: u64,
    key: u64,
    mut facts: impl FnMut(u32) -> Result<Facts, E>,
) -> Result<Option<BTreeMap<u16, Tally>>, E> {
    let mut bytes = Bytes(block);
    let mut at = first;
    while !bytes.0.is_empty() {
        let Some((difference, count)) = bytes.number().zip(bytes.number()) else { return Ok(None) };
        let Some(next) = at.checked_add(difference) else { return Ok(None) };
        at = next;
        if at > key {
            break;
        }
        let mut tallies = BTreeMap::new();
        for _ in 0..count {
            let Some(entry) = ReadEntry::read(&mut bytes) else { return Ok(None) };
            if at == key {
                let (mv, tally) = entry.tally(&mut facts)?;
                tallies.insert(mv, tally);
            }
        }
        if at == key {
            return Ok(Some(tallies));
        }
    }
    Ok(Some(BTreeMap::new()))
}

/// A move as it was read: its games, or its sums and those of its games that are listed.
struct ReadEntry {
    mv: u16,
    games: Vec<u32>,
    sums: Option<Sums>,
}

impl ReadEntry {
    fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        let mv = bytes.fixed(2)? as u16;
        let count = bytes.number()?;
        if count <= FEW as u64 {
            let mut game = 0_u32;
            let mut next = || {
                game = game.checked_add(bytes.small()?)?;
                Some(game)
            };
            let games = (0..count).map(|_| next()).collect::<Option<_>>()?;
            return Some(Self { mv, games, sums: None });
        }
        let mut numbers = [0; 9];
        for number in &mut numbers {
            *number = bytes.number().filter(|&number| number <= count.saturating_mul(MAX_OF_A_GAME))?;
        }
        // There are no more games than a number of this width can count.
        if count > u64::from(u32::MAX) {
            return None;
        }
        let [white, draws, black, rated, of_white, of_black, points, first, last] = numbers;
        let years = [u32::try_from(first).ok()?, u32::try_from(last).ok()?];
        let ratings = [of_white, of_black];
        let mut games = Vec::new();
        for _ in 0..2 {
            for _ in 0..bytes.number()? {
                games.push(bytes.small()?);
            }
        }
        let sums = Sums { games: count, white, draws, black, rated, ratings, points, years };
        Some(Self { mv, games, sums: Some(sums) })
    }

    fn tally<E>(self, facts: &mut impl FnMut(u32) -> Result<Facts, E>) -> Result<(u16, Tally), E> {
        let mut tally = Tally::default();
        for game in self.games {
            tally.add(game, self.mv, facts(game)?);
        }
        tally.sums = self.sums.unwrap_or(tally.sums);
        Ok((self.mv, tally))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use movegen::GameResult;

    use super::*;

    fn facts(game: u32) -> Facts {
        let result = [Some(GameResult::WhiteWins), Some(GameResult::Draw), None][game as usize % 3];
        Facts { ratings: [1500 + game as u16, 2000], date: 20_000_101 + game % 28, result }
    }

    /// A block of two positions, one move of which is in few games and one in many.
    fn block() -> Vec<u8> {
        let mut entries = [MoveEntry::new(1), MoveEntry::new(700)];
        (3..8).for_each(|game| entries[0].add(game, facts(game)));
        (0..90).for_each(|game| entries[1].add(game, facts(game)));
        let mut bytes = Vec::new();
        put_position(&mut bytes, 0, &entries[..1]);
        put_position(&mut bytes, 5, &entries);
        bytes
    }

    fn look_up(block: &[u8], key: u64) -> Option<BTreeMap<u16, Tally>> {
        find(block, 100, key, |game| Ok::<_, Infallible>(facts(game))).unwrap()
    }

    #[test]
    fn positions_are_found_by_their_keys() {
        let block = block();
        let counts = |key| look_up(&block, key).unwrap().values().map(|tally| tally.sums.games).collect::<Vec<_>>();
        assert_eq!([counts(100), counts(101), counts(105), counts(106)], [vec![5], vec![], vec![5, 90], vec![]]);
        // Sums that are stored are those of the games, and so are the lists.
        let mut expected = Tally::default();
        (0..90).for_each(|game| expected.add(game, 700, facts(game)));
        assert_eq!(look_up(&block, 105).unwrap()[&700], expected);
    }

    #[test]
    fn any_bytes_are_survived() {
        let whole = block();
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (random >> 40) as usize
        };
        let mut refused = 0;
        for _ in 0..20_000 {
            let mut bytes = whole.clone();
            for _ in 0..1 + next() % 4 {
                let place = next() % bytes.len();
                bytes[place] = next() as u8;
            }
            bytes.truncate(1 + next() % whole.len());
            for key in [100, 105, u64::MAX] {
                let Some(tallies) = look_up(&bytes, key) else {
                    refused += 1;
                    continue;
                };
                for tally in tallies.values() {
                    let _ = (tally.sums.rating(movegen::Color::White), tally.sums.performance(movegen::Color::Black));
                }
            }
        }
        assert!(refused > 1000, "{refused}");
    }
}
