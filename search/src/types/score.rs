//! Scores: centipawns for the side to move, with table wins and mates above them.
//!
//! From small to large: evaluations, then positions that an endgame table says are won, then mates. The nearer a table
//! win or mate is to the root, the larger its score.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The deepest ply a line can reach from the root.
pub const MAX_PLY: usize = 246;

/// A score for the side to move, in centipawns unless it is decisive.
///
/// ```
/// use search::Score;
///
/// let mate = Score::mate_in(3); // in three half-moves
/// assert_eq!(mate.moves_to_mate(), Some(2));
/// assert_eq!((-mate).moves_to_mate(), Some(-1));
/// assert!(mate.is_win() && Score(250) < mate);
/// assert_eq!(Score(250).moves_to_mate(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Score(pub i32);

impl Score {
    /// Neither side is better.
    pub const DRAW: Self = Self(0);
    /// Above every score.
    pub const INFINITE: Self = Self(32_001);
    /// Checkmate on the board, won at ply 0.
    pub const MATE: Self = Self(32_000);
    /// The least score of a mate found within [`MAX_PLY`].
    pub const MATE_BOUND: Self = Self(Self::MATE.0 - MAX_PLY as i32);
    /// The least score of a won endgame-table position; an evaluation stays below.
    pub const WIN_BOUND: Self = Self(Self::MATE_BOUND.0 - MAX_PLY as i32);

    /// Mated after `ply` half-moves from the root.
    #[inline]
    #[must_use]
    pub const fn mated_in(ply: usize) -> Self {
        Self(-Self::MATE.0 + ply as i32)
    }

    /// Mating after `ply` half-moves from the root.
    #[inline]
    #[must_use]
    pub const fn mate_in(ply: usize) -> Self {
        Self(Self::MATE.0 - ply as i32)
    }

    /// A position found won in an endgame table after `ply` half-moves from the root, less than [`MAX_PLY`].
    #[inline]
    #[must_use]
    pub const fn table_win_in(ply: usize) -> Self {
        Self(Self::MATE_BOUND.0 - 1 - ply as i32)
    }

    /// Whether it is a proven win: a mate or a table win.
    #[inline]
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.0 >= Self::WIN_BOUND.0
    }

    /// Whether it is a proven loss.
    #[inline]
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::WIN_BOUND.0
    }

    /// Whether it is a proven win or loss.
    #[inline]
    #[must_use]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// A score between this one and `other`, nearer to `other` the larger `share` is, in 1/1024; this one if either is
    /// decisive.
    #[inline]
    #[must_use]
    pub(crate) const fn towards(self, other: Self, share: i32) -> Self {
        if self.is_decisive() || other.is_decisive() {
            return self;
        }
        Self(self.0 + (other.0 - self.0) * share / 1024)
    }

    /// Moves (not plies) to mate as UCI counts them: positive to mate, zero or negative to be mated; `None` for
    /// any other score.
    #[must_use]
    pub const fn moves_to_mate(self) -> Option<i32> {
        if self.0 >= Self::MATE_BOUND.0 {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else if self.0 <= -Self::MATE_BOUND.0 {
            Some(-(Self::MATE.0 + self.0) / 2)
        } else {
            None
        }
    }

    /// Half-moves to a position that an endgame table says is won, or lost for a negative score; `None` for any other
    /// score.
    #[must_use]
    pub const fn plies_to_table(self) -> Option<u32> {
        if self.is_decisive() && self.moves_to_mate().is_none() {
            Some(Self::table_win_in(0).0.abs_diff(self.0.abs()))
        } else {
            None
        }
    }
}

/// How a score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true score is this or less: the search failed low.
    Upper,
    /// The true score is this or more: the search failed high.
    Lower,
    /// The true score is this.
    Exact,
}

impl Bound {
    /// Whether a score with this bound causes a cutoff in the window `alpha..beta`.
    #[inline]
    pub(crate) fn allows(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score <= alpha,
        }
    }

    /// Whether a score with this bound is a better estimate than `estimate`.
    #[inline]
    pub(crate) fn improves(self, score: Score, estimate: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score > estimate,
            Self::Upper => score < estimate,
        }
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline]
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline]
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Score({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_wins_lie_between_evaluations_and_mates() {
        for ply in 0..MAX_PLY {
            let win = Score::table_win_in(ply);
            assert!(win.is_win() && win < Score::MATE_BOUND && (-win).is_loss());
            assert_eq!(win.moves_to_mate(), None);
            assert_eq!([win, -win].map(Score::plies_to_table), [Some(ply as u32); 2]);
        }
        for other in [Score::DRAW, Score::WIN_BOUND - 1, Score::mate_in(MAX_PLY), Score::mated_in(3)] {
            assert_eq!(other.plies_to_table(), None, "{other:?}");
        }
    }
}
