//! The network's weights in floating point, as training sees them.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use eval::arch::{
    FEATURES, HIDDEN, INPUTS, MAX_EXACT_WEIGHT, MAX_HIDDEN_WEIGHT, MAX_SECOND_SHIFT, MAX_SECOND_WEIGHT, OUTPUT_BUCKETS,
    QA, QB, SECOND, THIRD, output_bucket,
};
use eval::feature::Perspective;
use eval::network::{HEADER_LEN, PAYLOAD_LEN};
use eval::{Network, NetworkError};
use movegen::{Board, Color, Piece, Square};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rayon::prelude::*;

/// Numbers in the widest vector; a layout's rows are multiples of it.
pub const WIDTH: usize = 16;

/// Inputs of the third layer: the second layer's neurons, plain and then squared.
pub const THIRD_INPUTS: usize = 2 * SECOND;

/// Where each weight lies: rows of feature weights, feature biases, then by bucket the weights of the second layer, its
/// biases, the weights of the third layer, its biases, the output weights and the output bias.
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
    /// If the number is zero or not a multiple of twice [`WIDTH`].
    #[must_use]
    pub const fn new(hidden: usize) -> Self {
        assert!(hidden > 0 && hidden.is_multiple_of(2 * WIDTH));
        Self { hidden }
    }

    /// Hidden neurons of one perspective, which is also the length of a row, and the number of products of both
    /// perspectives.
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

    /// The weights of a neuron of a bucket's second layer, of the side to move's products and then of the other's.
    #[inline]
    #[must_use]
    pub const fn second(self, bucket: usize, neuron: usize) -> usize {
        self.bias() + self.hidden * (1 + bucket * SECOND + neuron)
    }

    /// The first bias of a bucket's second layer.
    #[inline]
    #[must_use]
    pub const fn second_biases(self, bucket: usize) -> usize {
        self.second(OUTPUT_BUCKETS, 0) + bucket * SECOND
    }

    /// The first weight of a bucket's third layer, by its neurons.
    #[inline]
    #[must_use]
    pub const fn third(self, bucket: usize) -> usize {
        self.second_biases(OUTPUT_BUCKETS) + bucket * THIRD * THIRD_INPUTS
    }

    /// The first bias of a bucket's third layer.
    #[inline]
    #[must_use]
    pub const fn third_biases(self, bucket: usize) -> usize {
        self.third(OUTPUT_BUCKETS) + bucket * THIRD
    }

    /// The first output weight of a bucket.
    #[inline]
    #[must_use]
    pub const fn outputs(self, bucket: usize) -> usize {
        self.third_biases(OUTPUT_BUCKETS) + bucket * THIRD
    }

    /// The output bias of a bucket.
    #[inline]
    #[must_use]
    pub const fn output_bias(self, bucket: usize) -> usize {
        self.outputs(OUTPUT_BUCKETS) + bucket
    }

    /// All weights of a bucket, which no other bucket uses.
    pub fn of_bucket(self, bucket: usize) -> [Range<usize>; 6] {
        [Self::second_of, Self::second_biases, Self::third, Self::third_biases, Self::outputs, Self::output_bias]
            .map(|start| start(self, bucket)..start(self, bucket + 1))
    }

    /// All weights of a bucket's second layer.
    #[must_use]
    pub const fn second_layer(self, bucket: usize) -> Range<usize> {
        self.second_of(bucket)..self.second_of(bucket + 1)
    }

    const fn second_of(self, bucket: usize) -> usize {
        self.second(bucket, 0)
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

    /// Random weights to start training from, uniform within the inverse square root of the number of inputs. The biases
    /// behind the hidden neurons are not below zero, where a neuron would stay out of use.
    #[must_use]
    pub fn random(layout: Layout, seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut parameters = Self::zero(layout);
        let numbers = parameters.numbers_mut();
        let mut draw = |section: Range<usize>, inputs: usize, lowest: f32| {
            let range = 1.0 / (inputs as f32).sqrt();
            numbers[section].iter_mut().for_each(|weight| *weight = rng.random_range(lowest * range..range));
        };
        draw(0..layout.second(0, 0), INPUTS, -1.0);
        draw(layout.second(0, 0)..layout.second_biases(0), layout.hidden(), -1.0);
        draw(layout.second_biases(0)..layout.third(0), layout.hidden(), 0.0);
        draw(layout.third(0)..layout.third_biases(0), THIRD_INPUTS, -1.0);
        draw(layout.third_biases(0)..layout.outputs(0), THIRD_INPUTS, 0.0);
        draw(layout.outputs(0)..layout.count(), THIRD, -1.0);
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
        let products: Vec<f32> =
            [board.turn(), !board.turn()].into_iter().flat_map(|color| self.products_of(board, color)).collect();
        let layer = |weights: &[f32], biases: usize, inputs: &[f32]| -> Vec<f32> {
            let rows = weights.chunks(inputs.len()).zip(&self.numbers()[biases..]);
            rows.map(|(row, bias)| bias + row.iter().zip(inputs).map(|(w, i)| w * i).sum::<f32>()).collect()
        };
        let [second, _, third, _, outputs, _] = layout.of_bucket(bucket).map(|range| &self.numbers()[range]);
        let mut neurons = layer(second, layout.second_biases(bucket), &products);
        neurons.extend_from_within(..);
        neurons[SECOND..].iter_mut().for_each(|neuron| *neuron *= *neuron);
        neurons.iter_mut().for_each(|neuron| *neuron = neuron.clamp(0.0, 1.0));
        let mut neurons = layer(third, layout.third_biases(bucket), &neurons);
        neurons.iter_mut().for_each(|neuron| *neuron = neuron.clamp(0.0, 1.0).powi(2));
        layer(outputs, layout.output_bias(bucket), &neurons)[0]
    }

    fn products_of(&self, board: &Board, color: Color) -> Vec<f32> {
        let pieces = board.occupied().into_iter().filter_map(|square| Some((board.piece_on(square)?, square)));
        self.products(Perspective::of(board, color), pieces)
    }

    /// The products of a perspective's pairs of hidden neurons, for these pieces.
    pub(crate) fn products(&self, view: Perspective, pieces: impl Iterator<Item = (Piece, Square)>) -> Vec<f32> {
        let layout = self.layout;
        let mut neurons = self.row(layout.bias()).to_vec();
        for (piece, square) in pieces {
            let weights = self.row(layout.feature(view.feature(piece, square)));
            neurons.iter_mut().zip(weights).for_each(|(neuron, weight)| *neuron += weight);
        }
        let (first, second) = neurons.split_at(layout.hidden() / 2);
        first.iter().zip(second).map(|(a, b)| a.clamp(0.0, 1.0) * b.clamp(0.0, 1.0)).collect()
    }

    /// The network in integers as far as they go, the second layer of each bucket as fine as its largest weight allows.
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
        let mut payload = Vec::with_capacity(PAYLOAD_LEN);
        let hidden = &self.numbers()[..layout.second(0, 0)];
        payload.extend(hidden.iter().flat_map(|&weight| (HIDDEN_UNIT.integer(weight) as i16).to_le_bytes()));
        let shifts = self.finest_shifts();
        for (bucket, &shift) in shifts.iter().enumerate() {
            let weights = &self.numbers()[layout.second_layer(bucket)];
            payload.extend(weights.iter().map(|&weight| second_unit(shift).integer(weight) as i8 as u8));
        }
        payload.extend(shifts.iter().flat_map(|&shift| (shift as i16).to_le_bytes()));
        let exact = self.numbers()[layout.second_biases(0)..].iter();
        payload.extend(exact.flat_map(|number| number.clamp(-MAX_EXACT_WEIGHT, MAX_EXACT_WEIGHT).to_le_bytes()));
        Network::from_payload(&payload)
    }

    /// Writes these weights into others of the same layout, each as the network holds it.
    pub(crate) fn round_into(&self, other: &mut Self) {
        let layout = self.layout;
        let hidden = (0..layout.second(0, 0), HIDDEN_UNIT);
        let second = self.finest_shifts().into_iter().enumerate();
        let second = second.map(|(bucket, shift)| (layout.second_layer(bucket), second_unit(shift)));
        for (range, unit) in std::iter::once(hidden).chain(second) {
            let inverse = 1.0 / unit.one;
            let (from, to) = (&self.numbers()[range.clone()], &mut other.numbers_mut()[range]);
            to.par_iter_mut()
                .zip(from)
                .with_min_len(ROUNDED_AT_ONCE)
                .for_each(|(to, &from)| *to = unit.integer(from) * inverse);
        }
        let exact = layout.second_biases(0)..layout.count();
        other.numbers_mut()[exact.clone()].copy_from_slice(&self.numbers()[exact]);
    }

    fn finest_shifts(&self) -> [u32; OUTPUT_BUCKETS] {
        std::array::from_fn(|bucket| finest_shift(&self.numbers()[self.layout.second_layer(bucket)]))
    }

    /// The weights of a network, to train on from it: as exact as it holds them.
    #[must_use]
    pub fn dequantise(network: &Network) -> Self {
        let layout = Layout::SHIPPED;
        let mut parameters = Self::zero(layout);
        let bytes = network.to_bytes();
        let (hidden, rest) = bytes[HEADER_LEN..].split_at(2 * layout.second(0, 0));
        let (second, rest) = rest.split_at(OUTPUT_BUCKETS * SECOND * HIDDEN);
        let (shifts, exact) = rest.split_at(2 * OUTPUT_BUCKETS);
        let numbers = parameters.numbers_mut();
        for (number, &weight) in numbers.iter_mut().zip(hidden.as_chunks().0) {
            *number = f32::from(i16::from_le_bytes(weight)) / HIDDEN_UNIT.one;
        }
        let shifts = shifts.as_chunks().0.iter().map(|&shift| u32::from(u16::from_le_bytes(shift)));
        for ((bucket, shift), weights) in shifts.enumerate().zip(second.chunks(SECOND * HIDDEN)) {
            for (number, &weight) in numbers[layout.second_layer(bucket)].iter_mut().zip(weights) {
                *number = f32::from(weight as i8) / second_unit(shift).one;
            }
        }
        for (number, &weight) in numbers[layout.second_biases(0)..].iter_mut().zip(exact.as_chunks().0) {
            *number = f32::from_le_bytes(weight);
        }
        parameters
    }
}

/// How weights become integers.
#[derive(Clone, Copy)]
struct Unit {
    /// What 1 is quantised to.
    one: f32,
    /// The largest magnitude after that.
    limit: f32,
}

impl Unit {
    /// The integer nearest to a weight, within the limit.
    fn integer(self, weight: f32) -> f32 {
        (weight * self.one).round_ties_even().clamp(-self.limit, self.limit)
    }
}

/// Of feature weights and biases.
const HIDDEN_UNIT: Unit = Unit { one: QA as f32, limit: MAX_HIDDEN_WEIGHT as f32 };

/// Of the second layer's weights in a bucket of this shift.
const fn second_unit(shift: u32) -> Unit {
    Unit { one: (QB << shift) as f32, limit: MAX_SECOND_WEIGHT as f32 }
}

/// Weights rounded by one thread at a time, at least: fewer are not worth handing out.
const ROUNDED_AT_ONCE: usize = 1 << 14;

/// The largest shift with which none of these weights is clipped.
fn finest_shift(weights: &[f32]) -> u32 {
    let largest = weights.iter().fold(0.0, |largest: f32, weight| largest.max(weight.abs()));
    let fits = |&shift: &u32| (largest * second_unit(shift).one).round() <= second_unit(shift).limit;
    // Weights beyond the bounds of training are clipped even without a shift.
    (0..=MAX_SECOND_SHIFT).rev().find(fits).unwrap_or(0)
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
        let last = Layout::SHIPPED.second_layer(3).end - 1;
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
    fn second_layers_are_as_fine_as_their_largest_weight_allows() {
        let layout = Layout::SHIPPED;
        let largest = [1.98, -1.0, 0.99, 0.94, -0.17, 0.031, 0.03, 0.0, 0.5];
        let mut parameters = Parameters::zero(layout);
        for (bucket, &weight) in largest.iter().enumerate() {
            parameters.numbers_mut()[layout.second_layer(bucket).end - 1] = weight;
        }
        assert_eq!(parameters.finest_shifts(), [0, 0, 1, 1, 3, 6, 6, 6, 1]);
        let again = Parameters::dequantise(&parameters.quantise().unwrap());
        let integers = largest.iter().enumerate().map(|(bucket, _)| {
            let unit = second_unit(parameters.finest_shifts()[bucket]).one;
            again.numbers()[layout.second_layer(bucket).end - 1] * unit
        });
        assert_eq!(integers.collect::<Vec<_>>(), [127.0, -64.0, 127.0, 120.0, -87.0, 127.0, 123.0, 0.0, 64.0]);
    }

    #[test]
    fn a_mean_is_that_of_each_weight() {
        let layout = Layout::new(32);
        let [one, two] = [1, 2].map(|seed| Parameters::random(layout, seed));
        assert_eq!(Parameters::mean(std::slice::from_ref(&one)), Some(one.clone()));
        let mean = Parameters::mean(&[one.clone(), two.clone(), one.clone()]).unwrap();
        for ((mean, one), two) in mean.numbers().iter().zip(one.numbers()).zip(two.numbers()) {
            assert!((mean - (2.0 * one + two) / 3.0).abs() < 1e-6, "{mean} of {one} and {two}");
        }
        assert_eq!(Parameters::mean(&[one, Parameters::zero(Layout::new(64))]), None);
        assert_eq!(Parameters::mean(&[]), None);
    }

    #[test]
    fn other_widths_are_not_quantised() {
        let error = Parameters::zero(Layout::new(HIDDEN + 32)).quantise().unwrap_err();
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
