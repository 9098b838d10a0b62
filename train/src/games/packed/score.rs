//! Scores in steps of winning chances, predicted from the game's earlier scores.
//!
//! A network's evaluation would predict them a little better, but only as long as that network is at hand.

use movegen::{Board, Color, GameResult, PieceType};

use super::coder::Coder;
use super::softmax::Softmax;

/// The largest magnitude of each level, in centipawns, and the one that stands for it.
///
/// Up to 1,933 a level is a sixty-fourth of winning chance by the trainer's scale (`eval::arch::SCALE`) or less: one
/// ends at 1,000 and one at 10,000, so that the filter's usual bounds part the same positions as before.
const MAGNITUDES: [(u16, i16); 39] = [
    (12, 0),
    (37, 25),
    (62, 50),
    (87, 75),
    (113, 101),
    (138, 126),
    (164, 152),
    (191, 178),
    (217, 204),
    (245, 231),
    (272, 259),
    (301, 287),
    (330, 315),
    (360, 345),
    (391, 375),
    (423, 407),
    (456, 439),
    (491, 474),
    (528, 509),
    (566, 547),
    (607, 587),
    (651, 629),
    (699, 675),
    (751, 724),
    (808, 778),
    (872, 839),
    (945, 907),
    (1000, 972),
    (1032, 1016),
    (1140, 1083),
    (1281, 1205),
    (1492, 1374),
    (1933, 1657),
    (2500, 2200),
    (3300, 2900),
    (4500, 3900),
    (6500, 5500),
    (10_000, 8000),
    (u16::MAX, 31_900),
];
/// Levels of either sign, the middle one for no advantage.
pub(super) const LEVELS: usize = 2 * MAGNITUDES.len() - 1;
const MIDDLE: usize = MAGNITUDES.len() - 1;

/// The level of a score.
pub(super) fn level_of(score: i16) -> usize {
    let magnitude = MAGNITUDES.partition_point(|&(most, _)| most < score.unsigned_abs());
    if score < 0 { MIDDLE - magnitude } else { MIDDLE + magnitude }
}

/// The score that stands for a level.
pub(super) fn score_of(level: usize) -> i16 {
    if level < MIDDLE { -MAGNITUDES[MIDDLE - level].1 } else { MAGNITUDES[level - MIDDLE].1 }
}

/// A level for White as one for `turn`, and back.
fn seen_by(turn: Color, level: usize) -> usize {
    if turn == Color::White { level } else { LEVELS - 1 - level }
}

const FEATURES: usize = 8;
const SPAN: usize = 2 * LEVELS;
const SIZES: [usize; FEATURES] =
    [4 * SPAN, LEVELS * LEVELS, 9 * 4 * SPAN, 4 * 4 * LEVELS, 9 * 4 * SPAN, 8 * 8 * SPAN, 4 * SPAN, 31 * 4 * LEVELS];
const RATE: i32 = 300;

/// The scores of the game so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past {
    /// The last levels, for White, the newest first.
    levels: [usize; 3],
    /// Half-moves since each of them.
    ages: [usize; 3],
    /// White's pieces less Black's at the newest.
    balance: i32,
    /// A running mean of how far the levels jump, in sixteenths.
    unrest: usize,
}

impl Default for Past {
    fn default() -> Self {
        Self { levels: [MIDDLE; 3], ages: [64; 3], balance: 0, unrest: 32 }
    }
}

impl Past {
    /// The last score, for White.
    pub(super) fn score(&self) -> i16 {
        score_of(self.levels[0])
    }

    /// Another move was made.
    pub(super) fn age(&mut self) {
        self.ages = self.ages.map(|age| (age + 1).min(64));
    }

    /// The game's result and its last score as one of nine moods of the side to move.
    pub(super) fn mood(&self, turn: Color, result: Option<GameResult>) -> usize {
        let level = seen_by(turn, self.levels[0]);
        3 * outlook(turn, result).min(2) + if level + 6 < MIDDLE { 0 } else { 1 + usize::from(level > MIDDLE + 6) }
    }

    fn add(&mut self, level: usize, balance: i32) {
        let jump = level.abs_diff(self.levels[0]);
        self.unrest = (3 * self.unrest + 16 * jump.min(32)) / 4;
        self.levels = [level, self.levels[0], self.levels[1]];
        self.ages = [0, self.ages[0], self.ages[1]];
        self.balance = balance;
    }
}

/// Lost, drawn, won or unknown for a side.
fn outlook(turn: Color, result: Option<GameResult>) -> usize {
    match result {
        None => 3,
        Some(result) if turn == Color::White => result as usize,
        Some(result) => 2 - (result as usize).min(2),
    }
}

/// White's pieces less Black's, in pawns.
fn balance(board: &Board) -> i32 {
    const VALUES: [i32; 6] = [1, 3, 3, 5, 9, 0];
    let sum = |color| -> i32 {
        PieceType::ALL
            .iter()
            .map(|&kind| VALUES[kind as usize] * board.colored_pieces(color, kind).count() as i32)
            .sum()
    };
    sum(Color::White) - sum(Color::Black)
}

#[derive(Clone, Debug)]
pub(super) struct ScoreModel(Softmax<FEATURES>);

impl ScoreModel {
    pub(super) fn new() -> Self {
        Self(Softmax::new(SIZES.iter().sum(), RATE))
    }

    /// Codes the score of `board` for White and returns the one that stands for its level.
    pub(super) fn code(
        &mut self,
        coder: &mut impl Coder,
        score: i16,
        board: &Board,
        result: Option<GameResult>,
        past: &mut Past,
    ) -> i16 {
        let turn = board.turn();
        let [last, second, third] = past.levels.map(|level| seen_by(turn, level));
        let white_balance = balance(board);
        let sign = if turn == Color::White { 1 } else { -1 };
        let phase = ((board.occupied().count() - 1) / 8).min(3);
        let gap = past.ages[0].min(4) - 1;
        let step = (last as i32 - second as i32).clamp(-4, 4) + 4;
        let gain = (sign * (white_balance - past.balance)).clamp(-4, 4) + 4;
        let unrest = (past.unrest.max(1).ilog2() as usize).min(7);
        let own = if past.ages[1] <= 2 {
            second
        } else if past.ages[0] == 2 {
            last
        } else {
            third
        };
        let bases = [
            gap * SPAN,
            last * LEVELS,
            (step as usize * 4 + gap) * SPAN,
            (outlook(turn, result) * 4 + phase) * LEVELS,
            (gain as usize * 4 + gap) * SPAN,
            (unrest * 8 + 2 * phase + gap.min(1)) * SPAN,
            gap * SPAN,
            (((sign * white_balance).clamp(-15, 15) + 15) as usize * 4 + phase) * LEVELS,
        ];
        // In a table by the change of the level, the first candidate is a change to the lowest level.
        let (change, own_change) = (LEVELS - last, LEVELS - own);
        let first = [change, 0, change, 0, change, change, own_change, 0];
        let mut offset = 0;
        let first = std::array::from_fn(|feature| {
            let index = offset + bases[feature] + first[feature];
            offset += SIZES[feature];
            index
        });
        let choice = seen_by(turn, level_of(score));
        let level = seen_by(turn, self.0.code_row(coder, choice, LEVELS, first));
        past.add(level, white_balance);
        score_of(level)
    }
}
