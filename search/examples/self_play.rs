//! Plays a game against itself at a fixed number of nodes for each move.
//!
//! `cargo run --release -p vancura-search --example self_play -- NODES`

use eval::Network;
use movegen::Position;
use search::{Limits, SingleThreadedSearcher};

/// The most half-moves of a game.
const MAX_HALFMOVES: usize = 400;

/// The moves of a game in SAN, from the start position to mate, stalemate or a draw by rule.
pub fn play(nodes: u64) -> Vec<String> {
    let mut searcher = SingleThreadedSearcher::new(Network::embedded(), 16);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut position = Position::start();
    let mut moves = Vec::new();
    while moves.len() < MAX_HALFMOVES && !is_drawn(&position) {
        let Some(result) = searcher.search(&position, &limits) else { break };
        moves.push(position.board().san(result.best).to_string());
        position.play(result.best);
    }
    moves
}

/// Fifty moves, three occurrences, or too little material.
fn is_drawn(position: &Position) -> bool {
    let board = position.board();
    board.halfmove_clock() >= 100 || position.earlier_occurrences() >= 2 || board.has_insufficient_material()
}

fn main() {
    let nodes = std::env::args().nth(1).and_then(|nodes| nodes.parse().ok()).unwrap_or(5_000);
    for (index, pair) in play(nodes).chunks(2).enumerate() {
        println!("{}. {}", index + 1, pair.join(" "));
    }
}
