//! What an engine thinks of a position, as `[%eval]` has it.

use std::fmt;

use movegen::Color;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// An engine's evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Evaluation {
    /// For White.
    pub score: EngineScore,
    /// How deep the engine looked, in plies.
    pub depth: Option<u32>,
}

/// What an engine's score says to people. For which side, White or the one to move, is said where one is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum EngineScore {
    /// Hundredths of a pawn.
    #[cfg_attr(feature = "serde", serde(rename = "cp"))]
    Centipawns(i32),
    /// Mate in this many moves; negative for the side that is mated.
    #[cfg_attr(feature = "serde", serde(rename = "mate"))]
    Mate(i32),
}

impl EngineScore {
    /// Hundredths of a pawn and moves to mate, of which there is one: the columns `cp` and `mate` of tables.
    #[must_use]
    pub const fn cp_or_mate(self) -> (Option<i32>, Option<i32>) {
        match self {
            Self::Centipawns(value) => (Some(value), None),
            Self::Mate(moves) => (None, Some(moves)),
        }
    }

    /// For White if this is for the side `color`, and the other way round.
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Self {
        match (color, self) {
            (Color::White, score) => score,
            (Color::Black, Self::Centipawns(value)) => Self::Centipawns(value.saturating_neg()),
            (Color::Black, Self::Mate(moves)) => Self::Mate(moves.saturating_neg()),
        }
    }

    /// The score with which match runners begin the comment on a move, for the side that played it: `+0.31/12 0.5s`,
    /// `-M4/20`. `None` for any other comment, such as `book`.
    ///
    /// ```
    /// use formats::EngineScore;
    ///
    /// assert_eq!(EngineScore::from_runner("-0.07/9 0.01s, n=5000"), Some(EngineScore::Centipawns(-7)));
    /// assert_eq!(EngineScore::from_runner("+M2/14"), Some(EngineScore::Mate(2)));
    /// assert_eq!(EngineScore::from_runner("book"), None);
    /// ```
    #[must_use]
    pub fn from_runner(comment: &str) -> Option<Self> {
        let word = comment.split_whitespace().next()?.trim_end_matches(',');
        let (score, depth) = word.split_once('/')?;
        if depth.is_empty() || !depth.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (is_negative, size) = match score.strip_prefix('-') {
            Some(size) => (true, size),
            None => (false, score.strip_prefix('+').unwrap_or(score)),
        };
        match size.strip_prefix('M') {
            Some(moves) if moves.bytes().all(|byte| byte.is_ascii_digit()) => {
                let moves: i32 = moves.parse().ok()?;
                Some(Self::Mate(if is_negative { -moves } else { moves }))
            }
            Some(_) => None,
            None => read_centipawns(score).map(Self::Centipawns),
        }
    }
}

/// As people write it: `+0.31`, `-1.20`, `#-3`.
impl fmt::Display for EngineScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self {
            Self::Mate(moves) => format!("#{moves}"),
            Self::Centipawns(value) => {
                let sign = if *value < 0 { '-' } else { '+' };
                format!("{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
            }
        })
    }
}

impl Evaluation {
    /// Reads it as `[%eval]` has it: `0.31`, `-1.5,12`, `#-3`. `None` for anything else.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let (score, depth) = match text.split_once(',') {
            Some((score, depth)) => (score, Some(depth.trim().parse().ok()?)),
            None => (text, None),
        };
        let score = match score.trim().strip_prefix('#') {
            Some(moves) => EngineScore::Mate(moves.parse().ok()?),
            None => EngineScore::Centipawns(read_centipawns(score.trim())?),
        };
        Some(Self { score, depth })
    }
}

fn read_centipawns(text: &str) -> Option<i32> {
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (pawns, hundredths) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(pawns) || !is_number(hundredths) {
        return None;
    }
    let hundredths = hundredths.bytes().chain([b'0']).take(2).fold(0, |sum, digit| 10 * sum + i32::from(digit - b'0'));
    let value = pawns.parse::<i32>().ok()?.checked_mul(100)?.checked_add(hundredths)?;
    Some(if is_negative { -value } else { value })
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            EngineScore::Mate(moves) => write!(f, "#{moves}")?,
            EngineScore::Centipawns(value) => {
                let sign = if value < 0 { "-" } else { "" };
                let value = value.unsigned_abs();
                write!(f, "{sign}{}.{:02}", value / 100, value % 100)?;
            }
        }
        self.depth.map_or(Ok(()), |depth| write!(f, ",{depth}"))
    }
}
