//! A game as a page: complete without the script, which adds a board to step through.

use maud::{Markup, html};

use super::diagram::{Arrow, diagram};
use super::{facts, graph, moves, words};
use crate::model::{Game, Line, Move, Position, Side, Tag};

/// The tags that the head of a game says in its own way, so that the list of tags need not.
const TAGS_OF_HEAD: [&str; 5] = ["White", "Black", "Result", "SetUp", "FEN"];

/// The page of a game as it reads without a script.
///
/// At most `diagrams` of its bad moves are pictured, the worst.
pub(super) fn article(game: &Game, diagrams: usize) -> Markup {
    html! {
        article .game #{ "game-" (game.number) } aria-labelledby={ "title-" (game.number) } {
            (head(game))
            @if !game.moves.is_empty() {
                section .charts aria-label="Graphs" {
                    (graph::chances(game))
                    (legend())
                    @if let Some(clocks) = graph::clocks(game) { (clocks) }
                    @if let Some(times) = graph::times(game) { (times) }
                }
                section .list aria-label="Moves" { (moves::list(game)) }
            } @else if !words::comment(&game.comment).is_empty() {
                section .list aria-label="Comment" { p dir="auto" { (words::comment(&game.comment)) } }
            }
            (facts(game))
            (moments(game, diagrams))
        }
    }
}

fn facts(game: &Game) -> Markup {
    let judged = game.white.game.moves + game.black.game.moves;
    let tags = other_tags(game);
    html! {
        @if judged > 0 || !game.findings.is_empty() || !tags.is_empty() {
            section .facts aria-label="Facts" {
                (facts::findings(game))
                @if judged > 0 { (facts::accuracy(game)) (facts::counts(game)) }
                @if !tags.is_empty() {
                    details .tags {
                        summary { "Tags of the file" }
                        dl { @for tag in tags { div { dt { (tag.name) } dd dir="auto" { (tag.value) } } } }
                    }
                }
            }
        }
    }
}

/// The tags that the head of a game does not say.
pub(super) fn other_tags(game: &Game) -> Vec<&Tag> {
    game.tags.iter().filter(|tag| !TAGS_OF_HEAD.contains(&&tag.name[..])).collect()
}

pub(super) fn head(game: &Game) -> Markup {
    html! {
        header .head {
            h2 #{ "title-" (game.number) } {
                @if is_position(game) { "Position" } @else {
                    (player(game, Side::White)) " "
                    span .result { (words::result(&game.result)) } " "
                    (player(game, Side::Black))
                }
            }
            @let about = about(game);
            @if !about.is_empty() { p .about dir="auto" { (about) } }
            @if let (true, Some(position)) = (is_position(game), game.positions.first()) {
                p .about { code { (position.fen) } }
            }
            @if !game.complete { p .warning { "The analysis was interrupted before the end of this game." } }
        }
    }
}

/// Whether it is a position without a game.
fn is_position(game: &Game) -> bool {
    game.moves.is_empty() && words::known(game, "White").is_none() && words::known(game, "Black").is_none()
}

fn player(game: &Game, side: Side) -> Markup {
    let name = words::side(side);
    let rating = words::known(game, &format!("{name}Elo"));
    let title = words::known(game, &format!("{name}Title"));
    html! {
        span class={ "player " (name.to_lowercase()) } {
            @if let Some(title) = title { small .title { (title) } " " }
            bdi { (words::player(game, side)) }
            @if let Some(rating) = rating { " " small { (rating) } }
        }
    }
}

/// Where, when and how it was played.
fn about(game: &Game) -> String {
    let tag = |name| words::known(game, name).map(str::to_owned);
    let parts = [
        tag("Event"),
        words::known(game, "Site").map(words::site),
        tag("Round").map(|round| format!("round {round}")),
        words::known(game, "Date").or(words::known(game, "UTCDate")).map(words::date),
        words::opening(game),
        tag("Variant").filter(|variant| !variant.eq_ignore_ascii_case("standard")),
        words::known(game, "TimeControl").map(words::time_control),
        tag("Termination").filter(|way| !way.eq_ignore_ascii_case("normal")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn legend() -> Markup {
    html! {
        p .legend {
            @for (class, name) in [("win", "White wins"), ("draw", "Draw"), ("loss", "Black wins")] {
                span .key { span class={ "swatch " (class) } {} (name) }
            }
            span .key { span .swatch .points {} "White's points" }
            @for name in ["inaccuracy", "mistake", "blunder"] {
                span .key { svg .swatch viewBox="-6 -6 12 12" aria-hidden="true" {
                    use class={ "mark " (name) } href={ "#mark-" (name) } {}
                } (name) }
            }
        }
    }
}

/// Pictures of the positions in which somebody erred, with what was played and what was better; and of the last one.
pub(super) fn moments(game: &Game, most: usize) -> Markup {
    let worst = worst(game, most);
    html! {
        section .moments .alone[game.moves.is_empty()] aria-label="Diagrams" {
            @if !game.moves.is_empty() { h3 { @if worst.is_empty() { "The end" } @else { "Critical positions" } } }
            div .gallery {
                @for (index, mv) in worst {
                    @if let Some(position) = game.positions.get(index) { (error(index, mv, position)) }
                }
                @if let Some(position) = game.positions.last() { (last(game, position)) }
            }
        }
    }
}

/// The worst moves that have a judgement, in the order of the game.
fn worst(game: &Game, most: usize) -> Vec<(usize, &Move)> {
    let mut worst: Vec<_> = game.moves.iter().enumerate().filter(|(_, mv)| mv.judgement.is_some()).collect();
    let loss = |mv: &Move| mv.loss.unwrap_or(0.0);
    worst.sort_by(|(_, one), (_, other)| loss(other).total_cmp(&loss(one)));
    worst.truncate(most);
    worst.sort_by_key(|&(index, _)| index);
    worst
}

fn error(index: usize, mv: &Move, position: &Position) -> Markup {
    let best = position.analysis.as_ref().and_then(|analysis| analysis.lines.first());
    let best = best.filter(|line| line.uci.first() != Some(&mv.uci));
    let better = best.and_then(|line| line.uci.first());
    let arrows = [better.map(|uci| Arrow { uci, class: "best" }), Some(Arrow { uci: &mv.uci, class: "bad" })];
    let arrows: Vec<_> = arrows.into_iter().flatten().collect();
    let label = format!("Position before {}{}", words::number(mv.number, mv.side), mv.san);
    html! {
        figure {
            span .shot data-go={ "m" (index + 1) } { (diagram(&position.fen, &label, &arrows)) }
            figcaption { (played(mv)) @if let Some(line) = best { " " (instead(mv, line)) } }
        }
    }
}

fn played(mv: &Move) -> Markup {
    let class = mv.judgement.map_or("", words::judgement);
    html! {
        strong class=(class) { (words::number(mv.number, mv.side)) " " (mv.san) (mv.judgement.map_or("", words::glyph)) }
        @if let Some(loss) = mv.loss { " throws away " (words::percent(loss)) "." }
    }
}

fn instead(mv: &Move, line: &Line) -> Markup {
    let points = if mv.side == Side::White { line.white } else { 1.0 - line.white };
    html! {
        @if let Some(san) = line.san.first() {
            span .instead { strong .best { (san) } " keeps " (words::percent(points)) "." }
        }
    }
}

/// The last position, or the only one, with its best lines.
fn last(game: &Game, position: &Position) -> Markup {
    let ply = game.moves.len();
    let label = if ply == 0 { "The position" } else { "The last position" };
    let lines = position.analysis.as_ref().map_or(&[][..], |analysis| &analysis.lines);
    // Of a game only the best: the others are with the board.
    let lines = if ply == 0 { lines } else { lines.get(..1).unwrap_or(lines) };
    let arrow = lines.first().and_then(|line| line.uci.first()).map(|uci| Arrow { uci, class: "best" });
    html! {
        figure {
            span .shot data-go={ "m" (ply) } { (diagram(&position.fen, label, arrow.as_slice())) }
            figcaption {
                (label) ", " (words::side(position.turn)) " to move."
                @if let Some(analysis) = &position.analysis {
                    " " strong { (words::score(analysis.score)) } ", White expects " (words::percent(analysis.white)) "."
                }
                @for (rank, line) in lines.iter().enumerate() { p { (moves::best_line(ply, rank, position, line)) } }
            }
        }
    }
}
