//! All that is said of one move: its quality, its label, and why it is bad.

use movegen::{Board, CastlingStyle, Move};

use crate::judge::judgement::{MoveQuality, judge};
use crate::judge::label::{Labelled, label};
use crate::model::{Analysis, End, Label, Reason, Side};
use crate::reasons::{Fault, reasons};

/// A move, and what was found around it.
pub(crate) struct Judged<'a> {
    /// The position before it.
    pub board: &'a Board,
    pub mv: Move,
    pub before: &'a Analysis,
    pub after: &'a Analysis,
    /// How the game ends after it, by the laws.
    pub end: Option<End>,
    pub style: CastlingStyle,
    /// It takes back on the square of the capture before.
    pub retakes: bool,
    pub is_book: bool,
    /// What the opponent's move before lost.
    pub given: Option<f64>,
}

impl Judged<'_> {
    /// What is said of the move.
    pub fn judged(&self) -> (MoveQuality, Label, Vec<Reason>) {
        let Self { board, mv, before, after, end, style, retakes, is_book, given } = *self;
        let side: Side = board.turn().into();
        let uci = mv.uci(style).to_string();
        let quality = judge(before, after, side, &uci);
        let other = before.lines.iter().find(|line| line.uci.first() != Some(&uci));
        let label = label(&Labelled {
            board,
            mv,
            loss: quality.loss,
            is_first: quality.best,
            misses_mate: quality.missed_mate.is_some(),
            is_book,
            retakes,
            before: side.points(before.white),
            after: side.points(if quality.best { before.white } else { after.white }),
            // With one line, nothing is known of the others.
            other: other.filter(|_| before.lines.len() > 1).map(|line| side.points(line.white)),
            given,
        });
        let is_bad = (quality.judgement.is_some() || quality.missed_mate.is_some()) && !quality.best;
        let reasons = if is_bad { reasons(&Fault { board, mv, before, after, end, style }) } else { Vec::new() };
        (quality, label, reasons)
    }
}
