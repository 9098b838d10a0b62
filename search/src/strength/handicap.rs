//! Playing below full strength, with the errors that people make.
//!
//! A weak player looks at fewer positions, so a limited search may visit only so many nodes, by one thread and without
//! endgame tables. That alone makes a player who is merely shortsighted; people also overlook things. So the search
//! keeps several candidates, as for MultiPV, and remembers how good each one looked at each depth. In the end every
//! candidate is seen with two kinds of error:
//!
//! - an *oversight*: now and then a candidate is believed to be what it looked like at a lesser depth. What fails
//!   deeper down, or works only there, is missed: the errors are those for which people fall. Even the least depth
//!   follows captures to their end, so that nobody gives a queen away for nothing in one move;
//! - *doubt*: a little noise in the evaluation, more of it where scores change from depth to depth, which is where
//!   people are unsure, and less in quiet positions. It is bounded: of two candidates further apart than twice the
//!   doubt, the worse one is never chosen for it.
//!
//! No doubt touches a mate, so that each mate that is seen is played, and the shortest first; a mate in one is seen by
//! all. Nor does anybody err where a queen or rook has to mate a bare king ([`technique`]).
//!
//! [`level`](crate::strength::level) says how strong each of these is for a rating.

use movegen::{Move, Position};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::state::root_move::RootMove;
use crate::strength::level::Level;
use crate::strength::technique;
use crate::types::score::Score;
use crate::types::strength::Strength;

/// The share of the doubt that remains in the quietest position.
const LEAST_DOUBT: f64 = 0.6;
/// The mean change of the candidates' scores between depths at which doubt is whole, in centipawns.
const UNCLEAR: f64 = 100.0;

/// What a candidate looked like at each depth at which it was one.
struct Candidate {
    mv: Move,
    /// In order of depth.
    looks: Vec<(i32, Score)>,
}

/// A player who errs: watches the candidates during a search and chooses among them at its end.
pub(crate) struct Handicap {
    level: Level,
    random: Xoshiro256PlusPlus,
    /// A bare king is to be mated, which everybody can.
    is_technique: bool,
    candidates: Vec<Candidate>,
    /// The last full iteration.
    depth: i32,
}

impl Handicap {
    pub(crate) fn new(strength: Strength, position: &Position) -> Self {
        Self {
            level: Level::of(strength),
            random: Xoshiro256PlusPlus::seed_from_u64(strength.seed()),
            is_technique: technique::is_asked_for(position.board()),
            candidates: Vec::new(),
            depth: 0,
        }
    }

    /// How many moves to look at closely.
    pub(crate) fn line_count(&self) -> usize {
        if self.is_technique { 1 } else { self.level.candidates.round() as usize }
    }

    /// Takes note of what the best moves look like after a full iteration.
    pub(crate) fn watch(&mut self, depth: i32, best: &[RootMove]) {
        self.depth = depth;
        for root_move in best {
            let index = self.candidates.iter().position(|candidate| candidate.mv == root_move.mv);
            let index = index.unwrap_or_else(|| {
                self.candidates.push(Candidate { mv: root_move.mv, looks: Vec::new() });
                self.candidates.len() - 1
            });
            self.candidates[index].looks.push((depth, root_move.score));
        }
    }

    /// The move to play; none if it is the best one.
    pub(crate) fn choose(&mut self, position: &Position, root_moves: &[RootMove]) -> Option<Move> {
        let mates = root_moves.first().is_some_and(|best| best.score.is_win());
        match self.is_technique {
            true if mates => None,
            true => technique::choose(position, root_moves.iter().map(|root_move| root_move.mv)),
            false => self.misjudge(),
        }
    }

    /// The move that seems best to this player; none before the first full iteration.
    fn misjudge(&mut self) -> Option<Move> {
        let doubt = self.level.doubt * self.unclearness();
        let mut chosen: Option<(f64, Move)> = None;
        for candidate in &self.candidates {
            let overlooks = self.random.random_bool(self.level.oversight);
            let seen = candidate.seen(self.depth, overlooks.then_some(&mut self.random));
            // Drawn for each, so that one candidate's luck does not depend on what another looks like.
            let error = doubt * (self.random.random::<f64>() - self.random.random::<f64>());
            let Some(score) = seen else { continue };
            let worth = f64::from(score.0) + if score.is_decisive() { 0.0 } else { error };
            if chosen.is_none_or(|(best, _)| worth > best) {
                chosen = Some((worth, candidate.mv));
            }
        }
        chosen.map(|(_, mv)| mv)
    }

    /// How unsure the position makes a player, from [`LEAST_DOUBT`] to 1: how much the candidates' scores have changed.
    fn unclearness(&self) -> f64 {
        let changes = self.candidates.iter().filter_map(|candidate| {
            let ((_, first), (_, last)) = (candidate.looks.first()?, candidate.looks.last()?);
            Some(f64::from((last.0 - first.0).abs()).min(UNCLEAR * 2.0))
        });
        let mean = changes.sum::<f64>() / self.candidates.len().max(1) as f64;
        (mean / UNCLEAR).clamp(LEAST_DOUBT, 1.0)
    }
}

impl Candidate {
    /// The score that a player believes in: that of the last iteration, or of some earlier one if something is
    /// overlooked. None if the candidate is known to be one no longer.
    fn seen(&self, depth: i32, overlooking: Option<&mut Xoshiro256PlusPlus>) -> Option<Score> {
        let &(last_depth, last) = self.looks.last()?;
        match overlooking {
            None => (last_depth == depth).then_some(last),
            Some(random) => {
                let earlier = self.looks.iter().filter(|(look, _)| *look < depth).count();
                if earlier == 0 { Some(last) } else { Some(self.looks[random.random_range(..earlier)].1) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use movegen::Square;

    use super::*;

    #[test]
    fn what_is_overlooked_is_believed_to_be_as_it_was_before() {
        let mv = Move::normal(Square::E2, Square::E4);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut seen = |looks: &[(i32, i32)], overlooks: bool| {
            let looks = looks.iter().map(|&(depth, score)| (depth, Score(score))).collect();
            Candidate { mv, looks }.seen(3, overlooks.then_some(&mut random)).map(|score| score.0)
        };
        assert_eq!(seen(&[(1, 50), (2, 60), (3, -300)], false), Some(-300));
        assert!((0..20).all(|_| [Some(50), Some(60)].contains(&seen(&[(1, 50), (2, 60), (3, -300)], true))));
        // Found wanting, and forgotten unless that is overlooked.
        assert_eq!(seen(&[(1, 50), (2, -90)], false), None);
        assert!((0..20).all(|_| [Some(50), Some(-90)].contains(&seen(&[(1, 50), (2, -90)], true))));
        assert_eq!(seen(&[(3, 70)], true), Some(70));
    }
}
