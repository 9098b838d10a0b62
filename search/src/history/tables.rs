//! Tables of which a short search writes to few: only these are cleared again.

use std::mem::take;

use bytemuck::allocation::try_zeroed_box;
use bytemuck::{Zeroable, write_zeroes};

/// `N` tables, empty at first.
pub(crate) struct Tables<T, const N: usize> {
    tables: Box<[T; N]>,
    /// Which are not empty, if any are.
    written: Box<[bool; N]>,
}

impl<T: Zeroable, const N: usize> Tables<T, N> {
    /// Empty tables; `None` without memory for them.
    pub(crate) fn try_new() -> Option<Self> {
        Some(Self { tables: try_zeroed_box().ok()?, written: try_zeroed_box().ok()? })
    }

    /// Empties all.
    pub(crate) fn clear(&mut self) {
        for (table, written) in self.tables.iter_mut().zip(&mut *self.written) {
            if take(written) {
                write_zeroes(table);
            }
        }
    }

    /// The table of this index, to read it.
    #[inline]
    pub(crate) fn of(&self, index: usize) -> &T {
        &self.tables[index]
    }

    /// The table of this index, to write to it.
    #[inline]
    pub(crate) fn of_mut(&mut self, index: usize) -> &mut T {
        self.written[index] = true;
        &mut self.tables[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_was_written_is_cleared() {
        let mut tables = Tables::<[i16; 3], 5>::try_new().unwrap();
        for written in [&[0, 4][..], &[2], &[], &[0, 1, 2, 3, 4]] {
            for &index in written {
                tables.of_mut(index)[1] = -7;
            }
            let found: Vec<usize> = (0..5).filter(|&index| tables.of(index) != &[0; 3]).collect();
            assert_eq!(found, written);
            tables.clear();
            assert!((0..5).all(|index| tables.of(index) == &[0; 3]), "{written:?}");
        }
    }
}
