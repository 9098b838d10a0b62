//! Which motif names a tactic: the table of all that are recognised.

use super::motif::Motif;
use super::proof::Tactic;
use super::{attack, defence, lines};

/// How a motif is recognised.
type Detector = fn(&Tactic) -> Option<Motif>;

/// Those that hold only if every other reply loses as much.
const FORCED: [Detector; 8] = [
    lines::double_check,
    lines::discovered_attack,
    lines::skewer,
    attack::fork,
    defence::removed_defender,
    defence::deflection,
    lines::pin,
    attack::trapped_piece,
];

/// Those that need no reply.
const PLAIN: [Detector; 3] = [attack::promotion, attack::hanging_piece, lines::pinned_defender];

/// The most telling motif of some tactics that begin alike, and which of them shows it. `None` without a tactic.
pub(crate) fn motif_of(tactics: &[Tactic]) -> Option<(&Tactic, Motif)> {
    let shortest = tactics.first()?;
    if !shortest.is_forced() {
        return Some((shortest, Motif::any(shortest)));
    }
    let detectors = PLAIN.into_iter().chain(FORCED).chain([attack::bad_exchange as Detector]);
    let shown = |detect: Detector| tactics.iter().find_map(|tactic| Some((tactic, detect(tactic)?)));
    Some(detectors.filter_map(shown).next().unwrap_or_else(|| (shortest, Motif::any(shortest))))
}
