//! A game's course as pictures: the chances and the clocks.
//!
//! Curves stand in an inner picture that is stretched to the width of the page, one unit for a half-move and a hundred
//! for the whole height; all that must keep its shape stands in the outer one, at per cent of it.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::{data, words};
use crate::judge::times;
use crate::model::{Analysis, Game, Position, Side};

/// The most points of the small curve in the table of games.
const SPARK_POINTS: usize = 48;

/// The curve of points to be expected, over bands of White's wins, draws and Black's wins.
pub(super) fn chances(game: &Game) -> Markup {
    let last = game.moves.len();
    html! {
        svg .graph .chances role="img" aria-label=(label(game)) {
            svg viewBox={ "0 0 " (last) " 100" } preserveAspectRatio="none" width="100%" height="100%" {
                @for run in runs(&game.positions) {
                    path .loss d=(band(&run, |_| 1.0)) {}
                    path .draw d=(band(&run, |analysis| f64::from(analysis.wdl.win + analysis.wdl.draw) / 1000.0)) {}
                    path .win d=(band(&run, |analysis| f64::from(analysis.wdl.win) / 1000.0)) {}
                    path .points d=(curve(run.iter().map(|&(ply, analysis)| (ply, analysis.white)))) {}
                }
            }
            line .half x1="0" x2="100%" y1="50%" y2="50%" {}
            @for (ply, _) in phases(game).skip(1) {
                line .phase x1=(along(ply, last)) x2=(along(ply, last)) y1="0" y2="100%" {}
            }
            @for (ply, class, points) in marks(game) {
                use class={ "mark " (class) } href={ "#mark-" (class) } x=(along(ply, last)) y=(height(points)) {}
            }
            @for (ply, phase) in phases(game) { (phase_label(ply, last, words::phase(phase))) }
        }
    }
}

/// The name of a phase where it begins, or before the edge if there is no room after it.
fn phase_label(ply: usize, last: usize, name: &str) -> Markup {
    html! {
        @if 10 * ply > 9 * last {
            text .phase x="100%" y="16" dx="-4" text-anchor="end" { (name) }
        } @else {
            text .phase x=(along(ply, last)) y="16" dx="6" { (name) }
        }
    }
}

/// What is left on the clocks; nothing if the game has none.
pub(super) fn clocks(game: &Game) -> Option<Markup> {
    let clocks = data::clocks(game);
    let most = clocks.iter().flatten().flatten().copied().max()?.max(1);
    let last = game.moves.len();
    let left = |side: Side| {
        let points = clocks.iter().enumerate();
        points.filter_map(move |(ply, now)| Some((ply, now[side as usize]? as f64 / most as f64)))
    };
    let label = format!("Time left on the clocks, {} at most", words::clock(most));
    Some(html! {
        svg .graph .clocks role="img" aria-label=(label) {
            svg viewBox={ "0 0 " (last) " 100" } preserveAspectRatio="none" width="100%" height="100%" {
                path .black d=(curve(left(Side::Black))) {}
                path .white d=(curve(left(Side::White))) {}
            }
            text x="0" y="14" dx="6" { (words::clock(most)) }
        }
    })
}

/// How long each move took, White's above the middle and Black's below; nothing if the game does not tell. The longest has
/// half of the height, and the others by the root of their times, so that short ones are seen too.
pub(super) fn times(game: &Game) -> Option<Markup> {
    let times = times::times(game);
    let most = times.iter().flatten().copied().max().filter(|&most| most > 0)?;
    let last = game.moves.len();
    let bars = |side: Side| {
        let moves = game.moves.iter().zip(&times).enumerate().filter(move |(_, (mv, _))| mv.side == side);
        let mut path = String::new();
        for (index, time) in moves.filter_map(|(index, (_, time))| Some((index, (*time)?))) {
            let length = rounded(50.0 * (time as f64 / most as f64).sqrt());
            let sign = if side == Side::White { "-" } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(path, "M{}.5 50v{sign}{length}", index);
        }
        path
    };
    let label = format!("Time for each move, White's above and Black's below, {} at most", words::clock(most));
    Some(html! {
        svg .graph .times role="img" aria-label=(label) {
            svg viewBox={ "0 0 " (last) " 100" } preserveAspectRatio="none" width="100%" height="100%" {
                path .white d=(bars(Side::White)) {}
                path .black d=(bars(Side::Black)) {}
            }
            text x="0" y="14" dx="6" { "Longest move " (words::clock(most)) }
        }
    })
}

/// The curve of points alone, small.
pub(super) fn spark(game: &Game) -> Markup {
    let last = game.moves.len();
    let step = (last / SPARK_POINTS).max(1);
    let points = game.positions.iter().enumerate().filter(|(ply, _)| ply % step == 0 || *ply == last);
    let points = points.filter_map(|(ply, position)| Some((ply, position.analysis.as_ref()?.white)));
    html! {
        svg .spark viewBox={ "0 0 " (last) " 100" } preserveAspectRatio="none" aria-hidden="true" {
            path d=(curve(points)) {}
        }
    }
}

/// The stretches of positions that have been analysed.
fn runs(positions: &[Position]) -> Vec<Vec<(usize, &Analysis)>> {
    let mut runs = vec![Vec::new()];
    for (ply, position) in positions.iter().enumerate() {
        match (&position.analysis, runs.last_mut()) {
            (Some(analysis), Some(run)) => run.push((ply, analysis)),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| run.len() > 1);
    runs
}

/// An area from the ground up to a share of the height.
fn band(run: &[(usize, &Analysis)], share: impl Fn(&Analysis) -> f64) -> String {
    let (Some((first, _)), Some((last, _))) = (run.first(), run.last()) else { return String::new() };
    let top = curve(run.iter().map(|&(ply, analysis)| (ply, share(analysis))));
    format!("{top}L{last} 100H{first}Z")
}

/// A path through points given as half-moves and shares of the height.
fn curve(points: impl Iterator<Item = (usize, f64)>) -> String {
    let mut path = String::new();
    for (ply, share) in points {
        let command = if path.is_empty() { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        let _ = write!(path, "{command}{ply} {}", rounded(100.0 - 100.0 * share));
    }
    path
}

/// The half-moves with which a phase begins.
fn phases(game: &Game) -> impl Iterator<Item = (usize, crate::model::Phase)> {
    let mut before = None;
    game.positions.iter().enumerate().filter_map(move |(ply, position)| {
        let is_new = before != Some(position.phase);
        before = Some(position.phase);
        is_new.then_some((ply, position.phase))
    })
}

/// The bad moves: the half-move after each, its judgement, and the points White may expect then.
fn marks(game: &Game) -> impl Iterator<Item = (usize, &'static str, f64)> {
    let after = game.positions.iter().skip(1);
    game.moves.iter().zip(after).enumerate().filter_map(|(index, (mv, position))| {
        Some((index + 1, words::judgement(mv.judgement?), position.analysis.as_ref()?.white))
    })
}

fn along(ply: usize, last: usize) -> String {
    format!("{}%", rounded(100.0 * ply as f64 / last.max(1) as f64))
}

fn height(points: f64) -> String {
    format!("{}%", rounded(100.0 - 100.0 * points))
}

/// With a tenth of a per cent, no finer than a pixel.
fn rounded(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

fn label(game: &Game) -> String {
    let ends = |position: Option<&Position>| {
        let points = position.and_then(|position| position.analysis.as_ref()).map(|analysis| analysis.white);
        points.map_or_else(|| "unknown".to_owned(), words::percent)
    };
    format!(
        "White's winning chances over the game: {} at first, {} at the end",
        ends(game.positions.first()),
        ends(game.positions.last())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_goes_through_its_points() {
        assert_eq!(curve([(0, 0.5), (1, 0.531_4), (2, 1.0), (3, 0.0)].into_iter()), "M0 50L1 46.9L2 0L3 100");
        assert_eq!(curve(std::iter::empty()), "");
    }

    #[test]
    fn places_are_per_cent() {
        assert_eq!(along(1, 3), "33.3%");
        assert_eq!(along(0, 0), "0%");
        assert_eq!(height(0.25), "75%");
    }
}
