//! What the network says of positions, without a search.

use std::ops::Range;

use eval::Evaluator;
use search::{Bound, Found, FoundLine, Score};

use crate::read::main_line::MainLine;
use crate::search::segment::Segment;

/// The network's score of each of these positions, as what a search of no depth would find: a line without moves.
pub(crate) fn evaluate(evaluator: &mut Evaluator, main_line: &MainLine, range: Range<usize>) -> Segment {
    let found = main_line.boards[range].iter().map(|board| {
        board.has_legal_move().then(|| {
            evaluator.reset(board);
            let score = Score(evaluator.evaluate(board));
            Found { lines: vec![FoundLine { score, bound: Bound::Exact, moves: Vec::new() }], ..Found::default() }
        })
    });
    Segment { found: found.collect(), is_complete: true }
}

#[cfg(test)]
mod tests {
    use eval::Network;
    use pgn::PgnReader;

    use super::*;

    #[test]
    fn scores_are_those_of_the_network() {
        let game = PgnReader::new("1. e4 e5 2. Qh5 Ke7 3. Qxe5# *".as_bytes()).next().unwrap().unwrap();
        let main_line = MainLine::of(&game);
        let network = Network::embedded();
        let segment = evaluate(&mut Evaluator::new(network.clone()), &main_line, 1..6);
        let scores: Vec<_> = segment.found.iter().map(|found| Some(found.as_ref()?.lines[0].score.0)).collect();
        let expected = main_line.boards[1..5].iter().map(|board| Some(network.evaluate(board)));
        assert_eq!(scores, expected.chain([None]).collect::<Vec<_>>());
    }
}
