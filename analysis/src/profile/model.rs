//! A profile as data, which is what `--json` writes and what the page and the summary are made from.
//!
//! Every field stands under its name, always; what is not known is `null`. Accuracies and shares are 0 to 100, losses are
//! per cent of a point.

use std::collections::HashMap;

use movegen::Board;
use pgn::OpeningName;
use serde::{Deserialize, Serialize};

pub use super::entry::{Departure, GameEntry, MAX_LISTED, Outcome};
use super::practice::Practice;
use super::sums::{Groups, LEFT, SPENT, Sum, Sums};
use crate::model::Run;

/// The version of this schema.
pub const SCHEMA: u32 = 1;

/// How many positions to practise are listed.
const POSITIONS: usize = 12;

/// The whole of a profile.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Profile {
    /// The version of the schema, [`SCHEMA`].
    pub schema: u32,
    /// The player, as the games have the name.
    pub player: String,
    /// What did the analysis, and how; also if no game needed it.
    pub run: Run,
    /// Games that were judged by the evaluations of the file.
    pub evaluated: u64,
    /// Games that were searched.
    pub searched: u64,
    /// Games that were neither, and count with their results alone.
    pub unjudged: u64,
    /// All games.
    pub total: Row,
    /// By colour.
    pub colours: Vec<Row>,
    /// By opening, the most frequent first.
    pub openings: Vec<Row>,
    /// By the part of the game.
    pub phases: Vec<Row>,
    /// By what was left on the clock before the move.
    pub time_left: Vec<Row>,
    /// By what the move took.
    pub time_spent: Vec<Row>,
    /// By the opponent's rating.
    pub opponents: Vec<Row>,
    /// By month.
    pub months: Vec<Row>,
    /// The positions most worth practising: where most was lost in all games together.
    pub practice: Vec<Position>,
    /// How many games left the repertoire, and how; by who left it. None without a repertoire.
    #[serde(default)]
    pub repertoire: Vec<Row>,
    /// Where the player left the repertoire, the most frequent first.
    #[serde(default)]
    pub left_by_player: Vec<Row>,
    /// Where opponents left it, the most frequent first.
    #[serde(default)]
    pub left_by_opponents: Vec<Row>,
    /// The games, by their numbers; of more than [`MAX_LISTED`] the first ones read.
    #[serde(default)]
    pub games: Vec<GameEntry>,
}

/// Some games, or those moves of them that belong together.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// What they have in common.
    pub name: String,
    /// Games with such moves.
    pub games: u64,
    /// Those that the player won.
    pub wins: u64,
    /// Those that were drawn.
    pub draws: u64,
    /// Those that the player lost.
    pub losses: u64,
    /// The share of points in games with a result.
    pub score: Option<f64>,
    /// The moves that were judged and had an alternative.
    pub moves: u64,
    /// Their mean accuracy.
    pub accuracy: Option<f64>,
    /// Their mean loss.
    pub loss: Option<f64>,
    /// How many were inaccuracies.
    pub inaccuracies: u64,
    /// How many were mistakes.
    pub mistakes: u64,
    /// How many were blunders.
    pub blunders: u64,
    /// By how much the accuracy rises in a month, by a straight line through all months.
    pub trend: Option<f64>,
    /// The numbers of the games, as far as they are among [`Profile::games`].
    #[serde(default)]
    pub numbers: Vec<u32>,
}

/// A position in which the player erred.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Position {
    /// As FEN.
    pub fen: String,
    /// In how many games.
    pub times: u64,
    /// What was lost here in all of them.
    pub loss: f64,
    /// The worst move played, in Standard Algebraic Notation.
    pub played: String,
    /// The best move found; `None` if only the evaluations of the file are known.
    pub best: Option<String>,
    /// The number of the move.
    pub number: u32,
    /// Whether Black is to move.
    pub black: bool,
    /// The opponent in that game.
    pub opponent: String,
    /// The date of that game, as the file has it.
    pub date: String,
    /// The number of that game.
    #[serde(default)]
    pub game: u32,
}

impl Profile {
    pub(super) fn of(player: String, run: Run, sums: &Sums, counts: [u64; 3]) -> Self {
        let [evaluated, searched, unjudged] = counts;
        let rows = |groups: &Groups| groups.iter().map(|(name, sum)| row(name, sum)).collect::<Vec<_>>();
        let ordered = |groups: &Groups, names: &[&str]| {
            let known = names.iter().filter_map(|name| Some(row(name, groups.get(*name)?)));
            known.collect::<Vec<_>>()
        };
        let mut openings = rows(&sums.openings);
        openings.sort_by(|one, other| other.games.cmp(&one.games).then_with(|| one.name.cmp(&other.name)));
        Self {
            schema: SCHEMA,
            player,
            run,
            evaluated,
            searched,
            unjudged,
            total: row("all games", &sums.total),
            colours: ordered(&sums.colours, &["White", "Black"]),
            openings,
            phases: ordered(&sums.phases, &["opening", "middlegame", "endgame"]),
            time_left: ordered(&sums.left, &LEFT.map(|(_, name)| name)),
            time_spent: ordered(&sums.spent, &SPENT.map(|(_, name)| name)),
            opponents: rows(&sums.opponents),
            months: rows(&sums.months),
            practice: sums.practice(POSITIONS).into_iter().map(position).collect(),
            repertoire: ordered(&sums.repertoire, &Outcome::ALL.map(Outcome::name)),
            left_by_player: departures(sums, Outcome::PlayerLeft),
            left_by_opponents: departures(sums, Outcome::OpponentLeft),
            games: sums.games.values().cloned().collect(),
        }
    }

    /// The tables, each with its title.
    pub(super) fn tables(&self) -> [(&'static str, &[Row]); 9] {
        [
            ("Repertoire", &self.repertoire),
            ("Left by the player", &self.left_by_player),
            ("Left by opponents", &self.left_by_opponents),
            ("Colour", &self.colours),
            ("Part of the game", &self.phases),
            ("Opening", &self.openings),
            ("Time left", &self.time_left),
            ("Time spent on the move", &self.time_spent),
            ("Opponent's rating", &self.opponents),
        ]
    }
}

impl Outcome {
    const ALL: [Self; 5] = [Self::PlayerLeft, Self::OpponentLeft, Self::BookEnded, Self::Completed, Self::Unmatched];

    /// In words.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::PlayerLeft => "left by the player",
            Self::OpponentLeft => "left by the opponent",
            Self::BookEnded => "the repertoire ended",
            Self::Completed => "in it to the end",
            Self::Unmatched => "not in it",
        }
    }
}

impl Departure {
    /// The move, and what the repertoire has instead: `3. Bb5, not Bc4`.
    pub(super) fn in_words(&self) -> Option<String> {
        let (number, played) = (self.number?, self.played.as_ref()?);
        let dots = if self.black { "..." } else { "." };
        let says = if self.says.is_empty() { String::new() } else { format!(", not {}", self.says.join(" or ")) };
        Some(format!("{number}{dots} {played}{says}"))
    }
}

/// The moves by which games left the repertoire, the most frequent first. Those of different positions may be called alike;
/// they are told apart by a number.
fn departures(sums: &Sums, outcome: Outcome) -> Vec<Row> {
    let mut seen = HashMap::new();
    let found = sums.departures.iter().filter(|(departure, _)| departure.outcome == outcome);
    let mut rows: Vec<_> = found
        .map(|(departure, sum)| {
            let board = departure.fen.as_ref().and_then(|fen| Board::from_fen(fen).ok());
            let opening = board.and_then(|board| OpeningName::of_position(&board));
            let opening = opening.map_or_else(String::new, |opening| format!(" ({})", opening.name));
            let mut name = departure.in_words().unwrap_or_default() + &opening;
            let count = seen.entry(name.clone()).or_insert(0_u32);
            *count += 1;
            if *count > 1 {
                name = format!("{name} [{count}]");
            }
            row(&name, sum)
        })
        .collect();
    rows.sort_by(|one, other| other.games.cmp(&one.games).then_with(|| one.name.cmp(&other.name)));
    rows
}

fn row(name: &str, sum: &Sum) -> Row {
    Row {
        name: name.to_owned(),
        games: sum.games,
        wins: sum.wins,
        draws: sum.draws,
        losses: sum.losses,
        score: sum.score(),
        moves: sum.moves,
        accuracy: sum.accuracy(),
        loss: sum.loss(),
        inaccuracies: sum.inaccuracies,
        mistakes: sum.mistakes,
        blunders: sum.blunders,
        trend: sum.trend(),
        numbers: sum.numbers.iter().copied().collect(),
    }
}

fn position(practice: &Practice) -> Position {
    Position {
        fen: practice.fen(),
        times: practice.times,
        loss: practice.loss(),
        played: practice.played().to_owned(),
        best: practice.best().map(str::to_owned),
        number: practice.number(),
        black: practice.board().turn() == movegen::Color::Black,
        opponent: practice.opponent().to_owned(),
        date: practice.date().to_owned(),
        game: practice.game(),
    }
}
