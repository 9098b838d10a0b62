//! Ctrl-C: the first asks a command to end, with all that is done; the second ends it.

/// The exit status after the second Ctrl-C, as shells have it.
const STATUS: i32 = 130;

/// Does this at the first Ctrl-C. Where the system grants no handler, the first ends the process already.
pub(crate) fn at_ctrl_c(first: impl FnOnce() + Send + 'static) {
    let mut first = Some(first);
    let _ = ctrlc::set_handler(move || match first.take() {
        Some(first) => first(),
        None => std::process::exit(STATUS),
    });
}
