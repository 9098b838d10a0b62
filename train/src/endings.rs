//! Endings whose outcome is known: records of them for training ([`endgames`]), and an [`exam`] of a network on them.

pub mod endgames;
pub mod exam;
