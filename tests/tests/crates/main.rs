//! The crates from outside: against independent libraries, the public test sets and recorded conversations.

mod analyse;
mod differential;
mod endgame;
mod fen;
mod game;
mod game_differential;
mod game_pgn;
mod layers;
mod mates;
mod notation;
mod perft;
mod position;
mod strength;
mod syzygy;
mod syzygy_damage;
mod uci_fuzz;
mod uci_info;
mod uci_options;
mod uci_transcripts;
mod unwinnable;
