//! Numbers of the engine other than those of the network, found by games: the search's by [`spsa`], the model of wins, draws
//! and losses by a fit ([`wdl`]).

pub mod spsa;
pub mod wdl;
