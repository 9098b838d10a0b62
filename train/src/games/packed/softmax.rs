//! An adaptive softmax: how likely each of several candidates is, learned from the choices made before.
//!
//! A candidate is described by one index into a table of weights for each of its features. Its logit is the sum of
//! those weights, and after each choice they follow the gradient of its probability, each at a rate of its own (AdaGrad:
//! Duchi, Hazan and Singer, 2011). Everything is integer arithmetic: a decoder on any machine has to arrive at the same
//! frequencies as the encoder.

use super::coder::{Coder, FREQUENCY_BITS};

/// Fractional bits of weights and logits, which are logarithms to the base of two.
const LOGIT_BITS: u32 = 16;
/// The largest weight of either sign.
const MAX_WEIGHT: i32 = 24 << LOGIT_BITS;
/// Bits of the fraction by which powers of two are looked up.
const EXP_BITS: u32 = 10;
/// Logits so many powers of two below the largest are as good as nothing.
const MAX_DEPTH: u32 = 30;
/// Errors of probabilities below this are left alone: small steps, and most of the time.
const MIN_ERROR: i32 = 1 << (FREQUENCY_BITS - 7);

/// Powers of two from 1 to 2, by the fraction of the exponent, in units of 2^-30.
const EXP: [u32; (1 << EXP_BITS) + 1] = {
    // The 1024th root of two, in units of 2^-62; rounded down in each product, which is exact on every machine.
    const ROOT: u64 = 4_614_808_732_577_250_068;
    let mut table = [0; (1 << EXP_BITS) + 1];
    let mut power = 1u64 << 62;
    let mut index = 0;
    while index < table.len() {
        table[index] = (power >> 32) as u32;
        power = ((power as u128 * ROOT as u128) >> 62) as u64;
        index += 1;
    }
    table
};

/// The rate of a weight by the sum of its squared errors, in quarters of powers of two.
const RATES: [i32; 4 * 33] = {
    let mut table = [0; 4 * 33];
    let mut index = 0;
    while index < table.len() {
        // 2^(index / 4), in units of 2^-8.
        let quarter = [256u64, 304, 362, 431][index % 4];
        let sum = quarter << (index / 4);
        table[index] = ((1u64 << 22) / sum.isqrt()) as i32;
        index += 1;
    }
    table
};

/// An adaptive softmax over candidates of `N` features.
#[derive(Clone, Debug)]
pub(super) struct Softmax<const N: usize> {
    weights: Vec<Weight>,
    /// How fast it learns.
    rate: i32,
    logits: Vec<i32>,
    frequencies: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Weight {
    value: i32,
    /// The sum of its squared errors.
    squares: u32,
}

impl<const N: usize> Softmax<N> {
    /// One with tables for `len` indices in all, and a rate in units of 2^-10.
    pub(super) fn new(len: usize, rate: i32) -> Self {
        let weights = vec![Weight { value: 0, squares: 1 << 16 }; len];
        Self { weights, rate, logits: Vec::new(), frequencies: Vec::new() }
    }

    /// Codes which of the candidates is chosen, and learns from it. A single candidate costs nothing.
    pub(super) fn code(&mut self, coder: &mut impl Coder, choice: usize, candidates: &[[u32; N]]) -> usize {
        if candidates.len() < 2 {
            return 0;
        }
        let weights = &self.weights;
        let logit = |features: &[u32; N]| features.iter().map(|&feature| weights[feature as usize].value).sum::<i32>();
        self.logits.clear();
        self.logits.extend(candidates.iter().map(logit));
        self.predict();
        let choice = coder.choose(choice, &self.frequencies);
        for (index, features) in candidates.iter().enumerate() {
            if let Some(step) = step(self.frequencies[index], index == choice, self.rate) {
                features.iter().for_each(|&feature| self.weights[feature as usize].learn(step));
            }
        }
        choice
    }

    /// The same for `count` candidates whose indices follow each other, those of the first of them being given.
    pub(super) fn code_row(&mut self, coder: &mut impl Coder, choice: usize, count: usize, first: [usize; N]) -> usize {
        self.logits.clear();
        self.logits.resize(count, 0);
        for start in first {
            let weights = &self.weights[start..start + count];
            self.logits.iter_mut().zip(weights).for_each(|(logit, weight)| *logit += weight.value);
        }
        self.predict();
        let choice = coder.choose(choice, &self.frequencies);
        for index in 0..count {
            if let Some(step) = step(self.frequencies[index], index == choice, self.rate) {
                first.iter().for_each(|start| self.weights[start + index].learn(step));
            }
        }
        choice
    }

    /// Sets the frequencies of the candidates by their logits: each at least 1, and together `1 << FREQUENCY_BITS`.
    fn predict(&mut self) {
        let most = self.logits.iter().copied().max().unwrap_or(0);
        self.frequencies.clear();
        self.frequencies.extend(self.logits.iter().map(|&logit| power((most - logit) as u32)));
        let sum: u64 = self.frequencies.iter().map(|&power| u64::from(power)).sum();
        let spare = (1u64 << FREQUENCY_BITS) - self.logits.len() as u64;
        let scale = (spare << 32) / sum;
        let (mut left, mut largest) = (1 << FREQUENCY_BITS, 0);
        for index in 0..self.frequencies.len() {
            let frequency = 1 + ((u64::from(self.frequencies[index]) * scale) >> 32) as u32;
            self.frequencies[index] = frequency;
            left -= frequency;
            if frequency > self.frequencies[largest] {
                largest = index;
            }
        }
        self.frequencies[largest] += left;
    }
}

/// Two to the power of minus `depth`, in units of 2^-30.
#[inline]
fn power(depth: u32) -> u32 {
    // That of the next whole exponent, times that of what is left.
    let whole = (depth >> LOGIT_BITS) + 1;
    let left = (1 << LOGIT_BITS) - (depth & ((1 << LOGIT_BITS) - 1));
    let power = EXP[(left >> (LOGIT_BITS - EXP_BITS)) as usize];
    if whole > MAX_DEPTH { 0 } else { power >> whole }
}

/// How far a candidate's probability was from the truth, times the rate; `None` if it is not worth a step.
#[inline]
fn step(frequency: u32, is_chosen: bool, rate: i32) -> Option<(i32, u32)> {
    let error = if is_chosen { 1 << FREQUENCY_BITS } else { 0 } - frequency as i32;
    (error.abs() >= MIN_ERROR).then(|| (error * rate, ((error >> 6) * (error >> 6)) as u32 >> 4))
}

impl Weight {
    #[inline]
    fn learn(&mut self, (step, square): (i32, u32)) {
        self.squares = self.squares.saturating_add(square);
        let bits = self.squares.ilog2();
        let rate = RATES[(4 * bits + (self.squares >> (bits - 2) & 3)) as usize];
        let change = (i64::from(step) * i64::from(rate)) >> 20;
        self.value = (self.value + change as i32).clamp(-MAX_WEIGHT, MAX_WEIGHT);
    }
}
