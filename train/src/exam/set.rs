//! The sets of an exam, and a position with its label.

use std::fmt;

use movegen::{Board, FenStyle, Move};
use pgn::Epd;

/// The largest label of either sign, in centipawns: above it stand mates, and a winning chance of 1.
pub const MAX_SCORE: i16 = 10_000;

/// Where the positions of an exam come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Set {
    /// Games of 200 soft nodes a move, as networks learn from.
    SelfPlay,
    /// The trees of searches of 100,000 nodes.
    Trees,
    /// Games of 100,000 nodes a move, and the principal variations of their searches.
    Deep,
}

impl Set {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::SelfPlay, Self::Trees, Self::Deep];

    /// Its name in files and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SelfPlay => "self-play",
            Self::Trees => "trees",
            Self::Deep => "deep",
        }
    }
}

/// A position, with what a deep search says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labelled {
    /// The position, with its counters at zero; not in check.
    pub board: Board,
    /// The best move.
    pub best: Move,
    /// The score for the side to move, in the network's centipawns, at most [`MAX_SCORE`] of either sign.
    pub score: i16,
}

/// As a line of EPD.
impl fmt::Display for Labelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bm {}; ce {};", position_fields(&self.board), self.board.san(self.best), self.score)
    }
}

/// A position without counters, as EPD has it.
fn position_fields(board: &Board) -> String {
    let fen = board.fen(FenStyle::Standard);
    fen.rsplitn(3, ' ').last().unwrap_or_default().to_owned()
}

/// A position with its counters at zero: what an exam asks is about the board.
#[must_use]
pub(super) fn without_counters(board: &Board) -> Option<Board> {
    Board::from_fen(&position_fields(board)).ok()
}

impl Labelled {
    /// Reads a line of EPD; what is wrong with it, in words.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let epd = Epd::parse(line).ok_or("no position")?.map_err(|error| error.to_string())?;
        let board = epd.board;
        let best = epd.operands("bm").next().ok_or("no best move (bm)")?;
        let best = board.parse_san(best).map_err(|error| error.to_string())?;
        let score = epd.operands("ce").next().ok_or("no score (ce)")?;
        let score = score.parse::<i16>().ok().filter(|score| (-MAX_SCORE..=MAX_SCORE).contains(score));
        let score = score.ok_or_else(|| format!("no score from -{MAX_SCORE} to {MAX_SCORE}"))?;
        if board.in_check() {
            return Err("a position in check".to_owned());
        }
        Ok(Self { board, best, score })
    }

    /// Whether its best move is no capture or promotion.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        !self.board.is_noisy(self.best)
    }
}
