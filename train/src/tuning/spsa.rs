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
    /// The sum of all results, with the other sign where `plus` had the lower value.
    #[serde(default)]
    pub lead: f64,
}

/// A tuning under way: enough to go on with it later.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spsa {
    /// The numbers.
    pub parameters: Vec<Parameter>,
    /// Iterations done: trials whose outcome has been learnt from.
    pub iteration: u64,
    /// Iterations planned.
    pub iterations: u64,
    /// The learning rate of the last iteration, as a share of `step` squared; 0.002 is usual.
    pub rate: f64,
    /// The sum of all squared results.
    #[serde(default)]
    pub squares: f64,
}

/// What moving one number was worth, all others moving at random.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// The Elo of its higher values over its lower ones, two steps apart.
    pub elo: f64,
    /// Half of its 95 % confidence interval.
    pub error: f64,
}

/// Elo for each point of a pair of games, from -2 to 2, near equality.
const ELO_OF_RESULT: f64 = 400.0 / std::f64::consts::LN_10;

/// Standard errors to either side of a figure that make its 95 % confidence interval.
const SIGMAS: f64 = 1.96;

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
    /// The variants to play next. Several may be out at once; they then belong to the same iteration.
    pub fn ask(&self, rng: &mut Xoshiro256PlusPlus) -> Trial {
        let iteration = self.iteration + 1;
        let shrunk = (self.iterations as f64 / iteration as f64).powf(GAMMA).max(1.0);
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
        Trial { plus: variant(1.0), minus: variant(-1.0), perturbation, iteration }
    }

    /// Learns how a trial ended: wins less losses of `plus`.
    pub fn tell(&mut self, trial: &Trial, result: f64) {
        self.iteration += 1;
        self.squares += result * result;
        let steady = STEADY_SHARE * self.iterations as f64;
        let slowed = ((steady + self.iterations as f64) / (steady + trial.iteration as f64)).powf(ALPHA);
        for (parameter, by) in self.parameters.iter_mut().zip(&trial.perturbation) {
            // The perturbation's size: at the end it is the step itself.
            let rate = self.rate * slowed * parameter.step * parameter.step / (by * by);
            parameter.value = (parameter.value + rate * by * result).clamp(parameter.min, parameter.max);
            parameter.lead += result * by.signum();
        }
    }

    /// What moving a number was worth in the iterations so far: most numbers matter less than the error, and those that
    /// matter more are the ones to look at.
    #[must_use]
    pub fn effect(&self, parameter: &Parameter) -> Effect {
        let iterations = self.iteration.max(1) as f64;
        Effect {
            elo: parameter.lead / iterations * ELO_OF_RESULT,
            error: SIGMAS * self.squares.sqrt() / iterations * ELO_OF_RESULT,
        }
    }

    /// Goes through all iterations that are left, with several `players` that each try one thing at a time: `ask` hands
    /// a player, by its number, what to try next; `hear` waits until one is done and says which, what it tried and how
    /// that ended; `keep` saves what has been learnt, each time, so that whatever ends this costs no outcome that was
    /// heard.
    ///
    /// # Errors
    ///
    /// The first one of a caller's function.
    pub fn follow<E>(
        &mut self,
        players: usize,
        mut ask: impl FnMut(usize, &Self) -> Result<(), E>,
        mut hear: impl FnMut() -> Result<(usize, Trial, f64), E>,
        mut keep: impl FnMut(&Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut out = 0;
        let mut idle: Vec<usize> = (0..players).rev().collect();
        loop {
            while self.iteration + out < self.iterations
                && let Some(player) = idle.pop()
            {
                ask(player, self)?;
                out += 1;
            }
            if out == 0 {
                return Ok(());
            }
            let (player, trial, result) = hear()?;
            idle.push(player);
            out -= 1;
            self.tell(&trial, result);
            keep(self)?;
        }
    }

    /// In what a tuning that was kept differs from the one asked for, in words; none if it is the same one, whatever it
    /// has found so far.
    #[must_use]
    pub fn difference(&self, asked: &Self) -> Option<String> {
        let terms = |tuning: &Self| -> Vec<Parameter> {
            tuning.parameters.iter().map(|parameter| Parameter { value: 0.0, lead: 0.0, ..parameter.clone() }).collect()
        };
        let (kept, wanted) = (terms(self), terms(asked));
        let odd = kept.iter().find(|parameter| !wanted.contains(parameter));
        if let Some(parameter) = odd.or_else(|| wanted.iter().find(|parameter| !kept.contains(parameter))) {
            let Parameter { name, min, max, step, .. } = parameter;
            Some(format!("only one of them tunes {name} from {min} to {max} in steps of {step}"))
        } else if self.iterations != asked.iterations {
            Some(format!("{} pairs instead of {}", self.iterations, asked.iterations))
        } else if self.rate != asked.rate {
            Some(format!("rate {} instead of {}", self.rate, asked.rate))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::VecDeque;

    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;

    /// Two numbers with one best value each; the nearer variant wins more often.
    #[test]
    fn numbers_find_their_way_through_the_noise() {
        let goal = [40.0, -300.0];
        let parameter = |name: &str, step| Parameter {
            name: name.to_owned(),
            value: 0.0,
            min: -500.0,
            max: 500.0,
            step,
            lead: 0.0,
        };
        let mut spsa = Spsa {
            parameters: vec![parameter("a", 5.0), parameter("b", 30.0)],
            iteration: 0,
            iterations: 20_000,
            rate: 0.02,
            squares: 0.0,
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
        let parameter = Parameter { name: "a".to_owned(), value: 9.0, min: 0.0, max: 10.0, step: 5.0, lead: 0.0 };
        let mut spsa = Spsa { parameters: vec![parameter], iteration: 0, iterations: 100, rate: 0.5, squares: 0.0 };
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

    /// Of two numbers only one decides: moving it up wins one game of a pair more than it loses.
    #[test]
    fn the_number_that_matters_stands_out() {
        let mut spsa = tuning(1000);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        while spsa.iteration < spsa.iterations {
            let trial = spsa.ask(&mut rng);
            let result = if trial.plus[0] > trial.minus[0] { 1.0 } else { -1.0 };
            spsa.tell(&trial, result);
        }
        let [matters, idle] = [0, 1].map(|index| spsa.effect(&spsa.parameters[index]));
        // A point of two games is a score of 3/4.
        assert!((matters.elo - 173.7).abs() < 0.1, "{matters:?}");
        assert!((matters.error - 1.96 * 173.7 / 1000_f64.sqrt()).abs() < 0.1, "{matters:?}");
        assert!(idle.elo.abs() < 2.0 * idle.error, "{idle:?}");
    }

    fn tuning(iterations: u64) -> Spsa {
        let parameter =
            |name: &str| Parameter { name: name.to_owned(), value: 50.0, min: 0.0, max: 100.0, step: 5.0, lead: 0.0 };
        Spsa { parameters: vec![parameter("a"), parameter("b")], iteration: 0, iterations, rate: 0.02, squares: 0.0 }
    }

    /// Follows a tuning whose players, all at work at once, end after this many outcomes. Returns what was kept.
    fn follow(spsa: &mut Spsa, players: usize, outcomes: usize) -> (Vec<Spsa>, Result<(), &'static str>) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let (out, mut kept, mut left) = (RefCell::new(VecDeque::new()), Vec::new(), outcomes);
        let ended = spsa.follow(
            players,
            |player, spsa| {
                out.borrow_mut().push_back((player, spsa.ask(&mut rng)));
                assert!(out.borrow().len() <= players && spsa.iteration < spsa.iterations);
                Ok(())
            },
            || {
                left = left.checked_sub(1).ok_or("ended")?;
                let (player, trial) = out.borrow_mut().pop_front().unwrap();
                Ok((player, trial, 1.0))
            },
            |spsa| {
                kept.push(spsa.clone());
                Ok(())
            },
        );
        (kept, ended)
    }

    #[test]
    fn an_interruption_costs_no_outcome() {
        let mut spsa = tuning(20);
        let (kept, ended) = follow(&mut spsa, 3, 7);
        assert_eq!(ended, Err("ended"));
        assert_eq!(kept.len(), 7, "kept after each outcome");
        assert!(kept.iter().map(|spsa| spsa.iteration).eq(1..=7), "what was asked and not heard must not count");
        assert!(kept.windows(2).all(|pair| pair[0].parameters != pair[1].parameters));

        let mut resumed = kept[6].clone();
        let (kept, ended) = follow(&mut resumed, 3, 100);
        assert_eq!(ended, Ok(()));
        assert!(kept.iter().map(|spsa| spsa.iteration).eq(8..=20));
        assert_eq!(follow(&mut resumed, 3, 100), (vec![], Ok(())), "nothing is left to be done");
    }

    #[test]
    fn another_tuning_is_told_apart() {
        let asked = tuning(20);
        let mut kept = asked.clone();
        follow(&mut kept, 1, 100).1.unwrap();
        assert_ne!(kept, asked);
        assert_eq!(kept.difference(&asked), None);
        let changed = |change: fn(&mut Spsa)| {
            let mut kept = kept.clone();
            change(&mut kept);
            kept.difference(&asked).unwrap()
        };
        assert_eq!(changed(|spsa| spsa.iterations = 30), "30 pairs instead of 20");
        assert_eq!(changed(|spsa| spsa.rate = 0.5), "rate 0.5 instead of 0.02");
        assert_eq!(
            changed(|spsa| spsa.parameters[1].max = 90.0),
            "only one of them tunes b from 0 to 90 in steps of 5"
        );
        assert_eq!(
            changed(|spsa| spsa.parameters[0].step = 2.0),
            "only one of them tunes a from 0 to 100 in steps of 2"
        );
        assert_eq!(
            changed(|spsa| spsa.parameters[0].name = "c".to_owned()),
            "only one of them tunes c from 0 to 100 in steps of 5"
        );
        assert_eq!(changed(|spsa| drop(spsa.parameters.pop())), "only one of them tunes b from 0 to 100 in steps of 5");
    }
}
