//! Training one output bucket alone: whatever any other bucket evaluates stays exactly as it is.
//!
//! The bucket's own weights behind the hidden neurons learn, and so do the inputs of pairs of hidden neurons that no
//! other bucket uses, such as those of a network that has just [grown](crate::training::grow).

use eval::arch::{FEATURES, OUTPUT_BUCKETS, SECOND};

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
        let pairs = layout.hidden() / 2;
        let others = (0..OUTPUT_BUCKETS).filter(|&other| other != bucket);
        let rows = others.flat_map(|other| (0..SECOND).map(move |neuron| layout.second(other, neuron)));
        let rows: Vec<&[f32]> = rows.map(|row| parameters.row(row)).collect();
        let is_used =
            |neuron: usize| rows.iter().any(|row| row[neuron % pairs] != 0.0 || row[pairs + neuron % pairs] != 0.0);
        Self { parameters: parameters.clone(), bucket, used: (0..layout.hidden()).map(is_used).collect() }
    }

    /// Takes back what a step has changed of the frozen weights.
    pub fn restore(&self, parameters: &mut Parameters) {
        let layout = self.parameters.layout();
        let hidden = layout.hidden();
        let (kept, numbers) = (self.parameters.numbers(), parameters.numbers_mut());
        for row in (0..=FEATURES).map(|feature| layout.feature(feature)) {
            let rows = numbers[row..row + hidden].iter_mut().zip(&kept[row..row + hidden]);
            rows.zip(&self.used).filter(|(_, used)| **used).for_each(|((number, kept), _)| *number = *kept);
        }
        for frozen in (0..OUTPUT_BUCKETS).filter(|&bucket| bucket != self.bucket).flat_map(|b| layout.of_bucket(b)) {
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
    fn only_the_bucket_and_its_own_pairs_learn() {
        let layout = Layout::new(32);
        let mut before = Parameters::random(layout, 1);
        // The last pair is the bucket's own.
        for neuron in
            (1..OUTPUT_BUCKETS).flat_map(|bucket| (0..SECOND).map(move |neuron| layout.second(bucket, neuron)))
        {
            before.numbers_mut()[neuron + 15] = 0.0;
            before.numbers_mut()[neuron + 31] = 0.0;
        }
        let mut after = before.clone();
        after.numbers_mut().iter_mut().for_each(|number| *number += 0.1);
        Frozen::all_but(0, &before).restore(&mut after);
        let changed = |index: usize| before.numbers()[index] != after.numbers()[index];
        for feature in [0, FEATURES - 1, FEATURES].map(|feature| layout.feature(feature)) {
            let learned: Vec<usize> = (0..32).filter(|neuron| changed(feature + neuron)).collect();
            assert_eq!(learned, [15, 31]);
        }
        assert!(layout.of_bucket(0).into_iter().flatten().all(changed));
        assert!(!(1..OUTPUT_BUCKETS).flat_map(|bucket| layout.of_bucket(bucket)).flatten().any(changed));
        for board in random_games(5, 3).iter().flat_map(|game| game.replay()).map(|step| step.unwrap().board) {
            let bucket = eval::arch::output_bucket(board.occupied().count());
            assert!(bucket == 0 || before.evaluate(&board) == after.evaluate(&board), "{board:?}");
        }
    }
}
