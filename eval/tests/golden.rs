//! The embedded network, known again by what it says: on every path, and as it said when it was installed.

use eval::{Evaluator, Network, Path};
use movegen::Board;

/// Evaluations and positions, one to a line, as `trainer install` wrote them.
const EVALUATIONS: &str = include_str!("../networks/evaluations.txt");

#[test]
fn every_path_says_what_was_said_when_the_network_was_installed() {
    let mut count = 0;
    for path in Path::available() {
        let mut evaluator = Evaluator::with_path(Network::embedded(), path);
        for line in EVALUATIONS.lines() {
            let (evaluation, fen) = line.split_once(' ').unwrap();
            let board = Board::from_fen(fen).unwrap();
            evaluator.reset(&board);
            assert_eq!(evaluator.evaluate(&board), evaluation.parse().unwrap(), "{fen} on {path}");
            count += 1;
        }
    }
    assert!(count >= 40, "only {count} evaluations");
}
