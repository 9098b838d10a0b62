//! Accuracy as Lichess counts it: from centipawns, by curves fitted to the games of its players.
//!
//! It stands beside our own ([`accuracy`](super::accuracy)), which comes from the engine's own model of wins, draws and
//! losses. This one can be compared with what Lichess shows, as far as the evaluations are alike.
//!
//! Source: Lichess, "Accuracy" (lichess.org/page/accuracy), and lila's `AccuracyPercent` and `WinPercent`.

use movegen::Color;
use pgn::EngineScore;

use crate::model::{Game, Side, Source};

/// Scores count for no more, in centipawns; a mate counts for as much.
const MAX_CENTIPAWNS: i32 = 1_000;
/// What Lichess takes the standard start to be worth.
const START: EngineScore = EngineScore::Centipawns(15);

/// The per cent that White may expect at a score for White, 0 to 100. Mate on the board needs the chances as well and has none.
#[must_use]
pub fn win_percent(score: EngineScore) -> f64 {
    let centipawns = match score {
        EngineScore::Centipawns(value) => value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
        EngineScore::Mate(moves) => MAX_CENTIPAWNS * moves.signum(),
    };
    50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * f64::from(centipawns)).exp()) - 1.0)
}

/// How good a move was, 0 to 100, by the per cent that the mover could expect before it and after it.
#[must_use]
pub fn move_accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let curve = 103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * (before - after)).exp() - 3.166_924_740_191_411;
    // One more because no analysis is perfect.
    (curve + 1.0).clamp(0.0, 100.0)
}

/// The accuracies of White and Black in a game, 0 to 100, by White's per cent in each of its positions, the first included.
/// `None` for a side that did not move.
///
/// It is the mean of two means of the accuracies of moves: the harmonic one, and one weighted by how much the per cents vary
/// around the move.
#[must_use]
pub fn game_accuracy(first: Side, percents: &[f64]) -> [Option<f64>; 2] {
    let moves = percents.len().saturating_sub(1);
    let window = (moves / 10).clamp(2, 8);
    // The first moves share the first window.
    let windows = (0..moves).map(|index| {
        let start = (index + 2).saturating_sub(window).min(percents.len().saturating_sub(window));
        &percents[start..percents.len().min(start + window)]
    });
    let judged: Vec<_> = (percents.windows(2).zip(windows).enumerate())
        .map(|(index, (pair, window))| {
            let side = if index.is_multiple_of(2) { first } else { Side::from(!Color::from(first)) };
            let (before, after) = if side == Side::White { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
            (side, move_accuracy(before, after), deviation(window).clamp(0.5, 12.0))
        })
        .collect();
    [Side::White, Side::Black].map(|wanted| {
        let own = || judged.iter().filter(|&&(side, ..)| side == wanted);
        let count = own().count() as f64;
        let weights: f64 = own().map(|&(_, _, weight)| weight).sum();
        let weighted = own().map(|&(_, accuracy, weight)| accuracy * weight).sum::<f64>() / weights;
        let harmonic = count / own().map(|&(_, accuracy, _)| 1.0 / accuracy.max(1.0)).sum::<f64>();
        (count > 0.0).then(|| f64::midpoint(weighted, harmonic))
    })
}

/// The standard deviation of the whole, not of a sample.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// White's per cent in each position of a game as Lichess takes them: the standard start at its own value, and an end by mate
/// or stalemate left out. `None` if a position has no score, or a turn is passed.
pub(crate) fn percents_of(game: &Game, is_standard: bool) -> Option<Vec<f64>> {
    if game.moves.iter().any(|mv| mv.uci == "0000") {
        return None;
    }
    let is_over = |index: usize| {
        let position = &game.positions[index];
        index + 1 == game.positions.len()
            && position
                .analysis
                .as_ref()
                .is_some_and(|analysis| analysis.by == Source::Rules && analysis.lines.is_empty())
    };
    let scores = game.positions.iter().enumerate().filter(|&(index, _)| !is_over(index));
    let percent = |(index, position): (usize, &crate::model::Position)| {
        let score = position.analysis.as_ref()?.score;
        Some(win_percent(if index == 0 && is_standard { START } else { score }))
    };
    scores.map(percent).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published examples of the formula, each with the bounds that are published with it.
    #[test]
    fn games_of_few_values_are_as_published() {
        let accuracy = |first, scores: &[i32]| {
            let scores = std::iter::once(&15).chain(scores);
            let percents: Vec<_> = scores.map(|&value| win_percent(EngineScore::Centipawns(value))).collect();
            game_accuracy(first, &percents).map(|accuracy| accuracy.unwrap_or(f64::NAN))
        };
        let repeated = |count: usize, pair: [i32; 2]| pair.into_iter().cycle().take(2 * count).collect::<Vec<_>>();
        let then = |mut scores: Vec<i32>, last| {
            scores.push(last);
            scores
        };
        for (scores, white, black) in [
            (vec![15, 15], (100.0, 1.0), (100.0, 1.0)),
            (vec![-900, -900], (10.0, 5.0), (100.0, 1.0)),
            (vec![15, 900], (100.0, 1.0), (10.0, 5.0)),
            (vec![-900, 0], (10.0, 5.0), (10.0, 5.0)),
            (vec![15; 20], (100.0, 1.0), (100.0, 1.0)),
            (then(vec![15; 20], -900), (50.0, 5.0), (100.0, 1.0)),
            (then(vec![15; 21], 900), (100.0, 1.0), (50.0, 5.0)),
            (repeated(5, [-50, 15]), (76.0, 8.0), (76.0, 8.0)),
            (repeated(50, [-50, 15]), (76.0, 8.0), (76.0, 8.0)),
            (repeated(50, [-135, 15]), (54.0, 8.0), (54.0, 8.0)),
            (repeated(50, [-435, 15]), (20.0, 8.0), (20.0, 8.0)),
        ] {
            let found = accuracy(Side::White, &scores);
            for (found, (expected, within)) in found.into_iter().zip([white, black]) {
                assert!((found - expected).abs() <= within, "{scores:?}: {found}");
            }
        }
        let black_first = accuracy(Side::Black, &[900, 900]);
        assert!((black_first[1] - 10.0).abs() < 5.0 && black_first[0] > 99.0);
    }

    /// A game of the public Lichess database with its evaluations; the accuracies by the formula, worked out apart.
    #[test]
    fn a_whole_game_is_as_worked_out() {
        const SCORES: &str = "0.18 0.25 0.2 0.25 0.27 0.35 0.21 0.42 0.35 0.37 0.25 0.29 0.3 0.53 0.47 0.45 0.3 0.3 -2.52 \
            -2.61 -2.4 -2.44 -2.58 -2.15 -2.13 -2.18 -3.41 -2.82 -3.71 -2.91 -2.84 -2.96 -3.06 -3.11 -5.63 -5.45 -5.23 \
            -5.46 -5.38 -5.55 -5.44 -5.45 -5.71 -5.72 -6.82 -6.54 -6.46 -6.86 -6.87 -6.99 #-9 #-8 -9.51 -9.29 #-5 -8.4 \
            #-4 #-6 #-6 #-5 #-3 #-3";
        let score = |text: &str| match text.strip_prefix('#') {
            Some(moves) => EngineScore::Mate(moves.parse().unwrap()),
            None => EngineScore::Centipawns((100.0 * text.parse::<f64>().unwrap()).round() as i32),
        };
        let scores = std::iter::once(START).chain(SCORES.split_whitespace().map(score));
        let percents: Vec<_> = scores.map(win_percent).collect();
        assert_eq!(percents.len(), 63);
        let [white, black] = game_accuracy(Side::White, &percents).map(Option::unwrap);
        assert!((white - 86.656).abs() < 0.05 && (black - 97.205).abs() < 0.05, "{white} {black}");
    }

    #[test]
    fn nothing_has_no_accuracy() {
        assert_eq!(game_accuracy(Side::White, &[]), [None, None]);
        assert_eq!(game_accuracy(Side::White, &[50.0]), [None, None]);
        assert!(game_accuracy(Side::Black, &[50.0, 50.0])[1].is_some());
    }
}
