//! The WDL model: win, draw and loss probabilities of a score.
//!
//! A score of `a` centipawns wins half of the games; `b` is the scale on which the probabilities change around it. Both
//! are polynomials of the material on the board, fitted to the engine's own games (`trainer chances`). Source: the win
//! rate model of Stockfish.

use movegen::{Board, PieceType};

/// The win, draw and loss probabilities of the side to move; they sum to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Probabilities {
    /// The probability of a win.
    pub win: f64,
    /// The probability of a draw.
    pub draw: f64,
    /// The probability of a loss.
    pub loss: f64,
}

impl Probabilities {
    /// The expected score, from 0 to 1.
    #[must_use]
    pub fn expected_score(self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// Win, draw and loss per mille, as UCI reports them; they sum to 1000.
    #[must_use]
    pub fn per_mille(self) -> [u16; 3] {
        let [win, loss] = [self.win, self.loss].map(|share| (1000.0 * share).round().clamp(0.0, 1000.0) as u16);
        let win = win.min(1000 - loss);
        [win, 1000 - win - loss, loss]
    }
}

/// The polynomials that give `a` and `b`, in centipawns, from the material as a share of [`MAX_MATERIAL`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// Coefficients of `a`, from the constant to the cube.
    pub a: [f64; 4],
    /// Coefficients of `b`, from the constant to the cube.
    pub b: [f64; 4],
}

/// The least material of the model, in pawns: less material counts as this much.
pub const MIN_MATERIAL: u32 = 10;
/// The most material of the model, that of the start position.
pub const MAX_MATERIAL: u32 = 78;

impl Model {
    /// Fitted to 333,092 positions of 4,093 games of self-play at 5,000 nodes a move with the network
    /// `91031b1e8e368da4`. Fewer nodes or weaker play lose advantages more often: at 1,000 nodes `b` is half as large
    /// again.
    pub const FITTED: Self = Self { a: [355.31, -257.51, -10.37, 38.38], b: [53.27, 182.29, 18.71, -93.00] };

    /// The parameters `a` and `b` for this material; both at least 1 centipawn.
    #[must_use]
    pub fn at(&self, material: u32) -> (f64, f64) {
        let share = f64::from(material.clamp(MIN_MATERIAL, MAX_MATERIAL)) / f64::from(MAX_MATERIAL);
        let value = |polynomial: &[f64; 4]| polynomial.iter().rev().fold(0.0, |sum, factor| sum * share + factor);
        (value(&self.a).max(1.0), value(&self.b).max(1.0))
    }

    /// The probabilities of a score, in the centipawns of [`Network::evaluate`](crate::Network::evaluate).
    ///
    /// ```
    /// use eval::wdl::{MAX_MATERIAL, Model};
    ///
    /// let [win, draw, loss] = Model::FITTED.wdl(100, MAX_MATERIAL).per_mille();
    /// assert!(win > loss);
    /// assert_eq!(win + draw + loss, 1000);
    /// ```
    #[must_use]
    pub fn wdl(&self, score: i32, material: u32) -> Probabilities {
        let (a, b) = self.at(material);
        let share = |score: f64| 1.0 / (1.0 + ((a - score) / b).exp());
        let (win, loss) = (share(f64::from(score)), share(-f64::from(score)));
        Probabilities { win, draw: (1.0 - win - loss).max(0.0), loss }
    }

    /// The score as shown to users: normalised so that 100 wins half of the games.
    #[must_use]
    pub fn normalise(&self, score: i32, material: u32) -> i32 {
        let (a, _) = self.at(material);
        (100.0 * f64::from(score) / a).round() as i32
    }

    /// The network's score that users are shown as `shown`: the inverse of [`normalise`](Self::normalise), but for the
    /// rounding.
    #[must_use]
    pub fn denormalise(&self, shown: i32, material: u32) -> i32 {
        let (a, _) = self.at(material);
        (f64::from(shown) * a / 100.0).round() as i32
    }
}

/// The material on a board in pawns, by the classic piece values.
#[must_use]
pub fn material(board: &Board) -> u32 {
    let kinds = PieceType::ALL.into_iter().zip([1, 3, 3, 5, 9, 0]);
    kinds.map(|(kind, worth)| worth * board.pieces(kind).count() as u32).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_normalised_centipawns_win_half_of_the_games() {
        let model = Model { a: [300.0, -120.0, 40.0, -10.0], b: [60.0, 30.0, -5.0, 8.0] };
        for material in 0..=90 {
            let (a, _) = model.at(material);
            let score = a.round() as i32;
            assert!((model.wdl(score, material).win - 0.5).abs() < 0.01);
            assert!((model.normalise(score, material) - 100).abs() <= 1);
            assert_eq!(model.normalise(-score, material), -model.normalise(score, material));
        }
    }

    #[test]
    fn a_shown_score_leads_back_to_the_networks() {
        for material in 0..=90 {
            // A step of what is shown stands for this many of the network's.
            let step = (Model::FITTED.at(material).0 / 100.0).ceil() as i32;
            for score in (-3000..3000).step_by(7) {
                let back = Model::FITTED.denormalise(Model::FITTED.normalise(score, material), material);
                assert!((back - score).abs() <= step, "{score} became {back} with material {material}");
            }
        }
    }

    #[test]
    fn probabilities_sum_to_one_at_any_score() {
        for score in (-32_000..=32_000).step_by(7).chain([i32::MIN, i32::MAX]) {
            for material in [0, 20, 78, 200] {
                let wdl = Model::FITTED.wdl(score, material);
                assert_eq!(wdl.per_mille().iter().sum::<u16>(), 1000, "{score}");
                assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-9);
                assert!((0.0..=1.0).contains(&wdl.expected_score()));
            }
        }
    }

    #[test]
    fn higher_scores_have_a_higher_expected_score() {
        for material in MIN_MATERIAL..=MAX_MATERIAL {
            let scores: Vec<f64> =
                (-600..600).map(|score| Model::FITTED.wdl(score, material).expected_score()).collect();
            assert!(scores.is_sorted_by(|a, b| a < b));
        }
        assert_eq!(material(&Board::start()), MAX_MATERIAL);
    }
}
