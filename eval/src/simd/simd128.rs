//! WebAssembly SIMD: 8 lanes. A module either has these instructions or does not load, so they are chosen at compile
//! time.

use std::arch::wasm32::{
    i16x8_add, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i16x8_sub, i32x4_add, i32x4_dot_i16x8, i32x4_splat,
    i64x2_add, i64x2_extend_high_i32x4, i64x2_extend_low_i32x4, i64x2_extract_lane, v128,
};

use super::ops::{Simd, Work};
use crate::arch::QA;

/// The vector instructions of WebAssembly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Simd128;

impl Simd128 {
    #[inline(always)]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }
}

// SAFETY: `v128` is 16 bytes of any content, here 8 times `i16`, aligned to its size.
unsafe impl Simd for Simd128 {
    type Vector = v128;
    type Sums = v128;

    #[inline(always)]
    fn add(self, a: v128, b: v128) -> v128 {
        i16x8_add(a, b)
    }

    #[inline(always)]
    fn sub(self, a: v128, b: v128) -> v128 {
        i16x8_sub(a, b)
    }

    #[inline(always)]
    fn clip(self, a: v128) -> v128 {
        i16x8_min(i16x8_max(a, i16x8_splat(0)), i16x8_splat(QA as i16))
    }

    #[inline(always)]
    fn mul(self, a: v128, b: v128) -> v128 {
        i16x8_mul(a, b)
    }

    #[inline(always)]
    fn no_sums(self) -> v128 {
        i32x4_splat(0)
    }

    #[inline(always)]
    fn add_products(self, sums: v128, a: v128, b: v128) -> v128 {
        i32x4_add(sums, i32x4_dot_i16x8(a, b))
    }

    #[inline(always)]
    fn add_sums(self, a: v128, b: v128) -> v128 {
        i32x4_add(a, b)
    }

    #[inline(always)]
    fn total(self, sums: v128) -> i64 {
        let halves = i64x2_add(i64x2_extend_low_i32x4(sums), i64x2_extend_high_i32x4(sums));
        i64x2_extract_lane::<0>(halves) + i64x2_extract_lane::<1>(halves)
    }
}
