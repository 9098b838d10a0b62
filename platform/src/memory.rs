//! Memory: how much can be spared, what is held back, and huge pages.
//!
//! Rust ends the process where a small allocation fails, and so does the system where a thread finds no memory to begin
//! with. Neither can be handled, so neither may happen: whatever takes much memory leaves a reserve, and does without
//! where that cannot be.

/// In bytes: what lines of input, lists of moves and the system's own needs take, and more.
const MIN_RESERVE: usize = 3 << 20;
/// In bytes, for each search thread: its root moves and their lines, and the history of the game.
const RESERVE_OF_THREAD: usize = 128 << 10;

/// Memory that nobody else can take as long as this lives. It comes from the system directly and is never touched, so
/// that it costs nothing, and goes back as a whole.
pub struct Reserve {
    _pages: pages::Pages,
}

impl Reserve {
    /// So many bytes; `None` if the system has no more.
    #[must_use]
    pub fn take(bytes: usize) -> Option<Self> {
        pages::take(bytes).map(|pages| Self { _pages: pages })
    }

    /// The bytes to be left over when this many threads search.
    #[must_use]
    pub const fn for_threads(threads: usize) -> usize {
        MIN_RESERVE + threads * RESERVE_OF_THREAD
    }
}

/// Whether this many bytes can be had and enough is left for small needs, without which the process would end. To be
/// asked before memory is taken in an amount that some input determines.
#[must_use]
pub fn has_room(bytes: usize) -> bool {
    Reserve::take(bytes.saturating_add(MIN_RESERVE)).is_some()
}

#[cfg(not(any(target_family = "wasm", miri)))]
mod pages {
    use memmap2::MmapMut;

    pub(super) type Pages = MmapMut;

    pub(super) fn take(bytes: usize) -> Option<Pages> {
        MmapMut::map_anon(bytes).ok()
    }
}

#[cfg(any(target_family = "wasm", miri))]
mod pages {
    pub(super) type Pages = Vec<u8>;

    pub(super) fn take(bytes: usize) -> Option<Pages> {
        let mut pages = Vec::new();
        pages.try_reserve_exact(bytes).ok().map(|()| pages)
    }
}

/// The memory that the system, or the group of processes this one belongs to, can spare, in bytes; `None` if it does not
/// say.
#[must_use]
#[cfg(not(any(target_family = "wasm", miri)))]
pub fn spare_memory() -> Option<u64> {
    let mut system = sysinfo::System::new().ok()?;
    system.refresh_memory();
    // What the group has free does not count files in memory, which would give way.
    let granted = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory.saturating_sub(limits.rss));
    Some(system.available_memory().min(granted))
}

/// Unknown: a WebAssembly program learns it only by asking for memory, and so does one that Miri interprets.
#[must_use]
#[cfg(any(target_family = "wasm", miri))]
pub const fn spare_memory() -> Option<u64> {
    None
}

/// Has all threads allocate from one heap if the process has a limit on the memory it may address (`ulimit -v`). To be called
/// before there are threads.
///
/// The C library of GNU sets 64 MiB of addresses aside for the heap of each thread. Where it does not get them, every allocation
/// of that thread, however small, takes a page of its own, and fails when there is none, though the common heap has room.
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
pub fn share_heap_if_limited() {
    use rustix::process::{Resource, getrlimit};

    if getrlimit(Resource::As).current.is_some() {
        // SAFETY: the function takes numbers and changes only how later allocations are made. It writes a number that other
        // threads would read without a lock, therefore the caller has none yet.
        #[allow(unsafe_code)]
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
    }
}

/// Nothing: other C libraries have one heap, or small ones.
#[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
pub const fn share_heap_if_limited() {}

/// Gives the system back what has been freed. The C library of GNU keeps freed blocks below others that are in use, which are
/// hundreds of megabytes when most of many threads have ended. Takes milliseconds; for whoever has just freed much.
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
pub fn give_back_freed_memory() {
    // SAFETY: the function takes no pointer, may be called by any thread at any time, and gives up only pages without a block
    // that is in use.
    #[allow(unsafe_code)]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Nothing: other C libraries keep little.
#[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
pub const fn give_back_freed_memory() {}

/// Asks the processor to fetch the cache line of a value that will soon be read.
#[inline]
pub fn prefetch<T>(value: &T) {
    let value: *const T = value;
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect on memory, whatever the address; this one is valid besides.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(value.cast());
        }
    }
    #[cfg(target_arch = "aarch64")]
    {
        // SAFETY: a prefetch has no effect on memory, whatever the address; this one is valid besides.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::asm!("prfm pldl1keep, [{}]", in(reg) value, options(nostack, preserves_flags, readonly));
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = value;
}

/// Asks the system for huge pages of 2 MiB, as Reckless does: most accesses then need no walk through the page tables.
/// The system may decline.
#[cfg(all(target_os = "linux", not(miri)))]
pub fn advise_huge_pages<T>(memory: &[T]) {
    use rustix::mm::{Advice, madvise};

    let page = rustix::param::page_size();
    let bytes = memory.as_ptr_range();
    let (start, end) = (bytes.start.addr().next_multiple_of(page), bytes.end.addr() / page * page);
    if start < end {
        let start = bytes.start.with_addr(start);
        // SAFETY: the pages lie within memory that is lent, and this advice changes nothing that can be read there.
        #[allow(unsafe_code)]
        let _ = unsafe { madvise(start.cast_mut().cast(), end - start.addr(), Advice::LinuxHugepage) };
    }
}

/// Nothing: this system is not asked.
#[cfg(any(not(target_os = "linux"), miri))]
pub const fn advise_huge_pages<T>(_: &[T]) {}
