//! The games behind the numbers of a profile: each number leads to a list of them.

use maud::{Markup, html};

use super::model::{GameEntry, Profile, Row};
use super::text::number;

/// The most games of a row that are named, and the most of all.
const OF_A_ROW: usize = 60;
const OF_ALL: usize = 1_000;

/// What the list of a row's games is called; words alone.
pub(super) fn list_id(title: &str, row: &Row) -> String {
    let words = format!("{title} {}", row.name);
    let safe = words.bytes().map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte) } else { '-' });
    // Two names may look alike now, so what they are made of tells them apart.
    let sum = words.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
    format!("games-{}-{sum:x}", safe.take(40).collect::<String>())
}

/// A game that is listed, with its number.
pub(super) fn link(profile: &Profile, number: u32) -> Markup {
    let is_listed = profile.games.iter().take(OF_ALL).any(|game| game.number == number);
    html! { @if is_listed { a href={ "#game-" (number) } { "Game " (number) } } }
}

pub(super) fn section(profile: &Profile) -> Markup {
    let listed: Vec<_> = profile.games.iter().take(OF_ALL).collect();
    let tables = profile.tables().into_iter().chain([("Month", &profile.months[..])]);
    html! {
        @if !listed.is_empty() {
            section .card .games {
                h3 { "Games" }
                @for (title, row) in tables.flat_map(|(title, rows)| rows.iter().map(move |row| (title, row))) {
                    @if !row.numbers.is_empty() { (of_row(title, row, &listed)) }
                }
                ol .about { @for game in &listed { (entry(game)) } }
                @if profile.games.len() > listed.len() {
                    p .about { "and " (profile.games.len() - listed.len()) " more, in the numbers for programs" }
                }
            }
        }
    }
}

fn of_row(title: &str, row: &Row, listed: &[&GameEntry]) -> Markup {
    let is_listed = |number: &&u32| listed.binary_search_by_key(*number, |game| game.number).is_ok();
    let shown: Vec<_> = row.numbers.iter().filter(is_listed).take(OF_A_ROW).collect();
    let more = usize::try_from(row.games).unwrap_or(usize::MAX).saturating_sub(shown.len());
    html! {
        p .about #(list_id(title, row)) {
            (title) ", " bdi { (row.name) } ": "
            @for number in shown { a href={ "#game-" (number) } { (number) } " " }
            @if more > 0 { "and " (more) " more" }
        }
    }
}

fn entry(game: &GameEntry) -> Markup {
    let address = game.site.as_deref().filter(|site| site.starts_with("https://"));
    html! {
        li #{ "game-" (game.number) } value=(game.number) {
            bdi { (game.white) } " – " bdi { (game.black) } " " (game.result)
            @if !game.date.is_empty() { ", " (game.date) }
            @if let Some(file) = &game.file { ", " bdi { (file) } }
            @if let Some(departure) = &game.repertoire {
                ", " (departure.outcome.name())
                @if let Some(words) = departure.in_words() { " at " (words) }
            }
            ": accuracy " (number(game.accuracy)) ", " (game.blunders) " blunders"
            @if let Some(address) = address { " " a href=(address) rel="noreferrer" { "open" } }
        }
    }
}
