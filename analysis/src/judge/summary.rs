//! How a side played: its moves in numbers.

use crate::judge::worth::rounded;
use crate::model::{Game, Judgement, Move, Phase, PlayerSummary, Side, Tally};

/// How a side played in a game whose moves have been judged.
pub(crate) fn summarise(game: &Game, side: Side) -> PlayerSummary {
    let moves = || game.moves.iter().zip(&game.positions).filter(move |(mv, _)| mv.side == side);
    let tally = |phase| Tally::of(moves().filter(|(_, before)| before.phase == phase).map(|(mv, _)| mv));
    PlayerSummary {
        game: Tally::of(moves().map(|(mv, _)| mv)),
        opening: tally(Phase::Opening),
        middlegame: tally(Phase::Middlegame),
        endgame: tally(Phase::Endgame),
        lichess_accuracy: None,
    }
}

impl Tally {
    /// What these moves amount to. Those without an alternative say nothing of a player and do not count.
    fn of<'a>(moves: impl Iterator<Item = &'a Move>) -> Self {
        let mut tally = Self::default();
        let (mut accuracy, mut centipawns, mut points) = (0.0, 0.0, 0.0);
        for mv in moves {
            mv.label.into_iter().for_each(|label| tally.labels.add(label));
            if mv.forced {
                continue;
            }
            let (Some(loss), Some(centipawn_loss), Some(its_accuracy)) = (mv.loss, mv.centipawn_loss, mv.accuracy)
            else {
                continue;
            };
            tally.moves += 1;
            accuracy += its_accuracy;
            centipawns += f64::from(centipawn_loss);
            points += loss;
            tally.best += u32::from(mv.best);
            tally.only_moves += u32::from(mv.only_move);
            tally.good_moves += u32::from(mv.good_move);
            tally.missed_mates += u32::from(mv.missed_mate.is_some());
            match mv.judgement {
                Some(Judgement::Inaccuracy) => tally.inaccuracies += 1,
                Some(Judgement::Mistake) => tally.mistakes += 1,
                Some(Judgement::Blunder) => tally.blunders += 1,
                None => {}
            }
        }
        let mean = |sum: f64| (tally.moves > 0).then(|| rounded(sum / f64::from(tally.moves)));
        Self { accuracy: mean(accuracy), centipawn_loss: mean(centipawns), loss: mean(points), ..tally }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(loss: Option<f64>, judgement: Option<Judgement>) -> Move {
        Move {
            number: 1,
            side: Side::White,
            san: "e4".to_owned(),
            uci: "e2e4".to_owned(),
            clock_ms: None,
            elapsed_ms: None,
            spent_ms: None,
            forced: false,
            best: loss == Some(0.0),
            loss,
            centipawn_loss: loss.map(|loss| (100.0 * loss) as u32),
            accuracy: loss.map(|loss| 100.0 - 100.0 * loss),
            lichess_accuracy: None,
            judgement,
            label: None,
            reasons: Vec::new(),
            practice: None,
            only_move: false,
            good_move: false,
            missed_mate: None,
            nags: Vec::new(),
            comment: String::new(),
            file_evaluation: None,
        }
    }

    #[test]
    fn moves_are_counted_and_averaged() {
        let moves = [mv(Some(0.0), None), mv(Some(0.25), Some(Judgement::Blunder)), mv(None, None)];
        let tally = Tally::of(moves.iter());
        let expected = Tally {
            moves: 2,
            accuracy: Some(87.5),
            centipawn_loss: Some(12.5),
            loss: Some(0.125),
            best: 1,
            blunders: 1,
            ..Tally::default()
        };
        assert_eq!(tally, expected);
    }

    #[test]
    fn forced_moves_do_not_count_and_nothing_has_no_average() {
        let forced = Move { forced: true, ..mv(Some(0.0), None) };
        assert_eq!(Tally::of([&forced].into_iter()), Tally::default());
    }
}
