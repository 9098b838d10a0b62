//! Training one output bucket alone: whatever any other bucket evaluates stays exactly as it is.
//!
//! The bucket's own output weights learn, and so do the inputs of hidden neurons that no other bucket uses, such as those
//! of a network that has just [grown](crate::training::grow).

use eval::arch::{FEATURES, OUTPUT_BUCKETS};

use crate::training::model::Parameters;

/// The weights that other buckets use.
#[derive(Clone, PartialEq, Debug)]
pub struct Frozen {
    /// The weights before training.
    parameters: Parameters,
    /// The bucket that learns.
    bucket: usize,
    /// By hidden neuron: whether another bucket uses it.
    used: Vec<bool>,
}

impl Frozen {
    /// All weights but those of one bucket.
    #[must_use]
    pub fn all_but(bucket: usize, parameters: &Parameters) -> Self {
        let layout = parameters.layout();
        let is_used = |neuron: usize| {
            let others = (0..OUTPUT_BUCKETS).filter(|&other| other != bucket);
            others
                .flat_map(|other| [0, 1].map(|side| parameters.row(layout.output(other, side))[neuron]))
                .any(|w| w != 0.0)
        };
        Self { parameters: parameters.clone(), bucket, used: (0..layout.hidden()).map(is_used).collect() }
    }

    /// Takes back what a step has changed of the frozen weights.
    pub fn restore(&self, parameters: &mut Parameters) {
        let layout = self.parameters.layout();
        let (hidden, outputs) = (layout.hidden(), layout.outputs(self.bucket));
        let bias = layout.output_bias(self.bucket);
        let (kept, numbers) = (self.parameters.numbers(), parameters.numbers_mut());
        for row in (0..=FEATURES).map(|feature| layout.feature(feature)) {
            let rows = numbers[row..row + hidden].iter_mut().zip(&kept[row..row + hidden]);
            rows.zip(&self.used).filter(|(_, used)| **used).for_each(|((number, kept), _)| *number = *kept);
        }
        for frozen in [layout.output(0, 0)..outputs.start, outputs.end..bias, bias + 1..layout.count()] {
            numbers[frozen.clone()].copy_from_slice(&kept[frozen]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::synthetic::random_games;
    use crate::training::model::Layout;

    #[test]
    fn only_the_bucket_and_its_own_neurons_learn() {
        let layout = Layout::new(32);
        let mut before = Parameters::random(layout, 1);
        // The last neuron is the bucket's own.
        for bucket in 1..OUTPUT_BUCKETS {
            for side in 0..2 {
                before.numbers_mut()[layout.output(bucket, side) + 31] = 0.0;
            }
        }
        let mut after = before.clone();
        after.numbers_mut().iter_mut().for_each(|number| *number += 0.1);
        Frozen::all_but(0, &before).restore(&mut after);
        let changed = |index: usize| before.numbers()[index] != after.numbers()[index];
        for feature in [0, FEATURES - 1, FEATURES] {
            assert!(!changed(layout.feature(feature)) && changed(layout.feature(feature) + 31));
        }
        assert!(layout.outputs(0).all(changed) && changed(layout.output_bias(0)));
        assert!(!(layout.output(1, 0)..layout.output_bias(0)).any(changed) && !changed(layout.output_bias(7)));
        for board in random_games(5, 3).iter().flat_map(|game| game.replay()).map(|step| step.unwrap().board) {
            let bucket = eval::arch::output_bucket(board.occupied().count());
            assert!(bucket == 0 || before.evaluate(&board) == after.evaluate(&board), "{board:?}");
        }
    }
}
