//! The commands that are no UCI: which there are, and who carries them out.
//!
//! The first argument chooses: if it is a command's name, all others are that command's arguments, else all are lines
//! of UCI. Three names are words of UCI too, and mean the same there: with another UCI line after them they stay what
//! they were, so that scripts such as `vancura eval "go depth 9"` go on working.

mod doctor;
mod eval;
mod mate;
mod packaging;
mod perft;
mod speedtest;
mod tb;
mod winnable;

use std::borrow::Cow;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::ExitCode;

use analysis::AnalyseArguments;
use analysis::arbiter::{self, ArbiterArguments};
use analysis::profile::{self, ProfileArguments};
use analysis::store_command::{self, StoreArguments};
use arena::{play, suite};
use board::BoardArguments;
use clap::{CommandFactory, Parser, Subcommand};
use cli::printable;

/// What the program does without a command.
const UCI: &str = "\
Without a command Vancura speaks UCI, the language of chess programs, over its standard streams:
name it as the engine in a GUI such as Cute Chess, En Croissant or Arena, and that is all. UCI
lines may also be arguments, each in quotes; `vancura bench` is one:

  vancura \"position startpos moves e2e4\" \"go depth 10\"

`vancura COMMAND --help` tells all about a command. If something does not work, `vancura doctor`
may find out why.";

/// A chess engine that speaks UCI, with tools to examine positions, engines and itself.
#[derive(Parser)]
#[command(
    name = "vancura",
    version,
    max_term_width = 100,
    override_usage = "vancura [UCI LINE]...\n       vancura COMMAND [ARGUMENTS]",
    after_help = UCI
)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(visible_alias = "analyze")]
    Analyse(Box<AnalyseArguments>),
    Profile(Box<ProfileArguments>),
    Arbiter(ArbiterArguments),
    Store(StoreArguments),
    Play(Box<play::PlayArguments>),
    Board(BoardArguments),
    Suite(Box<suite::SuiteArguments>),
    Mate(mate::MateArguments),
    Tb(tb::TbArguments),
    Eval(eval::EvalArguments),
    Perft(perft::PerftArguments),
    Winnable(winnable::WinnableArguments),
    Speedtest(speedtest::SpeedtestArguments),
    Doctor(doctor::DoctorArguments),
    Completions(packaging::CompletionsArguments),
    #[command(hide = true)]
    Man(packaging::ManArguments),
}

/// The names of the commands, so that plain UCI need not build the whole command line to know.
const NAMES: [&str; 16] = [
    "analyse",
    "profile",
    "arbiter",
    "store",
    "play",
    "board",
    "suite",
    "mate",
    "tb",
    "eval",
    "perft",
    "winnable",
    "speedtest",
    "doctor",
    "completions",
    "man",
];

/// Other spellings of these names.
const ALIASES: [&str; 1] = ["analyze"];

/// All words that a first argument may be meant for: commands and, of UCI, those that are listed.
pub fn names() -> Vec<&'static str> {
    NAMES.into_iter().chain(ALIASES).chain(uci::Command::names()).chain(["--help", "--version"]).collect()
}

fn is_command(argument: &OsStr) -> bool {
    NAMES.iter().chain(&ALIASES).any(|name| argument == *name)
}

/// Whether these arguments are meant for one of the commands. UCI lines cost no more than this look at them.
pub fn are_meant(arguments: &[OsString]) -> bool {
    let Some((first, rest)) = arguments.split_first() else { return false };
    if first == "help" {
        return rest.len() == 1 && is_command(&rest[0]);
    }
    let is_of_uci = first.to_str().is_some_and(uci::Command::is_name);
    is_command(first) && !(is_of_uci && rest.iter().any(|argument| begins_uci_line(argument)))
}

/// Options of commands such as `--help` are understood in UCI, too, and are none of its lines here.
fn begins_uci_line(argument: &OsStr) -> bool {
    let word = argument.to_str().and_then(|text| text.split_ascii_whitespace().next());
    word.is_some_and(|word| !word.starts_with('-') && uci::Command::is_name(word))
}

/// What to say to arguments that ask what the program is for, or what one command of UCI does.
pub fn answer_for_help(arguments: &[OsString]) -> Option<String> {
    match arguments {
        [first] if first == "help" => Some(help()),
        [first, ..] if asks_for_help(first) => Some(help()),
        [first, topic] if first == "help" && asks_for_help(topic) => Some(help()),
        [first, topic] if first == "help" => uci::Command::usage(topic.to_str()?),
        [name, last] if asks_for_help(last) => uci::Command::usage(name.to_str()?),
        _ => None,
    }
}

fn asks_for_help(argument: &OsStr) -> bool {
    argument == "--help" || argument == "-h"
}

/// Carries a command out. The exit status is 0 for yes, 1 for no, and 2 if something went wrong.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<_> = std::iter::once(OsString::from("vancura")).chain(arguments).collect();
    let parsed = CommandLine::try_parse_from(&words);
    match parsed.map(|line| carry_out(line.command)) {
        Ok(Ok(status)) => status,
        // The reader of the output has gone.
        Ok(Err(error)) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            // That nobody reads it is no error, here and below.
            let text = format!("{}\n", printable(&error.to_string()));
            let _ = clap::Error::raw(clap::error::ErrorKind::Io, text).print();
            ExitCode::from(2)
        }
        Err(error) => {
            show_misuse(&error, &words);
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
    }
}

/// Says what is wrong with the arguments. It repeats them: what would command a terminal is shown, and then nothing is in
/// colour.
fn show_misuse(error: &clap::Error, words: &[OsString]) {
    let is_safe = words.iter().all(|word| matches!(printable(&word.to_string_lossy()), Cow::Borrowed(_)));
    let _ = if is_safe { error.print() } else { write!(io::stderr(), "{}", printable(&error.render().to_string())) };
}

fn carry_out(command: Command) -> Result<ExitCode, Box<dyn Error>> {
    let done = ExitCode::SUCCESS;
    Ok(match command {
        Command::Analyse(arguments) => analysis::run(&arguments).map(|()| done)?,
        Command::Arbiter(arguments) => arbiter::run(&arguments)?,
        Command::Profile(arguments) => profile::run(&arguments).map(|()| done)?,
        Command::Store(arguments) => store_command::run(&arguments).map(|()| done)?,
        Command::Play(arguments) => play::run(&arguments).map(|()| done)?,
        Command::Board(arguments) => board::run(&arguments).map(|()| done)?,
        Command::Suite(arguments) => suite::run(&arguments)?,
        Command::Mate(arguments) => mate::run(&arguments)?,
        Command::Tb(arguments) => tb::run(&arguments).map(|()| done)?,
        Command::Eval(arguments) => eval::run(&arguments).map(|()| done)?,
        Command::Perft(arguments) => perft::run(&arguments)?,
        Command::Winnable(arguments) => winnable::run(&arguments).map(|()| done)?,
        Command::Speedtest(arguments) => speedtest::run(&arguments).map(|()| done)?,
        Command::Doctor(arguments) => doctor::run(&arguments)?,
        Command::Completions(arguments) => {
            packaging::write_completions(&arguments, CommandLine::command()).map(|()| done)?
        }
        Command::Man(arguments) => packaging::write_manual(&arguments, CommandLine::command()).map(|()| done)?,
    })
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |&error| error.source());
    causes.any(|cause| cause.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe))
}

/// The text of `help` and `--help`: the commands, and those of UCI.
fn help() -> String {
    format!("{}\nUCI commands:\n{}", CommandLine::command().render_help(), uci::Command::help())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn every_command_is_known_by_its_name() {
        let names: Vec<_> =
            CommandLine::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
        assert_eq!(names, NAMES);
        assert!(ALIASES.iter().all(|name| meant(&[name, "x"]) && meant(&["help", name])));
        assert!(meant(&["play", "x"]) && meant(&["doctor"]));
        assert!(meant(&["help", "suite"]) && !meant(&["help"]) && !meant(&["help", "go"]));
        assert!(!meant(&["go depth 3"]) && !meant(&["--help"]) && !meant(&[]) && !meant(&["suite x.epd"]));
    }

    fn meant(arguments: &[&str]) -> bool {
        are_meant(&arguments.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn help_is_for_all_or_for_one_command() {
        let answer = |words: &[&str]| answer_for_help(&words.iter().map(OsString::from).collect::<Vec<_>>());
        let all = answer(&["help"]).unwrap();
        assert!(all.contains("\n  analyse ") && all.contains("\n  ucinewgame "), "{all}");
        for words in [&["--help"][..], &["-h"], &["--help", "x"], &["help", "--help"]] {
            assert_eq!(answer(words).as_ref(), Some(&all), "{words:?}");
        }
        assert_eq!(answer(&["bench", "--help"]), uci::Command::usage("bench"));
        assert_eq!(answer(&["help", "bench"]), uci::Command::usage("bench"));
        for words in [&[][..], &["go"], &["help", "go depth 3"], &["help", "nonsense"], &["nonsense", "--help"]] {
            assert_eq!(answer(words), None, "{words:?}");
        }
    }

    #[test]
    fn words_of_uci_stay_so_among_uci_lines() {
        let shared: Vec<_> = NAMES.into_iter().filter(|name| uci::Command::is_name(name)).collect();
        assert_eq!(shared, ["eval", "perft", "speedtest"], "any other would take a word away from UCI");
        assert!(meant(&["perft", "5"]) && meant(&["eval"]) && meant(&["eval", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"]));
        assert!(meant(&["perft", "5", "4k3/8/8/8/8/8/8/4K3", "b", "-", "-", "0", "1", "--divide"]));
        assert!(meant(&["eval", "--help"]) && meant(&["speedtest", "-h"]));
        for lines in [
            &["perft 5"][..],
            &["perft", "5", "d"],
            &["eval", "go depth 3"],
            &["speedtest", "1", "16", "1", "quit"],
            &["position startpos", "eval"],
            &["d", "perft", "5"],
        ] {
            assert!(!meant(lines), "{lines:?}");
        }
    }

    #[test]
    fn a_reader_that_left_is_no_error() {
        let broken = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(is_broken_pipe(&broken()) && is_broken_pipe(&suite::SuiteError::Write(broken())));
        assert!(
            !is_broken_pipe(&io::Error::from(io::ErrorKind::NotFound)) && !is_broken_pipe(&mate::MateError::NoMoves)
        );
    }
}
