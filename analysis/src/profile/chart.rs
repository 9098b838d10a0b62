//! Charts as SVG, drawn when the page is made: numbers alone, no text of files.

use maud::{Markup, html};

/// The accuracies over months, or whatever comes in order, as a line with points; `None` leaves a gap.
pub(super) fn line(values: &[Option<f64>], label: &str) -> Markup {
    let known = || values.iter().flatten().copied();
    let (least, most) = (known().fold(100.0, f64::min), known().fold(0.0, f64::max));
    // Some room, and never so little that noise looks like a cliff.
    let middle = f64::midpoint(least, most);
    let half = (0.6 * (most - least)).max(5.0);
    let (bottom, top) = ((middle - half).max(0.0), (middle + half).min(100.0));
    let x = |index: usize| if values.len() < 2 { 50.0 } else { 100.0 * index as f64 / (values.len() - 1) as f64 };
    let y = |value: f64| 100.0 * (top - value) / (top - bottom);
    let points: Vec<_> =
        values.iter().enumerate().filter_map(|(index, value)| Some((x(index), y((*value)?)))).collect();
    let path: Vec<_> = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
    html! {
        div .plot {
            div .scale { span { (format!("{top:.0}")) } span { (format!("{bottom:.0}")) } }
            svg .trend viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label=(label) {
                line .grid x1="0" x2="100" y1="50" y2="50" {}
                polyline points=(path.join(" ")) {}
                @for (x, y) in &points {
                    // A line of no length with round ends is a dot, whatever the proportions.
                    path .dot d=(format!("M{x:.2} {y:.2}h0")) {}
                }
            }
        }
    }
}

/// A bar from the left, 0 to 100.
pub(super) fn bar(value: Option<f64>) -> Markup {
    html! {
        svg .measure viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" {
            rect .ground width="100" height="1" {}
            @if let Some(value) = value {
                rect .value width=(format!("{:.1}", value.clamp(0.0, 100.0))) height="1" {}
            }
        }
    }
}

/// Won, drawn and lost games side by side.
pub(super) fn results(wins: u64, draws: u64, losses: u64) -> Markup {
    let games = (wins + draws + losses).max(1) as f64;
    let share = |count: u64| 100.0 * count as f64 / games;
    let parts = [("win", wins, 0), ("draw", draws, wins), ("loss", losses, wins + draws)];
    html! {
        svg .measure viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" {
            @for (class, count, before) in parts {
                rect class=(class) x=(format!("{:.2}", share(before))) width=(format!("{:.2}", share(count))) height="1" {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_within_the_chart() {
        for values in [
            vec![],
            vec![Some(80.0)],
            vec![Some(0.0), None, Some(100.0)],
            vec![Some(99.9), Some(100.0)],
            vec![None, None],
        ] {
            let text = line(&values, "chart").into_string().replace("aria-label", "");
            assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains(",-"), "{text}");
            assert_eq!(text.matches("class=\"dot\"").count(), values.iter().flatten().count());
        }
    }
}
