//! What an engine thinks of a position, as `[%eval]` has it.

use std::fmt;

/// An engine's judgement, for White.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Evaluation {
    /// How good.
    pub score: WhiteScore,
    /// How deep the engine looked, in plies.
    pub depth: Option<u32>,
}

/// How good a position is for White.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WhiteScore {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative if White is mated.
    Mate(i32),
}

impl Evaluation {
    /// `0.31`, `-1.5,12`, `#-3`.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let (score, depth) = match text.split_once(',') {
            Some((score, depth)) => (score, Some(depth.trim().parse().ok()?)),
            None => (text, None),
        };
        let score = match score.trim().strip_prefix('#') {
            Some(moves) => WhiteScore::Mate(moves.parse().ok()?),
            None => WhiteScore::Centipawns(read_centipawns(score.trim())?),
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
            WhiteScore::Mate(moves) => write!(f, "#{moves}")?,
            WhiteScore::Centipawns(value) => {
                let sign = if value < 0 { "-" } else { "" };
                let value = value.unsigned_abs();
                write!(f, "{sign}{}.{:02}", value / 100, value % 100)?;
            }
        }
        self.depth.map_or(Ok(()), |depth| write!(f, ",{depth}"))
    }
}
