//! What kind of move it was, and how many moves were of each kind.

use serde::{Deserialize, Serialize};

/// What kind of move it was. The first of these that applies counts: `judge/label.rs` has their rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// There was no other legal move.
    Forced,
    /// It leads to, or towards, a position of the list of openings.
    Book,
    /// A sound sacrifice in a game that was not yet won.
    Brilliant,
    /// An only move on which the result hung and which was not plain to see.
    Great,
    /// Any other move throws points away.
    OnlyMove,
    /// The best move found, or one that loses nothing beside it.
    Best,
    /// It loses 0.02 points at most.
    Excellent,
    /// It loses 0.05 points at most.
    Good,
    /// It loses 0.10 points at most.
    Inaccuracy,
    /// It gives back what the opponent's mistake had given.
    Miss,
    /// It loses 0.20 points at most.
    Mistake,
    /// It loses more than that.
    Blunder,
}

impl Label {
    /// All of them, the best first.
    pub const ALL: [Self; 12] = [
        Self::Brilliant,
        Self::Great,
        Self::OnlyMove,
        Self::Best,
        Self::Excellent,
        Self::Good,
        Self::Book,
        Self::Forced,
        Self::Inaccuracy,
        Self::Miss,
        Self::Mistake,
        Self::Blunder,
    ];

    /// As JSON and tables have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forced => "forced",
            Self::Book => "book",
            Self::Brilliant => "brilliant",
            Self::Great => "great",
            Self::OnlyMove => "only_move",
            Self::Best => "best",
            Self::Excellent => "excellent",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Miss => "miss",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// How many moves have each label.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each field is named after its label")]
pub struct LabelCounts {
    pub brilliant: u32,
    pub great: u32,
    pub only_move: u32,
    pub best: u32,
    pub excellent: u32,
    pub good: u32,
    pub book: u32,
    pub forced: u32,
    pub inaccuracy: u32,
    pub miss: u32,
    pub mistake: u32,
    pub blunder: u32,
}

impl LabelCounts {
    /// How many moves have this label.
    #[must_use]
    pub const fn of(&self, label: Label) -> u32 {
        match label {
            Label::Brilliant => self.brilliant,
            Label::Great => self.great,
            Label::OnlyMove => self.only_move,
            Label::Best => self.best,
            Label::Excellent => self.excellent,
            Label::Good => self.good,
            Label::Book => self.book,
            Label::Forced => self.forced,
            Label::Inaccuracy => self.inaccuracy,
            Label::Miss => self.miss,
            Label::Mistake => self.mistake,
            Label::Blunder => self.blunder,
        }
    }

    /// Counts one more.
    pub const fn add(&mut self, label: Label) {
        let count = match label {
            Label::Brilliant => &mut self.brilliant,
            Label::Great => &mut self.great,
            Label::OnlyMove => &mut self.only_move,
            Label::Best => &mut self.best,
            Label::Excellent => &mut self.excellent,
            Label::Good => &mut self.good,
            Label::Book => &mut self.book,
            Label::Forced => &mut self.forced,
            Label::Inaccuracy => &mut self.inaccuracy,
            Label::Miss => &mut self.miss,
            Label::Mistake => &mut self.mistake,
            Label::Blunder => &mut self.blunder,
        };
        *count = count.saturating_add(1);
    }
}
