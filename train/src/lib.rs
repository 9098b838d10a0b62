//! Training: self-play data, the trainer of the network, and what else learns from games.
//!
//! # The way from games to a network
//!
//! 1. [`selfplay`] writes games in viriformat to files of compressed blocks, which are those of [`games`].
//! 2. [`records`]: a preparation reads any number of those, leaves out what teaches little, holds whole games out for
//!    validation, and writes records of fixed size in random order.
//! 3. [`endings`]: records of solved endings may be added, and a network is examined on them.
//! 4. [`training`]: the trainer follows a recipe through the records, and writes a network.
//! 5. [`exam`]: positions that never change, searched deeply, on which networks are compared.
//!
//! [`tuning`] uses games for numbers other than those of the network.
//!
//! The same data and recipe give the same network to the last bit, on any number of threads; between machines only
//! the mathematical library may round differently.
//!
//! Each room imports only those before it in this list, and none imports `tuning`; a test holds them to that
//! (`tests/tests/crates/layers.rs`).

pub mod endings;
pub mod exam;
pub mod games;
pub mod records;
pub mod selfplay;
pub mod training;
pub mod tuning;
