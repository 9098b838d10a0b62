//! How much memory there is for the transposition table.

use std::sync::atomic::AtomicU64;

use platform::spare_memory;

/// Fewer for Miri, which looks at each word of the table whenever it is lent.
pub(crate) const WORDS_PER_MIB: usize = if cfg!(miri) { 1 << 13 } else { (1 << 20) / size_of::<AtomicU64>() };
/// In bytes; also the spare words of an allocation, more than alignment needs.
pub(crate) const CACHE_LINE: usize = 64;

/// The limit is never below this, so that the size, and with it the search, does not depend on a temporary shortage.
const MIN_LIMIT_MIB: usize = 64;

/// The largest table that leaves the system an eighth of the memory it can spare; no bound if it does not say.
pub(crate) fn most_mib() -> usize {
    const UNKNOWN: u64 = u64::MAX / 2;
    let spare = spare_memory().unwrap_or(UNKNOWN);
    let mib = (spare - spare / 8) >> 20;
    usize::try_from(mib).unwrap_or(usize::MAX).clamp(MIN_LIMIT_MIB, isize::MAX as usize >> 20)
}
