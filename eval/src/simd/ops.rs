//! The vector operations that inference needs.

use crate::arch::HIDDEN;
use crate::network::Row;

/// Arithmetic on vectors of `i16` with the instructions of one set.
///
/// # Safety
///
/// `Vector` is nothing but `i16` lanes: no padding, every bit pattern valid, aligned at most as [`Row`] is.
pub(crate) unsafe trait Simd: Copy {
    /// Lanes of `i16`.
    type Vector: Copy;
    /// Lanes of `i32`, half as many.
    type Sums: Copy;

    /// How many `i16` a vector holds.
    const LANES: usize = size_of::<Self::Vector>() / size_of::<i16>();

    /// Sums, wrapping round.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Differences, wrapping round.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Each lane within 0 to [`QA`](crate::arch::QA).
    fn clip(self, a: Self::Vector) -> Self::Vector;

    /// The low halves of the products.
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Zero sums.
    fn no_sums(self) -> Self::Sums;

    /// Adds to each sum the full products of two lanes; which two is the instruction set's choice.
    fn add_products(self, sums: Self::Sums, a: Self::Vector, b: Self::Vector) -> Self::Sums;

    /// Lane by lane, which must not overflow.
    fn add_sums(self, a: Self::Sums, b: Self::Sums) -> Self::Sums;

    /// All lanes added up, without overflow.
    fn total(self, sums: Self::Sums) -> i64;
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

/// A computation that can be done on any path.
///
/// `run` and all it calls with `simd` in hand are to be `#[inline(always)]`: only within `Path::run` does the
/// compiler know which instructions there are.
pub(crate) trait Work {
    type Output;

    fn run<S: Simd>(self, simd: S) -> Self::Output;
}
