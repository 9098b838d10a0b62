//! All games of a report in a table.

use std::io::{self, Write};
use std::path::Path;

use maud::{Markup, PreEscaped, Render, html};

use super::{facts, graph, words};
use crate::model::{BrokenGame, Game, Judgement, PlayerSummary, Side, Tally};
use crate::temp_file::TempFile;

/// The table of the games, and the list of those that could not be read; each row lies on disk until the last game is
/// known. Nothing is shown if there is just one good game.
pub(super) struct Overview {
    pub totals: Totals,
    rows: TempFile,
    /// Games that could not be read, and those that could not in full.
    broken: usize,
    cut: usize,
    /// The last of these.
    last_cut: Option<u32>,
    unread: TempFile,
}

impl Overview {
    pub fn new(folder: Option<&Path>) -> io::Result<Self> {
        let [rows, unread] = [TempFile::new(folder)?, TempFile::new(folder)?];
        Ok(Self { totals: Totals::default(), rows, broken: 0, cut: 0, last_cut: None, unread })
    }

    pub fn add(&mut self, game: &Game) -> io::Result<()> {
        self.totals.add(game);
        self.rows.write_all(row(game).into_string().as_bytes())
    }

    pub fn add_broken(&mut self, game: &BrokenGame) -> io::Result<()> {
        if !game.in_part {
            self.broken += 1;
        } else if self.last_cut.replace(game.number) != Some(game.number) {
            self.cut += 1;
        }
        let item = html! { li { "Game " (game.number) ": " (game.fault) } };
        self.unread.write_all(item.into_string().as_bytes())
    }

    pub fn write(&mut self, mut output: &mut dyn Write) -> io::Result<()> {
        if self.totals.games == 1 && self.broken + self.cut == 0 {
            return Ok(());
        }
        let open = html! {
            (PreEscaped("<section id=\"overview\" aria-label=\"All games\">"))
            h2 { (words::plural(self.totals.games, "game", "games")) }
            p .about { (self.totals) }
        };
        output.write_all(open.into_string().as_bytes())?;
        if self.totals.games > 0 {
            write!(output, "<table class=\"games\">{}<tbody>", heads().into_string())?;
            io::copy(&mut self.rows.read()?, &mut output)?;
            output.write_all(b"</tbody></table>")?;
        }
        if self.broken + self.cut > 0 {
            let games = |count| words::plural(count, "game", "games");
            let heading = match (self.broken, self.cut) {
                (broken, 0) => format!("{} could not be read", games(broken)),
                (0, cut) => format!("{} could not be read in full", games(cut)),
                (broken, cut) => format!("{} could not be read, {} not in full", games(broken), games(cut)),
            };
            let unread = html! { h3 { (heading) } };
            let label = "Games that could not be read";
            write!(output, "<section class=\"broken\" aria-label=\"{label}\">{}<ul>", unread.into_string())?;
            io::copy(&mut self.unread.read()?, &mut output)?;
            output.write_all(b"</ul></section>")?;
        }
        output.write_all(b"</section>")
    }
}

/// What all games amount to.
#[derive(Default)]
pub(super) struct Totals {
    pub games: usize,
    half_moves: usize,
    blunders: usize,
    /// The moves that have an accuracy, and the sum of it.
    accuracy: (f64, f64),
}

impl Totals {
    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.half_moves += game.moves.len();
        for tally in [&game.white.game, &game.black.game] {
            self.blunders += tally.blunders as usize;
            let moves = f64::from(tally.moves);
            if let Some(mean) = tally.accuracy {
                self.accuracy.0 += moves;
                self.accuracy.1 += moves * mean;
            }
        }
    }
}

/// As a sentence.
impl Render for Totals {
    fn render(&self) -> Markup {
        let mut parts = vec![words::plural(self.half_moves, "half-move", "half-moves")];
        let (moves, sum) = self.accuracy;
        if moves > 0.0 {
            parts.push(format!("average accuracy {:.1}", sum / moves));
        }
        parts.push(words::plural(self.blunders, "blunder", "blunders"));
        parts.join(" · ").render()
    }
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

fn heads() -> Markup {
    html! {
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
                @if let Some(opening) = words::opening(game) { small .opening dir="auto" { (opening) } }
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
const fn weight(side: &PlayerSummary) -> u32 {
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
