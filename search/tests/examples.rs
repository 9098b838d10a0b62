//! The examples, run as tests.

use movegen::{Board, Position};

#[allow(dead_code)]
#[path = "../examples/analyse.rs"]
mod analyse;

#[allow(dead_code)]
#[path = "../examples/self_play.rs"]
mod self_play;

#[test]
fn the_analysis_ends_with_the_mating_move() {
    let board = Board::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
    let lines = analyse::analyse(board, 2_000);
    assert_eq!(lines.last().map(String::as_str), Some("best move d1d8"));
    assert!(lines[lines.len() - 2].contains("mate in 1 d1d8"), "{lines:?}");
}

#[test]
fn a_game_against_itself_is_legal_and_ends() {
    let moves = self_play::play(100);
    let mut position = Position::start();
    for (index, san) in moves.iter().enumerate() {
        let mv = position.board().parse_san(san).unwrap_or_else(|error| panic!("move {index}, {san}: {error}"));
        position.play(mv);
    }
    assert!(moves.len() > 10, "{moves:?}");
}
