//! The layers behind the hidden neurons: forward, and backward to the products.
//!
//! Each output bucket has weights of its own, so the positions of a bucket are worked one after the other. A product
//! times its weights is one vector, of all neurons of the second layer; backward, a neuron's weights are tiles as those
//! of the features are. Hence the weights are held both ways round.

use eval::arch::{OUTPUT_BUCKETS, SECOND, THIRD};

use super::{CHUNK, Scratch};
use crate::training::model::{Layout, Numbers, Parameters, THIRD_INPUTS, WIDTH};

/// Positions whose second layer is worked at a time, so that a weight read once is used for each of them.
const TOGETHER: usize = 4;

/// The second layer's neurons whose weights' gradients are worked at a time: with more, tiles leave the registers.
const NEURONS: usize = 2;

/// What is known of the layers behind the hidden neurons.
#[derive(Debug)]
pub(super) struct Heads {
    layout: Layout,
    /// By bucket and product: the weights of all neurons of the second layer.
    second: Numbers,
    /// By bucket and input: the weights of all neurons of the third layer.
    third: Numbers,
    /// By position: the second layer's sums; then the gradients of the loss by them.
    sums: Vec<[f32; SECOND]>,
}

impl Heads {
    pub(super) fn new(layout: Layout) -> Self {
        Self {
            layout,
            second: Numbers::zero(OUTPUT_BUCKETS * SECOND * layout.hidden()),
            third: Numbers::zero(OUTPUT_BUCKETS * THIRD_INPUTS * THIRD),
            sums: Vec::with_capacity(CHUNK),
        }
    }

    /// Takes up weights the other way round.
    #[inline(always)]
    pub(super) fn load(&mut self, parameters: &Parameters) {
        let (layout, numbers) = (self.layout, parameters.numbers());
        let transpose = |rows: &[f32], length: usize, columns: &mut [f32]| {
            let count = rows.len() / length;
            for (neuron, row) in rows.chunks(length).enumerate() {
                row.iter().enumerate().for_each(|(input, weight)| columns[input * count + neuron] = *weight);
            }
        };
        let hidden = layout.hidden();
        for bucket in 0..OUTPUT_BUCKETS {
            let columns = &mut self.second.as_mut_slice()[bucket * SECOND * hidden..][..SECOND * hidden];
            transpose(&numbers[layout.second_layer(bucket)], hidden, columns);
            let columns = &mut self.third.as_mut_slice()[bucket * THIRD * THIRD_INPUTS..][..THIRD * THIRD_INPUTS];
            transpose(&numbers[layout.third(bucket)..][..THIRD * THIRD_INPUTS], THIRD_INPUTS, columns);
        }
    }

    /// The inputs of the third layer, its neurons clipped to 0..=1, and the output.
    #[inline(always)]
    fn propagate(
        &self,
        parameters: &Parameters,
        bucket: usize,
        sums: &[f32; SECOND],
    ) -> ([f32; THIRD_INPUTS], [f32; THIRD], f32) {
        let (layout, numbers) = (self.layout, parameters.numbers());
        let mut inputs = [0.0; THIRD_INPUTS];
        for (j, &sum) in sums.iter().enumerate() {
            inputs[j] = sum.clamp(0.0, 1.0);
            inputs[SECOND + j] = (sum * sum).min(1.0);
        }
        let weights = &self.third.as_slice().as_chunks::<THIRD>().0[bucket * THIRD_INPUTS..];
        let mut neurons = numbers[layout.third_biases(bucket)..].as_chunks::<THIRD>().0[0];
        for (&input, weights) in inputs.iter().zip(weights) {
            add_times(&mut neurons, input, weights);
        }
        neurons.iter_mut().for_each(|neuron| *neuron = neuron.clamp(0.0, 1.0));
        let weights = &numbers[layout.outputs(bucket)..].as_chunks::<THIRD>().0[0];
        let mut output = numbers[layout.output_bias(bucket)];
        for (neuron, weight) in neurons.iter().zip(weights) {
            output = (neuron * neuron).mul_add(*weight, output);
        }
        (inputs, neurons, output)
    }
}

/// Finds the outputs of all positions from the products of their neurons.
#[inline(always)]
pub(super) fn forward<const N: usize>(parameters: &Parameters, scratch: &mut Scratch) {
    let Scratch { heads, products, buckets, outputs, order, .. } = scratch;
    let layout = heads.layout;
    let biases = parameters.numbers()[layout.second_biases(0)..].as_chunks::<SECOND>().0;
    let products = products.as_slice().as_chunks::<N>().0;
    heads.sums.clear();
    heads.sums.resize(order.len(), [0.0; SECOND]);
    outputs.clear();
    for (bucket, positions) in buckets.iter().enumerate() {
        let weights = &heads.second.as_slice().as_chunks::<SECOND>().0[bucket * layout.hidden()..][..layout.hidden()];
        heads.sums[positions.clone()].fill(biases[bucket]);
        let (together, rest) = heads.sums[positions.clone()].as_chunks_mut::<TOGETHER>();
        let first_of_rest = positions.start + together.len() * TOGETHER;
        for (block, sums) in together.iter_mut().enumerate() {
            sum_products::<N, TOGETHER>(sums, products, positions.start + block * TOGETHER, weights);
        }
        for (index, sums) in rest.iter_mut().enumerate() {
            sum_products::<N, 1>(std::array::from_mut(sums), products, first_of_rest + index, weights);
        }
        // Not in a closure, which would be compiled without the instructions that this loop has.
        for sums in &heads.sums[positions.clone()] {
            outputs.push(heads.propagate(parameters, bucket, sums).2);
        }
    }
}

/// Adds to the second layers of some positions of one bucket, from `first` on, what their products add.
#[inline(always)]
fn sum_products<const N: usize, const Q: usize>(
    sums: &mut [[f32; SECOND]; Q],
    products: &[[f32; N]],
    first: usize,
    weights: &[[f32; SECOND]],
) {
    let half = weights.len() / 2;
    let mut local = *sums;
    for (side, weights) in weights.chunks(half).enumerate() {
        for (tile, weights) in weights.as_chunks::<N>().0.iter().enumerate() {
            let inputs: [&[f32; N]; Q] = std::array::from_fn(|q| &products[tile * 2 * CHUNK + 2 * (first + q) + side]);
            for n in 0..N {
                for q in 0..Q {
                    add_times(&mut local[q], inputs[q][n], &weights[n]);
                }
            }
        }
    }
    *sums = local;
}

/// Turns the gradients by the outputs into those by the second layer's sums; adds to the gradients by all weights behind
/// them and by the second layer's biases.
#[inline(always)]
pub(super) fn backward(parameters: &Parameters, gradient: &mut Parameters, scratch: &mut Scratch) {
    let Scratch { heads, buckets, outputs, .. } = scratch;
    let (layout, numbers) = (heads.layout, parameters.numbers());
    for (bucket, positions) in buckets.iter().enumerate() {
        let third = &numbers[layout.third(bucket)..].as_chunks::<THIRD_INPUTS>().0[..THIRD];
        let output_weights = &numbers[layout.outputs(bucket)..].as_chunks::<THIRD>().0[0];
        let mut by_second_biases = [0.0; SECOND];
        let mut by_third = [[0.0; THIRD_INPUTS]; THIRD];
        let (mut by_third_biases, mut by_outputs, mut by_output_bias) = ([0.0; THIRD], [0.0; THIRD], 0.0);
        for position in positions.clone() {
            let (derivative, sums) = (outputs[position], heads.sums[position]);
            let (inputs, neurons, _) = heads.propagate(parameters, bucket, &sums);
            by_output_bias += derivative;
            let mut by_inputs = [0.0; THIRD_INPUTS];
            for k in 0..THIRD {
                let neuron = neurons[k];
                by_outputs[k] += derivative * neuron * neuron;
                let slope = if neuron < 1.0 { 2.0 * neuron } else { 0.0 };
                let by_neuron = derivative * output_weights[k] * slope;
                by_third_biases[k] += by_neuron;
                add_times(&mut by_third[k], by_neuron, &inputs);
                add_times(&mut by_inputs, by_neuron, &third[k]);
            }
            for j in 0..SECOND {
                let plain = if inputs[j] > 0.0 && inputs[j] < 1.0 { by_inputs[j] } else { 0.0 };
                let squared = if inputs[SECOND + j] < 1.0 { 2.0 * sums[j] * by_inputs[SECOND + j] } else { 0.0 };
                heads.sums[position][j] = plain + squared;
                by_second_biases[j] += plain + squared;
            }
        }
        let mut add = |start: usize, terms: &[f32]| {
            let sums = &mut gradient.numbers_mut()[start..start + terms.len()];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        };
        add(layout.second_biases(bucket), &by_second_biases);
        add(layout.third(bucket), by_third.as_flattened());
        add(layout.third_biases(bucket), &by_third_biases);
        add(layout.outputs(bucket), &by_outputs);
        add(layout.output_bias(bucket), &[by_output_bias]);
    }
}

/// Adds to the gradients by the second layer's weights of a tile of products.
#[inline(always)]
pub(super) fn backward_second<const N: usize>(gradient: &mut Parameters, scratch: &Scratch, tile: usize) {
    let Scratch { heads, products, buckets, .. } = scratch;
    let layout = heads.layout;
    let products = &products.as_slice().as_chunks::<N>().0[tile * 2 * CHUNK..][..2 * CHUNK];
    let gradients = gradient.numbers_mut().as_chunks_mut::<N>().0;
    for (bucket, positions) in buckets.iter().enumerate().filter(|(_, positions)| !positions.is_empty()) {
        for side in 0..2 {
            for neuron in (0..SECOND).step_by(NEURONS) {
                let rows: [usize; NEURONS] = std::array::from_fn(|i| {
                    (layout.second(bucket, neuron + i) + side * layout.hidden() / 2) / N + tile
                });
                let mut sums = rows.map(|row| gradients[row]);
                for position in positions.clone() {
                    let products = &products[2 * position + side];
                    for (i, sums) in sums.iter_mut().enumerate() {
                        add_times(sums, heads.sums[position][neuron + i], products);
                    }
                }
                rows.into_iter().zip(sums).for_each(|(row, sums)| gradients[row] = sums);
            }
        }
    }
}

/// The gradients of the loss by a tile of the products of a position and side.
#[inline(always)]
pub(super) fn by_products<const N: usize>(
    parameters: &Parameters,
    heads: &Heads,
    (bucket, position, side): (usize, usize, usize),
    tile: usize,
) -> [f32; N] {
    let layout = heads.layout;
    let weights = parameters.numbers().as_chunks::<N>().0;
    let first = (layout.second(bucket, 0) + side * layout.hidden() / 2) / N + tile;
    let mut sums = [0.0; N];
    for (neuron, &derivative) in heads.sums[position].iter().enumerate() {
        add_times(&mut sums, derivative, &weights[first + neuron * (layout.hidden() / N)]);
    }
    sums
}

/// Adds a row times a factor.
#[inline(always)]
fn add_times<const N: usize>(sums: &mut [f32; N], factor: f32, row: &[f32; N]) {
    for n in 0..N {
        sums[n] = factor.mul_add(row[n], sums[n]);
    }
}

const _: () = assert!(SECOND == WIDTH && THIRD.is_multiple_of(WIDTH) && THIRD_INPUTS.is_multiple_of(WIDTH));
