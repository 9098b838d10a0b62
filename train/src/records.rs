//! Positions to learn from, made of games.
//!
//! [`prepare`] reads files of games, asks the [`filter`] which positions teach something, and writes each as a [`record`] of
//! fixed size, in random order ([`shuffle`]). [`synthetic`] games and records are for tests and trials.

pub mod filter;
pub mod prepare;
pub mod record;
pub mod shuffle;
pub mod synthetic;
