//! The payload of a network file: all its numbers, little-endian, section after section.
//!
//! | section | numbers | type | unit |
//! |---|---|---|---|
//! | feature weights | by feature, then hidden neuron | `i16` | 1 / [`QA`] |
//! | feature biases | by hidden neuron | `i16` | 1 / [`QA`] |
//! | weights of the second layer | by bucket, then neuron, then input, products of the side to move first | `i8` | 1 / ([`QB`] << shift) |
//! | shifts | by bucket | `i16` | |
//! | biases of the second layer | by bucket, then neuron | `f32` | 1 |
//! | weights of the third layer | by bucket, then neuron, then input, plain ones first | `f32` | 1 |
//! | biases of the third layer | by bucket, then neuron | `f32` | 1 |
//! | output weights | by bucket, then neuron of the third layer | `f32` | 1 |
//! | output biases | by bucket | `f32` | 1 |
//!
//! [`QA`]: crate::arch::QA
//! [`QB`]: crate::arch::QB

use super::format::NetworkError;
use super::{Network, Row};
use crate::arch::{
    FEATURES, GROUP, HIDDEN, MAX_EXACT_WEIGHT, MAX_HIDDEN_WEIGHT, MAX_SECOND_SHIFT, MAX_SECOND_WEIGHT, OUTPUT_BUCKETS,
    PAIRS, SECOND, THIRD,
};
use crate::head::{Block, Head, ThirdRow};
use crate::simd::FLOATS;

/// Bytes of a feature's weights, or of the feature biases.
const ROW_LEN: usize = 2 * HIDDEN;

/// Bytes of the feature weights and biases.
const ROWS_LEN: usize = (FEATURES + 1) * ROW_LEN;

/// Numbers of the second layer of a bucket.
const SECOND_LEN: usize = SECOND * 2 * PAIRS;

/// Numbers of the third layer of a bucket.
const THIRD_LEN: usize = THIRD * 2 * SECOND;

/// Numbers of a bucket that are not quantised.
const EXACT_COUNT: usize = SECOND + THIRD_LEN + THIRD + THIRD + 1;

/// Bytes of the payload.
pub const PAYLOAD_LEN: usize = ROWS_LEN + OUTPUT_BUCKETS * (SECOND_LEN + 2 + 4 * EXACT_COUNT);

/// The network of a payload.
pub(super) fn read(payload: &[u8]) -> Result<Network, NetworkError> {
    if payload.len() < PAYLOAD_LEN {
        return Err(NetworkError::Truncated { found: payload.len(), expected: PAYLOAD_LEN });
    }
    if payload.len() > PAYLOAD_LEN {
        return Err(NetworkError::Overlong(payload.len() - PAYLOAD_LEN));
    }
    let (rows, rest) = payload.split_at(ROWS_LEN);
    let (second, rest) = rest.split_at(OUTPUT_BUCKETS * SECOND_LEN);
    let (shifts, exact) = rest.split_at(2 * OUTPUT_BUCKETS);
    let (shifts, exact) = (shifts.as_chunks().0, exact.as_chunks().0);
    check_range(
        "feature weights and biases",
        rows.as_chunks().0.iter().map(|&w| i16::from_le_bytes(w)),
        MAX_HIDDEN_WEIGHT,
    )?;
    check_range("second layer", second.iter().map(|&w| i16::from(w as i8)), MAX_SECOND_WEIGHT.into())?;
    check_exact(exact)?;
    let exact = Exact::of(exact);

    let mut rows = rows.as_chunks().0.iter().map(row);
    let mut features = Vec::new();
    features.try_reserve_exact(FEATURES).map_err(|_| NetworkError::NoMemory)?;
    features.extend(rows.by_ref().take(FEATURES));
    let bias = rows.next().unwrap_or(Row([0; HIDDEN]));
    let mut heads = Vec::new();
    heads.try_reserve_exact(OUTPUT_BUCKETS).map_err(|_| NetworkError::NoMemory)?;
    for (bucket, (&shift, second)) in shifts.iter().zip(second.as_chunks::<SECOND_LEN>().0).enumerate() {
        heads.push(exact.head(bucket, second, check_shift(bucket, i16::from_le_bytes(shift))?));
    }
    Ok(Network { features: features.into_boxed_slice(), bias, heads: heads.into_boxed_slice() })
}

fn row(bytes: &[u8; ROW_LEN]) -> Row {
    Row(std::array::from_fn(|neuron| i16::from_le_bytes([bytes[2 * neuron], bytes[2 * neuron + 1]])))
}

/// The sections of numbers that are not quantised, of all buckets.
struct Exact<'a> {
    second_biases: &'a [[u8; 4]],
    third: &'a [[u8; 4]],
    third_biases: &'a [[u8; 4]],
    output: &'a [[u8; 4]],
    output_biases: &'a [[u8; 4]],
}

impl<'a> Exact<'a> {
    /// Of their [`EXACT_COUNT`] numbers.
    fn of(numbers: &'a [[u8; 4]]) -> Self {
        let (second_biases, rest) = numbers.split_at(OUTPUT_BUCKETS * SECOND);
        let (third, rest) = rest.split_at(OUTPUT_BUCKETS * THIRD_LEN);
        let (third_biases, rest) = rest.split_at(OUTPUT_BUCKETS * THIRD);
        let (output, output_biases) = rest.split_at(OUTPUT_BUCKETS * THIRD);
        Self { second_biases, third, third_biases, output, output_biases }
    }

    fn head(&self, bucket: usize, second: &[u8; SECOND_LEN], shift: u32) -> Head {
        let weight = |input: usize, neuron: usize| second[neuron * 2 * PAIRS + input] as i8;
        let block = |group: usize| {
            let of = |neuron| std::array::from_fn(|input| weight(group * GROUP + input, neuron));
            Block(std::array::from_fn(of))
        };
        let third = numbers::<THIRD_LEN>(self.third, bucket);
        Head {
            second: std::array::from_fn(block),
            shift,
            second_biases: numbers(self.second_biases, bucket),
            third: std::array::from_fn(|input| parts(|neuron| third[neuron * 2 * SECOND + input])),
            third_biases: parts(|neuron| number(self.third_biases[bucket * THIRD + neuron])),
            output: parts(|neuron| number(self.output[bucket * THIRD + neuron])),
            output_bias: numbers::<1>(self.output_biases, bucket)[0],
        }
    }
}

/// The numbers of a bucket in a section that has `N` of each.
fn numbers<const N: usize>(section: &[[u8; 4]], bucket: usize) -> [f32; N] {
    std::array::from_fn(|index| number(section[bucket * N + index]))
}

const fn number(bytes: [u8; 4]) -> f32 {
    f32::from_le_bytes(bytes)
}

/// A number for each neuron of the third layer.
fn parts(number: impl Fn(usize) -> f32) -> ThirdRow {
    std::array::from_fn(|part| std::array::from_fn(|lane| number(part * FLOATS + lane)))
}

/// The payload of a network, byte by byte.
pub(super) fn write(network: &Network) -> impl Iterator<Item = u8> {
    let heads = &network.heads;
    let rows = network.features.iter().chain([&network.bias]).flat_map(|row| row.0).flat_map(i16::to_le_bytes);
    let neurons = heads.iter().flat_map(|head| (0..SECOND).map(move |neuron| (head, neuron)));
    let second = neurons.flat_map(|(head, neuron)| (0..2 * PAIRS).map(move |input| head.weight(input, neuron) as u8));
    let shifts = heads.iter().flat_map(|head| (head.shift as i16).to_le_bytes());
    let third = heads.iter().flat_map(|head| (0..THIRD).map(move |neuron| (head, neuron)));
    let third = third.flat_map(|(head, neuron)| head.third.iter().map(move |weights| weights.as_flattened()[neuron]));
    let exact = (heads.iter().flat_map(|head| head.second_biases))
        .chain(third)
        .chain(heads.iter().flat_map(|head| head.third_biases.as_flattened()).copied())
        .chain(heads.iter().flat_map(|head| head.output.as_flattened()).copied())
        .chain(heads.iter().map(|head| head.output_bias));
    rows.chain(second).chain(shifts).chain(exact.flat_map(f32::to_le_bytes))
}

/// Refuses a section with a weight that is too large for the arithmetic.
fn check_range(section: &'static str, weights: impl Iterator<Item = i16>, limit: i16) -> Result<(), NetworkError> {
    for (index, value) in weights.enumerate() {
        if value.unsigned_abs() > limit.unsigned_abs() {
            return Err(NetworkError::WeightRange { section, index, value, limit });
        }
    }
    Ok(())
}

/// Refuses numbers that are too large, infinite, or none.
fn check_exact(numbers: &[[u8; 4]]) -> Result<(), NetworkError> {
    let fits = |&number: &[u8; 4]| f32::from_le_bytes(number).abs() <= MAX_EXACT_WEIGHT;
    match numbers.iter().position(|number| !fits(number)) {
        Some(index) => Err(NetworkError::ExactRange { index, bits: u32::from_le_bytes(numbers[index]) }),
        None => Ok(()),
    }
}

/// The shift of an output bucket, if it is in its range.
fn check_shift(bucket: usize, shift: i16) -> Result<u32, NetworkError> {
    let checked = u32::try_from(shift).ok().filter(|&shift| shift <= MAX_SECOND_SHIFT);
    checked.ok_or(NetworkError::Shift { bucket, shift })
}
