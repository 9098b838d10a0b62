//! Messages to the user beside the output of a command.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::printable::printable;

/// Writes a line to the standard error stream, made [`printable`]. That nobody reads it is no error.
pub fn tell(text: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{}", printable(&text.to_string()));
}

/// A number with its noun in singular or plural: `1 game`, `2 games`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A progress bar on the standard error stream, drawn only on a terminal. `unit` names in the plural what is counted.
#[must_use]
pub fn progress_bar(length: Option<u64>, unit: &str) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let progress = ProgressBar::with_draw_target(length, target);
    progress.set_style(progress_style(&format!("{{bar:40}} {{pos}}/{{len}} {unit}{{left}}")));
    progress
}

/// How progress is shown: a template of the library, in which `{left}` is the time left, with a comma before it, as soon
/// as it can be estimated. The library's own `{eta}` begins with a 0.
#[must_use]
pub fn progress_style(template: &str) -> ProgressStyle {
    // The templates are constants; a mistake in one would show the plain bar.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("left", |state: &ProgressState, output: &mut dyn fmt::Write| {
        // Writing to a terminal that is gone is no error.
        let _ = output.write_str(&time_left(state.pos(), state.len(), state.eta()));
    })
}

fn time_left(done: u64, of: Option<u64>, left: Duration) -> String {
    let is_known = done > 0 && of.is_some_and(|of| done >= of || !left.is_zero());
    if is_known { format!(", {:#} left", HumanDuration(left)) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_shown_when_it_is_known() {
        assert_eq!(time_left(0, Some(9), Duration::ZERO), "");
        assert_eq!(time_left(0, Some(9), Duration::from_secs(5)), "");
        assert_eq!(time_left(3, None, Duration::ZERO), "");
        assert_eq!(time_left(3, Some(9), Duration::ZERO), "");
        assert_eq!(time_left(3, Some(9), Duration::from_secs(5)), ", 5s left");
        assert_eq!(time_left(9, Some(9), Duration::ZERO), ", 0s left");
    }
}
