//! How to train: everything that, with the data, decides the outcome.

use std::f64::consts::PI;

use eval::arch::OUTPUT_BUCKETS;
use serde::{Deserialize, Serialize};

/// Everything that, with the data, decides what network comes out, to the last bit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// Of the random weights training starts from.
    pub seed: u64,
    /// Positions in a batch.
    pub batch_size: usize,
    /// Batches in a superbatch, after which the network is validated and saved.
    pub batches: u64,
    /// Superbatches in all.
    pub superbatches: u64,
    /// The first learning rate.
    pub learning_rate_start: f64,
    /// The last learning rate, approached along half a cosine wave.
    pub learning_rate_end: f64,
    /// Batches over which the learning rate rises evenly to what it would be without; 0 for none.
    #[serde(default)]
    pub warm_up: u64,
    /// The share of the game's result in the target at the start; the rest is the score.
    pub wdl_start: f64,
    /// The share of the game's result at the end, approached evenly.
    pub wdl_end: f64,
    /// How much of each weight decays in a step at a learning rate of 1.
    pub weight_decay: f64,
    /// Whether each pass over the data has an order of its own, drawn from the seed, instead of the file's.
    #[serde(default)]
    pub reorder: bool,
    /// The only output bucket that learns, with the pairs of hidden neurons that no other bucket uses.
    #[serde(default)]
    pub only_bucket: Option<usize>,
    /// Whether errors and gradients are those of the weights rounded to what the network's integers can hold.
    #[serde(default)]
    pub rounded: bool,
    /// Parts in which each batch is worked in parallel: best the number of cores. Sums depend on it, so it belongs
    /// to the recipe, not to the machine.
    pub parts: usize,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            seed: 1,
            batch_size: 16_384,
            batches: 6_104,
            superbatches: 60,
            learning_rate_start: 1e-3,
            learning_rate_end: 2.43e-6,
            warm_up: 0,
            wdl_start: 0.4,
            wdl_end: 0.4,
            weight_decay: 0.01,
            reorder: false,
            only_bucket: None,
            rounded: false,
            parts: 2,
        }
    }
}

/// The largest batch: several are in memory at a time, and 32 bytes a position.
const MAX_BATCH_SIZE: f64 = 16_777_216.0;

/// The most parts: each holds a gradient of its own, and hardly a machine has more cores.
const MAX_PARTS: f64 = 1024.0;

/// The most batches in a superbatch, and superbatches: the positions of a superbatch can then be counted in a `u64`.
const MAX_COUNT: f64 = u32::MAX as f64;

/// A number of a recipe is outside its range.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{what} is {value}, not from {low} to {high}")]
pub struct RecipeError {
    /// The number's name.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// The least value allowed.
    pub low: f64,
    /// The greatest value allowed.
    pub high: f64,
}

impl Recipe {
    /// Checks that training can follow the recipe.
    ///
    /// # Errors
    ///
    /// The first number that makes no sense.
    pub fn check(&self) -> Result<(), RecipeError> {
        let ranges = [
            ("batch size", self.batch_size as f64, 1.0, MAX_BATCH_SIZE),
            ("number of batches", self.batches as f64, 1.0, MAX_COUNT),
            ("number of superbatches", self.superbatches as f64, 1.0, MAX_COUNT),
            ("number of parts", self.parts as f64, 1.0, MAX_PARTS),
            ("starting learning rate", self.learning_rate_start, 0.0, 1.0),
            ("final learning rate", self.learning_rate_end, 0.0, 1.0),
            ("starting share of results", self.wdl_start, 0.0, 1.0),
            ("final share of results", self.wdl_end, 0.0, 1.0),
            ("weight decay", self.weight_decay, 0.0, 1.0),
            ("output bucket", self.only_bucket.unwrap_or_default() as f64, 0.0, (OUTPUT_BUCKETS - 1) as f64),
        ];
        let outside = |&(_, value, low, high): &(_, f64, f64, f64)| !(low..=high).contains(&value);
        let found = ranges.into_iter().find(outside);
        found.map_or(Ok(()), |(what, value, low, high)| Err(RecipeError { what, value, low, high }))
    }

    /// Batches in all.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.batches.saturating_mul(self.superbatches)
    }

    /// The learning rate of a batch, counted from 0.
    #[must_use]
    pub fn learning_rate(&self, step: u64) -> f64 {
        let (start, end) = (self.learning_rate_start, self.learning_rate_end);
        let full = end + (start - end) * 0.5 * (1.0 + (PI * self.progress(step)).cos());
        if step < self.warm_up { full * (step + 1) as f64 / self.warm_up as f64 } else { full }
    }

    /// The share of the game's result in the target of a batch, counted from 0.
    #[must_use]
    pub fn wdl(&self, step: u64) -> f64 {
        self.wdl_start + (self.wdl_end - self.wdl_start) * self.progress(step)
    }

    /// From 0 for the first batch to 1 for the last.
    fn progress(&self, step: u64) -> f64 {
        step as f64 / self.steps().saturating_sub(1).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_run_from_start_to_end() {
        let recipe = Recipe { superbatches: 3, batches: 100, wdl_start: 0.2, wdl_end: 0.5, ..Recipe::default() };
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(close(recipe.learning_rate(0), recipe.learning_rate_start));
        assert!(close(recipe.learning_rate(299), recipe.learning_rate_end));
        assert!((1..300).all(|step| recipe.learning_rate(step) < recipe.learning_rate(step - 1)));
        assert!(close(recipe.wdl(0), 0.2) && close(recipe.wdl(299), 0.5));
        assert!((1..300).all(|step| recipe.wdl(step) > recipe.wdl(step - 1)));
        let single = Recipe { superbatches: 1, batches: 1, ..recipe };
        assert!(close(single.learning_rate(0), single.learning_rate_start));
    }

    #[test]
    fn the_learning_rate_rises_evenly_where_asked_to() {
        let plain = Recipe { superbatches: 3, batches: 100, ..Recipe::default() };
        let warmed = Recipe { warm_up: 20, ..plain.clone() };
        for step in 0..300 {
            let share = ((step + 1) as f64 / 20.0).min(1.0);
            assert!((warmed.learning_rate(step) - share * plain.learning_rate(step)).abs() < 1e-15, "{step}");
        }
        // Longer than the training: it never gets to the full rate.
        let endless = Recipe { warm_up: u64::MAX, ..plain };
        assert!((0..300).all(|step| endless.learning_rate(step) < 1e-15));
    }

    #[test]
    fn recipes_of_older_trainings_are_read() {
        let mut recipe = serde_json::to_value(Recipe::default()).unwrap();
        for newer in ["warm_up", "reorder"] {
            assert!(recipe.as_object_mut().unwrap().remove(newer).is_some());
        }
        assert_eq!(serde_json::from_value::<Recipe>(recipe).unwrap(), Recipe::default());
    }

    #[test]
    fn impossible_recipes_are_refused() {
        let usual = Recipe::default;
        assert_eq!(usual().check(), Ok(()));
        for (impossible, culprit) in [
            (Recipe { batch_size: 0, ..usual() }, "batch size"),
            (Recipe { batch_size: usize::MAX, ..usual() }, "batch size"),
            (Recipe { batches: 0, ..usual() }, "number of batches"),
            (Recipe { batches: u64::MAX, ..usual() }, "number of batches"),
            (Recipe { superbatches: u64::MAX, ..usual() }, "number of superbatches"),
            (Recipe { parts: 0, ..usual() }, "number of parts"),
            (Recipe { parts: 1025, ..usual() }, "number of parts"),
        ] {
            assert_eq!(impossible.check().unwrap_err().what, culprit);
        }
        for wdl_end in [-0.1, 1.5, f64::NAN, f64::INFINITY] {
            assert_eq!(Recipe { wdl_end, ..usual() }.check().unwrap_err().what, "final share of results");
        }
    }

    #[test]
    fn the_largest_superbatch_can_be_counted() {
        let largest = Recipe { batch_size: 1 << 24, batches: u64::from(u32::MAX), ..Recipe::default() };
        assert_eq!(largest.check(), Ok(()));
        assert!(largest.batches.checked_mul(largest.batch_size as u64).is_some());
    }
}
