//! AVX2: 16 lanes, on x86-64 CPUs since 2013.

use std::arch::x86_64::{
    __m256, __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_add_ps, _mm256_castsi256_ps, _mm256_cmpgt_epi32,
    _mm256_load_si256, _mm256_loadu_ps, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_movemask_ps, _mm256_mul_ps, _mm256_mulhrs_epi16, _mm256_packus_epi16, _mm256_permute4x64_epi64,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_si256, _mm256_slli_epi16, _mm256_storeu_ps,
    _mm256_storeu_si256, _mm256_sub_epi16,
};

use super::ops::{FLOATS, Simd, Work};
use crate::arch::{GROUP, PRODUCT_SHIFT, QA, SECOND};
use crate::head::Block;

/// Sums that do not wait for each other.
const CHAINS: usize = 2;

/// How far a factor is shifted for the rounded high half of a doubled product to be the product shifted by
/// [`PRODUCT_SHIFT`].
const LEFT: i32 = 15 - PRODUCT_SHIFT as i32;

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

// SAFETY: `__m256i` holds 16 times `i16` or 32 times `u8` and is aligned to its size.
unsafe impl Simd for Avx2 {
    type Vector = __m256i;
    type Bytes = __m256i;
    /// Each with the neurons' first half and their second.
    type Sums = [[__m256i; 2]; CHAINS];
    type Floats = [__m256; 2];

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
    fn products(self, a: [__m256i; 2], b: [__m256i; 2]) -> __m256i {
        // SAFETY: as above.
        unsafe {
            let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
            let product = |a, b| {
                let a = _mm256_min_epi16(_mm256_max_epi16(a, zero), one);
                // What is below zero is taken away by packing.
                _mm256_mulhrs_epi16(_mm256_slli_epi16::<LEFT>(a), _mm256_min_epi16(b, one))
            };
            let packed = _mm256_packus_epi16(product(a[0], b[0]), product(a[1], b[1]));
            // Packing works within halves.
            _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
        }
    }

    #[inline(always)]
    fn nonzero(self, bytes: __m256i) -> u16 {
        // SAFETY: as above.
        unsafe {
            let above = _mm256_cmpgt_epi32(bytes, _mm256_setzero_si256());
            _mm256_movemask_ps(_mm256_castsi256_ps(above)) as u16
        }
    }

    #[inline(always)]
    fn no_sums(self) -> Self::Sums {
        // SAFETY: as above.
        unsafe { [[_mm256_setzero_si256(); 2]; CHAINS] }
    }

    #[inline(always)]
    fn add_blocks<const N: usize>(
        self,
        mut sums: Self::Sums,
        inputs: [[u8; GROUP]; N],
        weights: [&Block; N],
    ) -> Self::Sums {
        // SAFETY: as above; a block is two vectors, aligned for them.
        unsafe {
            let ones = _mm256_set1_epi16(1);
            for n in 0..N {
                let inputs = _mm256_set1_epi32(i32::from_ne_bytes(inputs[n]));
                let weights = std::ptr::from_ref(weights[n]).cast::<__m256i>();
                for (half, sum) in sums[n % CHAINS].iter_mut().enumerate() {
                    let pairs = _mm256_maddubs_epi16(inputs, _mm256_load_si256(weights.add(half)));
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn totals(self, sums: Self::Sums) -> [i32; SECOND] {
        let mut totals = [0; SECOND];
        for (half, totals) in totals.as_chunks_mut::<{ SECOND / 2 }>().0.iter_mut().enumerate() {
            // SAFETY: as above; the totals are half as many as the neurons, which fills a vector.
            unsafe { _mm256_storeu_si256(totals.as_mut_ptr().cast(), _mm256_add_epi32(sums[0][half], sums[1][half])) }
        }
        totals
    }

    #[inline(always)]
    fn floats(self, numbers: &[f32; FLOATS]) -> Self::Floats {
        // SAFETY: as above; each half of the numbers fills a vector.
        unsafe { [_mm256_loadu_ps(numbers.as_ptr()), _mm256_loadu_ps(numbers.as_ptr().add(FLOATS / 2))] }
    }

    #[inline(always)]
    fn add_multiples(self, sums: Self::Floats, factor: f32, weights: &[f32; FLOATS]) -> Self::Floats {
        let [low, high] = self.floats(weights);
        // SAFETY: as above.
        unsafe {
            let factor = _mm256_set1_ps(factor);
            [_mm256_add_ps(sums[0], _mm256_mul_ps(factor, low)), _mm256_add_ps(sums[1], _mm256_mul_ps(factor, high))]
        }
    }

    #[inline(always)]
    fn numbers(self, floats: Self::Floats) -> [f32; FLOATS] {
        let mut numbers = [0.0; FLOATS];
        for (numbers, floats) in numbers.as_chunks_mut::<{ FLOATS / 2 }>().0.iter_mut().zip(floats) {
            // SAFETY: as above; half of the numbers fill a vector.
            unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), floats) }
        }
        numbers
    }
}
