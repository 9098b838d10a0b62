//! How each side played, in numbers, and what the laws say.

use maud::{Markup, html};

use super::words;
use crate::model::{FindingKind, Game, Judgement, Label, Side, Tally};

/// The labels that are counted beside the errors.
const LABELS: [Label; 9] = [
    Label::Miss,
    Label::Brilliant,
    Label::Great,
    Label::OnlyMove,
    Label::Best,
    Label::Excellent,
    Label::Good,
    Label::Book,
    Label::Forced,
];

/// Accuracy and average loss of both sides, by the parts of the game.
pub(super) fn accuracy(game: &Game) -> Markup {
    let (white, black) = (&game.white, &game.black);
    let parts = [
        ("Opening", &white.opening, &black.opening),
        ("Middlegame", &white.middlegame, &black.middlegame),
        ("Endgame", &white.endgame, &black.endgame),
        ("Game", &white.game, &black.game),
    ];
    html! {
        table .accuracy {
            caption { "Accuracy and average loss" small { " in centipawns" } }
            thead {
                tr { td rowspan="2" {} th colspan="2" scope="colgroup" { "White" } th colspan="2" scope="colgroup" { "Black" } }
                tr { @for _ in 0..2 { th scope="col" { "Accuracy" } th scope="col" { "Loss" } } }
            }
            tbody {
                @for (name, white, black) in parts {
                    @if white.moves + black.moves > 0 {
                        tr { th scope="row" { (name) } (averages(white)) (averages(black)) }
                    }
                }
                @if white.lichess_accuracy.is_some() || black.lichess_accuracy.is_some() {
                    tr {
                        th scope="row" { abbr title="from centipawns, as lichess.org counts it" { "Lichess's formula" } }
                        @for side in [white, black] { td { (words::decimal(side.lichess_accuracy)) } td {} }
                    }
                }
            }
        }
    }
}

fn averages(tally: &Tally) -> Markup {
    html! {
        td { (words::decimal(tally.accuracy)) }
        td { (words::decimal(tally.centipawn_loss)) }
    }
}

/// How often each side erred or excelled.
pub(super) fn counts(game: &Game) -> Markup {
    let (white, black) = (&game.white.game, &game.black.game);
    html! {
        table .counts {
            caption { "Moves" }
            thead { tr { th scope="col" { "White" } td {} th scope="col" { "Black" } } }
            tbody {
                @for judgement in [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder] {
                    @let class = words::judgement(judgement);
                    tr class=(class) {
                        (jump(of(white, judgement), Side::White, class))
                        th scope="row" { (plural(judgement)) " " span .glyph { (words::glyph(judgement)) } }
                        (jump(of(black, judgement), Side::Black, class))
                    }
                }
                (plain("Missed mates", white.missed_mates, black.missed_mates))
                @for label in LABELS {
                    @let [white, black] = [white, black].map(|tally| tally.labels.of(label));
                    @if white + black > 0 { (plain(words::label(label), white, black)) }
                }
                (plain("Moves judged", white.moves, black.moves))
            }
        }
    }
}

/// A number which the script makes lead to the moves it counts.
fn jump(count: u32, side: Side, class: &str) -> Markup {
    html! {
        td {
            @if count == 0 { "0" } @else {
                span data-next={ (words::side(side).to_lowercase()) " " (class) } { (count) }
            }
        }
    }
}

fn plain(name: &str, white: u32, black: u32) -> Markup {
    html! { tr { td { (white) } th scope="row" { (name) } td { (black) } } }
}

/// How many moves of a side got a judgement.
pub(super) const fn of(tally: &Tally, judgement: Judgement) -> u32 {
    match judgement {
        Judgement::Inaccuracy => tally.inaccuracies,
        Judgement::Mistake => tally.mistakes,
        Judgement::Blunder => tally.blunders,
    }
}

const fn plural(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "Inaccuracies",
        Judgement::Mistake => "Mistakes",
        Judgement::Blunder => "Blunders",
    }
}

/// What the laws say, if anything.
pub(super) fn findings(game: &Game) -> Markup {
    html! {
        @if !game.findings.is_empty() {
            section .findings aria-label="By the laws of chess" {
                h3 { "By the laws" }
                ul {
                    @for finding in &game.findings {
                        li {
                            span data-go={ "m" (finding.position) } { strong { (finding_name(finding.kind)) } " " (finding.text) }
                        }
                    }
                }
            }
        }
    }
}

pub(super) const fn finding_name(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Claim => "Draw could be claimed.",
        FindingKind::Overrun => "The game was over.",
        FindingKind::DeadPosition => "Dead position.",
        FindingKind::WrongResult => "Wrong result.",
        FindingKind::WrongFlagFall => "Wrong result after a flag fell.",
        FindingKind::NeedlessLoss => "Needless resignation.",
        FindingKind::WrongTermination => "Not ended like that.",
        FindingKind::NoMate => "No mate.",
    }
}
