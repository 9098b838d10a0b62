//! What the integration tests in `tests/` share: the public test sets, their formats, games played in parallel with
//! independent libraries and random play.

pub mod data;
pub mod game;
pub mod lines;
pub mod peers;
pub mod play;
pub mod session;
pub mod suite;
pub mod transcript;
