//! The output layer: squared clipped ReLU (SCReLU) and output weights.
//!
//! A clipped neuron `v` times an output weight `w` fits `i16`, so `v * w` takes one vector multiplication and
//! `v * (v * w)`, summed in pairs, one more. Source: the Chess Programming Wiki, "NNUE", on SCReLU.

use crate::arch::{HIDDEN, MAX_OUTPUT_WEIGHT, QA};
use crate::network::Row;
use crate::simd::{Simd, vectors};

/// Independent sums, to hide the latency of the additions.
const CHAINS: usize = 4;

/// How many terms `v * v * w` fit an `i32` in any case.
const MAX_TERMS: usize = (i32::MAX / (QA * QA * MAX_OUTPUT_WEIGHT as i32)) as usize;

/// The sum of `v * v * w` over the neurons of both sides, the side to move first.
#[inline(always)]
pub(crate) fn output_sum<S: Simd>(simd: S, sides: [&Row; 2], weights: &[Row; 2]) -> i64 {
    // Terms in a lane of all chains together, and of one chain if it gets the remainders of both sides.
    let terms = const { 4 * HIDDEN / S::LANES };
    const { assert!(4 * (HIDDEN / S::LANES).div_ceil(CHAINS) <= MAX_TERMS) }

    let mut sums = [simd.no_sums(); CHAINS];
    for (neurons, weights) in sides.into_iter().zip(weights) {
        let (neurons, rest) = vectors::<S>(neurons).as_chunks::<CHAINS>();
        let (weights, rest_weights) = vectors::<S>(weights).as_chunks::<CHAINS>();
        for (neurons, weights) in neurons.iter().zip(weights) {
            for chain in 0..CHAINS {
                sums[chain] = add_terms(simd, sums[chain], neurons[chain], weights[chain]);
            }
        }
        for (sum, (&neurons, &weights)) in sums.iter_mut().zip(rest.iter().zip(rest_weights)) {
            *sum = add_terms(simd, *sum, neurons, weights);
        }
    }
    let [a, b, c, d] = sums;
    if terms <= MAX_TERMS {
        simd.total(simd.add_sums(simd.add_sums(a, b), simd.add_sums(c, d)))
    } else {
        simd.total(a) + simd.total(b) + simd.total(c) + simd.total(d)
    }
}

#[inline(always)]
fn add_terms<S: Simd>(simd: S, sums: S::Sums, neurons: S::Vector, weights: S::Vector) -> S::Sums {
    let clipped = simd.clip(neurons);
    simd.add_products(sums, clipped, simd.mul(clipped, weights))
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::simd::{Path, Work};
    use crate::testing::random;

    struct Sum<'a>([&'a Row; 2], &'a [Row; 2]);

    impl Work for Sum<'_> {
        type Output = i64;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> i64 {
            output_sum(simd, self.0, self.1)
        }
    }

    fn check(sides: [&Row; 2], weights: &[Row; 2]) {
        let term =
            |(neuron, weight): (&i16, &i16)| i64::from((*neuron).clamp(0, QA as i16)).pow(2) * i64::from(*weight);
        let side = |(neurons, weights): (&Row, &Row)| neurons.0.iter().zip(&weights.0).map(term).sum::<i64>();
        let expected: i64 = sides.into_iter().zip(weights).map(side).sum();
        for path in Path::available() {
            assert_eq!(path.run(Sum(sides, weights)), expected, "{path}");
        }
    }

    #[test]
    fn sums_are_exact() {
        let mut random = random(13);
        for round in 0..500 {
            let bound = [300, 16_665, i16::MAX][round % 3];
            let [own, other] = [(); 2].map(|()| Row(std::array::from_fn(|_| random.random_range(-bound..=bound))));
            let mut weight = || random.random_range(-MAX_OUTPUT_WEIGHT..=MAX_OUTPUT_WEIGHT);
            let weights = [(); 2].map(|()| Row(std::array::from_fn(|_| weight())));
            check([&own, &other], &weights);
        }
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        for neuron in [QA as i16 - 1, QA as i16, i16::MAX, 0, -1, i16::MIN] {
            for weight in [MAX_OUTPUT_WEIGHT, -MAX_OUTPUT_WEIGHT] {
                let (neurons, weights) = (Row([neuron; HIDDEN]), Row([weight; HIDDEN]));
                check([&neurons, &neurons], &[weights.clone(), weights]);
            }
        }
    }
}
