//! The commands that are no UCI: which there are, and who carries them out.

use std::ffi::OsString;
use std::process::ExitCode;

use analysis::{analyse, play, winnable};
use clap::{CommandFactory, Parser, Subcommand};

/// A chess engine that speaks UCI; without a command it reads UCI lines from its input, or takes them as arguments.
#[derive(Parser)]
#[command(name = "vancura", version, disable_help_subcommand = true, max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Analyse(Box<analyse::AnalyseArguments>),
    Play(Box<play::PlayArguments>),
    Winnable(winnable::WinnableArguments),
}

/// Whether these arguments are meant for one of the commands. UCI lines cost no more than this look at the first one.
pub fn are_meant(arguments: &[OsString]) -> bool {
    arguments.first().is_some_and(|first| NAMES.iter().any(|name| first == name))
}

/// The names of the commands, so that plain UCI need not build the whole command line to know.
const NAMES: [&str; 3] = ["analyse", "play", "winnable"];

/// Carries a command out.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let program = OsString::from("vancura");
    let parsed = CommandLine::try_parse_from([program].into_iter().chain(arguments));
    let result = match parsed.map(|line| line.command) {
        Ok(Command::Analyse(arguments)) => analyse::run(&arguments).map_err(|error| error.to_string()),
        Ok(Command::Play(arguments)) => play::run(&arguments).map_err(|error| error.to_string()),
        Ok(Command::Winnable(arguments)) => winnable::run(&arguments).map_err(|error| error.to_string()),
        Err(error) => {
            // Nobody may be there to read it.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let error = clap::Error::raw(clap::error::ErrorKind::Io, format!("{error}\n"));
            let _ = error.print();
            ExitCode::FAILURE
        }
    }
}

/// What there is besides UCI, for `--help`.
pub fn help() -> String {
    CommandLine::command().render_help().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn every_command_is_known_by_its_name_and_none_is_one_of_uci() {
        let names: Vec<_> =
            CommandLine::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
        assert_eq!(names, NAMES);
        assert!(NAMES.iter().all(|name| !uci::Command::is_name(name)));
        assert!(are_meant(&["play".into(), "x".into()]));
        assert!(!are_meant(&["go depth 3".into()]) && !are_meant(&["--help".into()]) && !are_meant(&[]));
    }
}
