//! What several unit tests share: seeded random numbers, and networks made of them.

use std::sync::Arc;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::arch::{FEATURES, HIDDEN, MAX_HIDDEN_WEIGHT, MAX_OUTPUT_SHIFT, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS};
use crate::network::Network;

pub(crate) type Random = Xoshiro256PlusPlus;

pub(crate) fn random(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

/// A network whose weights are drawn from their bounds divided by `divisor`; 0 takes nothing but the bounds.
pub(crate) fn network(seed: u64, divisor: i16) -> Arc<Network> {
    let mut random = random(seed);
    let mut weights = |count: usize, bound: i16| {
        let draw = || match divisor {
            0 => bound * (2 * random.random_range(0..=1) - 1),
            _ => random.random_range(-bound / divisor..=bound / divisor),
        };
        std::iter::repeat_with(draw).take(count).collect::<Vec<i16>>()
    };
    let hidden = weights((FEATURES + 1) * HIDDEN, MAX_HIDDEN_WEIGHT);
    let output = weights(OUTPUT_BUCKETS * 2 * HIDDEN, MAX_OUTPUT_WEIGHT);
    let bias = weights(OUTPUT_BUCKETS, i16::MAX);
    let shifts = (0..OUTPUT_BUCKETS).map(|bucket| bucket as i16 % (MAX_OUTPUT_SHIFT as i16 + 1)).collect();
    Arc::new(Network::from_weights(&[hidden, output, bias, shifts].concat()).unwrap())
}
