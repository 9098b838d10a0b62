//! NEON: 8 lanes, on every 64-bit ARM CPU.

use std::arch::aarch64::{
    float32x4_t, int16x8_t, int32x4_t, uint8x16_t, vaddq_f32, vaddq_s16, vaddvq_u32, vandq_u32, vdupq_n_f32,
    vdupq_n_s16, vdupq_n_s32, vget_low_s8, vld1q_f32, vld1q_s8, vld1q_u32, vmaxq_s16, vminq_s16, vmull_high_s8,
    vmull_s8, vmulq_f32, vpadalq_s16, vpaddq_s16, vqmovun_high_s16, vqmovun_s16, vqrdmulhq_s16, vreinterpretq_s8_s32,
    vreinterpretq_u32_u8, vshlq_n_s16, vst1q_f32, vst1q_s32, vsubq_s16, vtstq_u32,
};
use std::arch::is_aarch64_feature_detected;

use super::ops::{FLOATS, Simd, Work};
use crate::arch::{GROUP, PRODUCT_SHIFT, QA, SECOND};
use crate::head::Block;

/// How far a factor is shifted for the rounded high half of a doubled product to be the product shifted by [`PRODUCT_SHIFT`].
const LEFT: i32 = 15 - PRODUCT_SHIFT as i32;

/// Proof that this CPU has NEON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Neon(());

impl Neon {
    pub(super) fn detect() -> Option<Self> {
        is_aarch64_feature_detected!("neon").then_some(Self(()))
    }

    #[inline(always)]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "neon")]
        fn with_features<W: Work>(simd: Neon, work: W) -> W::Output {
            work.run(simd)
        }
        // SAFETY: `self` is proof of NEON. Tested by `paths_agree`.
        unsafe { with_features(self, work) }
    }
}

// SAFETY: `int16x8_t` is 8 times `i16` and `uint8x16_t` 16 times `u8`, aligned to their size.
unsafe impl Simd for Neon {
    type Vector = int16x8_t;
    type Bytes = uint8x16_t;
    type Sums = [int32x4_t; 4];
    type Floats = [float32x4_t; 4];

    #[inline(always)]
    fn add(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: `self` is proof of NEON, here and below.
        unsafe { vaddq_s16(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: as above.
        unsafe { vsubq_s16(a, b) }
    }

    #[inline(always)]
    fn products(self, a: [int16x8_t; 2], b: [int16x8_t; 2]) -> uint8x16_t {
        // SAFETY: as above.
        unsafe {
            let (zero, one) = (vdupq_n_s16(0), vdupq_n_s16(QA as i16));
            let product = |a, b| {
                let a = vminq_s16(vmaxq_s16(a, zero), one);
                // What is below zero is taken away by narrowing.
                vqrdmulhq_s16(vshlq_n_s16::<LEFT>(a), vminq_s16(b, one))
            };
            vqmovun_high_s16(vqmovun_s16(product(a[0], b[0])), product(a[1], b[1]))
        }
    }

    #[inline(always)]
    fn nonzero(self, bytes: uint8x16_t) -> u16 {
        // SAFETY: as above; the array is a vector.
        unsafe {
            let groups = vreinterpretq_u32_u8(bytes);
            vaddvq_u32(vandq_u32(vtstq_u32(groups, groups), vld1q_u32([1, 2, 4, 8].as_ptr()))) as u16
        }
    }

    #[inline(always)]
    fn no_sums(self) -> Self::Sums {
        // SAFETY: as above.
        unsafe { [vdupq_n_s32(0); 4] }
    }

    #[inline(always)]
    fn add_blocks<const N: usize>(
        self,
        mut sums: Self::Sums,
        inputs: [[u8; GROUP]; N],
        weights: [&Block; N],
    ) -> Self::Sums {
        // SAFETY: as above; a block is four vectors.
        unsafe {
            for (inputs, block) in inputs.into_iter().zip(weights) {
                let inputs = vreinterpretq_s8_s32(vdupq_n_s32(i32::from_ne_bytes(inputs)));
                for (sum, weights) in sums.iter_mut().zip(block.0.as_flattened().as_chunks::<16>().0) {
                    let weights = vld1q_s8(weights.as_ptr());
                    let low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
                    *sum = vpadalq_s16(*sum, vpaddq_s16(low, vmull_high_s8(inputs, weights)));
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn totals(self, sums: Self::Sums) -> [i32; SECOND] {
        let mut totals = [0; SECOND];
        for (totals, sums) in totals.as_chunks_mut::<4>().0.iter_mut().zip(sums) {
            // SAFETY: as above; four totals are a vector.
            unsafe { vst1q_s32(totals.as_mut_ptr(), sums) }
        }
        totals
    }

    #[inline(always)]
    fn floats(self, numbers: &[f32; FLOATS]) -> Self::Floats {
        let parts = numbers.as_chunks::<4>().0;
        // SAFETY: as above; four numbers are a vector.
        std::array::from_fn(|i| unsafe { vld1q_f32(parts[i].as_ptr()) })
    }

    #[inline(always)]
    fn add_multiples(self, sums: Self::Floats, factor: f32, weights: &[f32; FLOATS]) -> Self::Floats {
        let weights = self.floats(weights);
        // SAFETY: as above.
        std::array::from_fn(|i| unsafe { vaddq_f32(sums[i], vmulq_f32(vdupq_n_f32(factor), weights[i])) })
    }

    #[inline(always)]
    fn numbers(self, floats: Self::Floats) -> [f32; FLOATS] {
        let mut numbers = [0.0; FLOATS];
        for (numbers, floats) in numbers.as_chunks_mut::<4>().0.iter_mut().zip(floats) {
            // SAFETY: as above; four numbers are a vector.
            unsafe { vst1q_f32(numbers.as_mut_ptr(), floats) }
        }
        numbers
    }
}
