//! Mate distance pruning: no line from here leads to a shorter mate than one that is already found.
//!
//! `alpha = max(alpha, mated in ply)`, `beta = min(beta, mate in ply + 1)`.
//!
//! Source: the Chess Programming Wiki, "Mate Distance Pruning".

use crate::tree::node::SearchArgs;
use crate::types::score::Score;

/// Narrows the window; a score if nothing is left of it.
#[inline]
pub(crate) fn mate_distance_pruning(args: &mut SearchArgs<'_>) -> Option<Score> {
    args.alpha = args.alpha.max(Score::mated_in(args.ply));
    args.beta = args.beta.min(Score::mate_in(args.ply + 1));
    (args.alpha >= args.beta).then_some(args.alpha)
}
