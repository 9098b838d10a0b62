//! What a search found, and how it is written down.

use movegen::Move;
use search::{Bound, Found, FoundLine, Score};
use serde::{Deserialize, Serialize};

/// What one search found out about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The last full iteration, in plies.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The limits of the search, as its owner numbers them.
    pub limits: u64,
    /// Which endgame tables the search could ask, as its owner numbers them; 0 for none.
    pub tables: u64,
    /// Whether it holds in other games: nothing was repeated, and the fifty-move rule was far away.
    pub is_general: bool,
    /// The best lines, the best first. Their moves need not be legal if the file was tampered with.
    pub lines: Vec<FoundLine>,
}

impl From<Record> for Found {
    fn from(record: Record) -> Self {
        let Record { depth, seldepth, nodes, lines, .. } = record;
        Self { depth, seldepth, nodes, lines }
    }
}

/// A record as it is written.
#[derive(Serialize, Deserialize)]
struct Written {
    depth: u32,
    seldepth: u32,
    nodes: u64,
    limits: u64,
    tables: u64,
    is_general: bool,
    lines: Vec<(i32, u8, Vec<u16>)>,
}

const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

impl Record {
    /// `None` if it cannot be written, which does not happen.
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        let Self { depth, seldepth, nodes, limits, tables, is_general, ref lines } = *self;
        let bound = |bound| BOUNDS.iter().position(|&other| other == bound).map_or(0, |index| index as u8);
        let line = |line: &FoundLine| {
            (line.score.0, bound(line.bound), line.moves.iter().map(|mv| mv.bits()).collect::<Vec<_>>())
        };
        let lines = lines.iter().map(line).collect();
        postcard::to_allocvec(&Written { depth, seldepth, nodes, limits, tables, is_general, lines }).ok()
    }

    /// `None` if these bytes are no record.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let Written { depth, seldepth, nodes, limits, tables, is_general, lines } = postcard::from_bytes(bytes).ok()?;
        let line = |(score, bound, moves): (i32, u8, Vec<u16>)| {
            let is_score = Score::INFINITE.0.unsigned_abs() > score.unsigned_abs();
            Some(FoundLine {
                score: is_score.then_some(Score(score))?,
                bound: *BOUNDS.get(usize::from(bound))?,
                moves: moves.into_iter().map(Move::from_bits).collect::<Option<_>>()?,
            })
        };
        let lines = lines.into_iter().map(line).collect::<Option<_>>()?;
        Some(Self { depth, seldepth, nodes, limits, tables, is_general, lines })
    }

    /// Of two results of the same search of a position, the better one has the higher rank: that of more depth, then of more
    /// nodes and more lines.
    #[must_use]
    pub fn rank(&self) -> (u32, u64, usize) {
        (self.depth, self.nodes, self.lines.len())
    }

    /// Whether it is to be preferred to another one of the same position, for games other than its own.
    pub(crate) fn is_better_than(&self, other: &Self) -> bool {
        let rank = |record: &Self| (record.is_general, record.nodes, record.depth, record.lines.len());
        rank(self) > rank(other)
    }
}

#[cfg(test)]
mod tests {
    use movegen::Board;

    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        for bound in BOUNDS {
            let moves = Board::start().legal_moves().to_vec();
            let lines = [Score(-31_999), Score(0), Score(31_999)];
            let lines = lines.map(|score| FoundLine { score, bound, moves: moves.clone() }).to_vec();
            let record =
                Record { depth: 9, seldepth: 20, nodes: u64::MAX, limits: 1, tables: 3, is_general: true, lines };
            let bytes = record.to_bytes().unwrap();
            assert_eq!(Record::from_bytes(&bytes), Some(record));
            assert!((0..bytes.len()).all(|length| Record::from_bytes(&bytes[..length]).is_none()));
        }
    }

    #[test]
    fn any_bytes_are_a_record_or_none() {
        let mut state = 1_u64;
        for length in (0..40).cycle().take(20_000) {
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8 & 0x9F
            };
            let bytes: Vec<_> = (0..length).map(|_| random()).collect();
            if let Some(record) = Record::from_bytes(&bytes) {
                assert!(record.lines.iter().all(|line| line.score.0.abs() <= Score::MATE.0));
            }
        }
    }
}
