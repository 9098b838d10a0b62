//! How soon the system runs a thread.

/// The shortest time slice that Linux grants, in nanoseconds.
#[cfg(all(target_os = "linux", not(miri)))]
const SHORTEST: u64 = 100_000;

/// Asks the system for short time slices for this thread, which then runs soon when it has something to do; neither its share
/// of the processor nor that of the threads it starts changes. For a thread that mostly waits for input while others
/// compute: with many more of them than processors it would come last otherwise.
///
/// Linux does so since 6.12; with a raised priority, and elsewhere, nothing changes.
///
/// Source: the Linux kernel, "EEVDF Scheduler".
#[cfg(all(target_os = "linux", not(miri)))]
pub fn prefer_short_time_slices() {
    if let Some(mut attributes) = scheduling()
        && attributes.sched_policy == libc::SCHED_OTHER as u32
        // A raised priority would not be passed on to threads either.
        && attributes.sched_nice >= 0
    {
        attributes.sched_runtime = SHORTEST;
        // Threads that this one starts get time slices of the usual length.
        attributes.sched_flags |= libc::SCHED_FLAG_RESET_ON_FORK as u64;
        let (this_thread, flags): (libc::c_long, libc::c_long) = (0, 0);
        // SAFETY: the system reads as many bytes as `size` says, which it has set itself for this structure; if that does
        // not suit it, it writes another `size`. The other arguments are as wide as the function takes them.
        #[allow(unsafe_code)]
        let _ = unsafe { libc::syscall(libc::SYS_sched_setattr, this_thread, &raw mut attributes, flags) };
    }
}

/// Nothing: this system is not asked.
#[cfg(any(not(target_os = "linux"), miri))]
pub const fn prefer_short_time_slices() {}

/// How the system schedules this thread, if it says so.
#[cfg(all(target_os = "linux", not(miri)))]
fn scheduling() -> Option<libc::sched_attr> {
    let mut attributes = libc::sched_attr {
        size: size_of::<libc::sched_attr>() as u32,
        sched_policy: 0,
        sched_flags: 0,
        sched_nice: 0,
        sched_priority: 0,
        sched_runtime: 0,
        sched_deadline: 0,
        sched_period: 0,
    };
    let (this_thread, flags): (libc::c_long, libc::c_long) = (0, 0);
    let size = size_of_val(&attributes);
    // SAFETY: the system writes no more bytes than it is told that there are, and any bytes are valid numbers. The other
    // arguments are as wide as the function takes them.
    #[allow(unsafe_code)]
    let result = unsafe { libc::syscall(libc::SYS_sched_getattr, this_thread, &raw mut attributes, size, flags) };
    (result == 0).then_some(attributes)
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn short_time_slices_change_neither_the_priority_nor_other_threads() {
        let Some(before) = scheduling() else { return println!("skipped: the system does not say how it schedules") };
        thread::spawn(move || {
            prefer_short_time_slices();
            let own = scheduling().unwrap();
            assert_eq!((own.sched_policy, own.sched_nice), (before.sched_policy, before.sched_nice));
            // Older systems have no time slices of their own for a thread, and report none.
            if before.sched_runtime > 0 && before.sched_policy == libc::SCHED_OTHER as u32 && before.sched_nice >= 0 {
                assert_eq!(own.sched_runtime, SHORTEST);
            }
            let started = thread::spawn(|| scheduling().unwrap()).join().unwrap();
            assert_eq!((started.sched_policy, started.sched_nice), (before.sched_policy, before.sched_nice));
            assert_eq!(started.sched_runtime, before.sched_runtime);
            assert_eq!(started.sched_flags, before.sched_flags);
        })
        .join()
        .unwrap();
        assert_eq!(scheduling().unwrap().sched_runtime, before.sched_runtime);
    }
}
