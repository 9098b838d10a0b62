//! AVX-512 with byte and word instructions: 32 lanes, on Intel's servers since 2017 and on AMD's CPUs since Zen 4.
//!
//! VNNI's `vpdpwssd`, which multiplies and adds in one, made no difference on a Zen 5; it would only exclude CPUs.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_add_epi64, _mm512_castsi512_si256, _mm512_cvtepi32_epi64,
    _mm512_extracti64x4_epi64, _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16,
    _mm512_reduce_add_epi64, _mm512_set1_epi16, _mm512_setzero_si512, _mm512_sub_epi16,
};

use super::ops::{Simd, Work};
use crate::arch::QA;

/// Proof that this CPU has AVX-512F and AVX-512BW, and what came before them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Avx512(());

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Self(()))
    }

    #[inline(always)]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt")]
        fn with_features<W: Work>(simd: Avx512, work: W) -> W::Output {
            work.run(simd)
        }
        // SAFETY: `self` is proof of these features. Tested by `paths_agree`.
        unsafe { with_features(self, work) }
    }
}

// SAFETY: `__m512i` holds 32 times `i16` and is aligned to its size.
unsafe impl Simd for Avx512 {
    type Vector = __m512i;
    type Sums = __m512i;

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is proof of AVX-512F and AVX-512BW, here and below.
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn clip(self, a: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_min_epi16(_mm512_max_epi16(a, _mm512_setzero_si512()), _mm512_set1_epi16(QA as i16)) }
    }

    #[inline(always)]
    fn mul(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_mullo_epi16(a, b) }
    }

    #[inline(always)]
    fn no_sums(self) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn add_products(self, sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_add_epi32(sums, _mm512_madd_epi16(a, b)) }
    }

    #[inline(always)]
    fn add_sums(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    fn total(self, sums: __m512i) -> i64 {
        // SAFETY: as above.
        unsafe {
            let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(sums));
            let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(sums));
            _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
        }
    }
}
