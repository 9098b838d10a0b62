//! How good a move was: by the points it throws away.
//!
//! A move is held against the position before it: the points the mover could expect there, less those left after it.
//! Both come from the engine's own model of wins, draws and losses ([`eval::wdl`]).
//!
//! The bounds are those that chess.com has published for its expected points: more than a twentieth of a point, a tenth and
//! a fifth. (Lichess marks from the same twentieth and tenth on, and a blunder from three twentieths.) Both have their chances
//! from centipawns by curves fitted to human games. The model is fitted to the engine's games anew with its networks, so a
//! stronger one will make the same centipawns count for more points; the bounds are in points because a point is what is lost.

use pgn::EngineScore;

use crate::judge::worth::rounded;
use crate::model::{Analysis, Judgement, Line, Side};

/// A move that throws away more points than this is an inaccuracy.
pub const INACCURACY: f64 = 0.05;
/// As [`INACCURACY`], for a mistake.
pub const MISTAKE: f64 = 0.1;
/// As [`INACCURACY`], for a blunder.
pub const BLUNDER: f64 = 0.2;

/// The points thrown away that make a move half as good as it could be.
const HALF_LIFE: f64 = 0.15;

/// No score counts for more than this, in centipawns, when losses are averaged.
const MAX_CENTIPAWNS: i32 = 1_000;

/// How good a move was that threw away this many points, 0 to 1: 100 for none, 50 for 0.15, and half of it again for each
/// further 0.15.
#[must_use]
pub fn accuracy(loss: f64) -> f64 {
    rounded(100.0 * (-loss.max(0.0) / HALF_LIFE).exp2())
}

/// What a loss of points deserves.
#[must_use]
pub fn judgement(loss: f64) -> Option<Judgement> {
    match loss {
        loss if loss > BLUNDER => Some(Judgement::Blunder),
        loss if loss > MISTAKE => Some(Judgement::Mistake),
        loss if loss > INACCURACY => Some(Judgement::Inaccuracy),
        _ => None,
    }
}

/// How good a move was.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct MoveQuality {
    pub best: bool,
    pub loss: f64,
    pub centipawn_loss: u32,
    pub accuracy: f64,
    pub judgement: Option<Judgement>,
    pub only_move: bool,
    pub good_move: bool,
    pub missed_mate: Option<u32>,
}

/// Judges a move, in UCI's notation, by what the position before and the one after are worth.
///
/// The best move found loses nothing, whatever a deeper look after it says: no better one was known. Any other move that
/// mates loses nothing either.
pub(crate) fn judge(before: &Analysis, after: &Analysis, side: Side, uci: &str) -> MoveQuality {
    let best = before.lines.first().is_some_and(|line| line.uci.first().is_some_and(|first| first == uci));
    let (had, has) = (side.points(before.white), side.points(after.white));
    let loss = if best { 0.0 } else { rounded((had - has).max(0.0)) };
    let centipawns = |analysis: &Analysis| centipawns(analysis, side);
    let centipawn_loss =
        if best { 0 } else { u32::try_from(centipawns(before) - centipawns(after)).unwrap_or_default() };
    let missed_mate = match before.score.relative_to(side.into()) {
        EngineScore::Mate(moves) if moves > 0 && !best && !mates(after, side) => u32::try_from(moves).ok(),
        _ => None,
    };
    let lead = lead(&before.lines, side).filter(|_| best);
    MoveQuality {
        best,
        loss,
        centipawn_loss,
        accuracy: accuracy(loss),
        judgement: judgement(loss),
        only_move: lead.is_some_and(|lead| lead > MISTAKE),
        good_move: lead.is_some_and(|lead| lead > INACCURACY && lead <= MISTAKE),
        missed_mate,
    }
}

/// Whether a side mates, or has.
fn mates(analysis: &Analysis, side: Side) -> bool {
    matches!(analysis.score, EngineScore::Mate(_)) && side.points(analysis.white) > 0.5
}

/// For a side, held within bounds.
fn centipawns(analysis: &Analysis, side: Side) -> i32 {
    match analysis.score.relative_to(side.into()) {
        EngineScore::Centipawns(value) => value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
        EngineScore::Mate(_) if side.points(analysis.white) > 0.5 => MAX_CENTIPAWNS,
        EngineScore::Mate(_) => -MAX_CENTIPAWNS,
    }
}

/// The points by which the first line is better than the second; `None` where no second is known.
fn lead(lines: &[Line], side: Side) -> Option<f64> {
    let [first, second, ..] = lines else { return None };
    Some(rounded(side.points(first.white) - side.points(second.white)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Source, Wdl};

    fn line(white: f64, score: EngineScore, uci: &str) -> Line {
        Line { score, white, san: vec![uci.to_owned()], uci: vec![uci.to_owned()] }
    }

    fn analysis(white: f64, score: EngineScore, lines: Vec<Line>) -> Analysis {
        let wdl = Wdl { win: 0, draw: 1000, loss: 0 };
        Analysis { by: Source::Search, score, white, wdl, depth: 9, seldepth: 9, nodes: 9, lines }
    }

    /// The position before with two lines, and after a move.
    fn judged(before: [(f64, EngineScore); 2], after: (f64, EngineScore), side: Side, uci: &str) -> MoveQuality {
        let [one, other] = before;
        let lines = vec![line(one.0, one.1, "e2e4"), line(other.0, other.1, "d2d4")];
        judge(&analysis(one.0, one.1, lines), &analysis(after.0, after.1, Vec::new()), side, uci)
    }

    #[test]
    fn losses_are_the_movers() {
        let white = judged(
            [(0.6, EngineScore::Centipawns(40)), (0.6, EngineScore::Centipawns(40))],
            (0.39, EngineScore::Centipawns(-40)),
            Side::White,
            "a2a3",
        );
        assert_eq!((white.loss, white.centipawn_loss, white.judgement), (0.21, 80, Some(Judgement::Blunder)));
        let black = judged(
            [(0.6, EngineScore::Centipawns(40)), (0.6, EngineScore::Centipawns(40))],
            (0.4, EngineScore::Centipawns(-40)),
            Side::Black,
            "a7a6",
        );
        assert_eq!((black.loss, black.centipawn_loss, black.judgement), (0.0, 0, None));
        assert_eq!(black.accuracy, 100.0);
        let black = judged(
            [(0.4, EngineScore::Centipawns(-40)), (0.4, EngineScore::Centipawns(-40))],
            (0.47, EngineScore::Centipawns(0)),
            Side::Black,
            "a7a6",
        );
        assert_eq!((black.loss, black.centipawn_loss, black.judgement), (0.07, 40, Some(Judgement::Inaccuracy)));
    }

    #[test]
    fn the_best_move_found_loses_nothing() {
        let quality = judged(
            [(0.6, EngineScore::Centipawns(40)), (0.6, EngineScore::Centipawns(40))],
            (0.1, EngineScore::Centipawns(-90)),
            Side::White,
            "e2e4",
        );
        assert_eq!((quality.best, quality.loss, quality.centipawn_loss, quality.judgement), (true, 0.0, 0, None));
    }

    #[test]
    fn judgements_begin_where_they_are_said_to() {
        for (loss, expected) in [
            (0.0, None),
            (INACCURACY, None),
            (INACCURACY + 1e-4, Some(Judgement::Inaccuracy)),
            (MISTAKE, Some(Judgement::Inaccuracy)),
            (MISTAKE + 1e-4, Some(Judgement::Mistake)),
            (BLUNDER, Some(Judgement::Mistake)),
            (BLUNDER + 1e-4, Some(Judgement::Blunder)),
            (1.0, Some(Judgement::Blunder)),
        ] {
            assert_eq!(judgement(loss), expected, "{loss}");
        }
    }

    #[test]
    fn accuracy_falls_from_a_hundred_and_never_below_nothing() {
        assert_eq!(
            [accuracy(-0.1), accuracy(0.0), accuracy(HALF_LIFE), accuracy(2.0 * HALF_LIFE)],
            [100., 100., 50., 25.]
        );
        let falls: Vec<f64> = (0..=100).map(|loss| accuracy(f64::from(loss) / 100.0)).collect();
        assert!(falls.is_sorted_by(|a, b| a > b) && falls[100] >= 0.0);
    }

    #[test]
    fn an_only_move_is_the_best_and_far_above_the_second() {
        let far = [(0.6, EngineScore::Centipawns(40)), (0.3, EngineScore::Centipawns(-60))];
        let near = [(0.6, EngineScore::Centipawns(40)), (0.54, EngineScore::Centipawns(30))];
        let after = (0.6, EngineScore::Centipawns(40));
        assert!(judged(far, after, Side::White, "e2e4").only_move);
        assert!(!judged(far, after, Side::White, "d2d4").only_move);
        let good = judged(near, after, Side::White, "e2e4");
        assert!(good.good_move && !good.only_move);
        assert!(!judged(far, after, Side::White, "e2e4").good_move, "it is more");
        assert!(!judged(near, after, Side::White, "d2d4").good_move);
        let even = [(0.6, EngineScore::Centipawns(40)), (0.56, EngineScore::Centipawns(31))];
        assert!(!judged(even, after, Side::White, "e2e4").good_move);
        let black = [(0.2, EngineScore::Centipawns(-90)), (0.5, EngineScore::Centipawns(0))];
        assert!(judged(black, (0.2, EngineScore::Centipawns(-90)), Side::Black, "e2e4").only_move);
    }

    #[test]
    fn a_mate_is_missed_unless_another_follows() {
        let mate = [(1.0, EngineScore::Mate(2)), (0.9, EngineScore::Centipawns(200))];
        let missed = |after, uci| judged(mate, after, Side::White, uci).missed_mate;
        assert_eq!(missed((0.9, EngineScore::Centipawns(200)), "d2d4"), Some(2));
        assert_eq!(missed((1.0, EngineScore::Mate(4)), "d2d4"), None);
        assert_eq!(missed((1.0, EngineScore::Mate(0)), "d2d4"), None, "mate on the board");
        assert_eq!(missed((0.0, EngineScore::Mate(-1)), "d2d4"), Some(2));
        assert_eq!(missed((0.9, EngineScore::Centipawns(200)), "e2e4"), None, "the move that was found to mate");
        let black = [(0.0, EngineScore::Mate(-3)), (0.2, EngineScore::Centipawns(-90))];
        assert_eq!(judged(black, (0.2, EngineScore::Centipawns(-90)), Side::Black, "d2d4").missed_mate, Some(3));
        assert_eq!(judged(black, (0.0, EngineScore::Mate(-5)), Side::Black, "d2d4").missed_mate, None);
        // To be mated is not to miss a mate.
        assert_eq!(judged(mate, (1.0, EngineScore::Mate(1)), Side::Black, "d2d4").missed_mate, None);
    }

    #[test]
    fn mates_count_as_a_thousand_centipawns() {
        let mate = [(1.0, EngineScore::Mate(2)), (0.9, EngineScore::Centipawns(200))];
        assert_eq!(judged(mate, (0.9, EngineScore::Centipawns(200)), Side::White, "d2d4").centipawn_loss, 800);
        assert_eq!(judged(mate, (0.0, EngineScore::Mate(-2)), Side::White, "d2d4").centipawn_loss, 2000);
        assert_eq!(judged(mate, (1.0, EngineScore::Centipawns(20_000)), Side::White, "d2d4").centipawn_loss, 0);
    }
}
