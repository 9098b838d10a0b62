//! What is summed up of a move while its games come one after the other.

use movegen::Color;

use crate::facts::Facts;

/// How many games of the highest ratings are listed, and how many of the latest.
pub const LISTED: usize = 8;

/// The best performance above the mean of the opponents, or below it, in rating points: what FIDE takes for 100 %.
const MOST_ABOVE: f64 = 800.0;

/// The sums of a move, of one game after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sums {
    pub games: u64,
    pub white: u64,
    pub draws: u64,
    pub black: u64,
    /// Games with a result and both ratings.
    pub rated: u64,
    /// The ratings of White and of Black in these, added up.
    pub ratings: [u64; 2],
    /// White's points in these, doubled.
    pub points: u64,
    /// The first year and the last; 0 if no game has one.
    pub years: [u32; 2],
}

impl Sums {
    pub fn add(&mut self, facts: &Facts) {
        self.games += 1;
        match facts.points() {
            Some(2) => self.white += 1,
            Some(1) => self.draws += 1,
            Some(_) => self.black += 1,
            None => {}
        }
        if let (Some(points), Some([white, black])) = (facts.points(), facts.both_ratings()) {
            self.rated += 1;
            self.ratings[0] += u64::from(white);
            self.ratings[1] += u64::from(black);
            self.points += u64::from(points);
        }
        let year = facts.year();
        if year > 0 {
            let [first, last] = self.years;
            self.years = [if first == 0 { year } else { first.min(year) }, last.max(year)];
        }
    }

    fn mean(&self, color: Color) -> Option<f64> {
        (self.rated > 0).then(|| self.ratings[color as usize] as f64 / self.rated as f64)
    }

    /// The mean rating of those who made the move.
    pub fn rating(&self, turn: Color) -> Option<u32> {
        self.mean(turn).map(|mean| mean.round() as u32)
    }

    /// The rating that explains their score against opponents of these ratings, by Elo's logistic formula.
    pub fn performance(&self, turn: Color) -> Option<u32> {
        let opponents = self.mean(!turn)?;
        let white = self.points as f64 / (2 * self.rated) as f64;
        let score = if turn == Color::White { white } else { 1.0 - white };
        let above = 400.0 * (score / (1.0 - score)).log10();
        Some((opponents + above.clamp(-MOST_ABOVE, MOST_ABOVE)).round().max(0.0) as u32)
    }
}

/// A game of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked {
    rank: u64,
    /// Its number.
    pub game: u32,
    pub facts: Facts,
    /// The move that was made in it.
    pub mv: u16,
}

/// The games of the highest ranks, the highest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Best(Vec<Ranked>);

impl Best {
    pub fn add(&mut self, ranked: Ranked) {
        let place = self.0.partition_point(|other| other.rank >= ranked.rank);
        if place < LISTED && !self.0.iter().any(|other| other.game == ranked.game) {
            self.0.insert(place, ranked);
            self.0.truncate(LISTED);
        }
    }

    pub fn games(&self) -> &[Ranked] {
        &self.0
    }
}

/// Games of which some are listed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lists {
    /// Those of the highest ratings, both added up; games without both follow.
    pub top: Best,
    /// The latest by their dates; of one day, those that came last.
    pub newest: Best,
}

impl Lists {
    pub fn add(&mut self, game: u32, mv: u16, facts: Facts) {
        let sum = facts.both_ratings().map_or(0, |[white, black]| white + black);
        // Of equals the first game is listed, and of those of one day the last.
        let top = u64::from(sum) << 32 | u64::from(!game);
        let newest = u64::from(facts.date) << 32 | u64::from(game);
        self.top.add(Ranked { rank: top, game, facts, mv });
        self.newest.add(Ranked { rank: newest, game, facts, mv });
    }
}

/// What is summed up of a move, and its games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub sums: Sums,
    pub lists: Lists,
}

impl Tally {
    pub fn add(&mut self, game: u32, mv: u16, facts: Facts) {
        self.sums.add(&facts);
        self.lists.add(game, mv, facts);
    }
}

#[cfg(test)]
mod tests {
    use movegen::GameResult;

    use super::*;

    fn facts(white: u16, black: u16, date: u32, result: Option<GameResult>) -> Facts {
        Facts { ratings: [white, black], date, result }
    }

    #[test]
    fn sums_are_those_of_the_games() {
        let mut sums = Sums::default();
        for facts in [
            facts(2000, 1900, 20_200_000, Some(GameResult::WhiteWins)),
            facts(2200, 2100, 20_100_101, Some(GameResult::WhiteWins)),
            facts(2400, 0, 0, Some(GameResult::Draw)),
            facts(2400, 2300, 0, None),
            facts(2100, 2000, 20_211_231, Some(GameResult::BlackWins)),
            facts(2100, 2000, 20_211_231, Some(GameResult::Draw)),
        ] {
            sums.add(&facts);
        }
        assert_eq!((sums.games, sums.white, sums.draws, sums.black, sums.rated), (6, 2, 2, 1, 4));
        assert_eq!(sums.years, [2010, 2021]);
        assert_eq!((sums.rating(Color::White), sums.rating(Color::Black)), (Some(2100), Some(2000)));
        // 2.5 of 4 points: log10(5/3) * 400 = 89 above the opponents.
        assert_eq!((sums.performance(Color::White), sums.performance(Color::Black)), (Some(2089), Some(2011)));
    }

    #[test]
    fn a_score_of_all_or_nothing_has_a_bounded_performance() {
        let mut sums = Sums::default();
        sums.add(&facts(1500, 1600, 0, Some(GameResult::WhiteWins)));
        assert_eq!((sums.performance(Color::White), sums.performance(Color::Black)), (Some(2400), Some(700)));
        assert_eq!(Sums::default().performance(Color::White), None);
    }

    #[test]
    fn the_best_games_are_kept_in_order() {
        let mut lists = Lists::default();
        let mut add = |game: u32, mv| {
            let rating = 2000 + (game * 37 % 100) as u16;
            lists.add(game, mv, facts(rating, 2000, 20_000_101 + game % 20, None));
        };
        (0..100).for_each(|game| add(game, 1));
        // By another move: no game is listed twice.
        add(99, 2);
        let numbers = |best: &Best| best.games().iter().map(|ranked| ranked.game).collect::<Vec<_>>();
        let top: Vec<_> = lists.top.games().iter().map(|ranked| ranked.facts.ratings[0]).collect();
        assert_eq!(top, [2099, 2098, 2097, 2096, 2095, 2094, 2093, 2092]);
        assert_eq!(numbers(&lists.newest), [99, 79, 59, 39, 19, 98, 78, 58]);
    }
}
