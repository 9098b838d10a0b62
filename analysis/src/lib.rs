//! Commands for people, on top of the rules and the engine.
//!
//! Each command is a module with its arguments and a function `run`; the program only chooses among them. [`pgn`] is
//! the format they share, [`uci_client`] how they speak to engines.

pub mod analyse;
pub mod pgn;
pub mod play;
pub mod report;
pub mod uci_client;
pub mod winnable;
