//! What each rating means for the search, and how it is calibrated.
//!
//! [`LEVELS`] says what each rating means; levels between the rows are interpolated. It is calibrated against Stockfish 15.1,
//! whose `UCI_Elo` is anchored to the CCRL 40/4 list: Vancura at `UCI_Elo` 1320, 1500, 2000 and 2500 plays Stockfish at the
//! same setting, both at 1 + 0.01 seconds, hundreds of games from varied openings with both colours:
//!
//! ```text
//! fastchess -engine cmd=vancura option.UCI_LimitStrength=true option.UCI_Elo=1500 name=vancura \
//!     -engine cmd=stockfish option.UCI_LimitStrength=true option.UCI_Elo=1500 name=stockfish \
//!     -each tc=1+0.01 option.Hash=16 -openings file=UHO_4060_v3.epd format=epd order=random -games 2 -rounds 80
//! ```
//!
//! Where the difference is beyond 60 Elo, the ratings of the rows around it, or their `nodes` and `doubt`, are changed and
//! the match is played again; nothing but the table needs to be edited. Stockfish ends at 1320: the row at 800 is placed
//! by matches against the one above it.

use movegen::Board;

use crate::strength::technique;
use crate::types::request::Request;
use crate::types::strength::Strength;

/// What a rating means for the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Level {
    pub(crate) elo: f64,
    /// No new iteration begins after this many.
    pub(crate) nodes: f64,
    /// The number of candidates.
    pub(crate) candidates: f64,
    /// The probability that a candidate has the score of a lesser depth.
    pub(crate) oversight: f64,
    /// The greatest error of a candidate's score, in centipawns.
    pub(crate) doubt: f64,
}

const fn level(elo: u16, nodes: u32, candidates: u8, oversight: f64, doubt: u16) -> Level {
    Level { elo: elo as f64, nodes: nodes as f64, candidates: candidates as f64, oversight, doubt: doubt as f64 }
}

/// From the weakest to the strongest, calibrated with the network `c2b77ffc883bc8a4`. The rows from 2650 on are estimates. A
/// stronger network moves them all, those most that only nodes hold back.
const LEVELS: [Level; 9] = [
    level(800, 400, 40, 0.98, 780),
    level(1060, 850, 40, 0.95, 550),
    level(1390, 1_350, 26, 0.72, 300),
    level(1630, 2_000, 10, 0.40, 180),
    level(1755, 4_800, 8, 0.275, 105),
    level(1855, 8_000, 6, 0.20, 75),
    level(2430, 16_000, 3, 0.085, 31),
    level(2650, 40_000, 2, 0.03, 12),
    level(2850, 100_000, 1, 0.0, 0),
];

/// The hard limit of nodes, as a multiple of the level's nodes.
const MAX_NODES: u64 = 8;

/// The minimum number of nodes for mating a bare king.
const TECHNIQUE_NODES: u64 = 20_000;

impl Level {
    /// The level of a strength, between two rows.
    pub(crate) fn of(strength: Strength) -> Self {
        let elo = f64::from(strength.elo());
        let above = LEVELS.iter().position(|level| level.elo >= elo).unwrap_or(LEVELS.len() - 1).max(1);
        let (low, high) = (LEVELS[above - 1], LEVELS[above]);
        let share = (elo - low.elo) / (high.elo - low.elo);
        let between = |low: f64, high: f64| low + share * (high - low);
        Self {
            elo,
            // Strength grows with the logarithm of the nodes.
            nodes: between(low.nodes.ln(), high.nodes.ln()).exp(),
            candidates: between(low.candidates, high.candidates),
            oversight: between(low.oversight, high.oversight),
            doubt: between(low.doubt, high.doubt),
        }
    }
}

/// The nodes after which a player of a strength looks no further: no new iteration begins after the first number, and what
/// goes beyond the second is not looked at.
pub(crate) fn nodes(strength: Strength, board: &Board) -> (u64, u64) {
    let mut nodes = Level::of(strength).nodes.round() as u64;
    if technique::is_asked_for(board) {
        nodes = nodes.max(TECHNIQUE_NODES);
    }
    (nodes, MAX_NODES * nodes)
}

/// Limits a request to the strength it asks for. Returns whether there was anything to limit: then one thread searches,
/// without endgame tables. A search whose extent is asked for has it: there only the choice of the move is limited.
pub(crate) fn limit(request: &mut Request) -> bool {
    let Some(strength) = request.settings.strength else { return false };
    let (soft, hard) = nodes(strength, request.position.board());
    let at_most = |limit: Option<u64>, nodes: u64| Some(limit.map_or(nodes, |limit| limit.min(nodes)));
    let limits = &mut request.limits;
    if !limits.names_extent() {
        limits.soft_nodes = at_most(limits.soft_nodes, soft);
        limits.nodes = at_most(limits.nodes, hard);
    }
    true
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use movegen::Position;

    use super::*;
    use crate::types::limits::Limits;
    use crate::types::request::Settings;

    fn request(elo: u16, limits: Limits) -> Request {
        let settings = Settings { strength: Some(Strength::of_elo(elo, 1)), ..Settings::default() };
        Request { position: Position::start(), limits, settings, received: Instant::now() }
    }

    #[test]
    fn ratings_are_brought_within_the_table() {
        for (asked, taken) in [(0, 800), (800, 800), (1234, 1234), (u16::MAX, Strength::MAX_ELO)] {
            assert_eq!(Strength::of_elo(asked, 1).elo(), taken);
        }
    }

    #[test]
    fn stronger_levels_search_more_and_err_less() {
        let levels: Vec<_> =
            (Strength::MIN_ELO..=Strength::MAX_ELO).map(|elo| Level::of(Strength::of_elo(elo, 1))).collect();
        assert!(levels.is_sorted_by(|weak, strong| weak.nodes < strong.nodes));
        assert!(levels.is_sorted_by(|weak, strong| weak.candidates >= strong.candidates));
        assert!(levels.is_sorted_by(|weak, strong| weak.oversight >= strong.oversight));
        assert!(levels.is_sorted_by(|weak, strong| weak.doubt >= strong.doubt));
        for row in LEVELS {
            let level = Level::of(Strength::of_elo(row.elo as u16, 1));
            assert!((level.nodes / row.nodes - 1.0).abs() < 1e-9 && level.doubt == row.doubt, "{row:?} {level:?}");
        }
    }

    #[test]
    fn the_lesser_of_two_limits_counts() {
        for (own, expected) in [(None, 4_800), (Some(100), 100), (Some(9_000), 4_800)] {
            let mut request = request(1755, Limits { soft_nodes: own, ..Limits::default() });
            assert!(limit(&mut request));
            assert_eq!(request.limits.soft_nodes, Some(expected));
            assert_eq!(request.limits.nodes, Some(38_400));
        }
        for asked in [
            Limits { depth: Some(20), ..Limits::default() },
            Limits { nodes: Some(1_000_000), ..Limits::default() },
            Limits { infinite: true, ..Limits::default() },
        ] {
            let mut explicit = request(1755, asked.clone());
            assert!(limit(&mut explicit));
            assert_eq!((explicit.limits.soft_nodes, explicit.limits.nodes), (None, asked.nodes));
        }
        let mut unlimited = request(1755, Limits::default());
        unlimited.settings.strength = None;
        assert!(!limit(&mut unlimited));
        assert_eq!((unlimited.limits.soft_nodes, unlimited.limits.nodes), (None, None));
    }

    #[test]
    fn the_table_covers_the_ratings_that_can_be_asked_for() {
        let ends = (LEVELS[0].elo, LEVELS[LEVELS.len() - 1].elo);
        assert_eq!(ends, (f64::from(Strength::MIN_ELO), f64::from(Strength::MAX_ELO)));
    }
}
