//! Ctrl-C: the first asks a command to end in good order, the second ends the process.

/// The exit status after the second Ctrl-C, as shells have it.
const STATUS: i32 = 130;

/// Does this at the first Ctrl-C. If the system does not allow a handler, the first Ctrl-C already ends the process.
pub fn on_ctrl_c(first: impl FnOnce() + Send + 'static) {
    let mut first = Some(first);
    let _ = ctrlc::set_handler(move || match first.take() {
        Some(first) => first(),
        None => std::process::exit(STATUS),
    });
}
