//! NEON: 8 lanes, on every 64-bit ARM CPU.

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddlvq_s32, vaddq_s16, vaddq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vmaxq_s16,
    vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vsubq_s16,
};
use std::arch::is_aarch64_feature_detected;

use super::ops::{Simd, Work};
use crate::arch::QA;

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

// SAFETY: `int16x8_t` is 8 times `i16`, aligned to its size.
unsafe impl Simd for Neon {
    type Vector = int16x8_t;
    type Sums = int32x4_t;

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
    fn clip(self, a: int16x8_t) -> int16x8_t {
        // SAFETY: as above.
        unsafe { vminq_s16(vmaxq_s16(a, vdupq_n_s16(0)), vdupq_n_s16(QA as i16)) }
    }

    #[inline(always)]
    fn mul(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: as above.
        unsafe { vmulq_s16(a, b) }
    }

    #[inline(always)]
    fn no_sums(self) -> int32x4_t {
        // SAFETY: as above.
        unsafe { vdupq_n_s32(0) }
    }

    #[inline(always)]
    fn add_products(self, sums: int32x4_t, a: int16x8_t, b: int16x8_t) -> int32x4_t {
        // SAFETY: as above.
        unsafe { vmlal_high_s16(vmlal_s16(sums, vget_low_s16(a), vget_low_s16(b)), a, b) }
    }

    #[inline(always)]
    fn add_sums(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        // SAFETY: as above.
        unsafe { vaddq_s32(a, b) }
    }

    #[inline(always)]
    fn total(self, sums: int32x4_t) -> i64 {
        // SAFETY: as above.
        unsafe { vaddlvq_s32(sums) }
    }
}
