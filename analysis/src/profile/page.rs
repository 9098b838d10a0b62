//! A profile as one page that needs nothing else. It has no script; whatever a file says is escaped by `maud`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use movegen::{Bitboard, Board, Color, PieceType};
use sha2::{Digest, Sha256};

use super::model::{Position, Profile, Row};
use super::text::{number, results, story};
use super::{chart, games};

/// That of the report, and what is of this page alone.
const STYLE: [&str; 4] = [
    page::text("tokens.css"),
    page::text("review.css"),
    page::text("report/report.css"),
    include_str!("assets/profile.css"),
];
/// The squares of a diagram are among them.
const MARKS: &str = page::text("report/marks.svg");

/// The most rows of a table that are shown at once.
const MAX_ROWS: usize = 20;

/// The page.
pub(super) fn page(profile: &Profile) -> Markup {
    let style = STYLE.concat();
    let digest = STANDARD.encode(Sha256::digest(&style));
    let policy = format!("default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-{digest}'");
    html! {
        (DOCTYPE)
        (PreEscaped("<html lang=\"en\">\n"))
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="referrer" content="no-referrer";
            title { (profile.player) " – profile" }
            style { (PreEscaped(style)) }
        }
        (PreEscaped("\n<body>\n"))
        (PreEscaped(page::pieces::symbols()))
        (PreEscaped(MARKS))
        header .banner {
            h1 {
                svg .brand viewBox="0 0 1 1" aria-hidden="true" { use href="#rook" {} }
                "Vancura " bdi .source { (profile.run.source) }
            }
        }
        main .profile {
            h2 { bdi { (profile.player) } }
            (numbers(profile))
            (months(&profile.months))
            div .tables {
                @for (title, rows) in profile.tables() { (table(title, rows)) }
            }
            (practice(profile))
            (games::section(profile))
        }
        footer { p { (conditions(profile)) } }
        (PreEscaped("\n</body>\n</html>\n"))
    }
}

fn numbers(profile: &Profile) -> Markup {
    let total = &profile.total;
    let trend = signed(total.trend);
    let facts = [
        ("games", total.games.to_string()),
        ("% of the points", number(total.score)),
        ("accuracy", number(total.accuracy)),
        ("accuracy a month", trend),
        ("% of a point lost a move", number(total.loss)),
        ("blunders", total.blunders.to_string()),
    ];
    html! {
        p .about { (results(total)) }
        dl .numbers {
            @for (name, value) in facts {
                div { dt { (name) } dd { (value) } }
            }
        }
    }
}

fn months(rows: &[Row]) -> Markup {
    let known: Vec<_> = rows.iter().filter(|row| row.name != "unknown" && row.moves > 0).collect();
    let values: Vec<_> = known.iter().map(|row| row.accuracy).collect();
    html! {
        @if let [first, .., last] = &known[..] {
            section .card {
                h3 { "Accuracy by month" }
                (chart::line(&values, &format!("Accuracy by month, from {} to {}", first.name, last.name)))
                div .ends { span { (first.name) } span { (last.name) } }
            }
        }
        @if !rows.is_empty() { (table("Month", rows)) }
    }
}

fn table(title: &str, rows: &[Row]) -> Markup {
    let more = rows.len().saturating_sub(MAX_ROWS);
    // Of months the last ones.
    let rows = if title == "Month" { &rows[more..] } else { &rows[..rows.len() - more] };
    html! {
        @if !rows.is_empty() {
            section .card {
                h3 { (title) }
                table {
                    thead {
                        tr {
                            th scope="col" { "" }
                            th .figure scope="col" { "games" }
                            th .figure scope="col" { "score" }
                            th .figure .wide scope="col" { "moves" }
                            th .figure scope="col" { "accuracy" }
                            th .figure .wide scope="col" { "loss" }
                            th .figure .wide scope="col" { "blunders" }
                            th .figure .wide scope="col" { "trend" }
                        }
                    }
                    tbody {
                        @for row in rows { (line(title, row)) }
                    }
                }
                @if more > 0 { p .about { "and " (more) " more" } }
            }
        }
    }
}

fn line(title: &str, row: &Row) -> Markup {
    html! {
        tr {
            th scope="row" { bdi { (row.name) } }
            td .figure {
                @if row.numbers.is_empty() { (row.games) } @else { a href={ "#" (games::list_id(title, row)) } { (row.games) } }
                (chart::results(row.wins, row.draws, row.losses))
            }
            td .figure { (number(row.score)) }
            td .figure .wide { (row.moves) }
            td .figure { (number(row.accuracy)) (chart::bar(row.accuracy)) }
            td .figure .wide { (number(row.loss)) }
            td .figure .wide { (row.blunders) }
            td .figure .wide { (signed(row.trend)) }
        }
    }
}

/// With its sign; that of nothing is a plus.
fn signed(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{:+.2}", value + 0.0))
}

fn practice(profile: &Profile) -> Markup {
    let positions = &profile.practice[..];
    html! {
        @if !positions.is_empty() {
            section {
                h3 { "To practise" }
                ol .gallery {
                    @for position in positions {
                        li .card {
                            (diagram(position))
                            p { (if position.black { "Black" } else { "White" }) " to move" }
                            details {
                                summary { "What happened" }
                                p .about { (story(position)) " " (games::link(profile, position.game)) }
                            }
                            details {
                                summary { "Play it on" }
                                p .about { "On " code { "vancura board" } " or any other board that this is pasted into:" }
                                input .fen readonly value=(position.fen) aria-label="FEN";
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A position as the player saw it.
fn diagram(position: &Position) -> Markup {
    let board = Board::from_fen(&position.fen).unwrap_or_else(|_| Board::start());
    let place = |square: movegen::Square| {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        if position.black { (7 - file, rank) } else { (file, 7 - rank) }
    };
    let pieces = |color, piece_type| {
        let squares: Bitboard = board.colored_pieces(color, piece_type);
        squares.into_iter().map(place).collect::<Vec<_>>()
    };
    let kinds = [
        (PieceType::Pawn, "#pawn"),
        (PieceType::Knight, "#knight"),
        (PieceType::Bishop, "#bishop"),
        (PieceType::Rook, "#rook"),
        (PieceType::Queen, "#queen"),
        (PieceType::King, "#king"),
    ];
    html! {
        svg .diagram viewBox="0 0 8 8" role="img" aria-label=(position.fen) {
            use href="#squares" {}
            @for (color, class) in [(Color::White, "white"), (Color::Black, "black")] {
                g class=(class) {
                    @for (piece_type, symbol) in kinds {
                        @for (x, y) in pieces(color, piece_type) { use href=(symbol) x=(x) y=(y) {} }
                    }
                }
            }
        }
    }
}

fn conditions(profile: &Profile) -> String {
    let Profile { run, evaluated, searched, unjudged, .. } = profile;
    let limits = [
        run.limits.depth.map(|depth| format!("depth {depth}")),
        run.limits.nodes.map(|nodes| format!("{nodes} nodes")),
        run.limits.time_ms.map(|time| format!("{} s", time as f64 / 1000.0)),
    ];
    let limits: Vec<_> = limits.into_iter().flatten().collect();
    format!(
        "{searched} games searched by {} with {} a position, {evaluated} judged by the evaluations in the file, {unjudged} \
         counted with their results alone. Accuracy is 100 for a move that loses nothing; it is counted in another way \
         than on Lichess and chess.com, and cannot be compared with theirs. Loss is in per cent of a point. \
         Trend is how much the accuracy rises in a month.",
        run.engine,
        limits.join(" or "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_ends_no_element_and_names_no_server() {
        let style = STYLE.concat();
        assert!(!style.contains("</") && !style.contains("http") && !style.contains("url("));
    }
}
