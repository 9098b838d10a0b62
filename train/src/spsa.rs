//! Simultaneous perturbation stochastic approximation: tuning many numbers at once by games between two variants.
//!
//! In each iteration all numbers are moved a little at random, a pair of games is played between that variant and its
//! mirror image, and the numbers follow the winner. Steps and perturbations shrink as it goes on.
//! Sources: J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization"
//! (1998); the exponents and the way of giving `c` and `r` are those of Stockfish's tuning (J. Kiiski, fishtest).

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// How fast the steps shrink.
const ALPHA: f64 = 0.602;
/// How fast the perturbations shrink.
const GAMMA: f64 = 0.101;
/// The share of all iterations in which the steps hardly shrink yet.
const STEADY_SHARE: f64 = 0.1;

/// A number to be tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value so far.
    pub value: f64,
    /// The least it may be.
    pub min: f64,
    /// The most it may be.
    pub max: f64,
    /// How far it is moved in the last iteration.
    pub step: f64,
}

/// A tuning under way: enough to go on with it later.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spsa {
    /// The numbers.
    pub parameters: Vec<Parameter>,
    /// Iterations done.
    pub iteration: u64,
    /// Iterations planned.
    pub iterations: u64,
    /// The learning rate of the last iteration, as a share of `step` squared; 0.002 is usual.
    pub rate: f64,
}

/// The two variants of one iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// One variant.
    pub plus: Vec<i32>,
    /// Its mirror image.
    pub minus: Vec<i32>,
    /// Which way each number was moved in `plus`, and how far.
    perturbation: Vec<f64>,
    /// The iteration it belongs to.
    iteration: u64,
}

impl Spsa {
    /// The variants to play next. Several may be out at once.
    pub fn ask(&mut self, rng: &mut Xoshiro256PlusPlus) -> Trial {
        self.iteration += 1;
        let shrunk = (self.iterations as f64 / self.iteration as f64).powf(GAMMA).max(1.0);
        let perturbation: Vec<f64> = self
            .parameters
            .iter()
            .map(|parameter| if rng.random() { parameter.step * shrunk } else { -parameter.step * shrunk })
            .collect();
        let mut variant = |sign: f64| {
            let moved = self.parameters.iter().zip(&perturbation);
            moved
                .map(|(parameter, by)| {
                    let wanted = (parameter.value + sign * by).clamp(parameter.min, parameter.max);
                    // Rounded at random, so that on average it is what was wanted.
                    (wanted + rng.random::<f64>()).floor() as i32
                })
                .collect()
        };
        Trial { plus: variant(1.0), minus: variant(-1.0), perturbation, iteration: self.iteration }
    }

    /// Learns how a trial ended: wins less losses of `plus`.
    pub fn tell(&mut self, trial: &Trial, result: f64) {
        let steady = STEADY_SHARE * self.iterations as f64;
        let slowed = ((steady + self.iterations as f64) / (steady + trial.iteration as f64)).powf(ALPHA);
        for (parameter, by) in self.parameters.iter_mut().zip(&trial.perturbation) {
            // The perturbation's size: at the end it is the step itself.
            let rate = self.rate * slowed * parameter.step * parameter.step / (by * by);
            parameter.value = (parameter.value + rate * by * result).clamp(parameter.min, parameter.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;

    /// Two numbers with one best value each; the nearer variant wins more often.
    #[test]
    fn numbers_find_their_way_through_the_noise() {
        let goal = [40.0, -300.0];
        let parameter =
            |name: &str, step| Parameter { name: name.to_owned(), value: 0.0, min: -500.0, max: 500.0, step };
        let mut spsa = Spsa {
            parameters: vec![parameter("a", 5.0), parameter("b", 30.0)],
            iteration: 0,
            iterations: 20_000,
            rate: 0.02,
        };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let cost = |values: &[i32]| -> f64 {
            let distance = |index: usize, scale: f64| ((f64::from(values[index]) - goal[index]) / scale).powi(2);
            distance(0, 40.0) + distance(1, 300.0)
        };
        while spsa.iteration < spsa.iterations {
            let trial = spsa.ask(&mut rng);
            let chance = 1.0 / (1.0 + (cost(&trial.plus) - cost(&trial.minus)).exp());
            let result = if rng.random::<f64>() < chance { 1.0 } else { -1.0 };
            spsa.tell(&trial, result);
        }
        for (parameter, goal) in spsa.parameters.iter().zip(goal) {
            assert!((parameter.value - goal).abs() < 2.0 * parameter.step, "{parameter:?} is far from {goal}");
        }
    }

    #[test]
    fn values_stay_in_range_and_a_draw_teaches_nothing() {
        let parameter = Parameter { name: "a".to_owned(), value: 9.0, min: 0.0, max: 10.0, step: 5.0 };
        let mut spsa = Spsa { parameters: vec![parameter], iteration: 0, iterations: 100, rate: 0.5 };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        let before = spsa.parameters.clone();
        let trial = spsa.ask(&mut rng);
        spsa.tell(&trial, 0.0);
        assert_eq!(spsa.parameters, before);
        for _ in 0..100 {
            let trial = spsa.ask(&mut rng);
            assert!((0..=10).contains(&trial.plus[0]) && (0..=10).contains(&trial.minus[0]), "{trial:?}");
            spsa.tell(&trial, if trial.plus[0] > trial.minus[0] { 2.0 } else { -2.0 });
            assert!((0.0..=10.0).contains(&spsa.parameters[0].value));
        }
        assert!(spsa.parameters[0].value > 9.0);
    }
}
