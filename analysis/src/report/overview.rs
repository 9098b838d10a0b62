//! All games of a report in a table.

use maud::{Markup, html};

use super::{facts, graph, words};
use crate::analyse::model::{BrokenGame, Game, Judgement, Side, Summary, Tally};

/// The table of the games, and the list of those that could not be read. Nothing if there is just one good game.
pub(super) fn section(games: &[Game], broken: &[BrokenGame]) -> Markup {
    html! {
        @if games.len() != 1 || !broken.is_empty() {
            section #overview aria-label="All games" {
                h2 { (words::plural(games.len(), "game", "games")) }
                p .about { (totals(games)) }
                @if !games.is_empty() { (table(games)) }
                (unread(broken))
            }
        }
    }
}

/// What all games amount to, in a sentence.
fn totals(games: &[Game]) -> String {
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    let mut parts = vec![words::plural(moves, "half-move", "half-moves")];
    let tallies = || games.iter().flat_map(|game| [&game.white.game, &game.black.game]);
    let accuracy = tallies().filter_map(|tally| Some((f64::from(tally.moves), tally.accuracy?)));
    let (weight, sum) = accuracy.fold((0.0, 0.0), |(all, sum), (moves, mean)| (all + moves, sum + moves * mean));
    if weight > 0.0 {
        parts.push(format!("average accuracy {:.1}", sum / weight));
    }
    let blunders: u32 = tallies().map(|tally| tally.blunders).sum();
    parts.push(words::plural(blunders as usize, "blunder", "blunders"));
    parts.join(" · ")
}

/// A column: its name, and how to sort by it at first; nothing for one that cannot be sorted by.
struct Column {
    name: &'static str,
    class: &'static str,
    sort: Option<&'static str>,
}

const COLUMNS: [Column; 8] = [
    Column { name: "#", class: "place", sort: Some("ascending") },
    Column { name: "Players", class: "players", sort: Some("ascending") },
    Column { name: "Result", class: "result", sort: Some("descending") },
    Column { name: "Accuracy", class: "accuracy", sort: Some("descending") },
    Column { name: "?! ? ??", class: "errors", sort: Some("descending") },
    Column { name: "Winning chances", class: "course", sort: None },
    Column { name: "Moves", class: "length", sort: Some("descending") },
    Column { name: "Event", class: "event", sort: Some("ascending") },
];

fn table(games: &[Game]) -> Markup {
    html! {
        table .games {
            caption .hidden { "Games; White's line is above Black's" }
            thead { tr {
                @for column in COLUMNS {
                    th scope="col" class=(column.class) data-sort=[column.sort] {
                        @if column.class == "errors" {
                            abbr title="Inaccuracies, mistakes, blunders" { (column.name) }
                        } @else { (column.name) }
                    }
                }
            } }
            tbody { @for game in games { (row(game)) } }
        }
    }
}

fn row(game: &Game) -> Markup {
    let sides = [&game.white, &game.black];
    let accuracies: Vec<_> = sides.into_iter().filter_map(|side| side.game.accuracy).collect();
    let accuracy = accuracies.iter().sum::<f64>() / accuracies.len().max(1) as f64;
    let errors: u32 = sides.into_iter().map(weight).sum();
    html! {
        tr {
            td .place data-value=(game.number) { (game.number) }
            th .players scope="row" data-value=(words::player(game, Side::White).to_lowercase()) {
                a href={ "#game-" (game.number) } {
                    @for side in [Side::White, Side::Black] {
                        span class={ "player " (words::side(side).to_lowercase()) } { bdi { (words::player(game, side)) } }
                    }
                }
            }
            td .result data-value=(game.result) {
                (words::result(&game.result))
                @if !game.complete { " " abbr title="The analysis was interrupted" { "…" } }
            }
            td .accuracy data-value=(format!("{accuracy:.3}")) {
                @for side in sides { span { (words::decimal(side.game.accuracy)) } }
            }
            td .errors data-value=(errors) { @for side in sides { (error_counts(&side.game)) } }
            td .course { (graph::spark(game)) }
            td .length data-value=(game.moves.len()) { (game.moves.len().div_ceil(2)) }
            (event(game))
        }
    }
}

fn error_counts(tally: &Tally) -> Markup {
    html! {
        span {
            @for judgement in [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder] {
                @let count = facts::of(tally, judgement);
                span class={ @if count == 0 { "none" } @else { (words::judgement(judgement)) } } { (count) }
            }
        }
    }
}

/// One blunder counts for more than any mistakes a game may have, and so on.
const fn weight(side: &Summary) -> u32 {
    let tally = &side.game;
    tally
        .blunders
        .saturating_mul(1_000_000)
        .saturating_add(tally.mistakes.saturating_mul(1_000))
        .saturating_add(tally.inaccuracies)
}

fn event(game: &Game) -> Markup {
    let event = words::known(game, "Event");
    let date = words::known(game, "Date").or(words::known(game, "UTCDate"));
    html! {
        td .event data-value=(date.unwrap_or("")) {
            @if let Some(event) = event { span { bdi { (event) } } }
            @if let Some(date) = date { span { (words::date(date)) } }
        }
    }
}

fn unread(games: &[BrokenGame]) -> Markup {
    html! {
        @if !games.is_empty() {
            section .broken aria-label="Games that could not be read" {
                h3 { (words::plural(games.len(), "game", "games")) " could not be read" }
                ul { @for game in games { li { "Game " (game.number) ": " (game.fault) } } }
            }
        }
    }
}
