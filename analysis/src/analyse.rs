//! `vancura analyse`: games and positions, looked at move by move.

pub mod judge;
pub mod model;
