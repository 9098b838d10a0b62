//! What a player's moves and games amount to, in whole numbers: the order in which they come does not matter.

use std::collections::{BTreeMap, BTreeSet};

use super::entry::{Departure, GameEntry, MAX_LISTED};
use super::numbers::{UNIT, hundredths};
use super::played::{Mistake, Played, PlayedMove};
use super::practice::Practice;
use crate::model::{Judgement, Phase, Side};

/// The most groups of one kind; what does not fit goes to one of its own.
const MAX_GROUPS: usize = 2000;
/// The most positions that are remembered; of more, those with the least loss are forgotten.
const MAX_POSITIONS: usize = 4096;
/// A trend of fewer moves says nothing.
const MIN_FOR_TREND: i128 = 50;

/// The sum of some moves and games.
#[derive(Clone, Default)]
pub(super) struct Sum {
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub moves: u64,
    accuracy: u64,
    loss: u64,
    pub inaccuracies: u64,
    pub mistakes: u64,
    pub blunders: u64,
    trend: Trend,
    /// The numbers of the games, up to [`MAX_LISTED`].
    pub numbers: BTreeSet<u32>,
}

/// Sums for a straight line through accuracies over months, each weighted by its moves.
#[derive(Clone, Copy, Default)]
struct Trend {
    weight: i128,
    x: i128,
    y: i128,
    xx: i128,
    xy: i128,
    first: Option<i64>,
    last: Option<i64>,
}

impl Sum {
    /// Adds a game and some of its moves.
    fn add<'a>(&mut self, game: &Played, moves: impl Iterator<Item = &'a PlayedMove>) {
        self.games += 1;
        self.wins += u64::from(game.points == Some(2));
        self.draws += u64::from(game.points == Some(1));
        self.losses += u64::from(game.points == Some(0));
        let before = (self.moves, self.accuracy);
        for mv in moves {
            self.moves += 1;
            self.accuracy += (mv.accuracy * UNIT).round() as u64;
            self.loss += (mv.loss * UNIT).round() as u64;
            match mv.judgement {
                Some(Judgement::Inaccuracy) => self.inaccuracies += 1,
                Some(Judgement::Mistake) => self.mistakes += 1,
                Some(Judgement::Blunder) => self.blunders += 1,
                None => {}
            }
        }
        note(&mut self.numbers, game.source.number);
        if let Some(month) = game.month {
            self.trend.add(month, self.moves - before.0, self.accuracy - before.1);
        }
    }

    fn merge(&mut self, other: &Self) {
        let Self {
            games,
            wins,
            draws,
            losses,
            moves,
            accuracy,
            loss,
            inaccuracies,
            mistakes,
            blunders,
            trend,
            numbers,
        } = other;
        numbers.iter().for_each(|&number| note(&mut self.numbers, number));
        for (sum, more) in [
            (&mut self.games, games),
            (&mut self.wins, wins),
            (&mut self.draws, draws),
            (&mut self.losses, losses),
            (&mut self.moves, moves),
            (&mut self.accuracy, accuracy),
            (&mut self.loss, loss),
            (&mut self.inaccuracies, inaccuracies),
            (&mut self.mistakes, mistakes),
            (&mut self.blunders, blunders),
        ] {
            *sum += more;
        }
        self.trend.merge(*trend);
    }

    /// The mean accuracy, 0 to 100.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| hundredths(self.accuracy as f64 / UNIT / self.moves as f64))
    }

    /// The mean loss in per cent of a point.
    pub fn loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| hundredths(100.0 * self.loss as f64 / UNIT / self.moves as f64))
    }

    /// The share of points, 0 to 100.
    pub fn score(&self) -> Option<f64> {
        let games = self.wins + self.draws + self.losses;
        (games > 0).then(|| hundredths(50.0 * (2 * self.wins + self.draws) as f64 / games as f64))
    }

    /// By how much the accuracy rises in a month; `None` without two months and some
    /// moves in them.
    pub fn trend(&self) -> Option<f64> {
        let Trend { weight, x, y, xx, xy, first, last } = self.trend;
        let spread = weight * xx - x * x;
        (first < last && spread > 0 && weight >= MIN_FOR_TREND)
            .then(|| hundredths((weight * xy - x * y) as f64 / spread as f64 / UNIT))
    }
}

impl Trend {
    fn add(&mut self, month: i64, moves: u64, accuracy: u64) {
        if moves == 0 {
            return;
        }
        let (month_number, moves, accuracy) = (i128::from(month), i128::from(moves), i128::from(accuracy));
        self.merge(Self {
            weight: moves,
            x: moves * month_number,
            y: accuracy,
            xx: moves * month_number * month_number,
            xy: month_number * accuracy,
            first: Some(month),
            last: Some(month),
        });
    }

    fn merge(&mut self, other: Self) {
        self.weight += other.weight;
        self.x += other.x;
        self.y += other.y;
        self.xx += other.xx;
        self.xy += other.xy;
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.last = self.last.max(other.last);
    }
}

/// Sums by some feature of games or moves.
pub(super) type Groups = BTreeMap<String, Sum>;

/// All sums of a player.
#[derive(Clone, Default)]
pub(super) struct Sums {
    pub total: Sum,
    pub openings: Groups,
    pub colours: Groups,
    pub phases: Groups,
    pub left: Groups,
    pub spent: Groups,
    pub opponents: Groups,
    pub months: Groups,
    /// By how they went beside the repertoire.
    pub repertoire: Groups,
    /// By where they left it; of too many places the last in their order are forgotten.
    pub departures: BTreeMap<Departure, Sum>,
    pub positions: BTreeMap<[u8; 24], Practice>,
    /// The games by their numbers, up to [`MAX_LISTED`].
    pub games: BTreeMap<u32, GameEntry>,
}

impl Sums {
    /// Adds a game.
    pub fn add(&mut self, game: &Played) {
        let all = || game.moves.iter();
        self.games.insert(game.source.number, game.entry());
        self.forget_games();
        self.total.add(game, all());
        group(&mut self.openings, &game.opening).add(game, all());
        group(&mut self.colours, if game.side == Side::White { "White" } else { "Black" }).add(game, all());
        group(&mut self.opponents, &rating(game.opponent_rating)).add(game, all());
        group(&mut self.months, &game.month.map_or_else(|| "unknown".to_owned(), month)).add(game, all());
        if let Some(departure) = &game.source.repertoire {
            group(&mut self.repertoire, departure.outcome.name()).add(game, all());
            if departure.fen.is_some() {
                self.departures.entry(departure.clone()).or_default().add(game, all());
                self.forget_departures();
            }
        }
        let mut split = |groups: fn(&mut Self) -> &mut Groups, name: &dyn Fn(&PlayedMove) -> Option<&'static str>| {
            let names: BTreeSet<_> = all().filter_map(name).collect();
            for group_name in names {
                group(groups(self), group_name).add(game, all().filter(|mv| name(mv) == Some(group_name)));
            }
        };
        split(|sums| &mut sums.phases, &|mv| Some(phase(mv.phase)));
        split(|sums| &mut sums.left, &|mv| bracket(&LEFT, mv.left_ms?));
        split(|sums| &mut sums.spent, &|mv| bracket(&SPENT, mv.spent_ms?));
        for mv in all() {
            if let Some(mistake) = &mv.mistake {
                self.add_mistake(game, mv, mistake);
            }
        }
    }

    fn add_mistake(&mut self, game: &Played, mv: &PlayedMove, mistake: &Mistake) {
        let loss = (mv.loss * UNIT).round() as u64;
        let Mistake { board, number, played, best } = mistake;
        let (opponent, date) = (game.opponent.clone(), game.date.clone());
        let worst = (loss, played.clone(), best.clone(), *number, opponent, date, game.source.number);
        self.add_position(board.packed(), Practice { board: *board, times: 1, loss, worst });
        self.forget();
    }

    fn add_position(&mut self, key: [u8; 24], practice: Practice) {
        match self.positions.get_mut(&key) {
            Some(old) => old.merge(practice),
            None => {
                self.positions.insert(key, practice);
            }
        }
    }

    /// Forgets half of the positions if there are too many.
    fn forget(&mut self) {
        if self.positions.len() > MAX_POSITIONS {
            let mut losses: Vec<_> = self.positions.values().map(|practice| practice.loss).collect();
            losses.sort_unstable();
            let least = losses[losses.len() / 2];
            self.positions.retain(|_, practice| practice.loss > least);
        }
    }

    fn forget_departures(&mut self) {
        while self.departures.len() > MAX_POSITIONS {
            self.departures.pop_last();
        }
    }

    fn forget_games(&mut self) {
        while self.games.len() > MAX_LISTED {
            self.games.pop_last();
        }
    }

    /// Adds other sums.
    pub fn merge(&mut self, other: Self) {
        self.total.merge(&other.total);
        for (groups, more) in [
            (&mut self.openings, other.openings),
            (&mut self.colours, other.colours),
            (&mut self.phases, other.phases),
            (&mut self.left, other.left),
            (&mut self.spent, other.spent),
            (&mut self.opponents, other.opponents),
            (&mut self.months, other.months),
            (&mut self.repertoire, other.repertoire),
        ] {
            more.iter().for_each(|(name, sum)| group(groups, name).merge(sum));
        }
        for (departure, sum) in other.departures {
            self.departures.entry(departure).or_default().merge(&sum);
        }
        self.forget_departures();
        self.games.extend(other.games);
        self.forget_games();
        other.positions.into_iter().for_each(|(key, practice)| self.add_position(key, practice));
        self.forget();
    }

    /// The positions most worth practising: where most was lost, and often.
    pub fn practice(&self, count: usize) -> Vec<&Practice> {
        let mut positions: Vec<_> = self.positions.values().collect();
        positions.sort_by(|one, other| (other.loss, &other.worst).cmp(&(one.loss, &one.worst)));
        positions.truncate(count);
        positions
    }
}

/// Keeps the least numbers.
fn note(numbers: &mut BTreeSet<u32>, number: u32) {
    numbers.insert(number);
    if numbers.len() > MAX_LISTED {
        numbers.pop_last();
    }
}

fn group<'a>(groups: &'a mut Groups, name: &str) -> &'a mut Sum {
    let is_full = groups.len() >= MAX_GROUPS && !groups.contains_key(name);
    groups.entry(if is_full { "others" } else { name }.to_owned()).or_default()
}

const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Opening => "opening",
        Phase::Middlegame => "middlegame",
        Phase::Endgame => "endgame",
    }
}

/// Names of brackets, and the milliseconds below which they end.
type Brackets = [(u64, &'static str); 6];

/// What was left on the clock.
pub(super) const LEFT: Brackets = [
    (10_000, "less than 10 s"),
    (30_000, "10 to 30 s"),
    (60_000, "30 s to 1 min"),
    (180_000, "1 to 3 min"),
    (600_000, "3 to 10 min"),
    (u64::MAX, "10 min or more"),
];

/// What a move took.
pub(super) const SPENT: Brackets = [
    (1_000, "less than 1 s"),
    (3_000, "1 to 3 s"),
    (10_000, "3 to 10 s"),
    (30_000, "10 to 30 s"),
    (120_000, "30 s to 2 min"),
    (u64::MAX, "2 min or more"),
];

fn bracket(brackets: &Brackets, time: u64) -> Option<&'static str> {
    brackets.iter().find(|(end, _)| time < *end).map(|(_, name)| *name)
}

/// By two hundreds.
fn rating(rating: Option<u32>) -> String {
    rating.filter(|rating| (1..4000).contains(rating)).map_or_else(
        || "unknown".to_owned(),
        |rating| format!("{:04} to {:04}", rating / 200 * 200, rating / 200 * 200 + 199),
    )
}

fn month(month: i64) -> String {
    format!("{:04}-{:02}", month / 12, month % 12 + 1)
}

#[cfg(test)]
mod tests {
    use movegen::Board;

    use super::*;

    /// How many games there were.
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(1);

    fn played(month: i64, accuracies: &[f64], points: u8) -> Played {
        let moves = accuracies.iter().enumerate().map(|(index, &accuracy)| PlayedMove {
            phase: [Phase::Opening, Phase::Endgame][index % 2],
            loss: 0.2,
            accuracy,
            judgement: Some(Judgement::Blunder),
            left_ms: Some(10_000),
            spent_ms: None,
            mistake: Some(Mistake { board: Board::start(), number: 1, played: "f3".to_owned(), best: None }),
        });
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let source = GameEntry {
            number,
            file: None,
            white: "A".to_owned(),
            black: "B".to_owned(),
            result: "*".to_owned(),
            date: String::new(),
            site: None,
            accuracy: None,
            blunders: 0,
            repertoire: None,
        };
        Played {
            side: Side::White,
            source,
            points: Some(points),
            opening: "A00".to_owned(),
            opponent: "B".to_owned(),
            opponent_rating: Some(1450),
            month: Some(month),
            date: String::new(),
            moves: moves.collect(),
        }
    }

    #[test]
    fn sums_are_means_and_shares() {
        let mut sums = Sums::default();
        sums.add(&played(24_300, &[90.0, 70.0, 80.0], 2));
        sums.add(&played(24_302, &[100.0], 1));
        sums.add(&played(24_302, &[], 0));
        let total = &sums.total;
        assert_eq!((total.games, total.wins, total.draws, total.losses, total.moves), (3, 1, 1, 1, 4));
        assert_eq!((total.accuracy(), total.loss(), total.score()), (Some(85.0), Some(20.0), Some(50.0)));
        assert_eq!(total.trend(), None, "of four moves");
        assert_eq!((sums.phases["opening"].moves, sums.phases["endgame"].moves), (3, 1));
        assert_eq!(sums.phases["opening"].games, 2);
        assert_eq!(sums.left.keys().collect::<Vec<_>>(), ["10 to 30 s"]);
        assert!(sums.spent.is_empty() && sums.opponents.contains_key("1400 to 1599"));
        assert_eq!(sums.months.keys().collect::<Vec<_>>(), ["2025-01", "2025-03"]);
        assert_eq!(sums.practice(9)[0].times, 4);
        assert_eq!(sums.practice(9)[0].loss(), 80.0);
        for (month, accuracy) in [(24_300, 80.0), (24_302, 100.0)] {
            sums.add(&played(month, &[accuracy; 500], 2));
        }
        assert!(sums.total.trend().is_some_and(|trend| (9.8..10.2).contains(&trend)), "from 80 to 100 in two months");
    }

    #[test]
    fn the_order_does_not_matter() {
        let games: Vec<_> = (0..40).map(|n| played(24_300 + n % 7, &[60.0 + n as f64, 99.9], n as u8 % 3)).collect();
        let text = |sums: &Sums| {
            let total = &sums.total;
            format!("{:?} {:?} {:?} {:?}", total.accuracy(), total.loss(), total.trend(), sums.practice(1)[0].loss())
        };
        let (mut forward, mut parts) = (Sums::default(), [Sums::default(), Sums::default()]);
        games.iter().for_each(|game| forward.add(game));
        games.iter().rev().enumerate().for_each(|(index, game)| parts[index % 2].add(game));
        let [mut merged, other] = parts;
        merged.merge(other);
        assert_eq!(text(&merged), text(&forward));
    }

    #[test]
    fn groups_and_positions_are_bounded() {
        let mut groups = Groups::new();
        for number in 0..3 * MAX_GROUPS {
            group(&mut groups, &number.to_string()).games += 1;
        }
        assert_eq!(groups.len(), MAX_GROUPS + 1);
        assert_eq!(groups["others"].games as usize, 2 * MAX_GROUPS);
    }
}
