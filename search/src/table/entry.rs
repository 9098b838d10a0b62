//! An entry of the transposition table, and its packing into one 64-bit word.

use movegen::{Key, Move};

use crate::types::score::{Bound, Score};

const NO_EVAL: i16 = i16::MIN;

/// An entry of the transposition table: what is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TTEntry {
    /// The best move, if one is known.
    pub mv: Option<Move>,
    /// The score, with mates counted from the root.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The static evaluation before corrections; none in check.
    pub raw_eval: Option<Score>,
    /// Remaining depth, 0 in quiescence search.
    pub depth: i32,
    /// Whether the position has been part of a principal variation (`tt_pv`).
    pub pv: bool,
}

/// A [`TTEntry`] in 64 bits: move 16, score 16, evaluation 16, depth 8, then bound 2, pv 1, generation 5. Without a bound it
/// has an evaluation alone; all zero is no entry.
#[derive(Clone, Copy)]
pub(crate) struct PackedEntry(pub(crate) u64);

impl PackedEntry {
    pub(crate) fn pack(entry: &TTEntry, ply: usize, generation: u8) -> Self {
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let flags = bound | u8::from(entry.pv) << 2 | generation << 3;
        let score = score_from_node(entry.score, ply);
        let eval = entry.raw_eval.map_or(NO_EVAL, |eval| eval.0 as i16);
        Self(
            entry.mv.map_or(0, |mv| u64::from(mv.bits()))
                | u64::from(score as u16) << 16
                | u64::from(eval as u16) << 32
                | u64::from(entry.depth.clamp(0, 255) as u8) << 48
                | u64::from(flags) << 56,
        )
    }

    pub(crate) fn unpack(self, ply: usize, halfmove_clock: u16) -> Option<TTEntry> {
        Some(TTEntry {
            mv: self.mv(),
            score: score_at_node((self.0 >> 16) as i16, ply, halfmove_clock),
            bound: self.bound()?,
            raw_eval: self.raw_eval(),
            depth: self.depth(),
            pv: self.0 >> 58 & 1 == 1,
        })
    }

    /// A static evaluation and nothing else: neither a score nor a bound.
    pub(crate) fn of_eval(raw_eval: Score, generation: u8) -> Self {
        // The depth, which means nothing here, tells an evaluation of zero from no entry.
        Self(u64::from(raw_eval.0 as i16 as u16) << 32 | 1 << 48 | u64::from(generation) << 59)
    }

    /// The static evaluation before corrections.
    #[inline]
    pub(crate) fn raw_eval(self) -> Option<Score> {
        let eval = (self.0 >> 32) as i16;
        (eval != NO_EVAL).then_some(Score(i32::from(eval)))
    }

    /// The key's lowest 16 bits, which do not choose the cluster, mixed with the entry.
    #[inline]
    pub(crate) const fn mix(self, key: Key) -> u16 {
        let folded = self.0 ^ self.0 >> 32;
        key as u16 ^ folded as u16 ^ (folded >> 16) as u16
    }

    #[inline]
    pub(crate) const fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline]
    pub(crate) const fn depth(self) -> i32 {
        (self.0 >> 48) as u8 as i32
    }

    #[inline]
    pub(crate) const fn bound(self) -> Option<Bound> {
        match self.0 >> 56 & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        }
    }

    #[inline]
    pub(crate) const fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }
}

/// Counts a mate from this node instead of the root, since the node may be reached at another ply.
fn score_from_node(score: Score, ply: usize) -> i16 {
    let distance = ply as i32;
    let score = if score.is_win() {
        score.0 + distance
    } else if score.is_loss() {
        score.0 - distance
    } else {
        score.0
    };
    score as i16
}

/// The reverse, but for a mate, or a position that an endgame table knows, farther away than the fifty-move rule:
/// another path to the position may have had more half-moves left. As in Stockfish.
fn score_at_node(stored: i16, ply: usize, halfmove_clock: u16) -> Score {
    let (score, distance) = (Score(i32::from(stored)), ply as i32);
    let plies_to_win = score.plies_to_table().unwrap_or(Score::MATE.0.abs_diff(score.0.abs()));
    let comes_late = plies_to_win > 100 - u32::from(halfmove_clock.min(100));
    match (score.is_win(), score.is_loss()) {
        (true, _) if comes_late => Score::WIN_BOUND - 1,
        (_, true) if comes_late => -Score::WIN_BOUND + 1,
        (true, _) => score - distance,
        (_, true) => score + distance,
        _ => score,
    }
}
