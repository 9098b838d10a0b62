//! The network's weights in floating point, as training sees them.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use eval::arch::{
    FEATURES, HIDDEN, INPUTS, MAX_HIDDEN_WEIGHT, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS, QA, QB, output_bucket,
};
use eval::feature::View;
use eval::network::HEADER_LEN;
use eval::{Network, NetworkError};
use movegen::Board;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// Numbers in the widest vector; a layout's rows are multiples of it.
pub const WIDTH: usize = 16;

/// Where each weight lies: rows of feature weights, feature biases, output weights by bucket and side, output biases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    hidden: usize,
}

impl Layout {
    /// The layout of the network in [`eval::arch`].
    pub const SHIPPED: Self = Self::new(HIDDEN);

    /// For a number of hidden neurons of one perspective; tests use fewer than [`eval::arch::HIDDEN`].
    ///
    /// # Panics
    ///
    /// If the number is zero or not a multiple of [`WIDTH`].
    #[must_use]
    pub const fn new(hidden: usize) -> Self {
        assert!(hidden > 0 && hidden.is_multiple_of(WIDTH));
        Self { hidden }
    }

    /// Hidden neurons of one perspective, which is also the length of a row.
    #[inline]
    #[must_use]
    pub const fn hidden(self) -> usize {
        self.hidden
    }

    /// The first weight of a feature; the biases follow those of the last feature as if one more.
    #[inline]
    #[must_use]
    pub const fn feature(self, feature: usize) -> usize {
        feature * self.hidden
    }

    /// The first bias of the hidden neurons.
    #[inline]
    #[must_use]
    pub const fn bias(self) -> usize {
        self.feature(FEATURES)
    }

    /// The first output weight of a bucket and a side, 0 for the side to move.
    #[inline]
    #[must_use]
    pub const fn output(self, bucket: usize, side: usize) -> usize {
        self.bias() + self.hidden * (1 + 2 * bucket + side)
    }

    /// The output bias of a bucket.
    #[inline]
    #[must_use]
    pub const fn output_bias(self, bucket: usize) -> usize {
        self.output(OUTPUT_BUCKETS, 0) + bucket
    }

    /// How many numbers there are.
    #[must_use]
    pub const fn count(self) -> usize {
        self.output_bias(OUTPUT_BUCKETS)
    }
}

/// A piece of memory as wide and as aligned as the widest vector and a cache line, so that a row touches no more lines
/// than it fills.
#[derive(Clone, Copy, PartialEq, Default, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
struct Aligned([f32; WIDTH]);

/// Many numbers, aligned so that each row begins a cache line.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Numbers {
    blocks: Vec<Aligned>,
    count: usize,
}

impl Numbers {
    /// All zero.
    pub(crate) fn zero(count: usize) -> Self {
        Self { blocks: vec![Aligned::default(); count.div_ceil(WIDTH)], count }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[f32] {
        &bytemuck::cast_slice(&self.blocks)[..self.count]
    }

    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [f32] {
        &mut bytemuck::cast_slice_mut(&mut self.blocks)[..self.count]
    }
}

/// One number for each weight of the network: the weights themselves, a gradient, or a moment of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    layout: Layout,
    numbers: Numbers,
}

impl Parameters {
    /// All zero.
    #[must_use]
    pub fn zero(layout: Layout) -> Self {
        Self { layout, numbers: Numbers::zero(layout.count()) }
    }

    /// Random weights to start training from, uniform within the inverse square root of the number of inputs.
    #[must_use]
    pub fn random(layout: Layout, seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut parameters = Self::zero(layout);
        let hidden_range = 1.0 / (INPUTS as f32).sqrt();
        let output_range = 1.0 / (2.0 * layout.hidden() as f32).sqrt();
        let (hidden, output) = parameters.numbers_mut().split_at_mut(layout.output(0, 0));
        for (weights, range) in [(hidden, hidden_range), (output, output_range)] {
            weights.iter_mut().for_each(|weight| *weight = rng.random_range(-range..range));
        }
        parameters
    }

    /// Where each number lies.
    #[inline]
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// All numbers.
    #[inline]
    #[must_use]
    pub fn numbers(&self) -> &[f32] {
        self.numbers.as_slice()
    }

    /// All numbers, to be changed.
    #[inline]
    #[must_use]
    pub fn numbers_mut(&mut self) -> &mut [f32] {
        self.numbers.as_mut_slice()
    }

    /// The row of numbers that begins at a place of the [`Layout`].
    #[inline]
    #[must_use]
    pub fn row(&self, start: usize) -> &[f32] {
        &self.numbers()[start..start + self.layout.hidden]
    }

    /// The network's output for the side to move, slowly: what the kernel and the quantised network must agree with.
    #[must_use]
    pub fn evaluate(&self, board: &Board) -> f32 {
        let layout = self.layout;
        let bucket = output_bucket(board.occupied().count());
        let mut output = self.numbers()[layout.output_bias(bucket)];
        for (side, color) in [board.turn(), !board.turn()].into_iter().enumerate() {
            let view = View::of(board, color);
            let mut neurons = self.row(layout.bias()).to_vec();
            for square in board.occupied() {
                let Some(piece) = board.piece_on(square) else { continue };
                let weights = self.row(layout.feature(view.feature(piece, square)));
                neurons.iter_mut().zip(weights).for_each(|(neuron, weight)| *neuron += weight);
            }
            let weights = self.row(layout.output(bucket, side));
            output += neurons.iter().zip(weights).map(|(n, w)| n.clamp(0.0, 1.0).powi(2) * w).sum::<f32>();
        }
        output
    }

    /// The network in integers.
    ///
    /// # Errors
    ///
    /// If the number of hidden neurons is not that of [`eval::arch`].
    pub fn quantise(&self) -> Result<Network, NetworkError> {
        let layout = self.layout;
        if layout != Layout::SHIPPED {
            let (what, found, expected) = ("number of hidden neurons", layout.hidden as u64, HIDDEN as u64);
            return Err(NetworkError::Architecture { what, found, expected });
        }
        let mut weights = Vec::with_capacity(layout.count());
        for (range, unit, limit) in sections(layout) {
            let limit = f32::from(limit);
            let quantised = |weight: &f32| (weight * unit).round().clamp(-limit, limit) as i16;
            weights.extend(self.numbers()[range].iter().map(quantised));
        }
        Network::from_weights(&weights)
    }

    /// The weights of a network in integers, to train on from it: as exact as integers are.
    #[must_use]
    pub fn dequantise(network: &Network) -> Self {
        let mut parameters = Self::zero(Layout::SHIPPED);
        let bytes = network.to_bytes();
        let mut weights = bytes[HEADER_LEN..].as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair));
        for (range, unit, _) in sections(Layout::SHIPPED) {
            for (number, weight) in parameters.numbers_mut()[range].iter_mut().zip(&mut weights) {
                *number = f32::from(weight) / unit;
            }
        }
        parameters
    }
}

/// The numbers that share a unit: where they lie, what 1 is quantised to, and the largest magnitude after that.
fn sections(layout: Layout) -> [(Range<usize>, f32, i16); 3] {
    let [hidden, output, output_bias] = [QA, QB, QA * QB].map(|unit| unit as f32);
    [
        (0..layout.output(0, 0), hidden, MAX_HIDDEN_WEIGHT),
        (layout.output(0, 0)..layout.output_bias(0), output, MAX_OUTPUT_WEIGHT),
        (layout.output_bias(0)..layout.count(), output_bias, i16::MAX),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::seed_network;
    use crate::synthetic::random_games;

    #[test]
    fn quantised_network_agrees_with_floating_point() {
        let parameters = Parameters::random(Layout::SHIPPED, 5);
        let network = parameters.quantise().unwrap();
        for game in random_games(3, 20) {
            for step in game.replay() {
                let board = step.unwrap().board;
                let expected = parameters.evaluate(&board) * eval::arch::SCALE as f32;
                let found = network.evaluate(&board) as f32;
                assert!((found - expected).abs() < 12.0, "{found} for {expected} in {board:?}");
            }
        }
    }

    #[test]
    fn a_network_survives_the_way_through_floating_point() {
        let network = Parameters::random(Layout::SHIPPED, 6).quantise().unwrap();
        let again = Parameters::dequantise(&network).quantise().unwrap();
        assert_eq!(again.hash(), network.hash());
        assert_eq!(Parameters::dequantise(&seed_network().unwrap()).quantise().unwrap(), seed_network().unwrap());
    }

    #[test]
    fn other_widths_are_not_quantised() {
        let error = Parameters::zero(Layout::new(HIDDEN + 16)).quantise().unwrap_err();
        assert!(matches!(error, NetworkError::Architecture { .. }), "{error}");
    }

    #[test]
    fn weights_at_the_clipping_bounds_are_accepted() {
        for bound in [eval::arch::MAX_WEIGHT, -eval::arch::MAX_WEIGHT, f32::MAX] {
            let mut parameters = Parameters::zero(Layout::SHIPPED);
            parameters.numbers_mut().fill(bound);
            assert!(parameters.quantise().is_ok(), "{bound}");
        }
    }
}
