//! The network's weights in floating point, as training sees them.

use std::iter;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use eval::arch::{
    FEATURES, HIDDEN, INPUTS, MAX_HIDDEN_WEIGHT, MAX_OUTPUT_SHIFT, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS, QA, QB,
    output_bucket,
};
use eval::feature::Perspective;
use eval::network::HEADER_LEN;
use eval::{Network, NetworkError};
use movegen::Board;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rayon::prelude::*;

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

    /// All output weights of a bucket.
    #[must_use]
    pub const fn outputs(self, bucket: usize) -> Range<usize> {
        self.output(bucket, 0)..self.output(bucket + 1, 0)
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

    /// The mean of some; `None` if there are none or their layouts differ.
    ///
    /// Source: M. Wortsman et al., "Model soups: averaging weights of multiple fine-tuned models improves accuracy
    /// without increasing inference time" (2022).
    #[must_use]
    pub fn mean(all: &[Self]) -> Option<Self> {
        let layout = all.first()?.layout;
        if all.iter().any(|parameters| parameters.layout != layout) {
            return None;
        }
        let mut mean = Self::zero(layout);
        for (index, number) in mean.numbers_mut().iter_mut().enumerate() {
            let sum: f64 = all.iter().map(|parameters| f64::from(parameters.numbers()[index])).sum();
            *number = (sum / all.len() as f64) as f32;
        }
        Some(mean)
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
            let view = Perspective::of(board, color);
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

    /// The network in integers, the output weights of each bucket as fine as its largest one allows.
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
        let shifts = self.finest_shifts();
        let mut weights = Vec::with_capacity(layout.count() + OUTPUT_BUCKETS);
        for Section { range, unit, limit } in sections(layout, shifts) {
            weights.extend(self.numbers()[range].iter().map(|&weight| rounded(weight, unit, limit) as i16));
        }
        weights.extend(shifts.map(|shift| shift as i16));
        Network::from_weights(&weights)
    }

    /// Writes these weights into others of the same layout, each as the network's integers hold it.
    pub(crate) fn round_into(&self, other: &mut Self) {
        for Section { range, unit, limit } in sections(self.layout, self.finest_shifts()) {
            let inverse = 1.0 / unit;
            let (from, to) = (&self.numbers()[range.clone()], &mut other.numbers_mut()[range]);
            to.par_iter_mut()
                .zip(from)
                .with_min_len(ROUNDED_AT_ONCE)
                .for_each(|(to, &from)| *to = rounded(from, unit, limit) * inverse);
        }
    }

    fn finest_shifts(&self) -> Shifts {
        std::array::from_fn(|bucket| finest_shift(&self.numbers()[self.layout.outputs(bucket)]))
    }

    /// The weights of a network in integers, to train on from it: as exact as integers are.
    #[must_use]
    pub fn dequantise(network: &Network) -> Self {
        let mut parameters = Self::zero(Layout::SHIPPED);
        let bytes = network.to_bytes();
        let mut weights = bytes[HEADER_LEN..].as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair));
        let shifts = std::array::from_fn(|bucket| network.outputs()[bucket].shift);
        for Section { range, unit, .. } in sections(Layout::SHIPPED, shifts) {
            for (number, weight) in parameters.numbers_mut()[range].iter_mut().zip(&mut weights) {
                *number = f32::from(weight) / unit;
            }
        }
        parameters
    }
}

/// The shift of each output bucket.
type Shifts = [u32; OUTPUT_BUCKETS];

/// Numbers that share a unit.
struct Section {
    /// Where they lie.
    range: Range<usize>,
    /// What 1 is quantised to.
    unit: f32,
    /// The largest magnitude after that.
    limit: i16,
}

/// All sections, in the order of the layout.
fn sections(layout: Layout, shifts: Shifts) -> impl Iterator<Item = Section> {
    let hidden = Section { range: 0..layout.output(0, 0), unit: QA as f32, limit: MAX_HIDDEN_WEIGHT };
    let biases = Section { range: layout.output_bias(0)..layout.count(), unit: (QA * QB) as f32, limit: i16::MAX };
    let outputs = shifts.into_iter().enumerate().map(move |(bucket, shift)| Section {
        range: layout.outputs(bucket),
        unit: output_unit(shift),
        limit: MAX_OUTPUT_WEIGHT,
    });
    iter::once(hidden).chain(outputs).chain(iter::once(biases))
}

/// The integer nearest to a weight, within the limit.
fn rounded(weight: f32, unit: f32, limit: i16) -> f32 {
    (weight * unit).round_ties_even().clamp(-f32::from(limit), f32::from(limit))
}

/// Weights rounded by one thread at a time, at least: fewer are not worth handing out.
const ROUNDED_AT_ONCE: usize = 1 << 14;

/// What an output weight of 1 is quantised to in a bucket of this shift.
const fn output_unit(shift: u32) -> f32 {
    (QB << shift) as f32
}

/// The largest shift with which none of these output weights is clipped.
fn finest_shift(weights: &[f32]) -> u32 {
    let largest = weights.iter().fold(0.0, |largest: f32, weight| largest.max(weight.abs()));
    let fits = |&shift: &u32| (largest * output_unit(shift)).round() <= f32::from(MAX_OUTPUT_WEIGHT);
    // Weights beyond the bounds of training are clipped even without a shift.
    (0..=MAX_OUTPUT_SHIFT).rev().find(fits).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::synthetic::random_games;
    use crate::training::seed::seed_network;

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
    fn weights_are_rounded_as_the_network_holds_them() {
        let mut parameters = Parameters::random(Layout::SHIPPED, 8);
        let last = Layout::SHIPPED.outputs(3).end - 1;
        parameters.numbers_mut()[last] = 1.7;
        let mut rounded = Parameters::zero(Layout::SHIPPED);
        parameters.round_into(&mut rounded);
        let expected = Parameters::dequantise(&parameters.quantise().unwrap());
        let differ = |(a, b): (&f32, &f32)| (a - b).abs() > 1e-6;
        assert!(!rounded.numbers().iter().zip(expected.numbers()).any(differ));
        assert_ne!(rounded.numbers(), parameters.numbers());
    }

    #[test]
    fn a_network_survives_the_way_through_floating_point() {
        let network = Parameters::random(Layout::SHIPPED, 6).quantise().unwrap();
        let again = Parameters::dequantise(&network).quantise().unwrap();
        assert_eq!(again.hash(), network.hash());
        // Of the seed the shifts change, yet not a score.
        let seed = seed_network().unwrap();
        let again = Parameters::dequantise(&seed).quantise().unwrap();
        for board in random_games(4, 5).iter().flat_map(|game| game.replay()).map(|step| step.unwrap().board) {
            assert_eq!(again.evaluate(&board), seed.evaluate(&board), "{board:?}");
        }
    }

    #[test]
    fn output_buckets_are_as_fine_as_their_largest_weight_allows() {
        let layout = Layout::SHIPPED;
        let largest = [1.98, -1.0, 0.99, 0.94, -0.17, 0.031, 0.03, 0.0, 0.5];
        let mut parameters = Parameters::zero(layout);
        for (bucket, &weight) in largest.iter().enumerate() {
            parameters.numbers_mut()[layout.outputs(bucket).end - 1] = weight;
        }
        let network = parameters.quantise().unwrap();
        let found: Vec<_> =
            network.outputs().iter().map(|output| (output.shift, output.weights[1].0[HIDDEN - 1])).collect();
        let expected = [(0, 127), (0, -64), (1, 127), (1, 120), (3, -87), (6, 127), (6, 123), (6, 0), (1, 64)];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_mean_is_that_of_each_weight() {
        let layout = Layout::new(16);
        let [one, two] = [1, 2].map(|seed| Parameters::random(layout, seed));
        assert_eq!(Parameters::mean(std::slice::from_ref(&one)), Some(one.clone()));
        let mean = Parameters::mean(&[one.clone(), two.clone(), one.clone()]).unwrap();
        for ((mean, one), two) in mean.numbers().iter().zip(one.numbers()).zip(two.numbers()) {
            assert!((mean - (2.0 * one + two) / 3.0).abs() < 1e-6, "{mean} of {one} and {two}");
        }
        assert_eq!(Parameters::mean(&[one, Parameters::zero(Layout::new(32))]), None);
        assert_eq!(Parameters::mean(&[]), None);
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
