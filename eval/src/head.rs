//! The layers behind the accumulators, one set of weights for each output bucket.
//!
//! Pairs of hidden neurons become products in bytes; the second layer sums them in integers, which no order of summation
//! changes; the few numbers behind it are `f32`, in the order of the [definition](crate::network), which vectors have
//! room for. Source: Stockfish's NNUE, for pairs of neurons and for weights in blocks of four inputs.

use crate::arch::{GROUP, OUTPUT_BUCKETS, PAIRS, PRODUCT_SHIFT, QA, QB, SCALE, SECOND, THIRD};
use crate::network::Row;
use crate::simd::{FLOATS, Simd, bytes_mut, vectors};

/// Groups of inputs: as many as a byte counts, so that no index of a group needs a check.
pub(crate) const GROUPS: usize = 2 * PAIRS / GROUP;

/// Blocks multiplied at a time, so that there are sums that do not wait for each other.
const STEP: usize = 4;

/// The second layer's weights for a group of inputs, by neuron: a cache line.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [[i8; GROUP]; SECOND]);

/// The products of both sides, the side to move first. Aligned for any vectors.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Products(pub(crate) [[u8; GROUP]; GROUPS]);

/// Sets of groups: bit `i % 64` of number `i / 64` stands for group `i`.
type GroupSet = [u64; GROUPS / 64];

/// A number for each neuron of the third layer, in the parts that are worked on at a time.
pub(crate) type ThirdRow = [[f32; FLOATS]; THIRD / FLOATS];

/// The weights of an output bucket.
#[derive(Clone, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Head {
    pub(crate) second: [Block; GROUPS],
    /// By input, then neuron.
    pub(crate) third: [ThirdRow; 2 * SECOND],
    pub(crate) third_biases: ThirdRow,
    pub(crate) output: ThirdRow,
    pub(crate) second_biases: [f32; SECOND],
    pub(crate) output_bias: f32,
    /// How much finer than [`QB`] the second layer's weights are.
    pub(crate) shift: u32,
}

const _: () = assert!(OUTPUT_BUCKETS * size_of::<Head>() < 1 << 18, "heads should stay in the cache");
const _: () = assert!(GROUPS == 1 << u8::BITS && GROUPS.is_multiple_of(64));

impl Head {
    /// The second layer's weight of an input for a neuron.
    pub(crate) const fn weight(&self, input: usize, neuron: usize) -> i8 {
        self.second[input / GROUP].0[neuron][input % GROUP]
    }

    /// Centipawns for the accumulators of the side to move and of the other side.
    #[inline(always)]
    pub(crate) fn evaluate<S: Simd>(&self, simd: S, sides: [&Row; 2]) -> i32 {
        let mut products = Products([[0; GROUP]; GROUPS]);
        let nonzero = multiply_pairs(simd, sides, &mut products);
        self.score(simd, self.sums(simd, &products, nonzero))
    }

    /// The second layer's sums, in units of its weights and products. Groups of zeros are passed over.
    #[inline(always)]
    fn sums<S: Simd>(&self, simd: S, products: &Products, nonzero: GroupSet) -> [i32; SECOND] {
        let mut sums = simd.no_sums();
        let mut list = [0; GROUPS + 8];
        let count = list_groups(nonzero, &mut list);
        let (steps, rest) = list[..count].as_chunks::<STEP>();
        for groups in steps {
            let groups = groups.map(usize::from);
            sums =
                simd.add_blocks(sums, groups.map(|group| products.0[group]), groups.map(|group| &self.second[group]));
        }
        for &group in rest {
            let group = usize::from(group);
            sums = simd.add_blocks(sums, [products.0[group]], [&self.second[group]]);
        }
        simd.totals(sums)
    }

    /// Centipawns for the second layer's sums.
    #[inline(always)]
    pub(crate) fn score<S: Simd>(&self, simd: S, sums: [i32; SECOND]) -> i32 {
        let factor = (1 << PRODUCT_SHIFT) as f32 / (QA * QA * (QB << self.shift)) as f32;
        let mut inputs = [0.0f32; 2 * SECOND];
        for neuron in 0..SECOND {
            let value = sums[neuron] as f32 * factor + self.second_biases[neuron];
            inputs[neuron] = value.clamp(0.0, 1.0);
            inputs[SECOND + neuron] = (value * value).clamp(0.0, 1.0);
        }
        let mut neurons = self.third_biases.each_ref().map(|part| simd.floats(part));
        for (&input, weights) in inputs.iter().zip(&self.third) {
            for (neurons, weights) in neurons.iter_mut().zip(weights) {
                *neurons = simd.add_multiples(*neurons, input, weights);
            }
        }
        let mut lanes = [0.0; FLOATS];
        for (neurons, weights) in neurons.into_iter().zip(&self.output) {
            let neurons = simd.numbers(neurons).map(|neuron| neuron.clamp(0.0, 1.0));
            for lane in 0..FLOATS {
                lanes[lane] += neurons[lane] * neurons[lane] * weights[lane];
            }
        }
        let mut half = FLOATS / 2;
        while half > 0 {
            for lane in 0..half {
                lanes[lane] += lanes[half + lane];
            }
            half /= 2;
        }
        ((self.output_bias + lanes[0]) * SCALE as f32) as i32
    }
}

/// The products of the pairs of neurons of both sides, the side to move first; returns which groups are not all zero.
#[inline(always)]
fn multiply_pairs<S: Simd>(simd: S, sides: [&Row; 2], products: &mut Products) -> GroupSet {
    let products = bytes_mut::<S>(products);
    let per_side = const { PAIRS / S::LANES / 2 };
    // Groups in a vector.
    let groups = const { 2 * S::LANES / GROUP };
    let mut nonzero = [0; GROUPS / 64];
    for (side, neurons) in sides.map(vectors::<S>).into_iter().enumerate() {
        for i in 0..per_side {
            let (a, b) = (2 * i, 2 * (per_side + i));
            let bytes = simd.products([neurons[a], neurons[a + 1]], [neurons[b], neurons[b + 1]]);
            let index = side * per_side + i;
            products[index] = bytes;
            nonzero[index * groups / 64] |= u64::from(simd.nonzero(bytes)) << (index * groups % 64);
        }
    }
    nonzero
}

/// Writes the groups of a set to the front of a list, of which it leaves anything behind them, and returns their number.
#[inline(always)]
fn list_groups(set: GroupSet, list: &mut [u8; GROUPS + 8]) -> usize {
    let mut count = 0;
    let mut first = 0u64;
    for word in set {
        for bits in word.to_le_bytes() {
            // Eight at a time, some of which are overwritten; no byte overflows.
            let groups = BITS[usize::from(bits)] + first;
            list[count..count + 8].copy_from_slice(&groups.to_le_bytes());
            count += bits.count_ones() as usize;
            first = first.wrapping_add(0x0808_0808_0808_0808);
        }
    }
    count
}

/// For each byte its bits that are set, by number, in the bytes of a number, the lowest first.
static BITS: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut place) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] |= bit << place;
                place += 8;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::arch::{HIDDEN, MAX_SECOND_WEIGHT};
    use crate::network::Network;
    use crate::simd::{Scalar, Work};
    use crate::testing::{network, paths_but, random};

    /// Fewer for Miri, enough for each kind of numbers.
    const ROUNDS: u64 = if cfg!(miri) { 4 } else { 200 };

    struct Sums<'a>([&'a Row; 2], &'a Head);

    impl Work for Sums<'_> {
        type Output = (Products, GroupSet, [i32; SECOND], i32);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let mut products = Products([[0; GROUP]; GROUPS]);
            let nonzero = multiply_pairs(simd, self.0, &mut products);
            let sums = self.1.sums(simd, &products, nonzero);
            (products, nonzero, sums, self.1.evaluate(simd, self.0))
        }
    }

    /// Products and sums of all paths are those of plain integers.
    fn check(sides: [&Row; 2], head: &Head) {
        let clip = |neuron: i16| u32::from(neuron.clamp(0, QA as i16) as u16);
        let product = |input: usize| {
            let (side, pair) = (sides[input / PAIRS].0, input % PAIRS);
            ((clip(side[pair]) * clip(side[PAIRS + pair]) + 256) / 512) as u8
        };
        let products =
            Products(std::array::from_fn(|group| std::array::from_fn(|input| product(group * GROUP + input))));
        let mut nonzero = [0; GROUPS / 64];
        for (group, _) in products.0.iter().enumerate().filter(|(_, inputs)| **inputs != [0; GROUP]) {
            nonzero[group / 64] |= 1 << (group % 64);
        }
        let term =
            |input: usize, neuron| i64::from(products.0.as_flattened()[input]) * i64::from(head.weight(input, neuron));
        let sum = |neuron| (0..2 * PAIRS).map(|input| term(input, neuron)).sum::<i64>();
        let sums = std::array::from_fn(|neuron| i32::try_from(sum(neuron)).unwrap());
        let expected = (products, nonzero, sums, head.score(Scalar, sums));
        for path in paths_but(&["AVX-512", "NEON"]) {
            assert_eq!(path.run(Sums(sides, head)), expected, "{path}");
        }
    }

    fn head_of(network: &Network) -> Head {
        network.head(20).clone()
    }

    #[test]
    fn products_and_sums_are_exact() {
        let mut random = random(13);
        for round in 0..ROUNDS {
            let head = head_of(&network(round, (round % 3) as i16));
            // Neurons that mostly are negative leave whole groups of products at zero.
            let (low, high) = [(-300, 300), (-16_665, 16_665), (i16::MIN, i16::MAX), (-1000, 100)][round as usize % 4];
            let [own, other] = [(); 2].map(|()| Row(std::array::from_fn(|_| random.random_range(low..=high))));
            check([&own, &other], &head);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for Miri")]
    fn the_largest_sums_do_not_overflow() {
        let mut head = head_of(&network(1, 1));
        for weight in [MAX_SECOND_WEIGHT, -MAX_SECOND_WEIGHT] {
            head.second.fill(Block([[weight; GROUP]; SECOND]));
            for neuron in [QA as i16 - 1, QA as i16, i16::MAX, 1, 0, -1, i16::MIN] {
                let neurons = Row([neuron; HIDDEN]);
                check([&neurons, &neurons], &head);
            }
        }
    }

    #[test]
    fn groups_are_listed_in_order() {
        let mut random = random(15);
        for round in 0..100 {
            let set: GroupSet = std::array::from_fn(|_| match round {
                0 => 0,
                1 => u64::MAX,
                _ => random.random(),
            });
            let mut list = [0; GROUPS + 8];
            let count = list_groups(set, &mut list);
            let expected: Vec<u8> = (0..=u8::MAX).filter(|&i| set[usize::from(i) / 64] >> (i % 64) & 1 == 1).collect();
            assert_eq!(list[..count], expected);
        }
    }

    /// Each input alone reaches the neurons by its own weights.
    #[test]
    #[cfg_attr(miri, ignore = "too long for Miri")]
    fn each_input_has_its_weights() {
        let head = head_of(&network(2, 1));
        let zero = Row([0; HIDDEN]);
        for pair in 0..PAIRS {
            let mut row = zero.clone();
            row.0[pair] = QA as i16;
            row.0[PAIRS + pair] = QA as i16;
            check([&row, &zero], &head);
            check([&zero, &row], &head);
        }
    }
}
