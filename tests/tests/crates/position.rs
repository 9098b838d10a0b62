//! Repetition: how often a position has been on the board, against a count by shakmaty's notion of the same position.

use movegen::{Board, Position};
use rayon::prelude::*;
use shakmaty::Chess;
use tests::game::Game;
use tests::play::{Random, Taste};

/// Few pieces, so that random moves come back; with rights and passed pawns that make alike boards differ.
const STARTS: [&str; 5] = [
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "6nk/6pp/8/8/8/8/PP6/KN6 w - - 0 1",
    "kb6/p7/P7/8/8/p7/P7/KB6 w - - 0 1",
    "4k3/p1p5/8/1P6/6p1/8/5P1P/4K3 w - - 0 1",
];

#[test]
fn occurrences_are_counted_as_the_rules_say() {
    let repetitions: usize = (0..600_u64)
        .into_par_iter()
        .map(|seed| {
            let mut random = Random::new(seed);
            let start = STARTS[(seed % 5) as usize];
            let mut game = Game::from_fen(seed, start).unwrap();
            let mut position = Position::from(Board::from_fen(start).unwrap());
            let mut earlier: Vec<Chess> = Vec::new();
            let mut repetitions = 0;
            for _ in 0..300 {
                earlier.push(game.shakmaty.clone());
                let Some(mv) = game.play_random(Taste::Even, &mut random) else { break };
                position.play(mv);
                let expected = earlier.iter().filter(|&other| *other == game.shakmaty).count();
                assert_eq!(position.earlier_occurrences(), expected, "{game}");
                assert_eq!(position.board(), &game.ours, "{game}");
                assert_eq!(position.history().len(), earlier.len(), "{game}");
                repetitions += expected.min(1);
            }
            repetitions
        })
        .sum();
    assert!(repetitions > 1_000, "only {repetitions} repetitions");
}
