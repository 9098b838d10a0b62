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
mod tests {
    use super::*;
    use crate::games::game::GameResult;
    use crate::records::record::LACK_BYTE;
    use crate::records::synthetic::{random_games, random_records};
    use crate::training::model::Numbers;

    const OBJECTIVE: Objective = Objective { wdl: 0.3 };

    /// Random weights large enough that some neurons are clipped on either side.
    fn parameters(hidden: usize) -> Parameters {
        let mut parameters = Parameters::random(Layout::new(hidden), 3);
        parameters.numbers_mut().iter_mut().for_each(|weight| *weight *= 6.0);
        parameters
    }

    /// The mean loss in double precision, by the definition, one step after another.
    fn plain_loss(parameters: &[f64], layout: Layout, records: &[RawRecord]) -> f64 {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let loss = |record: &Record| {
            let pieces: Vec<_> = record.pieces().collect();
            let bucket = output_bucket(pieces.len());
            let mut products = Vec::new();
            for (side, color) in Color::ALL.into_iter().enumerate() {
                let view = Perspective::new(color, record.kings()[side]);
                let neuron = |neuron: usize| {
                    let weight = |start: usize| parameters[start + neuron];
                    let features = pieces.iter().map(|&(piece, square)| layout.feature(view.feature(piece, square)));
                    (weight(layout.bias()) + features.map(weight).sum::<f64>()).clamp(0.0, 1.0)
                };
                let pairs = layout.hidden() / 2;
                products.extend((0..pairs).map(|i| neuron(i) * neuron(pairs + i)));
            }
            let sum = |bias: usize, weights: usize, inputs: &[f64]| {
                parameters[bias]
                    + inputs.iter().enumerate().map(|(i, input)| parameters[weights + i] * input).sum::<f64>()
            };
            let second: Vec<f64> =
                (0..16).map(|j| sum(layout.second_biases(bucket) + j, layout.second(bucket, j), &products)).collect();
            let squares = second.iter().map(|v| v * v);
            let inputs: Vec<f64> = second.iter().copied().chain(squares).map(|v| v.clamp(0.0, 1.0)).collect();
            let third: Vec<f64> = (0..32)
                .map(|k| sum(layout.third_biases(bucket) + k, layout.third(bucket) + 32 * k, &inputs))
                .map(|v| v.clamp(0.0, 1.0).powi(2))
                .collect();
            let output = sum(layout.output_bias(bucket), layout.outputs(bucket), &third);
            let score = sigmoid(f64::from(record.score()) / 400.0);
            let target = record.result().map_or(score, |result| 0.3 * f64::from(result) + 0.7 * score);
            (sigmoid(output) - target).powi(2)
        };
        records.iter().map(|&record| loss(&Record(record))).sum::<f64>() / records.len() as f64
    }

    #[test]
    fn loss_is_as_defined() {
        // More positions than a chunk, and a rest.
        let mut records = random_records(1, CHUNK + 100);
        // Some without a result.
        records.iter_mut().step_by(3).for_each(|record| record[LACK_BYTE] = 1);
        for hidden in [32, 2 * TILE, 2 * TILE + 32, 4 * TILE] {
            let parameters = parameters(hidden);
            let wide: Vec<f64> = parameters.numbers().iter().copied().map(f64::from).collect();
            let expected = plain_loss(&wide, parameters.layout(), &records);
            let mut worker = Worker::new(parameters.layout());
            let count = records.len() as f64;
            let loss = worker.loss(&parameters, &records, OBJECTIVE) / count;
            assert!((loss - expected).abs() < 1e-6, "{hidden}: {loss} for {expected}");
            assert_eq!(worker.train(&parameters, &records, OBJECTIVE, 1.0) / count, loss);
        }
    }

    #[test]
    fn gradient_is_the_slope_of_the_loss() {
        const STEP: f64 = 1e-6;
        let records = random_records(2, 100);
        for hidden in [32, 2 * TILE] {
            let parameters = parameters(hidden);
            let layout = parameters.layout();
            let mut worker = Worker::new(layout);
            worker.train(&parameters, &records, OBJECTIVE, 1.0 / records.len() as f32);
            let mut wide: Vec<f64> = parameters.numbers().iter().copied().map(f64::from).collect();
            // Some of the weights of each layer, of all buckets.
            let ends = [0, layout.bias(), layout.second(0, 0), layout.second_biases(0), layout.count()];
            let places = ends.windows(2).flat_map(|ends| (ends[0]..ends[1]).step_by((ends[1] - ends[0]) / 300 + 1));
            let mut nonzero = 0;
            for place in places {
                let weight = wide[place];
                let mut loss_at = |weight: f64| {
                    wide[place] = weight;
                    plain_loss(&wide, layout, &records)
                };
                let expected = (loss_at(weight + STEP) - loss_at(weight - STEP)) / (2.0 * STEP);
                wide[place] = weight;
                let found = f64::from(worker.gradient().numbers()[place]);
                assert!((found - expected).abs() < 1e-7 + 1e-3 * expected.abs(), "{place}: {found} for {expected}");
                nonzero += usize::from(expected != 0.0);
            }
            assert!(nonzero > 100, "only {nonzero} slopes tell anything");
        }
    }

    #[test]
    fn kernel_and_inference_agree() {
        let parameters = parameters(eval::arch::HIDDEN);
        let mut worker = Worker::new(parameters.layout());
        for game in random_games(4, 3) {
            for step in game.replay() {
                let board = step.unwrap().board;
                // A won game and nothing but its result as target: the loss tells the output.
                let winner = if board.turn() == Color::White { GameResult::WhiteWins } else { GameResult::BlackWins };
                let record = Record::new(&board, 0, Some(winner));
                let loss = worker.loss(&parameters, &[record.0], Objective { wdl: 1.0 });
                let expected = f64::from(1.0 - sigmoid(parameters.evaluate(&board))).powi(2);
                assert!((loss - expected).abs() < 1e-4, "{loss} for {expected} in {board:?}");
            }
        }
    }

    #[test]
    fn any_bytes_can_be_trained_on() {
        let layout = Layout::new(32);
        let mut worker = Worker::new(layout);
        let records: Vec<RawRecord> = (0..=255).map(|byte| [byte; 32]).collect();
        assert!(worker.train(&Parameters::random(layout, 1), &records, OBJECTIVE, 1.0).is_finite());
    }

    #[test]
    fn no_positions_give_no_gradient() {
        let layout = Layout::new(32);
        let mut worker = Worker::new(layout);
        let parameters = Parameters::random(layout, 1);
        worker.train(&parameters, &random_records(1, 10), OBJECTIVE, 1.0);
        assert_eq!(worker.train(&parameters, &[], OBJECTIVE, 1.0), 0.0);
        assert_eq!(worker.gradient().numbers(), Numbers::zero(layout.count()).as_slice());
    }
}
