//! The program `vancura`: a UCI session over the standard streams, or over its arguments.

mod arguments;

use std::env;
use std::io::{self, IsTerminal};

use uci::Session;

fn main() {
    let lines = arguments::lines(env::args_os().skip(1));
    let mut session = Session::new(io::stdout());
    if lines.is_empty() {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            session.greet();
        }
    } else if session.run_script(&lines).is_break() {
        return;
    }
    session.run(io::stdin().lock());
}
