//! What the user is told beside the output of a command.

use std::fmt;
use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
    if let Ok(style) = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {unit}, {{eta}} left")) {
        progress.set_style(style);
    }
    progress
}
