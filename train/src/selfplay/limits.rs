//! How long the search of a move may take.

/// How long each move may take, in nodes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// No new iteration after this many.
    pub soft: u64,
    /// The end, whatever the search is at.
    pub hard: u64,
}

impl Limits {
    /// The hard limit by the soft one: an iteration seldom takes that long.
    const HARD_SHARE: u64 = 8;

    /// The usual limits for moves of about `soft` nodes.
    #[must_use]
    pub const fn from_soft(soft: u64) -> Self {
        Self { soft, hard: soft.saturating_mul(Self::HARD_SHARE) }
    }

    /// As the search takes them.
    pub(super) fn of_a_move(self) -> search::Limits {
        search::Limits { soft_nodes: Some(self.soft), nodes: Some(self.hard), ..search::Limits::default() }
    }
}
