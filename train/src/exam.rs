//! The exam of networks: positions that never change, with the scores of deep searches, so that two networks, and the
//! recipes that made them, are compared by the same thing however the pool of games grows. None of them is in a pool.
//!
//! An exam has three [sets](Set). Their positions are [drawn](draw) from games and searches that are played for this
//! alone, [labelled](label) by a search of a million nodes, and kept in a [work file](work) until enough are there;
//! [`mod@file`] is the exam itself. A network's static evaluation is compared with the labels set by set and
//! class by class ([`class`], [`marks`]). [`drift`] asks something else: how scores change when a search goes on.

pub mod class;
pub mod draw;
pub mod drift;
pub mod file;
pub mod label;
pub mod marks;
mod set;
pub mod work;

pub use set::{Labelled, MAX_SCORE, Set};
