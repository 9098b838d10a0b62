//! `vancura speedtest`: the UCI command of the same name, with words for its numbers.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;

/// The numbers in their order.
const EXAMPLES: &str = "\
Examples:
  vancura speedtest
  vancura speedtest 2 64 1";

/// Searches middle games with all threads and tells the speed, as the UCI command of this name does.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct SpeedtestArguments {
    /// Threads to search with [default: one for each core]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// MiB of the transposition table [default: 128 for each thread]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// How long to search [default: 20]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: Option<u32>,
}

/// Why nothing was told.
#[derive(Debug, thiserror::Error)]
pub enum SpeedtestError {
    /// The speed cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[source] io::Error),
}

/// Measures and prints.
///
/// # Errors
///
/// If the speed cannot be written.
pub fn run(arguments: &SpeedtestArguments) -> Result<(), SpeedtestError> {
    // What is missing is missing from the end.
    let numbers = [arguments.threads.map(u32::from), arguments.hash, arguments.seconds];
    let words: Vec<_> = numbers.into_iter().flatten().map(|number| number.to_string()).collect();
    // Whether anything is left running or not, there is nothing more to do.
    let output = Checked::default();
    let error = Arc::clone(&output.error);
    let _ = uci::Session::new(output).run_script([format!("speedtest {}", words.join(" "))]);
    let error = error.lock().unwrap_or_else(PoisonError::into_inner).take();
    error.map_or(Ok(()), |error| Err(SpeedtestError::Write(error)))
}

/// The standard output, and what went wrong with it: a session ends when its output is closed, but does not say why.
#[derive(Default)]
struct Checked {
    error: Arc<Mutex<Option<io::Error>>>,
}

impl Checked {
    fn note<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            kind.into()
        })
    }
}

impl Write for Checked {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.note(io::stdout().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.note(io::stdout().flush())
    }
}
