//! What an examination has cost so far, and whether somebody wants it to end.

/// The work of one examination, shared by all its steps.
pub(super) struct Effort<'a> {
    /// Positions searched.
    pub(super) nodes: u64,
    must_end: &'a mut dyn FnMut() -> bool,
    is_broken_off: bool,
}

impl<'a> Effort<'a> {
    /// `must_end` is asked before each piece of work, and ends the examination by returning true.
    pub(super) fn new(must_end: &'a mut dyn FnMut() -> bool) -> Self {
        Self { nodes: 1, must_end, is_broken_off: false }
    }

    /// Whether the examination has to end; once true, it stays so. Then nothing is proven by what was left out.
    pub(super) fn must_end(&mut self) -> bool {
        self.is_broken_off = self.is_broken_off || (self.must_end)();
        self.is_broken_off
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Budget, is_dead, is_dead_until};
    use crate::Board;

    #[test]
    fn who_asks_for_the_end_gets_it_at_once() {
        // Long in the quick proofs, long in the others, and dead, which takes a search to find out.
        for fen in [
            "8/3p1p1p/1p6/1P6/BP6/KP6/PP1P1P1P/k7 w - - 0 1",
            "k7/p1p1p3/8/8/8/2P1P1p1/P5Pp/7K w - - 0 1",
            "8/pp6/kp4p1/1p4P1/1p4P1/1P4PK/6PP/8 w - - 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            for budget in [Budget::FAST, Budget::MEDIUM] {
                let mut all = 0;
                let proven = is_dead_until(&board, budget, &mut || {
                    all += 1;
                    false
                });
                assert_eq!(proven, is_dead(&board, budget), "{fen}");
                for limit in [1, 2, all / 3, all / 2].into_iter().filter(|limit| (1..all).contains(limit)) {
                    let mut asked = 0;
                    let proven = is_dead_until(&board, budget, &mut || {
                        asked += 1;
                        asked == limit
                    });
                    assert_eq!((proven, asked), (false, limit), "{fen}");
                }
            }
        }
    }
}
