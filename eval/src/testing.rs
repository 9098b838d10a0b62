//! What several unit tests share: seeded random numbers, and networks made of them.

use std::sync::Arc;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::arch::{
    FEATURES, HIDDEN, MAX_EXACT_WEIGHT, MAX_HIDDEN_WEIGHT, MAX_SECOND_SHIFT, MAX_SECOND_WEIGHT, OUTPUT_BUCKETS, PAIRS,
    SECOND, THIRD,
};
use crate::network::{Network, PAYLOAD_LEN};

/// Feature weights and biases.
pub(crate) const HIDDEN_COUNT: usize = (FEATURES + 1) * HIDDEN;

/// Weights of the second layer, in all buckets.
pub(crate) const SECOND_COUNT: usize = OUTPUT_BUCKETS * SECOND * 2 * PAIRS;

/// Numbers behind the shifts, in all buckets.
pub(crate) const EXACT_COUNT: usize = OUTPUT_BUCKETS * (SECOND + 2 * SECOND * THIRD + 2 * THIRD + 1);

pub(crate) type Random = Xoshiro256PlusPlus;

pub(crate) fn random(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

/// A network of a [`payload`].
pub(crate) fn network(seed: u64, divisor: i16) -> Arc<Network> {
    Arc::new(Network::from_payload(&payload(seed, divisor)).unwrap())
}

/// The payload of a network whose weights are drawn from their bounds divided by `divisor`; 0 takes nothing but the bounds.
pub(crate) fn payload(seed: u64, divisor: i16) -> Vec<u8> {
    let mut random = random(seed);
    payload_of(|_| match divisor {
        0 => f32::from(2 * random.random_range(0..=1i8) - 1),
        _ => random.random_range(-1.0..=1.0) / f32::from(divisor),
    })
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
