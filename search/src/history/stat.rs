//! A history score: a number that a bonus raises and a malus lowers, within bounds.
//!
//! `value += bonus - value * |bonus| / LIMIT`: the nearer the value is to its limit, the less a bonus adds ("gravity").
//! Bonus and malus grow with depth: `min(base + rate * depth, max)`.
//!
//! Source: the Chess Programming Wiki, "History Heuristic"; gravity follows Stockfish.

use bytemuck::Zeroable;

use crate::types::params;

/// A score that never leaves `-LIMIT..=LIMIT`.
#[derive(Clone, Copy, Debug, Default, Zeroable)]
#[repr(transparent)]
pub(crate) struct Stat<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Stat<LIMIT> {
    #[inline]
    pub(crate) fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Keeps this part of the score, in 1/1024.
    #[inline]
    pub(crate) fn keep(&mut self, part: i32) {
        // `* part / 1024` as the upper half of a 32-bit product: so the compiler works on 16-bit lanes.
        let kept = ((u32::from(self.0.unsigned_abs()) * (part << 6) as u32) >> 16) as i16;
        self.0 = if self.0 < 0 { -kept } else { kept };
    }

    /// Moves the score towards the sign of `bonus`, by less the nearer it is to the limit.
    #[inline]
    pub(crate) fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let value = self.get();
        self.0 = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }
}

/// The bonus of the best move.
#[inline]
pub(crate) fn bonus(depth: i32) -> i32 {
    (params::history_bonus() * depth).min(params::history_bonus_max())
}

/// The malus of the moves tried before it, as a positive number.
#[inline]
pub(crate) fn malus(depth: i32) -> i32 {
    (params::history_malus_base() + params::history_malus() * depth).min(params::history_malus_max())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_kept_rounded_towards_zero() {
        for value in -2000..=2000 {
            for part in [0, 1, 767, 768, 1023, 1024] {
                let mut stat = Stat::<2000>(value);
                stat.keep(part);
                assert_eq!(stat.get(), i32::from(value) * part / 1024, "{part}/1024 of {value}");
            }
        }
    }

    #[test]
    fn a_stat_stays_within_its_limit_and_moves_with_the_bonus() {
        let mut stat = Stat::<1000>::default();
        for bonus in [5000, 300, 999, 1000, 1] {
            let before = stat.get();
            stat.update(bonus);
            assert!((before..=1000).contains(&stat.get()), "{bonus}");
        }
        for _ in 0..50 {
            stat.update(-700);
            assert!((-1000..=1000).contains(&stat.get()));
        }
        assert!(stat.get() < -900);
    }
}
