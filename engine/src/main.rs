//! The program `vancura`: a UCI session over the standard streams, or over its arguments, or one of the commands.

mod arguments;
mod commands;

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use uci::Session;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    if commands::are_meant(&arguments) {
        return commands::run(arguments);
    }
    if commands::ask_for_help(&arguments) {
        // That nobody reads it is no error.
        let _ = writeln!(io::stdout(), "{}", commands::help());
        if arguments[0] != "help" {
            return ExitCode::SUCCESS;
        }
    }
    let lines = arguments::lines(arguments);
    let mut session = Session::new(io::stdout());
    if lines.is_empty() {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            session.greet();
        }
    } else if session.run_script(&lines).is_break() {
        return ExitCode::SUCCESS;
    }
    session.run(io::stdin().lock());
    ExitCode::SUCCESS
}
