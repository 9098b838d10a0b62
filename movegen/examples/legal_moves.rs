//! The legal moves of a position in Standard Algebraic Notation, captures and promotions first.
//!
//! `cargo run -p vancura-movegen --example legal_moves -- "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"`

use std::env;

use movegen::{Board, FenError, FenStyle};

fn main() -> Result<(), FenError> {
    let fen = env::args().nth(1).unwrap_or_else(|| Board::start().fen(FenStyle::Standard));
    println!("{}", legal_moves(&fen)?.join(" "));
    Ok(())
}

fn legal_moves(fen: &str) -> Result<Vec<String>, FenError> {
    let board = Board::from_fen(fen)?;
    let mut moves = board.legal_moves();
    moves.sort_by_key(|&mv| !board.is_noisy(mv));
    Ok(moves.iter().map(|&mv| board.san(mv)).collect())
}

#[test]
fn lists_noisy_moves_first() -> Result<(), FenError> {
    let moves = legal_moves("4k3/P7/8/8/8/8/8/4K2R w K - 0 1")?;
    assert_eq!(moves.len(), 19);
    assert_eq!(moves[..4], ["a8=Q+", "a8=R+", "a8=B", "a8=N"]);
    assert!(moves.contains(&"O-O".to_owned()) && moves.contains(&"Rh8+".to_owned()));
    assert!(legal_moves("not a FEN").is_err());
    Ok(())
}
