//! The program `vancura`: a UCI session over the standard streams, or over its arguments, or one of the commands.

mod arguments;
#[cfg(feature = "tools")]
mod commands;
#[cfg(not(feature = "tools"))]
#[path = "slim.rs"]
mod commands;
mod help;
mod output;
mod unknown;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use output::ClientOutput;
use uci::Session;

/// In bytes: the network twice while it is read, the histories and a table of 1 MiB, with which a move can be found.
const MIN_MEMORY: usize = 11 << 20;

fn main() -> ExitCode {
    platform::make_file_size_limits_errors();
    platform::share_heap_if_limited();
    platform::with_enough_stack(run).unwrap_or_else(|error| {
        cli::tell(format_args!("error: no thread with a stack of its own: {error}"));
        ExitCode::from(2)
    })
}

fn run() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    if let Some(status) = commands::run_if_meant(&arguments) {
        return status;
    }
    if let Some(text) = help::answer(&arguments) {
        // That nobody reads it is no error.
        let _ = writeln!(io::stdout(), "{text}");
        return ExitCode::SUCCESS;
    }
    let names: Vec<_> = commands::names().chain(uci::Command::names()).chain(["--help", "--version"]).collect();
    if let Some(unknown) = unknown::find(&arguments, &names) {
        cli::tell(unknown);
        return ExitCode::from(2);
    }
    let lines = arguments::lines(arguments);
    if !platform::has_room(MIN_MEMORY) {
        cli::tell(format_args!("error: not enough memory: {} MiB more are needed to play", MIN_MEMORY >> 20));
        return ExitCode::from(2);
    }
    let mut session = Session::new(ClientOutput);
    #[cfg(feature = "tools")]
    {
        session = session.with_memory(Box::new(analysis::session_store::open));
    }
    if lines.is_empty() {
        session.greet();
    } else if session.run_script(&lines).is_break() {
        return ExitCode::SUCCESS;
    }
    // On a busy machine a `stop` waits for this thread.
    platform::prefer_short_time_slices();
    session.run(io::stdin().lock());
    ExitCode::SUCCESS
}
