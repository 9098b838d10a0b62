//! Memory: how much there is for the transposition table, huge pages, and what is left to everything else.
//!
//! Rust ends the process where a small allocation fails, and so does the system where a thread finds no memory to begin
//! with. Neither can be handled, so neither may happen: whatever takes much memory leaves a reserve, and does without
//! where that cannot be.

use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;
use sysinfo::System;

pub(crate) const WORDS_PER_MIB: usize = (1 << 20) / size_of::<AtomicU64>();
/// In bytes; also the spare words of an allocation, more than alignment needs.
pub(crate) const CACHE_LINE: usize = 64;

/// Never offer less than this, so that the size, and with it the search, does not depend on a temporary shortage.
const LEAST_MOST_MIB: usize = 64;

/// In bytes: what lines of input, lists of moves and the system's own needs take, and more.
const LEAST_RESERVE: usize = 3 << 20;
/// In bytes, for each search thread: its root moves and their lines, and the history of the game.
const RESERVE_OF_THREAD: usize = 128 << 10;

/// Memory that nobody else can take as long as this lives. It comes from the system directly and is never touched, so
/// that it costs nothing, and goes back as a whole.
pub(crate) struct Reserve {
    _pages: MmapMut,
}

impl Reserve {
    /// So many bytes; `None` if the system has no more.
    pub(crate) fn take(bytes: usize) -> Option<Self> {
        MmapMut::map_anon(bytes).ok().map(|pages| Self { _pages: pages })
    }

    /// The bytes to be left over when so many threads search.
    pub(crate) const fn for_threads(threads: usize) -> usize {
        LEAST_RESERVE + threads * RESERVE_OF_THREAD
    }
}

/// Whether so many bytes can be had and enough is left for small needs, without which the process would end. To be
/// asked before memory is taken in an amount that some input determines.
#[must_use]
pub fn has_room(bytes: usize) -> bool {
    Reserve::take(bytes.saturating_add(LEAST_RESERVE)).is_some()
}

/// The largest table that leaves the system an eighth of the memory it can spare; no bound if it does not say.
pub(crate) fn most_mib() -> usize {
    const UNKNOWN: u64 = u64::MAX / 2;
    let spare = System::new().map_or(UNKNOWN, |mut system| {
        system.refresh_memory();
        // What the group has free does not count files in memory, which would give way.
        let granted = system.cgroup_limits().map_or(UNKNOWN, |limits| limits.total_memory.saturating_sub(limits.rss));
        system.available_memory().min(granted)
    });
    let mib = (spare - spare / 8) >> 20;
    usize::try_from(mib).unwrap_or(usize::MAX).clamp(LEAST_MOST_MIB, isize::MAX as usize >> 20)
}

/// Asks the system for huge pages of 2 MiB, as Reckless does: most probes then need no walk through the page tables.
/// The system may decline.
#[cfg(target_os = "linux")]
pub(crate) fn advise_huge_pages(room: &[AtomicU64]) {
    use rustix::mm::{Advice, madvise};

    let page = rustix::param::page_size();
    let bytes = room.as_ptr_range();
    let (start, end) = (bytes.start.addr().next_multiple_of(page), bytes.end.addr() / page * page);
    if start < end {
        let start = bytes.start.with_addr(start);
        // SAFETY: the pages lie within memory that is ours, and this advice changes nothing that can be read there.
        #[allow(unsafe_code)]
        let _ = unsafe { madvise(start.cast_mut().cast(), end - start.addr(), Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) const fn advise_huge_pages(_: &[AtomicU64]) {}
