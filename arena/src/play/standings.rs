//! The results of a match so far: for two engines a line, for more a table.

use std::fmt::Write;

use movegen::{Color, GameResult};
use serde::Serialize;

use super::schedule::Fixture;
use crate::statistics::{Pentanomial, Sprt, SprtState, SprtSummary};

/// The games of two engines, for the first of them.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: Pentanomial,
    /// Half points of the first game of a pair whose second one has not ended.
    open: Option<u32>,
}

impl Tally {
    fn add(&mut self, half_points: u32, begins_pair: bool) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        match self.open.take() {
            _ if begins_pair => self.open = Some(half_points),
            Some(open) => self.pairs.add(open + half_points),
            None => {}
        }
    }

    fn add_all(&mut self, other: &Self) {
        let Self { wins, draws, losses, pairs, .. } = other;
        (self.wins, self.draws, self.losses) = (self.wins + wins, self.draws + draws, self.losses + losses);
        self.pairs.0.iter_mut().zip(pairs.0).for_each(|(sum, count)| *sum += count);
    }

    /// For the other engine.
    fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.0.reverse();
        Self { wins: self.losses, losses: self.wins, pairs, ..*self }
    }

    const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// `1.5 of 2, 1 won, 1 drawn, 0 lost`.
    fn in_words(&self) -> String {
        let Self { wins, draws, losses, .. } = self;
        format!("{} of {}, {wins} won, {draws} drawn, {losses} lost", self.points(), self.games())
    }

    fn elo_in_words(&self) -> Option<String> {
        let (elo, error) = self.pairs.elo()?;
        let [ll, ld, dd, wd, ww] = self.pairs.0;
        Some(format!("Elo {elo:+.1} +- {error:.1} (95 %), pairs by points 0 to 2: {ll} {ld} {dd} {wd} {ww}"))
    }
}

/// All results, as `--json` writes them.
#[derive(Serialize)]
pub(super) struct Summary<'a> {
    pairings: Vec<Pairing<'a>>,
}

/// The games of two engines, for the first of them.
#[derive(Serialize)]
struct Pairing<'a> {
    first: &'a str,
    second: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    /// Pairs of games with one opening, by the first engine's points: 0, 1/2, 1, 3/2 and 2.
    pairs: [u64; 5],
    /// The difference in Elo, and half of the interval that holds it with 95 %.
    elo: Option<f64>,
    elo_error: Option<f64>,
    sprt: Option<SprtSummary>,
}

/// The results of all pairings.
pub(super) struct Standings {
    names: Vec<String>,
    pairings: Vec<[usize; 2]>,
    tallies: Vec<Tally>,
    sprt: Option<Sprt>,
}

impl Standings {
    pub fn new(names: Vec<String>, pairings: &[[usize; 2]], sprt: Option<Sprt>) -> Self {
        let tallies = vec![Tally::default(); pairings.len()];
        Self { names, pairings: pairings.to_vec(), tallies, sprt }
    }

    /// Counts a game. Games of a pairing come in their order.
    pub fn add(&mut self, fixture: &Fixture, result: Option<GameResult>) {
        let Some(tally) = self.tallies.get_mut(fixture.pairing) else { return };
        let first = if fixture.is_first { Color::White } else { Color::Black };
        let half_points = match result {
            None | Some(GameResult::BothLose) => return tally.open = None,
            Some(GameResult::Draw) => 1,
            Some(result) => {
                if result.winner() == Some(first) {
                    2
                } else {
                    0
                }
            }
        };
        tally.add(half_points, fixture.is_first);
    }

    /// Whether a test of hypotheses is decided: no more games are needed.
    pub fn is_decided(&self) -> bool {
        let Some(sprt) = &self.sprt else { return false };
        self.tallies.first().is_some_and(|tally| sprt.state(&tally.pairs) != SprtState::Open)
    }

    /// All that is known so far, for programs.
    pub fn summary(&self) -> Summary<'_> {
        let pairing = |(&[one, other], tally): (&[usize; 2], &Tally)| Pairing {
            first: &self.names[one],
            second: &self.names[other],
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            points: tally.points(),
            pairs: tally.pairs.0,
            elo: tally.pairs.elo().map(|(elo, _)| elo),
            elo_error: tally.pairs.elo().map(|(_, error)| error),
            sprt: self.sprt.as_ref().map(|sprt| sprt.summary(&tally.pairs)),
        };
        Summary { pairings: self.pairings.iter().zip(&self.tallies).map(pairing).collect() }
    }

    /// What is known so far: a line or a table, without the end of the last line.
    pub fn text(&self) -> String {
        match (&self.pairings[..], &self.names[..]) {
            ([[one, other]], names) => self.of_two(&names[*one], &names[*other]),
            _ => self.table(),
        }
    }

    fn of_two(&self, one: &str, other: &str) -> String {
        let tally = self.tallies.first().copied().unwrap_or_default();
        let mut text = format!("{one} - {other}: {}", tally.in_words());
        text.extend(tally.elo_in_words().map(|elo| format!("\n{elo}")));
        text.extend(self.sprt.as_ref().map(|sprt| format!("\n{}", sprt.line(&tally.pairs))));
        text
    }

    /// All engines by their points; Elo is the difference to the mean of those that an engine has met.
    fn table(&self) -> String {
        let mut rows: Vec<(usize, Tally)> = (0..self.names.len()).map(|index| (index, self.of(index))).collect();
        let share = |tally: &Tally| tally.points() / tally.games().max(1) as f64;
        rows.sort_by(|(_, one), (_, other)| share(other).total_cmp(&share(one)));
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or_default().max(6);
        let mut text =
            format!("{:<width$}  {:>7} {:>6} {:>7} {:>7} {:>6}", "engine", "Elo", "+-", "games", "points", "%");
        for (index, tally) in rows {
            let elo = tally.pairs.elo();
            let number = |number: Option<f64>| number.map_or_else(|| "-".to_owned(), |number| format!("{number:.1}"));
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "\n{:<width$}  {:>7} {:>6} {:>7} {:>7} {:>6.1}",
                self.names[index],
                number(elo.map(|(elo, _)| elo)),
                number(elo.map(|(_, error)| error)),
                tally.games(),
                tally.points(),
                100.0 * share(&tally)
            );
        }
        text
    }

    /// All games of an engine.
    fn of(&self, engine: usize) -> Tally {
        let mut sum = Tally::default();
        for ([one, other], tally) in self.pairings.iter().zip(&self.tallies) {
            if *one == engine {
                sum.add_all(tally);
            } else if *other == engine {
                sum.add_all(&tally.reversed());
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::{Format, Schedule};
    use super::*;

    fn standings(
        engines: usize,
        games: usize,
        sprt: Option<&str>,
        result: impl Fn(usize, &Fixture) -> GameResult,
    ) -> Standings {
        let schedule = Schedule::new(Format::RoundRobin, engines, games);
        let names = (0..engines).map(|index| format!("engine {index}")).collect();
        let mut standings = Standings::new(names, schedule.pairings(), sprt.map(|text| text.parse().unwrap()));
        for number in 0..schedule.len() {
            let fixture = schedule.fixture(number);
            standings.add(&fixture, Some(result(number, &fixture)));
        }
        standings
    }

    #[test]
    fn two_engines_have_lines() {
        // White wins each game, which says nothing about the engines.
        let text = standings(2, 10, None, |_, _| GameResult::WhiteWins).text();
        assert_eq!(
            text,
            "engine 0 - engine 1: 5 of 10, 5 won, 0 drawn, 5 lost\nElo +0.0 +- 0.0 (95 %), pairs by points 0 to 2: 0 0 5 0 0"
        );
        let one = standings(2, 1, None, |_, _| GameResult::Draw).text();
        assert_eq!(one, "engine 0 - engine 1: 0.5 of 1, 0 won, 1 drawn, 0 lost");
    }

    #[test]
    fn a_test_is_decided_when_its_bounds_are_reached() {
        let first_wins = |_: usize, fixture: &Fixture| {
            GameResult::win_of(if fixture.is_first { Color::White } else { Color::Black })
        };
        let won = standings(2, 400, Some("0,50"), first_wins);
        assert!(won.is_decided() && won.text().ends_with(": the upper one is accepted"), "{}", won.text());
        assert!(!standings(2, 2, Some("0,5"), |_, _| GameResult::Draw).is_decided());
        assert!(!standings(2, 400, None, first_wins).is_decided());
    }

    #[test]
    fn more_engines_have_a_table_with_the_best_first() {
        // The engine of the higher number wins with White, and draws with Black.
        let result = |_: usize, fixture: &Fixture| {
            if fixture.players[0] > fixture.players[1] { GameResult::WhiteWins } else { GameResult::Draw }
        };
        let text = standings(3, 4, None, result).text();
        let lines: Vec<_> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
        assert_eq!(lines[0], ["engine", "Elo", "+-", "games", "points", "%"]);
        let points: Vec<_> = lines[1..].iter().map(|line| (line[1], line[4], line[5])).collect();
        assert_eq!(points, [("2", "8", "6"), ("1", "8", "4"), ("0", "8", "2")], "{text}");
    }
}
