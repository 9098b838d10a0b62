//! The standard output of a session.

use std::io::{self, ErrorKind, Write};
use std::process::exit;

use cli::tell;

/// The standard output, which ends the process once nobody reads it: the session waits for input meanwhile, and a search
/// would run forever.
pub struct ClientOutput;

impl Write for ClientOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes).map_err(|error| leave(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().map_err(|error| leave(&error))
    }
}

/// Ends the process: without a word and as a success if the reader has gone, as other commands do, else with the reason.
fn leave(error: &io::Error) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        exit(0);
    }
    tell(format_args!("error: cannot write the output: {error}"));
    exit(2);
}
