//! SIMD: the instruction set is chosen at run time, so that one binary runs on every CPU of its architecture.
//!
//! Work is written once, generic over [`Simd`], and compiled for each instruction set. The choice is made once, when a
//! [`Path`] is created; [`Path::run`] then costs one predictable branch for a whole evaluation, and everything below it
//! is inlined. All arithmetic on integers cannot overflow or wraps in the same way, and floating point is plain Rust, which
//! keeps the order of operations; so all paths give the same result.
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

pub(crate) use ops::{FLOATS, Simd, Work, bytes_mut, vectors, vectors_mut};
pub(crate) use scalar::Scalar;

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
    use crate::arch::{GROUP, HIDDEN, QA, SECOND};
    use crate::head::{Block, GROUPS, Products};
    use crate::network::Row;
    use crate::testing::{Random, paths_but, random};

    /// Fewer for Miri, enough for each kind of numbers.
    const ROUNDS: u64 = if cfg!(miri) { 6 } else { 200 };

    fn row(random: &mut Random) -> Row {
        Row(std::array::from_fn(|_| random.random_range(i16::MIN..=i16::MAX)))
    }

    /// What an instruction set makes of two rows.
    struct OfRows<'a>([&'a Row; 2]);

    #[derive(PartialEq, Debug)]
    struct RowResults {
        sum: Row,
        difference: Row,
        /// Of the rows' first halves, then of their second halves.
        products: Products,
    }

    impl Work for OfRows<'_> {
        type Output = RowResults;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> RowResults {
            let [a, b] = self.0.map(vectors::<S>);
            let [mut sum, mut difference] = [(); 2].map(|()| self.0[0].clone());
            for i in 0..HIDDEN / S::LANES {
                vectors_mut::<S>(&mut sum)[i] = simd.add(a[i], b[i]);
                vectors_mut::<S>(&mut difference)[i] = simd.sub(a[i], b[i]);
            }
            let mut products = Products([[0; GROUP]; GROUPS]);
            for (i, bytes) in bytes_mut::<S>(&mut products).iter_mut().enumerate() {
                *bytes = simd.products([a[2 * i], a[2 * i + 1]], [b[2 * i], b[2 * i + 1]]);
            }
            RowResults { sum, difference, products }
        }
    }

    #[test]
    fn paths_agree() {
        let mut random = random(11);
        for round in 0..ROUNDS {
            let (mut a, mut b) = (row(&mut random), row(&mut random));
            if round % 2 == 0 {
                // Neurons near the bounds of clipping.
                [&mut a, &mut b].into_iter().for_each(|row| row.0.iter_mut().for_each(|lane| *lane %= 300));
            }
            let each = |f: fn(i16, i16) -> i16| Row(std::array::from_fn(|i| f(a.0[i], b.0[i])));
            let clip = |lane: i16| i32::from(lane).clamp(0, QA);
            let product = |i: usize| ((clip(a.0[i]) * clip(b.0[i]) + 256) / 512) as u8;
            let expected = RowResults {
                sum: each(i16::wrapping_add),
                difference: each(i16::wrapping_sub),
                products: Products(std::array::from_fn(|group| std::array::from_fn(|i| product(group * GROUP + i)))),
            };
            for path in paths_but(&["AVX-512", "NEON"]) {
                assert_eq!(path.run(OfRows([&a, &b])), expected, "{path}");
            }
        }
    }

    /// What an instruction set makes of inputs and their weights, and of numbers.
    struct OfBlocks<'a> {
        inputs: [[u8; GROUP]; 5],
        blocks: [&'a Block; 5],
        factor: f32,
        numbers: [&'a [f32; FLOATS]; 2],
    }

    impl Work for OfBlocks<'_> {
        type Output = ([i32; SECOND], [f32; FLOATS]);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let sums = simd.add_blocks(simd.no_sums(), self.inputs, self.blocks);
            let sums = simd.add_blocks(sums, [self.inputs[0]], [self.blocks[0]]);
            let [numbers, weights] = self.numbers;
            let numbers = simd.add_multiples(simd.floats(numbers), self.factor, weights);
            (simd.totals(sums), simd.numbers(numbers))
        }
    }

    #[test]
    fn paths_agree_on_blocks_and_numbers() {
        let mut random = random(14);
        for round in 0..ROUNDS {
            let inputs = [(); 5].map(|()| std::array::from_fn(|_| random.random_range(0..=127)));
            let mut weight = || if round % 3 == 0 { 127 } else { random.random_range(-127..=127) };
            let blocks = [(); 5].map(|()| Block([(); SECOND].map(|()| [(); GROUP].map(|()| weight()))));
            let [numbers, weights] = [(); 2].map(|()| [(); FLOATS].map(|()| random.random_range(-2.0..=2.0f32)));
            let factor = random.random_range(0.0..=1.0);
            let term = |block: usize, neuron: usize| -> i32 {
                let terms = inputs[block].into_iter().zip(blocks[block].0[neuron]);
                terms.map(|(input, weight): (u8, i8)| i32::from(input) * i32::from(weight)).sum()
            };
            let expected = (
                std::array::from_fn(|n| (0..5).chain([0]).map(|block| term(block, n)).sum()),
                std::array::from_fn(|i| numbers[i] + factor * weights[i]),
            );
            for path in paths_but(&["NEON"]) {
                let work = OfBlocks { inputs, blocks: blocks.each_ref(), factor, numbers: [&numbers, &weights] };
                assert_eq!(path.run(work), expected, "{path}");
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
        let row = row(&mut random(12));
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
