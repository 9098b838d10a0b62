//! Playing below full strength, with the errors that people make.
//!
//! A limited search visits few nodes, on one thread and without endgame tables. That alone makes a player who is only
//! shortsighted. So the search also keeps several candidates, as for MultiPV, and remembers their score at each depth. In
//! the end each candidate is scored with two kinds of error:
//!
//! - *Oversight*: with some probability a candidate has the score of a lesser depth, so that a tactic beyond it is missed.
//!   Even the least depth includes a quiescence search, so that no queen is lost in one move.
//! - *Doubt*: bounded noise, larger where the scores have changed from depth to depth, smaller in quiet positions. Of two
//!   candidates further apart than twice the doubt, the worse one is never chosen for it.
//!
//! Mates have no doubt: one that is seen is played, the shortest first, and a mate in one is always seen. Nor are there
//! errors where a queen or rook has to mate a bare king ([`technique`]).
//!
//! A search whose depth or nodes are asked for goes on at full strength after that, and shows its lines; the move is still
//! chosen by what was seen before.
//!
//! [`level`] says how strong each of these is for a rating.

use movegen::{Move, Position};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::state::root_move::RootMove;
use crate::strength::level::{self, Level};
use crate::strength::technique;
use crate::types::score::Score;
use crate::types::strength::Strength;

/// The doubt in the quietest positions, as a share of the full doubt.
const MIN_DOUBT: f64 = 0.6;
/// The mean change of the candidates' scores between depths from which doubt is full, in centipawns.
const UNCLEAR: f64 = 100.0;

/// A move, and its score at each depth at which it was among the best.
struct Candidate {
    mv: Move,
    /// In order of depth.
    looks: Vec<(i32, Score)>,
}

/// Records the candidates during a search and chooses among them at its end, with errors.
pub(crate) struct Handicap {
    level: Level,
    random: Xoshiro256PlusPlus,
    /// A bare king has to be mated, which is done without errors.
    is_technique: bool,
    candidates: Vec<Candidate>,
    /// The last completed iteration that counts.
    depth: i32,
    /// As [`level::nodes`] says.
    nodes: (u64, u64),
    /// Whether further iterations count.
    is_looking: bool,
}

impl Handicap {
    pub(crate) fn new(strength: Strength, position: &Position) -> Self {
        Self {
            level: Level::of(strength),
            random: Xoshiro256PlusPlus::seed_from_u64(strength.seed()),
            is_technique: technique::is_asked_for(position.board()),
            candidates: Vec::new(),
            depth: 0,
            nodes: level::nodes(strength, position.board()),
            is_looking: true,
        }
    }

    /// The number of candidates that have to be searched.
    pub(crate) fn line_count(&self) -> usize {
        if self.is_technique || !self.is_looking { 1 } else { self.level.candidates.round() as usize }
    }

    /// Records the best moves after an iteration, at so many nodes, unless a player of this strength would not have looked
    /// so far.
    pub(crate) fn watch(&mut self, depth: i32, best: &[RootMove], nodes: u64) {
        let (soft, hard) = self.nodes;
        if !self.is_looking {
            return;
        }
        self.is_looking = nodes < soft;
        if nodes > hard {
            return;
        }
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
            false => self.choose_with_errors(),
        }
    }

    /// The best candidate by the scores with errors; none before the first completed iteration.
    fn choose_with_errors(&mut self) -> Option<Move> {
        let doubt = self.level.doubt * self.uncertainty();
        let mut chosen: Option<(f64, Move)> = None;
        for candidate in &self.candidates {
            let overlooks = self.random.random_bool(self.level.oversight);
            let seen = candidate.seen(self.depth, overlooks.then_some(&mut self.random));
            // Drawn for each candidate, so that its error does not depend on the scores of the others.
            let error = doubt * (self.random.random::<f64>() - self.random.random::<f64>());
            let Some(score) = seen else { continue };
            let worth = f64::from(score.0) + if score.is_decisive() { 0.0 } else { error };
            if chosen.is_none_or(|(best, _)| worth > best) {
                chosen = Some((worth, candidate.mv));
            }
        }
        chosen.map(|(_, mv)| mv)
    }

    /// How unclear the position is, from [`MIN_DOUBT`] to 1: how much the candidates' scores have changed.
    fn uncertainty(&self) -> f64 {
        let changes = self.candidates.iter().filter_map(|candidate| {
            let ((_, first), (_, last)) = (candidate.looks.first()?, candidate.looks.last()?);
            Some(f64::from((last.0 - first.0).abs()).min(UNCLEAR * 2.0))
        });
        let mean = changes.sum::<f64>() / self.candidates.len().max(1) as f64;
        (mean / UNCLEAR).clamp(MIN_DOUBT, 1.0)
    }
}

impl Candidate {
    /// The score of the last iteration, or of an earlier one by oversight. `None` if it is no longer among the best, unless
    /// that is overlooked.
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
    fn an_oversight_keeps_an_earlier_score() {
        let mv = Move::normal(Square::E2, Square::E4);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut seen = |looks: &[(i32, i32)], overlooks: bool| {
            let looks = looks.iter().map(|&(depth, score)| (depth, Score(score))).collect();
            Candidate { mv, looks }.seen(3, overlooks.then_some(&mut random)).map(|score| score.0)
        };
        assert_eq!(seen(&[(1, 50), (2, 60), (3, -300)], false), Some(-300));
        assert!((0..20).all(|_| [Some(50), Some(60)].contains(&seen(&[(1, 50), (2, 60), (3, -300)], true))));
        // No longer among the best: dropped, unless that is overlooked.
        assert_eq!(seen(&[(1, 50), (2, -90)], false), None);
        assert!((0..20).all(|_| [Some(50), Some(-90)].contains(&seen(&[(1, 50), (2, -90)], true))));
        assert_eq!(seen(&[(3, 70)], true), Some(70));
    }
}
