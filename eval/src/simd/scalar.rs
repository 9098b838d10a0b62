//! Plain Rust, for CPUs without a path of their own and as the measure of the others.
//!
//! Vectors are arrays, long enough for the compiler to see loops in them that it can work with whatever vector
//! instructions all CPUs of the target have: with SSE2 twice as fast as with arrays of 8.

use super::ops::{FLOATS, Simd, Work};
use crate::arch::{GROUP, PRODUCT_SHIFT, QA, SECOND};
use crate::head::Block;

const LANES: usize = 32;

/// The instructions every CPU has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scalar;

impl Scalar {
    /// Apart from its callers, as on the other paths, which would otherwise make way for what they seldom need.
    #[inline(never)]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }
}

// SAFETY: `Vector` is an array of `i16`, `Bytes` one of `u8`.
unsafe impl Simd for Scalar {
    type Vector = [i16; LANES];
    type Bytes = [u8; 2 * LANES];
    type Sums = [i32; SECOND];
    type Floats = [f32; FLOATS];

    #[inline(always)]
    fn add(self, mut a: Self::Vector, b: Self::Vector) -> Self::Vector {
        for i in 0..LANES {
            a[i] = a[i].wrapping_add(b[i]);
        }
        a
    }

    #[inline(always)]
    fn sub(self, mut a: Self::Vector, b: Self::Vector) -> Self::Vector {
        for i in 0..LANES {
            a[i] = a[i].wrapping_sub(b[i]);
        }
        a
    }

    #[inline(always)]
    fn products(self, a: [Self::Vector; 2], b: [Self::Vector; 2]) -> Self::Bytes {
        let clip = |neuron: i16| neuron.clamp(0, QA as i16) as u16;
        let (a, b) = (a.as_flattened(), b.as_flattened());
        let mut products = [0; 2 * LANES];
        for i in 0..2 * LANES {
            // Clipped neurons times each other fit 16 bits, rounded ones too.
            let product = clip(a[i]).wrapping_mul(clip(b[i]));
            products[i] = (product.wrapping_add(1 << (PRODUCT_SHIFT - 1)) >> PRODUCT_SHIFT) as u8;
        }
        products
    }

    #[inline(always)]
    fn nonzero(self, bytes: Self::Bytes) -> u16 {
        let mut nonzero = 0;
        for (i, &group) in bytes.as_chunks::<GROUP>().0.iter().enumerate() {
            nonzero |= u16::from(group != [0; GROUP]) << i;
        }
        nonzero
    }

    #[inline(always)]
    fn no_sums(self) -> Self::Sums {
        [0; SECOND]
    }

    #[inline(always)]
    fn add_blocks<const N: usize>(
        self,
        mut sums: Self::Sums,
        inputs: [[u8; GROUP]; N],
        weights: [&Block; N],
    ) -> Self::Sums {
        for (inputs, weights) in inputs.into_iter().zip(weights) {
            for (sum, weights) in sums.iter_mut().zip(&weights.0) {
                for (input, &weight) in inputs.into_iter().zip(weights) {
                    *sum += i32::from(input) * i32::from(weight);
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn totals(self, sums: Self::Sums) -> [i32; SECOND] {
        sums
    }

    #[inline(always)]
    fn floats(self, numbers: &[f32; FLOATS]) -> Self::Floats {
        *numbers
    }

    #[inline(always)]
    fn add_multiples(self, sums: Self::Floats, factor: f32, weights: &[f32; FLOATS]) -> Self::Floats {
        std::array::from_fn(|i| sums[i] + factor * weights[i])
    }

    #[inline(always)]
    fn numbers(self, floats: Self::Floats) -> [f32; FLOATS] {
        floats
    }
}
