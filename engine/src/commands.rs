//! The commands that are no UCI: which there are, and who carries them out.
//!
//! The first argument chooses: if it is a command's name, all others are that command's arguments, else all are lines
//! of UCI. Three names are words of UCI too, and mean the same there: with another UCI line after them they stay what
//! they were, so that scripts such as `vancura eval "go depth 9"` go on working.

mod book;
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
use std::num::{IntErrorKind, ParseIntError};
use std::process::ExitCode;

use analysis::AnalyseArguments;
use analysis::arbiter::{self, ArbiterArguments};
use analysis::explain::{self, ExplainArguments};
use analysis::profile::{self, ProfileArguments};
use analysis::puzzles::{self, PuzzlesArguments};
use analysis::store_command::{self, StoreArguments};
use analysis::tree::{self, TreeArguments};
use arena::{play, suite};
use board::BoardArguments;
use clap::{CommandFactory, Parser, Subcommand};
use cli::printable;
use explorer::ExplorerArguments;
use mcp::McpArguments;
use serve::ServeArguments;

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

/// Lists the commands, each with its arguments and what carries it out, in the order of the help.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:literal: $variant:ident($arguments:ty) => $run:expr;)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$attribute])* #[command(name = $name)] $variant(Box<$arguments>),)*
        }

        /// The names of the commands, so that plain UCI need not build the whole command line to know.
        const NAMES: &[&str] = &[$($name),*];

        fn carry_out(command: Command) -> Result<ExitCode, Box<dyn Error>> {
            match command {
                $(Command::$variant(arguments) => Ok($run(&arguments)?.into_status()),)*
            }
        }
    };
}

commands! {
    #[command(visible_alias = "analyze")]
    "analyse": Analyse(AnalyseArguments) => analysis::run;
    "profile": Profile(ProfileArguments) => profile::run;
    "puzzles": Puzzles(PuzzlesArguments) => puzzles::run;
    "explain": Explain(ExplainArguments) => explain::run;
    "tree": Tree(TreeArguments) => tree::run;
    "arbiter": Arbiter(ArbiterArguments) => arbiter::run;
    "store": Store(StoreArguments) => store_command::run;
    "play": Play(play::PlayArguments) => play::run;
    "board": Board(BoardArguments) => board::run;
    "serve": Serve(ServeArguments) => serve::run;
    "mcp": Mcp(McpArguments) => mcp::run;
    "suite": Suite(suite::SuiteArguments) => suite::run;
    "explorer": Explorer(ExplorerArguments) => explorer::run;
    "book": Book(book::BookArguments) => book::run;
    "mate": Mate(mate::MateArguments) => mate::run;
    "tb": Tb(tb::TbArguments) => tb::run;
    "eval": Eval(eval::EvalArguments) => eval::run;
    "perft": Perft(perft::PerftArguments) => perft::run;
    "winnable": Winnable(winnable::WinnableArguments) => winnable::run;
    "speedtest": Speedtest(speedtest::SpeedtestArguments) => speedtest::run;
    "doctor": Doctor(doctor::DoctorArguments) => doctor::run;
    "completions": Completions(packaging::CompletionsArguments) =>
        |arguments| packaging::write_completions(arguments, CommandLine::command());
    #[command(hide = true)]
    "man": Man(packaging::ManArguments) => |arguments| packaging::write_manual(arguments, CommandLine::command());
}

/// What a command returns, as an exit status.
trait IntoStatus {
    fn into_status(self) -> ExitCode;
}

/// Done, or an answer of yes.
impl IntoStatus for () {
    fn into_status(self) -> ExitCode {
        ExitCode::SUCCESS
    }
}

impl IntoStatus for ExitCode {
    fn into_status(self) -> ExitCode {
        self
    }
}

/// Other spellings of these names.
const ALIASES: [&str; 1] = ["analyze"];

/// The names of all commands.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied().chain(ALIASES)
}

fn is_command(argument: &OsStr) -> bool {
    NAMES.iter().chain(&ALIASES).any(|name| argument == *name)
}

/// Whether these arguments are meant for one of the commands. UCI lines cost no more than this look at them.
fn are_meant(arguments: &[OsString]) -> bool {
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

/// Carries a command out, if these arguments are meant for one.
pub fn run_if_meant(arguments: &[OsString]) -> Option<ExitCode> {
    are_meant(arguments).then(|| run(arguments))
}

/// Carries a command out. The exit status is 0 for yes, 1 for no, and 2 if something went wrong.
fn run(arguments: &[OsString]) -> ExitCode {
    let words: Vec<_> = std::iter::once(OsString::from("vancura")).chain(arguments.iter().cloned()).collect();
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
    let _ = match no_number(error) {
        None if is_safe => error.print(),
        None => write!(io::stderr(), "{}", printable(&error.render().to_string())),
        Some(text) => write!(io::stderr(), "{}", printable(&text)),
    };
}

/// What is said of an argument that is no whole number: not in the words of Rust's library.
fn no_number(error: &clap::Error) -> Option<String> {
    let cause = error.source()?.downcast_ref::<ParseIntError>()?;
    let words = match cause.kind() {
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "this number is too large",
        _ => "this is no whole number",
    };
    Some(error.render().to_string().replace(&cause.to_string(), words))
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |&error| error.source());
    causes.any(|cause| cause.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe))
}

/// The commands in help.
pub fn overview() -> String {
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
    fn words_of_uci_stay_so_among_uci_lines() {
        let shared: Vec<_> = NAMES.iter().copied().filter(|name| uci::Command::is_name(name)).collect();
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
    fn what_is_no_number_is_said_in_plain_words() {
        let said = |words: &[&str]| {
            let line = CommandLine::try_parse_from([&["vancura"], words].concat());
            no_number(&line.err().expect("it is no number")).expect("it is said so")
        };
        assert!(said(&["perft", "x"]).starts_with("error: invalid value 'x' for '[DEPTH]': this is no whole number\n"));
        assert!(said(&["perft", "99999999999999999999"]).contains("'[DEPTH]': this number is too large"));
        assert!(said(&["mate", "8/8", "abc"]).contains("<MOVES>': this is no whole number"));
        let other = CommandLine::try_parse_from(["vancura", "perft", "--suit"]).err().expect("no such option");
        assert_eq!(no_number(&other), None);
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
