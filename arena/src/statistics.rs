//! What the results of a match are worth: Elo with its error, and the sequential probability ratio test.
//!
//! Both games of a pair start from one opening, so their results are no independent draws: pairs are counted, by the
//! points of both games together (pentanomial counts). Games without their second one count as halves of pairs only while
//! there are no pairs.
//!
//! Source: M. Van den Bergh, "A Practical Introduction to the GSPRT" and "Comments on Normalized Elo", as in fishtest and
//! fastchess.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// Two standard deviations on each side, and a bit less: 95 %.
const TWO_SIDED_95: f64 = 1.959_964;

/// Pairs by the points that the first player got in both games, in halves: 0, 1/2, 1, 3/2 and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair by its half points, 0 to 4.
    pub fn add(&mut self, half_points: u32) {
        self.0[half_points.min(4) as usize] += 1;
    }

    /// How many pairs were counted.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The share of the points that the first player got, from 0 to 1; `None` without a pair.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| self.moments(false).0)
    }

    /// Mean and variance of the points of a game, 0 to 1, by pairs; empty counts are taken as a thousandth of a pair if
    /// `is_regular`, so that the variance is never 0.
    fn moments(&self, is_regular: bool) -> (f64, f64) {
        let counts = self.0.map(|count| if count == 0 && is_regular { 1e-3 } else { count as f64 });
        let sum: f64 = counts.iter().sum();
        let shares = || counts.iter().enumerate().map(|(halves, count)| (halves as f64 / 4.0, count / sum));
        let mean = shares().map(|(points, share)| points * share).sum::<f64>();
        (mean, shares().map(|(points, share)| (points - mean).powi(2) * share).sum())
    }

    /// The difference in Elo and half of the interval that holds it with 95 %; `None` without two pairs, or if all points
    /// went to one side.
    #[must_use]
    pub fn elo(&self) -> Option<(f64, f64)> {
        let (mean, variance) = self.moments(false);
        if self.pairs() < 2 || mean <= 0.0 || mean >= 1.0 {
            return None;
        }
        let error = TWO_SIDED_95 * (variance / self.pairs() as f64).sqrt();
        let bound = |score: f64| elo_of(score.clamp(1e-6, 1.0 - 1e-6));
        Some((elo_of(mean), (bound(mean + error) - bound(mean - error)) / 2.0))
    }
}

/// The difference in Elo at which this share of the points is expected.
fn elo_of(score: f64) -> f64 {
    // Never the negative zero, which would be shown.
    0.0 - 400.0 * (1.0 / score - 1.0).log10()
}

/// The share of the points expected at this difference.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// A test of two hypotheses about the difference in Elo, which ends as soon as one can be accepted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// What the difference is if nothing is gained.
    elo0: f64,
    /// What it is if something is.
    elo1: f64,
    /// The chance to accept the second when the first is true.
    alpha: f64,
    /// The chance to accept the first when the second is true.
    beta: f64,
}

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtState {
    /// More games are needed.
    Open,
    /// The difference is rather the lower one.
    Lower,
    /// The difference is rather the upper one.
    Upper,
}

/// What a test says, for programs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtSummary {
    elo0: f64,
    elo1: f64,
    /// The logarithm of the ratio of likelihoods, and its bounds.
    llr: f64,
    lower: f64,
    upper: f64,
    /// The hypothesis that is accepted: `elo0` or `elo1`.
    decision: Option<&'static str>,
}

impl Sprt {
    /// The logarithm of the ratio of likelihoods at which the first hypothesis is accepted, and the second.
    fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of the ratio of likelihoods.
    #[must_use]
    pub fn ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let (mean, variance) = pairs.moments(true);
        let (low, high) = (score_of(self.elo0), score_of(self.elo1));
        pairs.pairs() as f64 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// What can be said after these pairs.
    #[must_use]
    pub fn state(&self, pairs: &Pentanomial) -> SprtState {
        let ((lower, upper), ratio) = (self.bounds(), self.ratio(pairs));
        match ratio {
            ratio if ratio <= lower => SprtState::Lower,
            ratio if ratio >= upper => SprtState::Upper,
            _ => SprtState::Open,
        }
    }

    /// What can be said after these pairs, for programs.
    #[must_use]
    pub fn summary(&self, pairs: &Pentanomial) -> SprtSummary {
        let (lower, upper) = self.bounds();
        let decision = match self.state(pairs) {
            SprtState::Open => None,
            SprtState::Lower => Some("elo0"),
            SprtState::Upper => Some("elo1"),
        };
        SprtSummary { elo0: self.elo0, elo1: self.elo1, llr: self.ratio(pairs), lower, upper, decision }
    }

    /// As people write it: `LLR 1.20 (-2.94, 2.94) for Elo [0, 5]`.
    #[must_use]
    pub fn line(&self, pairs: &Pentanomial) -> String {
        let (lower, upper) = self.bounds();
        let verdict = match self.state(pairs) {
            SprtState::Open => "",
            SprtState::Lower => ": the lower one is accepted",
            SprtState::Upper => ": the upper one is accepted",
        };
        format!("LLR {:.2} ({lower:.2}, {upper:.2}) for Elo {}{verdict}", self.ratio(pairs), self)
    }
}

/// `[0, 5]`.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.elo0, self.elo1)
    }
}

/// `0,5`, or `0,5,0.05,0.1` with the chances of error.
impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA".to_owned();
        let numbers = text.split(',').map(|word| word.trim().parse::<f64>().map_err(|_| expected()));
        let (elo0, elo1, alpha, beta) = match numbers.collect::<Result<Vec<_>, _>>()?[..] {
            [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
            [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
            _ => return Err(expected()),
        };
        if !(elo0.abs() <= 1_000.0 && elo1.abs() <= 1_000.0 && elo0 < elo1) {
            return Err("the first Elo must be less than the second, and both from -1000 to 1000".to_owned());
        }
        if !(0.0 < alpha && alpha < 0.5 && 0.0 < beta && beta < 0.5) {
            return Err("the chances of error must be between 0 and 0.5".to_owned());
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_comes_with_its_error() {
        let (elo, error) = Pentanomial([10, 20, 40, 20, 10]).elo().unwrap();
        assert!(elo.abs() < 1e-9 && (30.0..50.0).contains(&error), "{elo} {error}");
        let (elo, _) = Pentanomial([0, 0, 0, 100, 0]).elo().unwrap();
        assert!((elo - 190.85).abs() < 0.01, "three quarters of the points: {elo}");
        // The same results from openings that decide the game, and from such that do not.
        let [decided, even] =
            [[0, 0, 100, 0, 0], [25, 0, 50, 0, 25]].map(|counts| Pentanomial(counts).elo().unwrap().1);
        assert!(decided < even);
        for counts in [[0; 5], [0, 0, 1, 0, 0], [9, 0, 0, 0, 0], [0, 0, 0, 0, 9]] {
            assert_eq!(Pentanomial(counts).elo(), None, "{counts:?}");
        }
        let shares = [([0; 5], None), ([0, 0, 0, 0, 9], Some(1.0)), ([1, 0, 0, 1, 0], Some(0.375))];
        for (counts, share) in shares {
            assert_eq!(Pentanomial(counts).score(), share, "{counts:?}");
        }
    }

    #[test]
    fn a_test_ends_at_its_bounds() {
        let sprt: Sprt = "0,5".parse().unwrap();
        let (lower, upper) = sprt.bounds();
        assert!((lower + 2.944).abs() < 1e-3 && (upper - 2.944).abs() < 1e-3);
        assert_eq!(sprt.state(&Pentanomial::default()), SprtState::Open);
        assert_eq!(sprt.state(&Pentanomial([50, 200, 500, 210, 55])), SprtState::Open);
        assert_eq!(sprt.state(&Pentanomial([1000, 4000, 10_000, 4600, 1200])), SprtState::Upper);
        assert_eq!(sprt.state(&Pentanomial([1200, 4600, 10_000, 4000, 1000])), SprtState::Lower);
        // Reckoned apart, from the same approximation.
        let ratio = sprt.ratio(&Pentanomial([100, 400, 1000, 460, 120]));
        assert!((ratio - 2.4173).abs() < 1e-4, "{ratio}");
        assert!(sprt.line(&Pentanomial([0, 0, 9, 0, 0])).starts_with("LLR "));
    }

    #[test]
    fn bounds_are_read() {
        assert_eq!("0,5".parse::<Sprt>(), "0, 5, 0.05, 0.05".parse());
        assert_eq!("-5,0,0.05,0.1".parse::<Sprt>().map(|sprt| sprt.to_string()), Ok("[-5, 0]".to_owned()));
        for text in ["", "5", "5,0", "0,5,0.05", "a,b", "0,5,0,0.05", "0,5,0.05,0.6", "0,1e9", "nan,5", "0,5,1,1,1"] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
