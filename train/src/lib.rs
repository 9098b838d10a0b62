//! Training: self-play data and the trainer.
//!
//! The way from games to a network:
//!
//! 1. Self-play writes [games](game) in viriformat to [files of compressed blocks](blocks).
//! 2. [`prepare`] reads any number of them, [leaves out](filter) what teaches little, holds whole games out for
//!    validation, and writes fixed-size [records](record) in [random order](shuffle).
//!    [Endings](endgames) that are solved may be added.
//! 3. [`trainer`] follows a [recipe]: [batches](loader) of records through the [inner loops](kernel) to
//!    gradients, gradients through [AdamW](optimizer) to [weights](model), with a [checkpoint] and a [plot] of the
//!    losses after each superbatch.
//! 4. A larger network may [grow] from a smaller one.
//! 5. The weights are [quantised](model::Parameters::quantise) to an [`eval::Network`].
//!
//! The same data and recipe give the same network to the last bit, on any number of threads; between machines only
//! the mathematical library may round differently.

pub mod blocks;
pub mod checkpoint;
pub mod datagen;
pub mod endgames;
pub mod exam;
pub mod filter;
pub mod frozen;
pub mod game;
pub mod grow;
pub mod kernel;
pub mod ledger;
pub mod loader;
pub mod model;
pub mod network_file;
pub mod optimizer;
pub mod plot;
pub mod prepare;
pub mod recipe;
pub mod record;
pub mod rescore;
pub mod seed;
pub mod shuffle;
pub mod spsa;
pub mod synthetic;
pub mod trainer;
pub mod validation;
pub mod wdl;
