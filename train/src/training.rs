//! From records to a network.
//!
//! The [`trainer`] follows a [`recipe`]: [batches](loader) of records through the [inner loops](kernel) to gradients,
//! gradients through [AdamW](optimizer) to weights, the parameters of a [`model`], some of which may be [`frozen`]. After
//! each superbatch come the losses on games held out ([`validation`]), a [`checkpoint`], from which training goes on after
//! an interruption, and a [`plot`]. At the end the weights are [quantised](model::Parameters::quantise) to an
//! [`eval::Network`], whose neurons can be [arranged](arrange) for speed.
//!
//! Training begins from random weights, from a [`seed`] that already knows what pieces are worth, or from a smaller network
//! that [grows](grow). [`rescore`] lets trained networks teach: their scores replace those in records.

pub mod arrange;
pub mod checkpoint;
pub mod frozen;
pub mod grow;
pub mod kernel;
pub mod loader;
pub mod model;
pub mod network_file;
pub mod optimizer;
pub mod plot;
pub mod recipe;
pub mod rescore;
pub mod seed;
pub mod trainer;
pub mod validation;
