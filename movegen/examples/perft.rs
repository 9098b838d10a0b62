//! Perft of a position, with the count of each root move.
//!
//! `cargo run --release -p vancura-movegen --example perft -- 5 "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"`

use std::env;
use std::error::Error;

use movegen::{Board, CastlingStyle, FenError, FenStyle, divide};

const USAGE: &str = "usage: perft DEPTH [FEN]";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let depth = arguments.next().ok_or(USAGE)?.parse()?;
    let fen = arguments.next().unwrap_or_else(|| Board::start().fen(FenStyle::Standard));
    print!("{}", report(&fen, depth)?);
    Ok(())
}

/// The nodes after each move, and their sum.
fn report(fen: &str, depth: u8) -> Result<String, FenError> {
    let counts = divide(&Board::from_fen(fen)?, depth);
    let lines = counts.iter().map(|(mv, nodes)| format!("{}: {nodes}\n", mv.uci(CastlingStyle::Standard)));
    let total: u64 = counts.iter().map(|&(_, nodes)| nodes).sum();
    Ok(lines.collect::<String>() + &format!("\n{total} nodes\n"))
}

#[test]
fn counts_each_move_and_all() -> Result<(), FenError> {
    let report = report("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 3)?;
    assert!(report.contains("e1g1: "), "{report}");
    assert!(report.ends_with("\n13744 nodes\n"), "{report}");
    Ok(())
}
