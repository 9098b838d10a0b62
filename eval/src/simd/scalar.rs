//! Plain Rust, for CPUs without a path of their own and as the measure of the others.
//!
//! Vectors are arrays, long enough for the compiler to see loops in them that it can work with whatever vector
//! instructions all CPUs of the target have: with SSE2 twice as fast as with arrays of 8.

use super::ops::{Simd, Work};
use crate::arch::QA;

const LANES: usize = 32;

/// The instructions every CPU has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scalar;

impl Scalar {
    /// Apart from its callers, as on the other paths, which would otherwise make way for what they seldom need.
    #[inline(never)]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }
}

// SAFETY: `Vector` is an array of `i16`.
unsafe impl Simd for Scalar {
    type Vector = [i16; LANES];
    type Sums = [i32; LANES / 2];

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
    fn clip(self, mut a: Self::Vector) -> Self::Vector {
        for lane in &mut a {
            *lane = (*lane).clamp(0, QA as i16);
        }
        a
    }

    #[inline(always)]
    fn mul(self, mut a: Self::Vector, b: Self::Vector) -> Self::Vector {
        for i in 0..LANES {
            a[i] = a[i].wrapping_mul(b[i]);
        }
        a
    }

    #[inline(always)]
    fn no_sums(self) -> Self::Sums {
        [0; LANES / 2]
    }

    #[inline(always)]
    fn add_products(self, mut sums: Self::Sums, a: Self::Vector, b: Self::Vector) -> Self::Sums {
        for i in 0..LANES {
            sums[i % (LANES / 2)] += i32::from(a[i]) * i32::from(b[i]);
        }
        sums
    }

    #[inline(always)]
    fn add_sums(self, mut a: Self::Sums, b: Self::Sums) -> Self::Sums {
        for i in 0..LANES / 2 {
            a[i] += b[i];
        }
        a
    }

    #[inline(always)]
    fn total(self, sums: Self::Sums) -> i64 {
        sums.into_iter().map(i64::from).sum()
    }
}
