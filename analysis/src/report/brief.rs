//! A game as text, for those who read a page of many games without the script: all moves, with what is said of each, and
//! all facts. The script has no use for it.

use maud::{Markup, html};

use super::moves::{Variations, ending, findings_at};
use super::{facts, game, words};
use crate::model::{Game, Judgement, Move, PlayerSummary, Side};

/// The most moves of the better line beside a bad move.
const BETTER_MOVES: usize = 6;

/// The page of a game as text.
pub(super) fn article(game: &Game) -> Markup {
    html! {
        article .game.brief #{ "game-" (game.number) } {
            (game::head(game))
            @if !game.comment.is_empty() { p dir="auto" { (words::comment(&game.comment)) } }
            @if game.moves.is_empty() { (game::moments(game, 0)) } @else { (moves(game)) }
            (facts(game))
        }
    }
}

fn moves(game: &Game) -> Markup {
    let variations = Variations::of(game);
    let notes: Vec<_> = game.moves.iter().enumerate().map(|(index, mv)| notes(game, &variations, index, mv)).collect();
    html! {
        p {
            @for (index, mv) in game.moves.iter().enumerate() {
                @let is_numbered = mv.side == Side::White || index == 0 || !notes[index - 1].is_empty();
                @if is_numbered { (words::number(mv.number, mv.side)) " " }
                (one(game, index, mv)) " "
                @for note in &notes[index] { (note) " " }
            }
            (words::result(&game.result)) (ending(game))
        }
    }
}

/// A move with its signs and the score after it.
fn one(game: &Game, index: usize, mv: &Move) -> Markup {
    let analysis = game.positions.get(index + 1).and_then(|position| position.analysis.as_ref());
    let ours = mv.judgement.map_or("", words::glyph);
    html! {
        (mv.san) (ours)
        @for sign in mv.nags.iter().filter_map(|&nag| words::nag(nag)).filter(|&sign| sign != ours) { " (" (sign) " in the file)" }
        @if mv.only_move { " only" }
        @if mv.good_move { " good" }
        @if let Some(analysis) = analysis { " " i { (words::score(analysis.score)) } }
    }
}

/// What there is to say after a move.
fn notes(game: &Game, variations: &Variations, index: usize, mv: &Move) -> Vec<Markup> {
    let mut notes: Vec<_> = mv.judgement.map(|judgement| verdict(game, index, mv, judgement)).into_iter().collect();
    notes.extend(findings_at(game, index + 1).map(|finding| html! { "(" (finding.text) ")" }));
    let comment = words::comment(&mv.comment);
    notes.extend((!comment.is_empty()).then(|| html! { bdi { (comment) } }));
    notes.extend(variations.at(None, index).map(|variation| variations.text(variation)));
    notes
}

/// Why a move is bad, and what was better.
fn verdict(game: &Game, index: usize, mv: &Move, judgement: Judgement) -> Markup {
    let line = game.positions.get(index).and_then(|position| position.analysis.as_ref()?.lines.first());
    let line = line.filter(|line| line.uci.first() != Some(&mv.uci));
    html! {
        "(" (words::judgement(judgement))
        @if let Some(loss) = mv.loss { " −" (words::percent(loss)) }
        @if let Some(moves) = mv.missed_mate { ", missed mate in " (moves) }
        @if let Some(line) = line {
            ", better"
            @for san in line.san.iter().take(BETTER_MOVES) { " " (san) }
        }
        ")"
    }
}

fn facts(game: &Game) -> Markup {
    let judged = game.white.game.moves + game.black.game.moves;
    html! {
        @for finding in &game.findings { p { b { (facts::finding_name(finding.kind)) } " " (finding.text) } }
        @if judged > 0 {
            @for (name, summary) in [("White", &game.white), ("Black", &game.black)] { p { b { (name) } (played(summary)) } }
        }
        p dir="auto" { @for tag in game::other_tags(game) { (tag.name) ": " (tag.value) ". " } }
    }
}

/// How a side played: the game as a whole and by its parts, and what its moves were.
fn played(summary: &PlayerSummary) -> Markup {
    let PlayerSummary { game, opening, middlegame, endgame, lichess_accuracy } = summary;
    let parts = [("game", game), ("opening", opening), ("middlegame", middlegame), ("endgame", endgame)];
    html! {
        ": accuracy (and average loss in centipawns)"
        @for (name, tally) in parts.into_iter().filter(|(_, tally)| tally.moves > 0) {
            " · " (name) " " (words::decimal(tally.accuracy)) " (" (words::decimal(tally.centipawn_loss)) ")"
        }
        @if lichess_accuracy.is_some() { " · by Lichess's formula " (words::decimal(*lichess_accuracy)) }
        " · " (game.inaccuracies) " inaccuracies, " (game.mistakes) " mistakes, " (game.blunders) " blunders, "
        (game.missed_mates) " missed mates, " (game.only_moves) " only moves found, " (game.good_moves) " good moves, "
        (game.best) " best moves of " (game.moves) "."
    }
}
