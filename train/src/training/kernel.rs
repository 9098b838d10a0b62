//! The inner loops: loss and gradient of many positions.
//!
//! Almost all time goes into adding up rows of numbers, a row for each piece on the board and each side, once forward
//! and once backward, and into the second layer. What makes it fast:
//!
//! - Neurons are worked in tiles that stay in registers while rows are added to them.
//! - Positions are worked in chunks, tile by tile, so that a tile of all feature weights, and then a tile of the
//!   chunk's neurons, stay in the second-level cache.
//! - Backward, positions are first sorted by feature: the gradient of a feature's weights is then summed in registers
//!   from the neurons of all positions that have it, instead of reading and writing memory for each of them.
//! - The positions of a chunk stand in the order of their output buckets, so that what is behind the hidden neurons is
//!   worked with one set of weights after the other (`head`).
//! - Loops run over arrays of constant length, which the compiler turns into vectors without changing the order of
//!   any sum, and are compiled for several instruction sets: no compiler flag is needed, and the sums do not depend on
//!   the width of the vectors.

mod head;

use std::ops::Range;

use eval::arch::{FEATURES, OUTPUT_BUCKETS, SCALE, output_bucket};
use eval::feature::Perspective;
use movegen::Color;
use multiversion::multiversion;

use crate::records::record::{RawRecord, Record};
use crate::training::model::{Layout, Numbers, Parameters, WIDTH};
use head::Heads;

/// Positions worked at a time.
const CHUNK: usize = 512;

/// Neurons in a tile.
const TILE: usize = 128;

/// What the network is to learn from a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Objective {
    /// The share of the game's result in the target, from 0 to 1; the rest is the score.
    pub wdl: f32,
}

impl Objective {
    /// The winning chance the network is to give a position.
    #[inline]
    fn target(self, record: &Record) -> f32 {
        let score = sigmoid(f32::from(record.score()) / SCALE as f32);
        record.result().map_or(score, |result| self.wdl * result + (1.0 - self.wdl) * score)
    }
}

/// Computes losses and gradients; one for each part of a batch that is worked in parallel.
#[derive(Debug)]
pub struct Worker {
    gradient: Parameters,
    scratch: Scratch,
}

impl Worker {
    /// For networks of one layout.
    #[must_use]
    pub fn new(layout: Layout) -> Self {
        Self { gradient: Parameters::zero(layout), scratch: Scratch::new(layout) }
    }

    /// The gradient that [`train`](Self::train) found.
    #[inline]
    #[must_use]
    pub const fn gradient(&self) -> &Parameters {
        &self.gradient
    }

    /// The sum of the squared errors of these positions; their gradient is found too.
    ///
    /// `share` is each position's weight in the gradient: the inverse of the batch size for the gradient of the mean.
    pub fn train(&mut self, parameters: &Parameters, records: &[RawRecord], objective: Objective, share: f32) -> f64 {
        assert_eq!(parameters.layout(), self.gradient.layout());
        self.gradient.numbers_mut().fill(0.0);
        let pass = Pass { parameters, records, objective };
        forward_and_backward(pass, &mut self.scratch, Wanted::Gradient(&mut self.gradient, share))
    }

    /// The sum of the squared errors of these positions.
    pub fn loss(&mut self, parameters: &Parameters, records: &[RawRecord], objective: Objective) -> f64 {
        assert_eq!(parameters.layout(), self.gradient.layout());
        forward_and_backward(Pass { parameters, records, objective }, &mut self.scratch, Wanted::Loss)
    }

    /// Adds the network's output for each of these positions to `outputs`: the evaluation for the side to move in units of
    /// [`SCALE`] centipawns.
    pub fn evaluate(&mut self, parameters: &Parameters, records: &[RawRecord], outputs: &mut Vec<f32>) {
        assert_eq!(parameters.layout(), self.gradient.layout());
        let pass = Pass { parameters, records, objective: Objective { wdl: 0.0 } };
        forward_and_backward(pass, &mut self.scratch, Wanted::Outputs(outputs));
    }
}

/// The inverse of the number of chances: 1 / (1 + e^-x).
#[inline]
#[must_use]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// What is read in working a set of positions.
#[derive(Clone, Copy)]
struct Pass<'a> {
    parameters: &'a Parameters,
    records: &'a [RawRecord],
    objective: Objective,
}

/// What is found besides the sum of the squared errors.
enum Wanted<'a> {
    Loss,
    /// The network's outputs, added to those that are there.
    Outputs(&'a mut Vec<f32>),
    /// The gradient by each parameter, with each position's share in it.
    Gradient(&'a mut Parameters, f32),
}

/// What is known of the positions of one chunk, in the order of their output buckets. Each position has two slots, for
/// the side to move and the other.
#[derive(Debug)]
struct Scratch {
    /// Where each position of the chunk stands among the records.
    order: Vec<usize>,
    /// The positions of each output bucket.
    buckets: [Range<usize>; OUTPUT_BUCKETS],
    /// The number of pieces of each position, which is the number of features of both of its slots.
    pieces: Vec<usize>,
    features: Vec<[u16; 32]>,
    /// The slots with feature `f` are `slots[slot_starts[f]..slot_starts[f + 1]]`.
    slot_starts: Vec<u32>,
    slots: Vec<u16>,
    targets: Vec<f32>,
    outputs: Vec<f32>,
    /// By tile and feature, the biases as one feature more: rows of the weights, and of their gradients.
    weights: Numbers,
    gradients: Numbers,
    /// By tile and slot: hidden neurons clipped to 0..=1; then the gradients of the loss by them.
    neurons: Numbers,
    /// By tile of the first half and slot: the products of pairs of neurons.
    products: Numbers,
    heads: Heads,
}

impl Scratch {
    fn new(layout: Layout) -> Self {
        Self {
            order: Vec::with_capacity(CHUNK),
            buckets: [const { 0..0 }; OUTPUT_BUCKETS],
            pieces: Vec::with_capacity(CHUNK),
            features: Vec::with_capacity(2 * CHUNK),
            slot_starts: vec![0; FEATURES + 2],
            slots: Vec::with_capacity(2 * CHUNK * 32),
            targets: Vec::with_capacity(CHUNK),
            outputs: Vec::with_capacity(CHUNK),
            weights: Numbers::zero(layout.second(0, 0)),
            gradients: Numbers::zero(layout.second(0, 0)),
            neurons: Numbers::zero(layout.hidden() * 2 * CHUNK),
            products: Numbers::zero(layout.hidden() * CHUNK),
            heads: Heads::new(layout),
        }
    }

    /// Takes up the positions of the next chunk.
    #[inline(always)]
    fn decode(&mut self, records: &[RawRecord], objective: Objective) {
        self.sort_by_bucket(records);
        self.pieces.clear();
        self.features.clear();
        self.targets.clear();
        for record in self.order.iter().map(|&place| Record(records[place])) {
            let [own, other] = record.kings();
            let (own, other) = (Perspective::new(Color::White, own), Perspective::new(Color::Black, other));
            let (mut own_features, mut other_features) = ([0; 32], [0; 32]);
            let mut pieces = 0;
            for (piece, square) in record.pieces() {
                own_features[pieces % 32] = own.feature(piece, square) as u16;
                other_features[pieces % 32] = other.feature(piece, square) as u16;
                pieces += 1;
            }
            self.pieces.push(pieces);
            self.features.push(own_features);
            self.features.push(other_features);
            self.targets.push(objective.target(&record));
        }
    }

    #[inline(always)]
    fn sort_by_bucket(&mut self, records: &[RawRecord]) {
        let bucket = |record: &RawRecord| output_bucket(Record(*record).pieces().count());
        self.order.clear();
        self.order.extend(0..records.len());
        self.order.sort_by_key(|&place| bucket(&records[place]));
        let mut start = 0;
        for (index, range) in self.buckets.iter_mut().enumerate() {
            let end = start + self.order[start..].partition_point(|&place| bucket(&records[place]) <= index);
            *range = start..end;
            start = end;
        }
    }

    /// How many slots are in use.
    #[inline(always)]
    fn slots(&self) -> usize {
        self.features.len()
    }

    /// Sorts the slots by feature.
    #[inline(always)]
    fn sort_by_feature(&mut self) {
        // Counted one place further on, so that each start is in its place once the slots are dealt out.
        self.slot_starts.fill(0);
        for slot in 0..self.slots() {
            for &feature in &self.features[slot][..self.pieces[slot / 2]] {
                self.slot_starts[usize::from(feature) + 2] += 1;
            }
        }
        let mut sum = 0;
        for start in &mut self.slot_starts {
            sum += *start;
            *start = sum;
        }
        self.slots.resize(sum as usize, 0);
        for slot in 0..self.slots() {
            for &feature in &self.features[slot][..self.pieces[slot / 2]] {
                let next = &mut self.slot_starts[usize::from(feature) + 1];
                self.slots[*next as usize] = slot as u16;
                *next += 1;
            }
        }
    }
}

/// The sum of squared errors, and what else is wanted.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+fma+bmi1+bmi2+lzcnt+popcnt"
))]
fn forward_and_backward(pass: Pass<'_>, scratch: &mut Scratch, wanted: Wanted<'_>) -> f64 {
    if pass.parameters.layout().hidden().is_multiple_of(2 * TILE) {
        work::<TILE>(pass, scratch, wanted)
    } else {
        work::<WIDTH>(pass, scratch, wanted)
    }
}

#[inline(always)]
fn work<const N: usize>(pass: Pass<'_>, scratch: &mut Scratch, mut wanted: Wanted<'_>) -> f64 {
    let parameters = pass.parameters;
    let tiles = parameters.layout().hidden() / N;
    let mut loss = 0.0;
    scratch.heads.load(parameters);
    by_tile::<N>(&parameters.numbers()[..parameters.layout().second(0, 0)], &mut scratch.weights, tiles);
    scratch.gradients.as_mut_slice().fill(0.0);
    for records in pass.records.chunks(CHUNK) {
        scratch.decode(records, pass.objective);
        for tile in 0..tiles / 2 {
            forward::<N>(parameters, scratch, tile);
        }
        head::forward::<N>(parameters, scratch);
        if let Wanted::Outputs(outputs) = &mut wanted {
            let start = outputs.len();
            outputs.resize(start + records.len(), 0.0);
            for (&place, &output) in scratch.order.iter().zip(&scratch.outputs) {
                outputs[start + place] = output;
            }
        }
        for (output, target) in scratch.outputs.iter_mut().zip(&scratch.targets) {
            let chance = sigmoid(*output);
            let error = chance - target;
            loss += f64::from(error * error);
            *output = 2.0 * error * chance * (1.0 - chance);
        }
        if let Wanted::Gradient(gradient, share) = &mut wanted {
            scratch.outputs.iter_mut().for_each(|derivative| *derivative *= *share);
            head::backward(parameters, gradient, scratch);
            scratch.sort_by_feature();
            for tile in 0..tiles / 2 {
                head::backward_second::<N>(gradient, scratch, tile);
                backward_products::<N>(parameters, scratch, tile);
                backward_features::<N>(scratch, tile);
                backward_features::<N>(scratch, tiles / 2 + tile);
            }
        }
    }
    if let Wanted::Gradient(gradient, _) = wanted {
        let rows = gradient.numbers_mut().as_chunks_mut::<N>().0;
        for (place, row) in scratch.gradients.as_slice().as_chunks::<N>().0.iter().enumerate() {
            rows[place % (FEATURES + 1) * tiles + place / (FEATURES + 1)] = *row;
        }
    }
    loss
}

/// Copies rows of weights by tile: side by side as they are worked, and not at distances that share a set of the cache.
#[inline(always)]
fn by_tile<const N: usize>(rows: &[f32], copy: &mut Numbers, tiles: usize) {
    let rows = rows.as_chunks::<N>().0;
    for (place, row) in copy.as_mut_slice().as_chunks_mut::<N>().0.iter_mut().enumerate() {
        *row = rows[place % (FEATURES + 1) * tiles + place / (FEATURES + 1)];
    }
}

/// Finds all slots' neurons of a tile of the first half and of its partner in the second, and their products.
#[inline(always)]
fn forward<const N: usize>(parameters: &Parameters, scratch: &mut Scratch, tile: usize) {
    let slots = scratch.slots();
    let half = parameters.layout().hidden() / N / 2;
    sum_features::<N>(scratch, tile);
    sum_features::<N>(scratch, half + tile);
    let neurons = scratch.neurons.as_slice().as_chunks::<N>().0;
    let [first, second] = [tile, half + tile].map(|tile| &neurons[tile * 2 * CHUNK..][..slots]);
    let products = &mut scratch.products.as_mut_slice().as_chunks_mut::<N>().0[tile * 2 * CHUNK..][..slots];
    for ((product, first), second) in products.iter_mut().zip(first).zip(second) {
        for n in 0..N {
            product[n] = first[n] * second[n];
        }
    }
}

/// Finds a tile of all slots' neurons.
#[inline(always)]
fn sum_features<const N: usize>(scratch: &mut Scratch, tile: usize) {
    let weights = &scratch.weights.as_slice().as_chunks::<N>().0[tile * (FEATURES + 1)..][..=FEATURES];
    let bias = weights[FEATURES];
    let slots = scratch.slots();
    let neurons = &mut scratch.neurons.as_mut_slice().as_chunks_mut::<N>().0[tile * 2 * CHUNK..][..slots];
    for (slot, neurons) in neurons.iter_mut().enumerate() {
        let mut sum = bias;
        for &feature in &scratch.features[slot][..scratch.pieces[slot / 2]] {
            add(&mut sum, &weights[usize::from(feature)]);
        }
        let mut clipped = [0.0; N];
        for n in 0..N {
            clipped[n] = sum[n].clamp(0.0, 1.0);
        }
        *neurons = clipped;
    }
}

/// Turns the clipped neurons of a tile of the first half and of its partner into gradients by the neurons, and adds to
/// the gradients by the feature biases.
#[inline(always)]
fn backward_products<const N: usize>(parameters: &Parameters, scratch: &mut Scratch, tile: usize) {
    let half = parameters.layout().hidden() / N / 2;
    let slots = scratch.slots();
    let gradients = scratch.gradients.as_mut_slice().as_chunks_mut::<N>().0;
    let biases = [tile, half + tile].map(|tile| tile * (FEATURES + 1) + FEATURES);
    let [mut first_bias, mut second_bias] = biases.map(|bias| gradients[bias]);
    let (first, second) = scratch.neurons.as_mut_slice().as_chunks_mut::<N>().0.split_at_mut(half * 2 * CHUNK);
    let (first, second) = (&mut first[tile * 2 * CHUNK..][..slots], &mut second[tile * 2 * CHUNK..][..slots]);
    for (bucket, positions) in scratch.buckets.iter().enumerate() {
        for (position, side) in positions.clone().flat_map(|position| [(position, 0), (position, 1)]) {
            let by_products = head::by_products::<N>(parameters, &scratch.heads, (bucket, position, side), tile);
            let slot = 2 * position + side;
            let (first, second) = (&mut first[slot], &mut second[slot]);
            for n in 0..N {
                let (a, b) = (first[n], second[n]);
                // The slope is 0 where a neuron is clipped.
                let slope = |clipped: f32| if clipped > 0.0 && clipped < 1.0 { by_products[n] } else { 0.0 };
                first[n] = slope(a) * b;
                second[n] = slope(b) * a;
                first_bias[n] += first[n];
                second_bias[n] += second[n];
            }
        }
    }
    gradients[biases[0]] = first_bias;
    gradients[biases[1]] = second_bias;
}

/// Adds to a tile of the gradients by the feature weights.
#[inline(always)]
fn backward_features<const N: usize>(scratch: &mut Scratch, tile: usize) {
    let gradients = &mut scratch.gradients.as_mut_slice().as_chunks_mut::<N>().0[tile * (FEATURES + 1)..];
    let neurons = &scratch.neurons.as_slice().as_chunks::<N>().0[tile * 2 * CHUNK..][..2 * CHUNK];
    for (feature, range) in scratch.slot_starts[..=FEATURES].windows(2).enumerate() {
        let slots = &scratch.slots[range[0] as usize..range[1] as usize];
        if slots.is_empty() {
            continue;
        }
        let row = &mut gradients[feature];
        let mut sum = *row;
        for &slot in slots {
            add(&mut sum, &neurons[usize::from(slot)]);
        }
        *row = sum;
    }
}

#[inline(always)]
fn add<const N: usize>(sum: &mut [f32; N], row: &[f32; N]) {
    for n in 0..N {
        sum[n] += row[n];
    }
}

#[cfg(test)]
mod tests;
