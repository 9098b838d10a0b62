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
            parameters[bias] + inputs.iter().enumerate().map(|(i, input)| parameters[weights + i] * input).sum::<f64>()
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
