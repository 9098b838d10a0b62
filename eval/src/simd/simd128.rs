//! WebAssembly SIMD: 8 lanes. A module either has these instructions or does not load, so they are chosen at compile
//! time.

use std::arch::wasm32::{
    f32x4_add, f32x4_mul, f32x4_splat, i16x8_add, i16x8_extmul_high_i8x16, i16x8_extmul_low_i8x16, i16x8_max,
    i16x8_min, i16x8_mul, i16x8_splat, i16x8_sub, i32x4_add, i32x4_bitmask, i32x4_extadd_pairwise_i16x8, i32x4_ne,
    i32x4_shuffle, i32x4_splat, u8x16_narrow_i16x8, u16x8_shr, v128, v128_load, v128_store,
};

use super::ops::{FLOATS, Simd, Work};
use crate::arch::{GROUP, PRODUCT_SHIFT, QA, SECOND};
use crate::head::Block;

/// The vector instructions of WebAssembly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Simd128;

impl Simd128 {
    #[inline(always)]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }
}

// SAFETY: `v128` is 16 bytes of any content, here 8 times `i16` or 16 times `u8`, aligned to its size.
unsafe impl Simd for Simd128 {
    type Vector = v128;
    type Bytes = v128;
    type Sums = [v128; 4];
    type Floats = [v128; 4];

    #[inline(always)]
    fn add(self, a: v128, b: v128) -> v128 {
        i16x8_add(a, b)
    }

    #[inline(always)]
    fn sub(self, a: v128, b: v128) -> v128 {
        i16x8_sub(a, b)
    }

    #[inline(always)]
    fn products(self, a: [v128; 2], b: [v128; 2]) -> v128 {
        let clip = |a| i16x8_min(i16x8_max(a, i16x8_splat(0)), i16x8_splat(QA as i16));
        // Clipped neurons times each other fit 16 bits, rounded ones too.
        let half = i16x8_splat(1 << (PRODUCT_SHIFT - 1));
        let product = |a, b| u16x8_shr(i16x8_add(i16x8_mul(clip(a), clip(b)), half), PRODUCT_SHIFT);
        u8x16_narrow_i16x8(product(a[0], b[0]), product(a[1], b[1]))
    }

    #[inline(always)]
    fn nonzero(self, bytes: v128) -> u16 {
        i32x4_bitmask(i32x4_ne(bytes, i32x4_splat(0))).into()
    }

    #[inline(always)]
    fn no_sums(self) -> Self::Sums {
        [i32x4_splat(0); 4]
    }

    #[inline(always)]
    fn add_blocks<const N: usize>(
        self,
        mut sums: Self::Sums,
        inputs: [[u8; GROUP]; N],
        weights: [&Block; N],
    ) -> Self::Sums {
        for (inputs, block) in inputs.into_iter().zip(weights) {
            let inputs = i32x4_splat(i32::from_ne_bytes(inputs));
            for (sum, weights) in sums.iter_mut().zip(block.0.as_flattened().as_chunks::<16>().0) {
                // SAFETY: 16 bytes are a vector, at any alignment.
                let weights = unsafe { v128_load(weights.as_ptr().cast()) };
                // Added up in 32 bits: what adds pairs in 16 is compiled to an instruction that not every module may use.
                let low = i32x4_extadd_pairwise_i16x8(i16x8_extmul_low_i8x16(inputs, weights));
                let high = i32x4_extadd_pairwise_i16x8(i16x8_extmul_high_i8x16(inputs, weights));
                let even = i32x4_shuffle::<0, 2, 4, 6>(low, high);
                let odd = i32x4_shuffle::<1, 3, 5, 7>(low, high);
                *sum = i32x4_add(*sum, i32x4_add(even, odd));
            }
        }
        sums
    }

    #[inline(always)]
    fn totals(self, sums: Self::Sums) -> [i32; SECOND] {
        let mut totals = [0; SECOND];
        for (totals, sums) in totals.as_chunks_mut::<4>().0.iter_mut().zip(sums) {
            // SAFETY: four totals are a vector, at any alignment.
            unsafe { v128_store(totals.as_mut_ptr().cast(), sums) }
        }
        totals
    }

    #[inline(always)]
    fn floats(self, numbers: &[f32; FLOATS]) -> Self::Floats {
        let parts = numbers.as_chunks::<4>().0;
        // SAFETY: four numbers are a vector, at any alignment.
        std::array::from_fn(|i| unsafe { v128_load(parts[i].as_ptr().cast()) })
    }

    #[inline(always)]
    fn add_multiples(self, sums: Self::Floats, factor: f32, weights: &[f32; FLOATS]) -> Self::Floats {
        let weights = self.floats(weights);
        std::array::from_fn(|i| f32x4_add(sums[i], f32x4_mul(f32x4_splat(factor), weights[i])))
    }

    #[inline(always)]
    fn numbers(self, floats: Self::Floats) -> [f32; FLOATS] {
        let mut numbers = [0.0; FLOATS];
        for (numbers, floats) in numbers.as_chunks_mut::<4>().0.iter_mut().zip(floats) {
            // SAFETY: four numbers are a vector, at any alignment.
            unsafe { v128_store(numbers.as_mut_ptr().cast(), floats) }
        }
        numbers
    }
}
