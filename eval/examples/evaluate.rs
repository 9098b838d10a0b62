//! The evaluation of a position: centipawns for the side to move, and win, draw and loss per mille.
//!
//! `cargo run -p vancura-eval --example evaluate -- "8/8/4k3/8/8/3KR3/8/8 w - - 0 1"`

use std::env;

use eval::Network;
use eval::wdl::{Model, material};
use movegen::{Board, FenError, FenStyle};

fn main() -> Result<(), FenError> {
    let fen = env::args().nth(1).unwrap_or_else(|| Board::start().fen(FenStyle::Standard));
    let (score, [win, draw, loss]) = evaluate(&fen)?;
    println!("{score} centipawns; {win} won, {draw} drawn and {loss} lost of 1000 games");
    Ok(())
}

fn evaluate(fen: &str) -> Result<(i32, [u16; 3]), FenError> {
    let board = Board::from_fen(fen)?;
    let (score, material) = (Network::embedded().evaluate(&board), material(&board));
    Ok((Model::FITTED.normalise(score, material), Model::FITTED.wdl(score, material).per_mille()))
}

#[test]
fn a_queen_more_wins() -> Result<(), FenError> {
    let (score, [win, draw, loss]) = evaluate("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")?;
    assert!(score > 300 && win > 900, "{score} {win}");
    assert_eq!(win + draw + loss, 1000);
    let (mirrored, _) = evaluate("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1")?;
    assert_eq!(mirrored, score);
    Ok(())
}
