//! Who plays whom, and when.

/// How several engines meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum Format {
    /// Each plays each
    RoundRobin,
    /// The first plays each of the others
    Gauntlet,
}

/// All games of a match, by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Schedule {
    /// The engines that meet, by number.
    pairings: Vec<[usize; 2]>,
    /// Of each pairing.
    games: usize,
}

/// One game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fixture {
    pub pairing: usize,
    /// White's engine and Black's.
    pub players: [usize; 2],
    /// Whether the first of the pairing has White: so in the first game of a pair.
    pub is_first: bool,
    /// Both games of a pair have the same; so have all pairs of a round.
    pub opening: usize,
}

impl Schedule {
    pub fn new(format: Format, engines: usize, games: usize) -> Self {
        let firsts = if format == Format::Gauntlet { 1 } else { engines };
        let pairings = (0..firsts.min(engines)).flat_map(|one| (one + 1..engines).map(move |other| [one, other]));
        Self { pairings: pairings.collect(), games }
    }

    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    pub const fn len(&self) -> usize {
        self.pairings.len().saturating_mul(self.games)
    }

    /// The game of this number, from 0: round by round a pair of games of each pairing, the last round perhaps single
    /// games.
    pub fn fixture(&self, number: usize) -> Fixture {
        let count = self.pairings.len().max(1);
        let (round, within) = (number / (2 * count), number % (2 * count));
        let is_single = self.games - (2 * round).min(self.games) == 1;
        let (pairing, second) = if is_single { (within % count, 0) } else { (within / 2, within % 2) };
        let [one, other] = self.pairings.get(pairing).copied().unwrap_or_default();
        let players = if second == 0 { [one, other] } else { [other, one] };
        Fixture { pairing, players, is_first: second == 0, opening: round }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_engines_alternate_colours_and_share_openings() {
        let schedule = Schedule::new(Format::RoundRobin, 2, 5);
        let games: Vec<_> = (0..schedule.len()).map(|number| schedule.fixture(number)).collect();
        let seen: Vec<_> = games.iter().map(|game| (game.players, game.opening)).collect();
        assert_eq!(seen, [([0, 1], 0), ([1, 0], 0), ([0, 1], 1), ([1, 0], 1), ([0, 1], 2)]);
        assert!(games.iter().enumerate().all(|(number, game)| game.is_first == (number % 2 == 0)));
    }

    #[test]
    fn each_plays_each_or_the_first_plays_all() {
        let all = Schedule::new(Format::RoundRobin, 4, 2);
        assert_eq!(all.pairings(), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        let gauntlet = Schedule::new(Format::Gauntlet, 4, 3);
        assert_eq!((gauntlet.pairings(), gauntlet.len()), (&[[0, 1], [0, 2], [0, 3]][..], 9));
        let players: Vec<_> = (0..9).map(|number| gauntlet.fixture(number).players).collect();
        let expected = [[0, 1], [1, 0], [0, 2], [2, 0], [0, 3], [3, 0], [0, 1], [0, 2], [0, 3]];
        assert_eq!(players, expected);
        for (schedule, games) in [(all, 2), (gauntlet, 3)] {
            let mut counts = vec![0; schedule.pairings().len()];
            (0..schedule.len()).for_each(|number| counts[schedule.fixture(number).pairing] += 1);
            assert!(counts.iter().all(|&count| count == games));
        }
        assert_eq!(Schedule::new(Format::RoundRobin, 1, 2).len(), 0);
    }
}
