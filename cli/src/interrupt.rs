//! Ctrl-C: the first asks a command to end in good order, the second ends the process.
//!
//! The system's wish that the process end (`SIGTERM`) counts as Ctrl-C, and so does the end of its terminal (`SIGHUP`),
//! unless `nohup` or the like has said that it is to go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The exit status after the second Ctrl-C, as shells have it.
const STATUS: i32 = 130;

/// Does this at the first Ctrl-C, or when the system asks the process to end, and that at the second, before the process ends.
/// If the system does not allow a handler, the first one already ends the process.
pub fn on_ctrl_c(first: impl FnOnce() + Send + 'static, second: impl Fn() + Send + 'static) {
    let mut first = Some(first);
    on_each(move || match first.take() {
        Some(first) => first(),
        None => {
            second();
            std::process::exit(STATUS);
        }
    });
}

/// A flag that is raised at the first Ctrl-C, as [`on_ctrl_c`] understands it.
#[must_use]
pub fn stop_on_ctrl_c() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    on_ctrl_c(move || raised.store(true, Relaxed), || {});
    stop
}

#[cfg(unix)]
fn on_each(mut act: impl FnMut() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let wanted = [SIGINT, SIGTERM].into_iter().chain((!ignores_hangup()).then_some(SIGHUP));
    let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else { return };
    std::thread::spawn(move || signals.forever().for_each(|_| act()));
}

/// Whether the process was started by `nohup` or the like.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    // The signals that are ignored, as bits; where the system does not say so, none is taken to be.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let bits = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    bits.is_some_and(|bits| bits & 1 << (signal_hook::consts::SIGHUP - 1) != 0)
}

#[cfg(not(unix))]
fn on_each(act: impl FnMut() + Send + 'static) {
    let _ = ctrlc::set_handler(act);
}
