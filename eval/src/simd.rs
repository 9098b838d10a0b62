//! SIMD: the instruction set is chosen at run time, so that one binary runs on every CPU of its architecture.
//!
//! Work is written once, generic over [`Simd`], and compiled for each instruction set. The choice is made once, when a
//! [`Path`] is created; [`Path::run`] then costs one predictable branch for a whole evaluation, and everything below it
//! is inlined. All arithmetic is on integers that cannot overflow or that wrap in the same way, so all paths give the
//! same result.
//!
//! A value of a [`Simd`] type exists only on a CPU that has its instructions; that makes its methods safe.

// Safe code cannot name these instructions, and the compiler does not find them by itself; the evaluation is several times
// faster with them (`cargo bench -p vancura-bench --bench eval`).
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod ops;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use std::fmt;

pub(crate) use ops::{Simd, Work, vectors, vectors_mut};
use scalar::Scalar;

/// A set of vector instructions that this CPU has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(neon::Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(simd128::Simd128),
}

impl Path {
    /// Plain integers, on every CPU.
    pub const SCALAR: Self = Self(Kind::Scalar);

    /// All paths of this CPU, the fastest last.
    pub fn available() -> impl Iterator<Item = Self> {
        let vectors = [
            #[cfg(target_arch = "x86_64")]
            avx2::Avx2::detect().map(Kind::Avx2),
            #[cfg(target_arch = "x86_64")]
            avx512::Avx512::detect().map(Kind::Avx512),
            #[cfg(target_arch = "aarch64")]
            neon::Neon::detect().map(Kind::Neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Some(Kind::Simd128(simd128::Simd128)),
            None,
        ];
        std::iter::once(Self::SCALAR).chain(vectors.into_iter().flatten().map(Self))
    }

    /// The fastest path of this CPU.
    #[must_use]
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::SCALAR)
    }

    /// Does the work with the instructions of this path.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            Kind::Scalar => Scalar.run(work),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(simd) => simd.run(work),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(simd) => simd.run(work),
            #[cfg(target_arch = "aarch64")]
            Kind::Neon(simd) => simd.run(work),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd128(simd) => simd.run(work),
        }
    }
}

impl Default for Path {
    fn default() -> Self {
        Self::best()
    }
}

/// The usual name of the instruction set: `scalar`, `AVX2`.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon(_) => "NEON",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Simd128(_) => "WebAssembly SIMD",
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::arch::{HIDDEN, MAX_OUTPUT_WEIGHT, QA};
    use crate::network::Row;
    use crate::testing::{Random, random};

    fn row(random: &mut Random, bound: i16) -> Row {
        Row(std::array::from_fn(|_| random.random_range(-bound..=bound)))
    }

    /// What an instruction set makes of two rows of any numbers, and of two whose products fit.
    struct Operations<'a> {
        any: [&'a Row; 2],
        small: [&'a Row; 2],
    }

    #[derive(PartialEq, Debug)]
    struct Results {
        sum: Row,
        difference: Row,
        clipped: Row,
        product: Row,
        sum_of_products: i64,
        doubled: i64,
    }

    impl Work for Operations<'_> {
        type Output = Results;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Results {
            let [a, b] = self.any.map(vectors::<S>);
            let [c, d] = self.small.map(vectors::<S>);
            let [mut sum, mut difference, mut clipped, mut product] = [(); 4].map(|()| self.any[0].clone());
            let mut products = simd.no_sums();
            for i in 0..HIDDEN / S::LANES {
                vectors_mut::<S>(&mut sum)[i] = simd.add(a[i], b[i]);
                vectors_mut::<S>(&mut difference)[i] = simd.sub(a[i], b[i]);
                vectors_mut::<S>(&mut clipped)[i] = simd.clip(a[i]);
                vectors_mut::<S>(&mut product)[i] = simd.mul(a[i], b[i]);
                products = simd.add_products(products, c[i], d[i]);
            }
            let doubled = simd.total(simd.add_sums(products, products));
            Results { sum, difference, clipped, product, sum_of_products: simd.total(products), doubled }
        }
    }

    #[test]
    fn paths_agree() {
        let mut random = random(11);
        for _ in 0..200 {
            let [a, b] = [(); 2].map(|()| row(&mut random, i16::MAX));
            // The largest numbers there are in the forward pass, so that sums pass the bounds of 32 bits.
            let c = Row(std::array::from_fn(|_| random.random_range(0..=1) * QA as i16));
            let d = Row(std::array::from_fn(|_| QA as i16 * (random.random_range(0..=1) * 2 - 1) * MAX_OUTPUT_WEIGHT));
            let each = |f: fn(i16, i16) -> i16| Row(std::array::from_fn(|i| f(a.0[i], b.0[i])));
            let sum_of_products = c.0.iter().zip(d.0).map(|(&c, d)| i64::from(c) * i64::from(d)).sum();
            let expected = Results {
                sum: each(i16::wrapping_add),
                difference: each(i16::wrapping_sub),
                clipped: each(|a, _| a.clamp(0, QA as i16)),
                product: each(i16::wrapping_mul),
                sum_of_products,
                doubled: 2 * sum_of_products,
            };
            for path in Path::available() {
                assert_eq!(path.run(Operations { any: [&a, &b], small: [&c, &d] }), expected, "{path}");
            }
        }
    }

    /// Reads and writes rows as vectors.
    struct Copying<'a>(&'a Row);

    impl Work for Copying<'_> {
        type Output = (Row, usize);

        #[inline(always)]
        fn run<S: Simd>(self, _: S) -> (Row, usize) {
            let mut copy = Row([0; HIDDEN]);
            let source = vectors::<S>(self.0);
            vectors_mut::<S>(&mut copy).copy_from_slice(source);
            (copy, size_of_val(source))
        }
    }

    #[test]
    fn rows_are_their_vectors() {
        let row = row(&mut random(12), i16::MAX);
        for path in Path::available() {
            assert_eq!(path.run(Copying(&row)), (row.clone(), 2 * HIDDEN), "{path}");
        }
    }

    #[test]
    fn paths_have_names_and_the_best_comes_last() {
        let names: Vec<String> = Path::available().map(|path| path.to_string()).collect();
        println!("paths of this CPU: {}", names.join(", "));
        assert_eq!(names[0], "scalar");
        assert!(names.iter().enumerate().all(|(index, name)| !names[..index].contains(name)));
        assert_eq!(Path::available().last(), Some(Path::best()));
    }
}
