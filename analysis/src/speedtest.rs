//! `vancura speedtest`: the UCI command of the same name, with words for its numbers.

use std::io;

use clap::Args;

/// Searches middle games with all threads and tells the speed, as the UCI command of this name does.
#[derive(Args, Debug)]
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

/// Measures and prints.
pub fn run(arguments: &SpeedtestArguments) {
    // What is missing is missing from the end.
    let numbers = [arguments.threads.map(u32::from), arguments.hash, arguments.seconds];
    let words: Vec<_> = numbers.into_iter().flatten().map(|number| number.to_string()).collect();
    // Whether anything is left running or not, there is nothing more to do.
    let _ = uci::Session::new(io::stdout()).run_script([format!("speedtest {}", words.join(" "))]);
}
