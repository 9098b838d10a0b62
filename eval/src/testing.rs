//! What several unit tests share: seeded random numbers, and networks made of them.

use std::array;
use std::sync::Arc;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::arch::{
    FEATURES, GROUP, HIDDEN, MAX_EXACT_WEIGHT, MAX_HIDDEN_WEIGHT, MAX_SECOND_SHIFT, MAX_SECOND_WEIGHT, OUTPUT_BUCKETS,
    PAIRS, SECOND, THIRD,
};
use crate::head::{Block, Head, ThirdRow};
use crate::network::{Network, PAYLOAD_LEN, Row};
use crate::simd::Path;

/// Feature weights and biases.
pub(crate) const HIDDEN_COUNT: usize = (FEATURES + 1) * HIDDEN;

/// Weights of the second layer, in all buckets.
pub(crate) const SECOND_COUNT: usize = OUTPUT_BUCKETS * SECOND * 2 * PAIRS;

/// Numbers behind the shifts, in all buckets.
pub(crate) const EXACT_COUNT: usize = OUTPUT_BUCKETS * (SECOND + 2 * SECOND * THIRD + 2 * THIRD + 1);

pub(crate) type Random = Xoshiro256PlusPlus;

/// The paths of this CPU; for Miri without these, whose instructions it does not all know.
pub(crate) fn paths_but(unknown: &[&str]) -> impl Iterator<Item = Path> {
    Path::available().filter(|path| !cfg!(miri) || !unknown.contains(&&*path.to_string()))
}

pub(crate) fn random(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

/// A network of a [`payload`]; for Miri, which would not get to its end, one of [few numbers](network_of_few).
pub(crate) fn network(seed: u64, divisor: i16) -> Arc<Network> {
    let few = || network_of_few(parts(seed, divisor));
    Arc::new(if cfg!(miri) { few() } else { Network::from_payload(&payload(seed, divisor)).unwrap() })
}

/// The payload of a network whose weights are drawn from their bounds divided by `divisor`; 0 takes nothing but the bounds.
pub(crate) fn payload(seed: u64, divisor: i16) -> Vec<u8> {
    let mut part = parts(seed, divisor);
    payload_of(|_| part())
}

/// Draws parts of bounds.
fn parts(seed: u64, divisor: i16) -> impl FnMut() -> f32 {
    let mut random = random(seed);
    move || match divisor {
        0 => f32::from(2 * random.random_range(0..=1i8) - 1),
        _ => random.random_range(-1.0..=1.0) / f32::from(divisor),
    }
}

/// A network that repeats a few of the numbers that a payload would draw: its rows are stretches of one row that is a little
/// longer, its groups of inputs take turns, and its buckets are equal.
fn network_of_few(mut part: impl FnMut() -> f32) -> Network {
    // Not a divisor of the squares, so that the next square and the next piece have another row.
    const ROWS: usize = 7;
    const BLOCKS: usize = 5;
    let hidden: Vec<i16> = (0..HIDDEN + ROWS).map(|_| (part() * f32::from(MAX_HIDDEN_WEIGHT)) as i16).collect();
    let rows: [Row; ROWS] = array::from_fn(|row| Row(array::from_fn(|neuron| hidden[row + neuron])));
    let mut weight = || (part() * f32::from(MAX_SECOND_WEIGHT)) as i8;
    let blocks: [Block; BLOCKS] = array::from_fn(|_| Block([(); SECOND].map(|()| [(); GROUP].map(|()| weight()))));
    let mut exact = || part() * MAX_EXACT_WEIGHT;
    let mut row = || -> ThirdRow { array::from_fn(|_| array::from_fn(|_| exact())) };
    let head = Head {
        second: array::from_fn(|group| blocks[group % BLOCKS].clone()),
        third: array::from_fn(|_| row()),
        third_biases: row(),
        output: row(),
        second_biases: array::from_fn(|_| exact()),
        output_bias: exact(),
        // The sums stay small enough not to be clipped always.
        shift: MAX_SECOND_SHIFT,
    };
    Network::repeating(&rows, &head)
}

/// The payload of a network whose weights are all at a bound, the shifts 0.
pub(crate) fn extreme_payload(hidden_sign: f32, head_sign: f32) -> Vec<u8> {
    let mut payload = payload_of(|hidden| if hidden { hidden_sign } else { head_sign });
    payload[PAYLOAD_LEN - 4 * EXACT_COUNT - 2 * OUTPUT_BUCKETS..][..2 * OUTPUT_BUCKETS].fill(0);
    payload
}

/// The payload of a network whose weights are these parts of their bounds, asked for those of hidden neurons and then for
/// all others.
fn payload_of(mut part: impl FnMut(bool) -> f32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(PAYLOAD_LEN);
    for _ in 0..HIDDEN_COUNT {
        bytes.extend(((part(true) * f32::from(MAX_HIDDEN_WEIGHT)) as i16).to_le_bytes());
    }
    for _ in 0..SECOND_COUNT {
        bytes.extend(((part(false) * f32::from(MAX_SECOND_WEIGHT)) as i8).to_le_bytes());
    }
    for bucket in 0..OUTPUT_BUCKETS {
        bytes.extend((bucket as i16 % (MAX_SECOND_SHIFT as i16 + 1)).to_le_bytes());
    }
    for _ in 0..EXACT_COUNT {
        bytes.extend((part(false) * MAX_EXACT_WEIGHT).to_le_bytes());
    }
    assert_eq!(bytes.len(), PAYLOAD_LEN);
    bytes
}
