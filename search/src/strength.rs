//! Playing below one's strength, in a way that people enjoy.
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
//! # How the table is measured
//!
//! [`LEVELS`] says what each rating means, and the levels between come by interpolation. Its measure is Stockfish 15.1,
//! whose `UCI_Elo` is anchored to the CCRL 40/4 list: Vancura at `UCI_Elo` 1500, 2000 and 2500 plays Stockfish at the
//! same setting, both at 1 + 0.01 seconds, hundreds of games from varied openings with both colours:
//!
//! ```text
//! fastchess -engine cmd=vancura option.UCI_LimitStrength=true option.UCI_Elo=1500 name=vancura \
//!     -engine cmd=stockfish option.UCI_LimitStrength=true option.UCI_Elo=1500 name=stockfish \
//!     -each tc=1+0.01 -openings file=UHO_Lichess_4852_v1.epd format=epd order=random -games 2 -rounds 200
//! ```
//!
//! Where the difference is beyond 100 Elo, `nodes` or `doubt` of the rows around that rating are changed and the match
//! is played again; nothing but the table needs to be edited. Stockfish ends at 1320: rows below it are placed by
//! matches between neighbouring rows, each 300 Elo, which is 85 % of the points, above the one before.

mod technique;

use movegen::{Move, Position};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::root::RootMove;
use crate::{Request, Score};

/// What a rating means for the search.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Level {
    elo: f64,
    /// No new iteration begins after so many.
    nodes: f64,
    /// Moves that are looked at as closely as the best one.
    candidates: f64,
    /// How often a candidate is judged by what it looked like at a lesser depth, from 0 to 1.
    oversight: f64,
    /// The most by which a candidate is misjudged, in the evaluation's centipawns.
    doubt: f64,
}

const fn level(elo: u16, nodes: u32, candidates: u8, oversight: f64, doubt: u16) -> Level {
    Level { elo: elo as f64, nodes: nodes as f64, candidates: candidates as f64, oversight, doubt: doubt as f64 }
}

/// From the weakest to the strongest. Measured as above, in Elo beside Stockfish's: 1320 +2 ± 58 and 1500 +35 ± 54 (150
/// games each), 2000 +17 ± 60 (100), 2500 -22 ± 37 (250). That was at commit f52e6b6: networks have become stronger
/// since, so that the rows that nodes alone hold back are likely to play above their rating.
const LEVELS: [Level; 8] = [
    level(800, 800, 40, 0.95, 550),
    level(1000, 1_350, 26, 0.72, 300),
    level(1250, 2_000, 10, 0.40, 180),
    level(1500, 4_800, 8, 0.275, 105),
    level(1750, 8_000, 6, 0.20, 75),
    level(2000, 30_000, 3, 0.05, 20),
    level(2500, 300_000, 1, 0.0, 0),
    level(2850, 2_000_000, 1, 0.0, 0),
];

/// A search ends in the midst of an iteration only at this multiple of the nodes for its level.
const MOST_NODES: u64 = 8;

/// At least so many to mate a bare king.
const TECHNIQUE_NODES: u64 = 20_000;

/// The share of the doubt that remains in the quietest position.
const LEAST_DOUBT: f64 = 0.6;
/// The mean change of the candidates' scores between depths at which doubt is whole, in centipawns.
const UNCLEAR: f64 = 100.0;

/// How strongly to play, and what decides the errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    elo: u16,
    seed: u64,
}

impl Strength {
    /// The least rating that can be asked for.
    pub const LEAST_ELO: u16 = LEVELS[0].elo as u16;
    /// The greatest rating that can be asked for; full strength is above it.
    pub const MOST_ELO: u16 = LEVELS[LEVELS.len() - 1].elo as u16;

    /// A strength as a rating, brought within the limits. With the same seed, the same search makes the same errors.
    #[must_use]
    pub fn of_elo(elo: u16, seed: u64) -> Self {
        Self { elo: elo.clamp(Self::LEAST_ELO, Self::MOST_ELO), seed }
    }

    /// The rating.
    #[must_use]
    pub const fn elo(self) -> u16 {
        self.elo
    }

    fn level(self) -> Level {
        let elo = f64::from(self.elo);
        let above = LEVELS.iter().position(|level| level.elo >= elo).unwrap_or(LEVELS.len() - 1).max(1);
        let (low, high) = (LEVELS[above - 1], LEVELS[above]);
        let share = (elo - low.elo) / (high.elo - low.elo);
        let between = |low: f64, high: f64| low + share * (high - low);
        Level {
            elo,
            // Strength grows with the logarithm of the nodes.
            nodes: between(low.nodes.ln(), high.nodes.ln()).exp(),
            candidates: between(low.candidates, high.candidates),
            oversight: between(low.oversight, high.oversight),
            doubt: between(low.doubt, high.doubt),
        }
    }
}

/// Brings a request down to the strength it asks for. Returns whether there was anything to limit: then one thread is
/// to search, without endgame tables.
pub(crate) fn limit(request: &mut Request) -> bool {
    let Some(strength) = request.settings.strength else { return false };
    let mut nodes = strength.level().nodes.round() as u64;
    if technique::is_asked_for(request.position.board()) {
        nodes = nodes.max(TECHNIQUE_NODES);
    }
    let at_most = |limit: Option<u64>, nodes: u64| Some(limit.map_or(nodes, |limit| limit.min(nodes)));
    let limits = &mut request.limits;
    limits.soft_nodes = at_most(limits.soft_nodes, nodes);
    limits.nodes = at_most(limits.nodes, MOST_NODES * nodes);
    true
}

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
            level: strength.level(),
            random: Xoshiro256PlusPlus::seed_from_u64(strength.seed),
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
    use std::time::Instant;

    use movegen::Square;

    use super::*;
    use crate::{Limits, Settings};

    fn request(elo: u16, limits: Limits) -> Request {
        let settings = Settings { strength: Some(Strength::of_elo(elo, 1)), ..Settings::default() };
        Request { position: Position::start(), limits, settings, received: Instant::now() }
    }

    #[test]
    fn ratings_are_brought_within_the_table() {
        for (asked, taken) in [(0, 800), (800, 800), (1234, 1234), (u16::MAX, Strength::MOST_ELO)] {
            assert_eq!(Strength::of_elo(asked, 1).elo(), taken);
        }
    }

    #[test]
    fn stronger_players_look_at_more_and_err_less() {
        let levels: Vec<_> =
            (Strength::LEAST_ELO..=Strength::MOST_ELO).map(|elo| Strength::of_elo(elo, 1).level()).collect();
        assert!(levels.is_sorted_by(|weak, strong| weak.nodes < strong.nodes));
        assert!(levels.is_sorted_by(|weak, strong| weak.candidates >= strong.candidates));
        assert!(levels.is_sorted_by(|weak, strong| weak.oversight >= strong.oversight));
        assert!(levels.is_sorted_by(|weak, strong| weak.doubt >= strong.doubt));
        for row in LEVELS {
            let level = Strength::of_elo(row.elo as u16, 1).level();
            assert!((level.nodes / row.nodes - 1.0).abs() < 1e-9 && level.doubt == row.doubt, "{row:?} {level:?}");
        }
    }

    #[test]
    fn the_lesser_of_two_limits_counts() {
        for (own, expected) in [(None, 4_800), (Some(100), 100), (Some(9_000), 4_800)] {
            let mut request = request(1500, Limits { soft_nodes: own, ..Limits::default() });
            assert!(limit(&mut request));
            assert_eq!(request.limits.soft_nodes, Some(expected));
            assert_eq!(request.limits.nodes, Some(38_400));
        }
        let mut unlimited = request(1500, Limits::default());
        unlimited.settings.strength = None;
        assert!(!limit(&mut unlimited));
        assert_eq!((unlimited.limits.soft_nodes, unlimited.limits.nodes), (None, None));
    }

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
