//! AdamW: Adam with weight decay apart from the gradient.
//!
//! Sources: D. Kingma, J. Ba, "Adam" (2015); I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization" (2019).

use eval::arch::MAX_WEIGHT;
use multiversion::multiversion;
use rayon::prelude::*;

use crate::training::model::{Layout, Parameters};

/// How quickly the mean of the gradients forgets.
const BETA_1: f64 = 0.9;

/// How quickly the mean of the squared gradients forgets.
const BETA_2: f64 = 0.999;

/// Keeps quotients finite.
const EPSILON: f32 = 1e-8;

/// Weights updated at a time by one thread.
const CHUNK: usize = 2048;

/// The means of the gradients and of their squares.
#[derive(Clone, PartialEq, Debug)]
pub struct AdamW {
    pub(crate) first: Parameters,
    pub(crate) second: Parameters,
}

/// The numbers of one step, the same for all weights.
#[derive(Clone, Copy)]
struct Step {
    /// The learning rate by the correction of the first mean.
    rate: f32,
    /// The inverse of the correction of the second mean.
    inverse_second: f32,
    /// What is left of a weight.
    kept: f32,
}

impl AdamW {
    /// Before the first step.
    #[must_use]
    pub fn new(layout: Layout) -> Self {
        Self { first: Parameters::zero(layout), second: Parameters::zero(layout) }
    }

    /// Changes the parameters against the sum of the gradients and clips them for quantisation; `step` counts from 0.
    pub fn step(
        &mut self,
        parameters: &mut Parameters,
        gradients: &[&Parameters],
        step: u64,
        learning_rate: f64,
        weight_decay: f64,
    ) {
        let steps = (step + 1) as f64;
        let numbers = Step {
            rate: (learning_rate / (1.0 - BETA_1.powf(steps))) as f32,
            inverse_second: (1.0 / (1.0 - BETA_2.powf(steps))) as f32,
            kept: (1.0 - learning_rate * weight_decay) as f32,
        };
        let weights = parameters.numbers_mut().par_chunks_mut(CHUNK);
        let first = self.first.numbers_mut().par_chunks_mut(CHUNK);
        let second = self.second.numbers_mut().par_chunks_mut(CHUNK);
        weights.zip(first).zip(second).enumerate().for_each(|(chunk, ((weights, first), second))| {
            let mut sum = [0.0; CHUNK];
            let sum = &mut sum[..weights.len()];
            for gradient in gradients {
                add(sum, &gradient.numbers()[chunk * CHUNK..][..weights.len()]);
            }
            update(numbers, sum, weights, first, second);
        });
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add(sum: &mut [f32], terms: &[f32]) {
    sum.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn update(step: Step, gradients: &[f32], weights: &mut [f32], first: &mut [f32], second: &mut [f32]) {
    const FORGOTTEN_1: f32 = (1.0 - BETA_1) as f32;
    const FORGOTTEN_2: f32 = (1.0 - BETA_2) as f32;
    for (((gradient, weight), first), second) in gradients.iter().zip(weights).zip(first).zip(second) {
        *first += FORGOTTEN_1 * (gradient - *first);
        *second += FORGOTTEN_2 * (gradient * gradient - *second);
        let change = step.rate * *first / ((*second * step.inverse_second).sqrt() + EPSILON);
        *weight = (*weight * step.kept - change).clamp(-MAX_WEIGHT, MAX_WEIGHT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        Layout::new(32)
    }

    fn filled(value: f32) -> Parameters {
        let mut parameters = Parameters::zero(layout());
        parameters.numbers_mut().fill(value);
        parameters
    }

    #[test]
    fn the_first_step_is_the_learning_rate() {
        let mut parameters = Parameters::zero(layout());
        let gradient = filled(0.003);
        AdamW::new(layout()).step(&mut parameters, &[&gradient], 0, 0.01, 0.0);
        assert!(parameters.numbers().iter().all(|weight| (weight + 0.01).abs() < 1e-6));
    }

    #[test]
    fn gradients_of_all_parts_are_summed() {
        let run = |gradients: &[&Parameters]| {
            let (mut parameters, mut optimizer) = (filled(0.5), AdamW::new(layout()));
            for step in 0..5 {
                optimizer.step(&mut parameters, gradients, step, 0.01, 0.01);
            }
            parameters
        };
        let whole = Parameters::random(layout(), 1);
        let mut half = whole.clone();
        half.numbers_mut().iter_mut().for_each(|number| *number /= 2.0);
        assert_eq!(run(&[&whole]), run(&[&half, &half]));
    }

    /// The same recurrence in double precision, written as in the papers.
    #[test]
    fn steps_follow_the_papers() {
        let gradients = [0.3, -0.2, 0.05, 0.4, -0.7];
        let (mut parameters, mut optimizer) = (filled(0.25), AdamW::new(layout()));
        let (mut weight, mut m, mut v) = (0.25f64, 0.0f64, 0.0f64);
        for (step, gradient) in gradients.into_iter().enumerate() {
            optimizer.step(&mut parameters, &[&filled(gradient)], step as u64, 0.02, 0.1);
            let (gradient, t) = (f64::from(gradient), step as i32 + 1);
            m = BETA_1 * m + (1.0 - BETA_1) * gradient;
            v = BETA_2 * v + (1.0 - BETA_2) * gradient * gradient;
            let (m_hat, v_hat) = (m / (1.0 - BETA_1.powi(t)), v / (1.0 - BETA_2.powi(t)));
            weight -= 0.02 * (m_hat / (v_hat.sqrt() + 1e-8) + 0.1 * weight);
            assert!(parameters.numbers().iter().all(|&found| (f64::from(found) - weight).abs() < 1e-5));
        }
    }

    #[test]
    fn weights_are_clipped() {
        let (mut parameters, mut optimizer) = (filled(0.0), AdamW::new(layout()));
        for step in 0..300 {
            optimizer.step(&mut parameters, &[&filled(-1.0)], step, 0.1, 0.0);
        }
        assert!(parameters.numbers().iter().all(|&weight| weight == MAX_WEIGHT));
    }
}
