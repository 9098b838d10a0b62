//! The moves of a game in two columns, with the notes on each below it.
//!
//! What the script shows on the board when it is clicked names its place in `data-go`: `m12` is the main line after 12
//! half-moves, `v3.2` the file's variation 3 after 2, `l11.0.2` the first best line of position 11 after 2.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};

use super::{data, words};
use crate::model::{End, Finding, Game, Label, Line, Move, Position, Side, VariationMove};

/// The most moves of a better line that is shown below a bad move; the rest is with the board.
const BETTER_MOVES: usize = 6;

/// A line of the list.
enum Item<'a> {
    /// A move of each side; one may stand elsewhere, because there was something to say between them.
    Row { number: u32, white: Option<(usize, &'a Move)>, black: Option<(usize, &'a Move)> },
    /// The notes.
    Note(Markup),
}

/// The list of moves; nothing for a game without any.
pub(super) fn list(game: &Game) -> Markup {
    html! {
        ol .moves role="list" {
            @for item in items(game) {
                @match item {
                    Item::Row { number, white, black } => li .row {
                        span .number { (number) "." }
                        (half(game, white))
                        @if black.is_some() || white.is_none() { (half(game, black)) }
                    },
                    Item::Note(note) => (note),
                }
            }
            @if !game.moves.is_empty() { li .result { (words::result(&game.result)) (ending(game)) } }
        }
    }
}

fn items(game: &Game) -> Vec<Item<'_>> {
    let variations = Variations::of(game);
    let mut items: Vec<_> = notes_before(game).into_iter().map(Item::Note).collect();
    for (index, mv) in game.moves.iter().enumerate() {
        match (mv.side, items.last_mut()) {
            (Side::White, _) => items.push(Item::Row { number: mv.number, white: Some((index, mv)), black: None }),
            (Side::Black, Some(Item::Row { black: black @ None, .. })) => *black = Some((index, mv)),
            (Side::Black, _) => items.push(Item::Row { number: mv.number, white: None, black: Some((index, mv)) }),
        }
        items.extend(notes_after(game, &variations, index, mv).into_iter().map(Item::Note));
    }
    items
}

/// One half of a row: a move, or the sign that it stands above.
fn half(game: &Game, half: Option<(usize, &Move)>) -> Markup {
    let Some((index, mv)) = half else { return html! { span .move .elsewhere { "…" } } };
    let analysis = game.positions.get(index + 1).and_then(|position| position.analysis.as_ref());
    let file = mv.file_evaluation.as_ref().map(|evaluation| format!("{evaluation} in the file"));
    html! {
        span class={ "move " (mv.judgement.map_or("", words::judgement)) } data-go={ "m" (index + 1) } {
            span .san { (mv.san) (glyphs(mv)) }
            @if let Some(analysis) = analysis { small .score title=[file] { (words::score(analysis.score)) } }
        }
    }
}

/// Our judgement, else what the file says.
fn glyphs(mv: &Move) -> Markup {
    let ours = mv.judgement.map(|judgement| (words::judgement(judgement), words::glyph(judgement)));
    let theirs =
        mv.nags.iter().filter_map(|&nag| words::nag(nag)).filter(|&sign| Some(sign) != ours.map(|(_, sign)| sign));
    html! {
        @if let Some((name, sign)) = ours { span .glyph title=(name) { (sign) } }
        @match mv.label {
            Some(Label::Brilliant) => span .glyph .good title="a sound sacrifice" { "brilliant" },
            Some(Label::Great) => span .glyph .good title="an only move on which the result hung" { "great" },
            Some(Label::Miss) => span .glyph .miss title="the opponent's mistake was not punished" { "miss" },
            _ if mv.only_move => span .glyph .only title="the only good move" { "only" },
            _ if mv.good_move => span .glyph .good title="clearly better than the second line" { "good" },
            _ => "",
        }
        @for sign in theirs { span .glyph .file title="in the file" { (sign) } }
    }
}

fn notes_before(game: &Game) -> Vec<Markup> {
    let mut notes = Vec::from_iter(comment(&game.comment));
    notes.extend(findings_at(game, 0).map(law));
    notes
}

fn notes_after(game: &Game, variations: &Variations, index: usize, mv: &Move) -> Vec<Markup> {
    let mut notes = Vec::new();
    notes.extend(verdict(game, index, mv));
    notes.extend(findings_at(game, index + 1).map(law));
    notes.extend(comment(&mv.comment));
    notes.extend(variations.at(None, index).map(|variation| html! { li .variation { (variations.text(variation)) } }));
    notes
}

/// Nothing if there is nothing in it for people.
fn comment(text: &str) -> Option<Markup> {
    let text = words::comment(text);
    (!text.is_empty()).then(|| html! { li .comment dir="auto" { (text) } })
}

pub(super) fn findings_at(game: &Game, position: usize) -> impl Iterator<Item = &Finding> {
    game.findings.iter().filter(move |finding| finding.position as usize == position)
}

fn law(finding: &Finding) -> Markup {
    html! { li .note .law { (finding.text) } }
}

/// Why a move is bad, and what was better; nothing for a move that is not.
fn verdict(game: &Game, index: usize, mv: &Move) -> Option<Markup> {
    let judgement = mv.judgement?;
    let line = game.positions.get(index).and_then(|position| position.analysis.as_ref()?.lines.first());
    let line = line.filter(|line| line.uci.first() != Some(&mv.uci));
    Some(html! {
        li class={ "note " (words::judgement(judgement)) } {
            strong { (capital(words::judgement(judgement))) }
            @if let Some(loss) = mv.loss { " −" (words::percent(loss)) }
            @if let Some(moves) = mv.missed_mate { ", missed mate in " (moves) }
            ". "
            @for reason in &mv.reasons { (reason.text) " " }
            @if let Some(line) = line { "Better " (better(index, mv, line)) }
        }
    })
}

/// The first moves of the best line instead of a bad move.
fn better(index: usize, mv: &Move, line: &Line) -> Markup {
    let numbering = Numbering { number: mv.number, side: mv.side, from: index };
    line_text(numbering, 0, line, BETTER_MOVES)
}

/// A best line of a position of the game.
pub(super) fn best_line(ply: usize, rank: usize, position: &Position, line: &Line) -> Markup {
    let number = position.fen.split(' ').nth(5).and_then(|number| number.parse().ok()).unwrap_or(1);
    let numbering = Numbering { number, side: position.turn, from: ply };
    line_text(numbering, rank, line, data::LINE_MOVES)
}

/// So many moves of a best line, each of which the script can show.
fn line_text(numbering: Numbering, rank: usize, line: &Line, most: usize) -> Markup {
    let ply = numbering.from;
    html! {
        span .moves-of-line {
            @for (step, san) in line.san.iter().take(most.min(data::LINE_MOVES)).enumerate() {
                span .move data-go={ "l" (ply) "." (rank) "." (step + 1) } { (numbering.before(ply + step, step == 0)) (san) }
                " "
            }
            small .score { (words::score(line.score)) }
        }
    }
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}

/// How the game ended on the board, if it did.
pub(super) fn ending(game: &Game) -> &'static str {
    match game.positions.last().and_then(|position| position.end) {
        None if game.forfeit => " by forfeit",
        None => "",
        Some(End::Checkmate) => " by checkmate",
        Some(End::Stalemate) => " by stalemate",
        Some(End::InsufficientMaterial) => ", too few pieces to mate",
        Some(End::DeadPosition) => ", a dead position",
        Some(End::Fivefold) => ", the position for the fifth time",
        Some(End::SeventyFiveMoves) => ", 75 moves without a capture or a pawn's move",
    }
}

/// How half-moves are numbered, from one whose number is known.
#[derive(Clone, Copy)]
struct Numbering {
    number: u32,
    side: Side,
    from: usize,
}

impl Numbering {
    /// What stands before a half-move, by its place in the game: nothing before Black's, unless it opens a text.
    fn before(self, index: usize, opens: bool) -> String {
        let is_black_first = self.side == Side::Black;
        let halves = index.saturating_sub(self.from) + usize::from(is_black_first);
        let side = if halves.is_multiple_of(2) { Side::White } else { Side::Black };
        if side == Side::Black && !opens {
            return String::new();
        }
        let number = self.number.saturating_add(u32::try_from(halves / 2).unwrap_or(u32::MAX));
        words::number(number, side) + "\u{a0}"
    }
}

/// The variations of a file, and where they belong.
pub(super) struct Variations<'a> {
    game: &'a Game,
    /// Those that replace a move of another, or of the main line.
    of: BTreeMap<(Option<usize>, usize), Vec<usize>>,
    /// For each the half-move of the game at which it begins.
    begin: Vec<usize>,
    numbering: Numbering,
}

/// What comes next in a text of variations.
enum Step {
    /// A variation begins.
    Open(usize),
    /// A move of a variation, or its end.
    Move(usize, usize),
}

impl<'a> Variations<'a> {
    pub fn of(game: &'a Game) -> Self {
        let mut of: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let mut begin: Vec<usize> = Vec::new();
        for (index, variation) in game.variations.iter().enumerate() {
            // A variation stands after the one it departs from; without that there could be circles.
            let parent = variation.parent.map(|parent| parent as usize).filter(|&parent| parent < index);
            let at = variation.at as usize;
            begin.push(at + parent.map_or(0, |parent| begin[parent]));
            of.entry((parent, at)).or_default().push(index);
        }
        let (number, side) = game.moves.first().map_or((1, Side::White), |mv| (mv.number, mv.side));
        Self { game, of, begin, numbering: Numbering { number, side, from: 0 } }
    }

    /// The variations that replace a move.
    pub fn at(&self, parent: Option<usize>, at: usize) -> impl DoubleEndedIterator<Item = usize> {
        self.of.get(&(parent, at)).into_iter().flatten().copied()
    }

    /// A variation with those inside it, flat, with a list of our own instead of the call stack: no nesting is too deep.
    pub fn text(&self, variation: usize) -> Markup {
        let mut text = String::new();
        let mut opens = true;
        let mut next = vec![Step::Open(variation)];
        while let Some(step) = next.pop() {
            match step {
                Step::Open(variation) => {
                    text.push('(');
                    opens = true;
                    next.push(Step::Move(variation, 0));
                }
                Step::Move(variation, index) => match self.game.variations[variation].moves.get(index) {
                    None => {
                        text.truncate(text.trim_end().len());
                        text.push_str(") ");
                        opens = true;
                    }
                    Some(mv) => {
                        text.push_str(&self.one(variation, index, mv, opens).into_string());
                        opens = !words::comment(&mv.comment).is_empty();
                        next.push(Step::Move(variation, index + 1));
                        next.extend(self.at(Some(variation), index).rev().map(Step::Open));
                    }
                },
            }
        }
        PreEscaped(text.trim_end().to_owned())
    }

    fn one(&self, variation: usize, index: usize, mv: &VariationMove, opens: bool) -> Markup {
        let [prelude, comment] = [&mv.prelude, &mv.comment].map(|text| words::comment(text));
        html! {
            @if !prelude.is_empty() { i dir="auto" { (prelude) } " " }
            span .move data-go={ "v" (variation) "." (index + 1) } {
                (self.numbering.before(self.begin[variation] + index, opens)) (mv.san)
                @for sign in mv.nags.iter().filter_map(|&nag| words::nag(nag)) { span .glyph .file { (sign) } }
            }
            " "
            @if !comment.is_empty() { i dir="auto" { (comment) } " " }
        }
    }
}
