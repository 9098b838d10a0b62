//! Heuristics that no number switches off: with the feature `tune` each can be, to measure what it is worth.
//!
//! In any other build all are on, by constant functions that cost nothing.

#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A heuristic that can be switched off.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// The name in the code.
    pub name: &'static str,
    #[cfg(feature = "tune")]
    value: &'static AtomicBool,
}

#[cfg(feature = "tune")]
impl Switch {
    /// Switches the heuristic on or off for all searches from now on.
    pub fn set(&self, on: bool) {
        self.value.store(on, Relaxed);
    }
}

macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        #[cfg(not(feature = "tune"))]
        mod values {
            $($(#[$doc])* #[inline] pub(crate) const fn $name() -> bool { true })*
        }

        #[cfg(feature = "tune")]
        mod values {
            use super::{AtomicBool, Relaxed};

            pub(super) struct Values { $(pub(super) $name: AtomicBool),* }

            pub(super) static VALUES: Values = Values { $($name: AtomicBool::new(true)),* };

            $($(#[$doc])* #[inline] pub(crate) fn $name() -> bool { VALUES.$name.load(Relaxed) })*
        }

        pub(crate) use values::*;

        /// All switches.
        pub const SWITCHES: &[Switch] = &[$(Switch {
            name: stringify!($name),
            #[cfg(feature = "tune")]
            value: &values::VALUES.$name,
        }),*];
    };
}

switches! {
    /// TT: cutoffs.
    tt_cutoffs;
    /// TT: its move is searched first.
    tt_move;
    /// TT: its score as an evaluation.
    tt_eval;
    /// Upcoming repetitions are draws at least.
    upcoming_repetition;
    /// Mate distance pruning.
    mate_distance;
    /// Whether the side to move stands better than at its last move.
    improving;
    /// SEE pruning of quiet moves.
    see_quiet_pruning;
    /// Singular extension: multi-cut.
    multi_cut;
    /// Singular extension: multi-cut corrects the evaluation.
    multi_cut_correction;
    /// Singular extension: the other moves are searched a ply deeper too.
    singular_for_all;
    /// A fail-high score is drawn towards beta.
    fail_high_blend;
    /// Move ordering: captures with a bad exchange last.
    bad_noisy_last;
    /// Quiet history.
    quiet_history;
    /// Quiet history: by which squares the opponent attacks.
    threat_history;
    /// Capture history.
    capture_history;
    /// Continuation history: the update after a second search.
    second_search_history;
}

#[cfg(test)]
mod tests {
    use super::SWITCHES;
    use crate::types::params::TUNABLES;

    #[test]
    fn no_switch_has_the_name_of_another_one_or_of_a_number() {
        assert!(!SWITCHES.is_empty());
        for (index, switch) in SWITCHES.iter().enumerate() {
            assert!(SWITCHES[..index].iter().all(|other| other.name != switch.name), "{}", switch.name);
            assert!(TUNABLES.iter().all(|tunable| tunable.name != switch.name), "{}", switch.name);
        }
    }
}
