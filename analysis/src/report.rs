//! Analysed games as a page.

use std::io::{self, Write};

use crate::analyse::model::{Game, Run};

/// Writes analysed games as one page that needs nothing else.
///
/// # Errors
///
/// If the page cannot be written.
pub fn write(output: &mut dyn Write, run: &Run, games: &[Game]) -> io::Result<()> {
    writeln!(output, "<!DOCTYPE html><title>{}</title><p>{} games</p>", run.source, games.len())
}
