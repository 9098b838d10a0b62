//! What is known of the moves of a position in which somebody erred.

use crate::judge::worth::rounded;
use crate::model::{Alternative, Analysis, Line, Practice, Side};

/// The lines of an analysis as alternatives of the side to move, which has so many legal moves. They come from best to worst,
/// also if the search ended before the last ones were as deep as the first. What a search of one move alone has found counts
/// more than what that move shared with others.
pub(crate) fn practice_of(analysis: &Analysis, alone: &[Line], side: Side, legal: usize) -> Practice {
    let shared = |line: &&Line| alone.iter().all(|own| own.uci.first() != line.uci.first());
    let lines: Vec<_> =
        alone.iter().chain(analysis.lines.iter().filter(shared)).filter(|line| !line.uci.is_empty()).collect();
    let points = |line: &Line| side.points(line.white);
    let best = lines.iter().map(|line| points(line)).reduce(f64::max).unwrap_or(0.0);
    let loss = |line: &Line| rounded(best - points(line));
    let mut moves: Vec<_> = (lines.iter())
        .filter_map(|line| {
            let (uci, san) = (line.uci.first()?.clone(), line.san.first()?.clone());
            let (score, white) = (line.score, line.white);
            let (loss, uci_line) = (loss(line), line.uci.clone());
            Some(Alternative { uci, san, score, white, loss, line: line.san.clone(), uci_line })
        })
        .collect();
    let others_lose = analysis.lines.last().map(loss).filter(|_| moves.len() < legal);
    moves.sort_by(|one: &Alternative, other| one.loss.total_cmp(&other.loss));
    Practice { moves, others_lose }
}

#[cfg(test)]
mod tests {
    use pgn::EngineScore;

    use super::*;
    use crate::model::{Source, Wdl};

    #[test]
    fn losses_are_beside_the_best_and_the_movers() {
        let line = |white, uci: &str| Line {
            score: EngineScore::Centipawns(0),
            white,
            san: vec![uci.to_owned()],
            uci: vec![uci.to_owned()],
        };
        let lines = vec![line(0.2, "e7e5"), line(0.24, "c7c5"), line(0.5, "g7g5")];
        let wdl = Wdl { win: 0, draw: 1000, loss: 0 };
        let score = EngineScore::Centipawns(0);
        let analysis = Analysis { by: Source::Search, score, white: 0.2, wdl, depth: 9, seldepth: 9, nodes: 9, lines };
        let practice = practice_of(&analysis, &[], Side::Black, 20);
        let losses: Vec<_> = practice.moves.iter().map(|mv| mv.loss).collect();
        assert_eq!((losses, practice.others_lose), (vec![0.0, 0.04, 0.3], Some(0.3)));
        assert_eq!(practice_of(&analysis, &[], Side::Black, 3).others_lose, None, "all are known");
        let unsorted = [line(0.2, "e7e5"), line(0.5, "g7g5"), line(0.24, "c7c5")].to_vec();
        let practice = practice_of(&Analysis { lines: unsorted, ..analysis.clone() }, &[], Side::Black, 20);
        let moves: Vec<_> = practice.moves.iter().map(|mv| &*mv.uci).collect();
        assert_eq!(
            (moves, practice.others_lose),
            (vec!["e7e5", "c7c5", "g7g5"], Some(0.04)),
            "the last line is the bound"
        );
        // A search of its own finds more in a fourth move, and that the first of the others is worse.
        let practice = practice_of(&analysis, &[line(0.15, "d7d5"), line(0.3, "e7e5")], Side::Black, 20);
        let losses: Vec<_> = practice.moves.iter().map(|mv| (&*mv.uci, mv.loss)).collect();
        let expected = vec![("d7d5", 0.0), ("c7c5", 0.09), ("e7e5", 0.15), ("g7g5", 0.35)];
        assert_eq!((losses, practice.others_lose), (expected, Some(0.35)));
        assert_eq!(
            practice_of(&analysis, &[line(0.15, "d7d5")], Side::Black, 4).others_lose,
            None,
            "with the fourth, all are known"
        );
    }
}
