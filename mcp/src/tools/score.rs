//! Scores and lines as results have them, for White.

use analysis::model;
use pgn::EngineScore;
use rmcp::schemars;
use rmcp::schemars::JsonSchema;
use serde::Serialize;

/// How many moves of a line a result has, at most.
pub(crate) const MAX_LINE: usize = 24;

/// A score for White: there is `cp` or `mate`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct ScoreResult {
    /// Hundredths of a pawn for White.
    pub cp: Option<i32>,
    /// Mate in this many moves; negative if White is mated, 0 if the side to move is.
    pub mate: Option<i32>,
    /// The points White may expect, 0 to 1.
    pub points: f64,
}

impl ScoreResult {
    pub fn new(score: EngineScore, points: f64) -> Self {
        let (cp, mate) = score.cp_or_mate();
        Self { cp, mate, points }
    }

    pub fn of(analysis: &model::Analysis) -> Self {
        Self::new(analysis.score, analysis.white)
    }
}

/// A line of best play.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct LineResult {
    #[serde(flatten)]
    pub score: ScoreResult,
    /// The moves in UCI's notation, the first 24 of them.
    pub moves: Vec<String>,
    /// The same in Standard Algebraic Notation.
    pub san: Vec<String>,
}

impl LineResult {
    pub fn of(line: &model::Line) -> Self {
        let cut = |moves: &[String]| moves.iter().take(MAX_LINE).cloned().collect();
        Self { score: ScoreResult::new(line.score, line.white), moves: cut(&line.uci), san: cut(&line.san) }
    }
}

/// Why a move is bad, as far as playing a line proves it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub(crate) struct ReasonResult {
    /// What happens, such as `fork`, `pin`, `mate` or `hanging_piece`.
    pub kind: String,
    /// `allowed` if the opponent can now do it, `missed` if the mover could have.
    pub about: String,
    /// A sentence of English.
    pub text: String,
    /// The proof in Standard Algebraic Notation: after the move where it allows something, before it where it misses something.
    pub san: Vec<String>,
    /// What the side that profits wins, in pawns.
    pub material: i32,
    /// Mate in this many moves.
    pub mate: Option<u32>,
}

impl ReasonResult {
    pub fn of(reason: &model::Reason) -> Self {
        let model::Reason { kind, about, line, material, mate, text, .. } = reason;
        let san = line.iter().take(MAX_LINE).cloned().collect();
        Self { kind: name_of(kind), about: name_of(about), text: text.clone(), san, material: *material, mate: *mate }
    }
}

/// The name of a variant, as `analyse --json` has it.
pub(crate) fn name_of(variant: &impl Serialize) -> String {
    // A variant without fields is a string.
    serde_json::to_value(variant).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
