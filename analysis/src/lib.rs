//! Commands for people, on top of the rules and the engine.
//!
//! Each command is a module with its arguments and a function `run`; the program only chooses among them. [`pgn`] is
//! the format they share, [`uci_client`] how they speak to engines.

pub mod analyse;
mod board_argument;
pub mod doctor;
pub mod epd;
pub mod eval;
mod interrupt;
mod markdown;
pub mod mate;
mod ordered;
pub mod perft;
pub mod pgn;
pub mod play;
pub mod report;
pub mod speedtest;
mod spill;
pub mod suite;
pub mod tb;
pub mod uci_client;
mod variation;
pub mod winnable;
