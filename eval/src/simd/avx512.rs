//! AVX-512 with byte and word instructions and VNNI: 32 lanes, on Intel's servers since 2019 and on AMD's CPUs since Zen 4.
//!
//! Without VNNI, which multiplies bytes and adds in one, there is little gain over AVX2: CPUs of 2017 take that.

use std::arch::x86_64::{
    __m512, __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_add_ps, _mm512_dpbusd_epi32, _mm512_load_si512,
    _mm512_loadu_ps, _mm512_max_epi16, _mm512_min_epi16, _mm512_mul_ps, _mm512_mulhrs_epi16, _mm512_packus_epi16,
    _mm512_permutexvar_epi64, _mm512_set1_epi16, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setr_epi64,
    _mm512_setzero_si512, _mm512_slli_epi16, _mm512_storeu_ps, _mm512_storeu_si512, _mm512_sub_epi16,
    _mm512_test_epi32_mask,
};

use super::ops::{FLOATS, Simd, Work};
use crate::arch::{GROUP, PRODUCT_SHIFT, QA, SECOND};
use crate::head::Block;

/// Sums that do not wait for each other.
const CHAINS: usize = 4;

/// How far a factor is shifted for the rounded high half of a doubled product to be the product shifted by
/// [`PRODUCT_SHIFT`].
const LEFT: u32 = 15 - PRODUCT_SHIFT;

/// Proof that this CPU has AVX-512F, AVX-512BW and AVX-512 VNNI, and what came before them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Avx512(());

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vnni")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Self(()))
    }

    #[inline(always)]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512vnni,bmi1,bmi2,lzcnt,popcnt")]
        fn with_features<W: Work>(simd: Avx512, work: W) -> W::Output {
            work.run(simd)
        }
        // SAFETY: `self` is proof of these features. Tested by `paths_agree`.
        unsafe { with_features(self, work) }
    }
}

// SAFETY: `__m512i` holds 32 times `i16` or 64 times `u8` and is aligned to its size.
unsafe impl Simd for Avx512 {
    type Vector = __m512i;
    type Bytes = __m512i;
    type Sums = [__m512i; CHAINS];
    type Floats = __m512;

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is proof of AVX-512F, AVX-512BW and VNNI, here and below.
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn products(self, a: [__m512i; 2], b: [__m512i; 2]) -> __m512i {
        // SAFETY: as above.
        unsafe {
            let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA as i16));
            let product = |a, b| {
                let a = _mm512_min_epi16(_mm512_max_epi16(a, zero), one);
                // What is below zero is taken away by packing.
                _mm512_mulhrs_epi16(_mm512_slli_epi16::<LEFT>(a), _mm512_min_epi16(b, one))
            };
            let packed = _mm512_packus_epi16(product(a[0], b[0]), product(a[1], b[1]));
            // Packing works within quarters.
            _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed)
        }
    }

    #[inline(always)]
    fn nonzero(self, bytes: __m512i) -> u16 {
        // SAFETY: as above.
        unsafe { _mm512_test_epi32_mask(bytes, bytes) }
    }

    #[inline(always)]
    fn no_sums(self) -> Self::Sums {
        // SAFETY: as above.
        unsafe { [_mm512_setzero_si512(); CHAINS] }
    }

    #[inline(always)]
    fn add_blocks<const N: usize>(
        self,
        mut sums: Self::Sums,
        inputs: [[u8; GROUP]; N],
        weights: [&Block; N],
    ) -> Self::Sums {
        // SAFETY: as above; a block is one vector, aligned for it.
        unsafe {
            for n in 0..N {
                let inputs = _mm512_set1_epi32(i32::from_ne_bytes(inputs[n]));
                let weights = _mm512_load_si512(std::ptr::from_ref(weights[n]).cast());
                sums[n % CHAINS] = _mm512_dpbusd_epi32(sums[n % CHAINS], inputs, weights);
            }
        }
        sums
    }

    #[inline(always)]
    fn totals(self, [a, b, c, d]: Self::Sums) -> [i32; SECOND] {
        let mut totals = [0; SECOND];
        // SAFETY: as above; the neurons' totals fill a vector.
        unsafe {
            let sums = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
            _mm512_storeu_si512(totals.as_mut_ptr().cast(), sums);
        }
        totals
    }

    #[inline(always)]
    fn floats(self, numbers: &[f32; FLOATS]) -> Self::Floats {
        // SAFETY: as above; the numbers fill a vector.
        unsafe { _mm512_loadu_ps(numbers.as_ptr()) }
    }

    #[inline(always)]
    fn add_multiples(self, sums: Self::Floats, factor: f32, weights: &[f32; FLOATS]) -> Self::Floats {
        // SAFETY: as above; the weights fill a vector.
        unsafe { _mm512_add_ps(sums, _mm512_mul_ps(_mm512_set1_ps(factor), _mm512_loadu_ps(weights.as_ptr()))) }
    }

    #[inline(always)]
    fn numbers(self, floats: Self::Floats) -> [f32; FLOATS] {
        let mut numbers = [0.0; FLOATS];
        // SAFETY: as above; the numbers fill a vector.
        unsafe { _mm512_storeu_ps(numbers.as_mut_ptr(), floats) }
        numbers
    }
}
