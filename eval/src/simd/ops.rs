//! The vector operations that inference needs.

use crate::arch::{GROUP, HIDDEN, PAIRS, SECOND};
use crate::head::{Block, Products};
use crate::network::Row;

/// How many `f32` are worked on at a time, on every path.
pub(crate) const FLOATS: usize = 16;

const _: () = {
    // What the paths rely on where they read and write through pointers.
    assert!(FLOATS * size_of::<f32>() == 64, "numbers must fill a vector of AVX-512");
    assert!(SECOND * size_of::<i32>() == 64, "the totals of the neurons must fill a vector of AVX-512");
    assert!(size_of::<Block>() == 64 && align_of::<Block>() == 64, "a block must fill a vector of AVX-512");
};

/// Arithmetic on vectors of `i16` with the instructions of one set.
///
/// # Safety
///
/// `Vector` is nothing but `i16` lanes and `Bytes` nothing but twice as many `u8` lanes: no padding, every bit pattern
/// valid, aligned at most as [`Row`] and [`Products`] are.
pub(crate) unsafe trait Simd: Copy {
    /// Lanes of `i16`.
    type Vector: Copy;
    /// Lanes of `u8`, twice as many.
    type Bytes: Copy;
    /// Sums for all neurons of the second layer, as many times over as hides the latency of the additions.
    type Sums: Copy;

    /// [`FLOATS`] numbers.
    type Floats: Copy;

    /// How many `i16` a vector holds.
    const LANES: usize = size_of::<Self::Vector>() / size_of::<i16>();

    /// Sums, wrapping round.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Differences, wrapping round.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The products of clipped neurons, in the order of the lanes: `clamp(a, 0, QA) * clamp(b, 0, QA)`, shifted by
    /// `PRODUCT_SHIFT` and rounded to the nearest.
    fn products(self, a: [Self::Vector; 2], b: [Self::Vector; 2]) -> Self::Bytes;

    /// Which groups of bytes, none above 127, are not all zero, a bit for each, the first group lowest.
    fn nonzero(self, bytes: Self::Bytes) -> u16;

    /// Zero sums.
    fn no_sums(self) -> Self::Sums;

    /// Adds for each neuron the products of these inputs, each at most 127, and its weights.
    fn add_blocks<const N: usize>(self, sums: Self::Sums, inputs: [[u8; GROUP]; N], weights: [&Block; N])
    -> Self::Sums;

    /// The sum of each neuron.
    fn totals(self, sums: Self::Sums) -> [i32; SECOND];

    /// These numbers.
    fn floats(self, numbers: &[f32; FLOATS]) -> Self::Floats;

    /// Adds the products of a factor and these weights: a multiplication and an addition, each rounded.
    fn add_multiples(self, sums: Self::Floats, factor: f32, weights: &[f32; FLOATS]) -> Self::Floats;

    /// The numbers as an array.
    fn numbers(self, floats: Self::Floats) -> [f32; FLOATS];
}

/// A row as vectors.
#[inline(always)]
pub(crate) fn vectors<S: Simd>(row: &Row) -> &[S::Vector] {
    const { assert!(HIDDEN.is_multiple_of(S::LANES) && align_of::<S::Vector>() <= align_of::<Row>()) }
    // SAFETY: the row's HIDDEN numbers fill these vectors exactly and are aligned for them, as just asserted; a
    // vector is nothing but `i16` lanes, as `Simd` promises. Tested by `rows_are_their_vectors`.
    unsafe { std::slice::from_raw_parts(row.0.as_ptr().cast(), HIDDEN / S::LANES) }
}

/// A row as vectors to be changed.
#[inline(always)]
pub(crate) fn vectors_mut<S: Simd>(row: &mut Row) -> &mut [S::Vector] {
    const { assert!(HIDDEN.is_multiple_of(S::LANES) && align_of::<S::Vector>() <= align_of::<Row>()) }
    // SAFETY: as in `vectors`; any vector leaves valid numbers in the row, which is borrowed as long as the slice.
    unsafe { std::slice::from_raw_parts_mut(row.0.as_mut_ptr().cast(), HIDDEN / S::LANES) }
}

/// Products as vectors of bytes to be changed.
#[inline(always)]
pub(crate) fn bytes_mut<S: Simd>(products: &mut Products) -> &mut [S::Bytes] {
    const { assert!(size_of::<S::Bytes>() == 2 * S::LANES && PAIRS.is_multiple_of(2 * S::LANES)) }
    const { assert!(align_of::<S::Bytes>() <= align_of::<Products>()) }
    // SAFETY: the products fill these vectors exactly and are aligned for them, as just asserted; any vector leaves valid
    // numbers in them, which are borrowed as long as the slice. Tested by `paths_agree`.
    unsafe { std::slice::from_raw_parts_mut(products.0.as_mut_ptr().cast(), 2 * PAIRS / (2 * S::LANES)) }
}

/// A computation that can be done on any path.
///
/// `run` and all it calls with `simd` in hand are to be `#[inline(always)]`: only within `Path::run` does the
/// compiler know which instructions there are.
pub(crate) trait Work {
    type Output;

    fn run<S: Simd>(self, simd: S) -> Self::Output;
}
