//! AVX2: 16 lanes, on x86-64 CPUs since 2013.

use std::arch::x86_64::{
    __m256i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi16, _mm256_add_epi32,
    _mm256_add_epi64, _mm256_castsi256_si128, _mm256_cvtepi32_epi64, _mm256_extracti128_si256, _mm256_madd_epi16,
    _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_sub_epi16,
};

use super::ops::{Simd, Work};
use crate::arch::QA;

/// Proof that this CPU has AVX2, and the bit instructions that came with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Self(()))
    }

    #[inline(always)]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_features<W: Work>(simd: Avx2, work: W) -> W::Output {
            work.run(simd)
        }
        // SAFETY: `self` is proof of these features. Tested by `paths_agree`.
        unsafe { with_features(self, work) }
    }
}

// SAFETY: `__m256i` holds 16 times `i16` and is aligned to its size.
unsafe impl Simd for Avx2 {
    type Vector = __m256i;
    type Sums = __m256i;

    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` is proof of AVX2, here and below.
        unsafe { _mm256_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn clip(self, a: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), _mm256_set1_epi16(QA as i16)) }
    }

    #[inline(always)]
    fn mul(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_mullo_epi16(a, b) }
    }

    #[inline(always)]
    fn no_sums(self) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    fn add_products(self, sums: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_add_epi32(sums, _mm256_madd_epi16(a, b)) }
    }

    #[inline(always)]
    fn add_sums(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_add_epi32(a, b) }
    }

    #[inline(always)]
    fn total(self, sums: __m256i) -> i64 {
        // SAFETY: as above.
        unsafe {
            let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sums));
            let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(sums));
            let four = _mm256_add_epi64(low, high);
            let two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
            _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)))
        }
    }
}
