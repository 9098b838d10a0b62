//! What a search says, as tuples of numbers and words.

use std::time::Duration;

use movegen::{Board, CastlingStyle, Color, Move};
use search::{Bound, Report};
use uci::claim_for_white;

/// Centipawns or moves to mate, one of them `None`; wins, draws and losses of a thousand games. All for White.
pub(crate) type Worth = (Option<i32>, Option<i32>, [u16; 3]);

/// The line's rank, from 1; full plies and the deepest one; its worth; `exact`, `lower` or `upper` for White; nodes, seconds, and
/// hits of endgame tables so far; whether the position is dead; its moves in UCI's notation and in Standard Algebraic Notation.
pub(crate) type Line = (usize, [i32; 2], Worth, &'static str, u64, f64, u64, bool, Vec<String>, Vec<String>);

/// A line of a report, in the words that Python gets.
pub(crate) fn line(report: &Report<'_>, board: &Board, style: CastlingStyle) -> Line {
    let (uci, san) = written(report.pv, board, style);
    let Report { multi_pv, depth, seldepth, nodes, elapsed, tablebase_hits, is_dead, .. } = *report;
    let bound = match (report.bound, board.turn()) {
        (Bound::Exact, _) => "exact",
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => "lower",
        (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => "upper",
    };
    let worth = worth(report, board);
    (multi_pv, [depth, seldepth], worth, bound, nodes, seconds(elapsed), tablebase_hits, is_dead, uci, san)
}

/// What there is to tell of a position without a legal move; `None` of all others.
pub(crate) fn end(board: &Board) -> Option<Line> {
    if board.has_legal_move() {
        return None;
    }
    let worth = match (board.in_check(), board.turn()) {
        (false, _) => (Some(0), None, [0, 1000, 0]),
        (true, Color::White) => (None, Some(0), [0, 0, 1000]),
        (true, Color::Black) => (None, Some(0), [1000, 0, 0]),
    };
    let is_dead = !board.in_check();
    Some((1, [0, 0], worth, "exact", 0, 0.0, 0, is_dead, Vec::new(), Vec::new()))
}

fn worth(report: &Report<'_>, board: &Board) -> Worth {
    let (score, chances) = claim_for_white(report, board);
    let (cp, mate) = score.cp_or_mate();
    (cp, mate, chances)
}

fn written(moves: &[Move], board: &Board, style: CastlingStyle) -> (Vec<String>, Vec<String>) {
    let mut board = *board;
    let write = |&mv: &Move| {
        let texts = (mv.uci(style).to_string(), board.san(mv));
        board.play(mv, &mut ());
        texts
    };
    moves.iter().map(write).unzip()
}

/// Rounded to microseconds.
pub(crate) fn seconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e6
}
