//! The commands: one table to understand them and to explain them.

use std::fmt::Write;

use movegen::{Board, Position};
use platform::has_room;

use crate::bench::{BENCH_DEPTH, Bench, SpeedTest};
use crate::error::{CommandError, Token};
use crate::genfens::GenFens;
use crate::limits::Go;
use crate::option::Setting;
use crate::words::{Words, integer_part};

/// A line of input, understood.
#[derive(Clone, Debug)]
pub enum Command<'a> {
    /// Who are you, and what can be set?
    Uci,
    /// Say when all before this is done.
    IsReady,
    /// The next position is from another game.
    NewGame,
    /// Set an option.
    SetOption(Setting<'a>),
    /// Set the position.
    Position(PositionCommand<'a>),
    /// Search.
    Go(Box<Go<'a>>),
    /// End the search.
    Stop,
    /// The opponent played the expected move.
    PonderHit,
    /// Repeat what is received, or stop doing so.
    Debug(bool),
    /// End the program.
    Quit,
    /// Known, and of no concern to this engine.
    Ignored,
    /// Search fixed positions and count nodes.
    Bench(Bench<'a>),
    /// Search with all threads for a while and tell the speed.
    SpeedTest(SpeedTest),
    /// Print openings for OpenBench.
    GenFens(GenFens<'a>),
    /// Write the network to a file.
    ExportNet(Option<&'a str>),
    /// Count moves to a depth.
    Perft(u8),
    /// Show the board.
    Display,
    /// Show the static evaluation.
    Eval,
    /// Turn the board round: each side gets the other's pieces.
    Flip,
    /// Print the tuned numbers for OpenBench.
    Spsa,
    /// List the commands.
    Help,
    /// Name the licence.
    License,
    /// Name version, compiler and target.
    Compiler,
}

/// What follows `position`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionCommand<'a> {
    /// The FEN as it was sent; `None` for the start of a normal game.
    pub fen: Option<&'a str>,
    /// The moves to be played from there.
    pub moves: &'a str,
}

/// Keys of fewer positions are no burden to any memory.
const MANY_MOVES: usize = 10_000;

/// A position as a command asks for it.
pub(crate) struct Arranged {
    /// The position after the moves that could be played.
    pub(crate) position: Position,
    /// What had to be changed in its FEN.
    pub(crate) warnings: Vec<String>,
    /// The first move that could not be played.
    pub(crate) fault: Option<CommandError>,
}

impl PositionCommand<'_> {
    /// Sets the position up and plays the moves.
    pub(crate) fn set_up(&self) -> Result<Arranged, CommandError> {
        let (mut position, warnings) = match self.fen {
            None => (Position::start(), Vec::new()),
            Some(fen) => {
                let (board, warnings) = Board::from_fen_with_warnings(fen).map_err(CommandError::Fen)?;
                (Position::from(board), warnings.iter().map(ToString::to_string).collect())
            }
        };
        let count = Words::new(self.moves).count();
        let room = position.try_reserve(count).is_ok() && (count < MANY_MOVES || has_room(0));
        if !room {
            return Err(CommandError::NoMemory("the moves of the game"));
        }
        // As they are pasted: `moves e2e4, e7e5;`
        let moves = Words::new(self.moves).map(|text| text.trim_end_matches([';', ',', '"', '\'']));
        let moves = moves.filter(|text| !text.is_empty());
        let fault = (1..).zip(moves).find_map(|(number, text)| match position.board().parse_uci(text) {
            Ok(mv) => {
                position.play(mv);
                None
            }
            Err(error) => Some(CommandError::Move { number, error }),
        });
        Ok(Arranged { position, warnings, fault })
    }
}

/// What could be understood of a line, and the first thing that could not.
#[derive(Clone, Debug)]
pub struct Parsed<'a> {
    /// To be carried out; `None` if there is nothing to do.
    pub command: Option<Command<'a>>,
    /// To be told.
    pub fault: Option<CommandError>,
}

/// One line of the table.
struct CommandSpec {
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    parse: for<'a> fn(Words<'a>) -> Parsed<'a>,
}

const fn spec(
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    parse: for<'a> fn(Words<'a>) -> Parsed<'a>,
) -> CommandSpec {
    CommandSpec { name, arguments, help, parse }
}

const COMMANDS: [CommandSpec; 27] = [
    spec("uci", "", "identify the engine and list its options", |_| Command::Uci.into()),
    spec("isready", "", "answer `readyok` once earlier commands are done", |_| Command::IsReady.into()),
    spec("ucinewgame", "", "start a new game: clear all tables", |_| Command::NewGame.into()),
    spec("setoption", "name N [value V]", "set an option", set_option),
    spec("position", "startpos|fen F [moves M...]", "set the position", position),
    spec("go", "[LIMITS]", "search until the first limit is reached, or `stop`", |words| {
        let (go, fault) = Go::parse(words);
        Parsed { command: Some(Command::Go(Box::new(go))), fault }
    }),
    spec("stop", "", "stop the search", |_| Command::Stop.into()),
    spec("ponderhit", "", "the opponent played the expected move", |_| Command::PonderHit.into()),
    spec("debug", "on|off", "echo every command received", debug),
    spec("quit", "", "quit the program", |_| Command::Quit.into()),
    spec("bench", "[DEPTH]", "search fixed positions, count nodes", |words| {
        Bench::parse(words)
            .map_or_else(Parsed::from, |(bench, fault)| Parsed { command: Some(Command::Bench(bench)), fault })
    }),
    spec("speedtest", "[THREADS [HASH [SECONDS]]]", "measure the speed with all threads", |words| {
        SpeedTest::parse(words).map_or_else(Parsed::from, |test| Command::SpeedTest(test).into())
    }),
    spec("genfens", "N seed S [book FILE]", "print balanced random openings", |words| {
        GenFens::parse(words).map_or_else(Parsed::from, |wanted| Command::GenFens(wanted).into())
    }),
    spec("export_net", "[FILE]", "write the network to a file", |words| {
        Command::ExportNet(Some(words.rest()).filter(|path| !path.is_empty())).into()
    }),
    spec("perft", "DEPTH", "count the leaf nodes, as `go perft`", perft),
    spec("d", "", "show the board", |_| Command::Display.into()),
    spec("eval", "", "show the static evaluation", |_| Command::Eval.into()),
    spec("flip", "", "swap colors and turn the board", |_| Command::Flip.into()),
    spec("spsa", "", "print the tuning parameters for OpenBench", |_| Command::Spsa.into()),
    spec("help", "", "show this list", |_| Command::Help.into()),
    spec("--help", "", "", |_| Command::Help.into()),
    spec("license", "", "show the license", |_| Command::License.into()),
    spec("compiler", "", "show version, target and instruction set", |_| Command::Compiler.into()),
    spec("--version", "", "", |_| Command::Compiler.into()),
    spec("-V", "", "", |_| Command::Compiler.into()),
    // Sent by clients that try one protocol after the other, or by the book; neither waits for an answer.
    spec("register", "", "", |_| Command::Ignored.into()),
    spec("xboard", "", "", |_| Command::Ignored.into()),
];

/// What the list does not say of `bench`.
const ABOUT_BENCH: &str = "\
With more words than one it is Stockfish's: `bench HASH THREADS LIMIT FILE TYPE`, where FILE is
`default`, `current` or a file of FENs, and TYPE is depth, nodes, movetime, perft or eval.

Each position is searched from an empty table by one thread. The last line is `N nodes N nps`. The
number of nodes is the same on every machine, and changes when the engine's play does.";

/// The commands that are for people to know.
fn shown() -> impl Iterator<Item = &'static CommandSpec> {
    COMMANDS.iter().filter(|spec| !spec.help.is_empty())
}

fn limits() -> String {
    Go::words().collect::<Vec<_>>().join(" ")
}

impl<'a> Command<'a> {
    /// Reads one line. Unknown words before a command are skipped, as the protocol asks.
    #[must_use]
    pub fn parse(line: &'a str) -> Parsed<'a> {
        let mut words = Words::new(line);
        let mut unknown = None;
        while let Some(word) = words.next() {
            if let Some(spec) = COMMANDS.iter().find(|spec| spec.name == word) {
                let parsed = (spec.parse)(words);
                return Parsed { fault: unknown.or(parsed.fault), ..parsed };
            }
            unknown.get_or_insert_with(|| CommandError::UnknownCommand(Token::new(word)));
        }
        Parsed { command: None, fault: unknown }
    }

    /// Whether it cannot be carried out while a search runs.
    pub(crate) const fn needs_idle(&self) -> bool {
        matches!(self, Self::Go(_) | Self::Perft(_) | Self::Bench(_) | Self::SpeedTest(_) | Self::GenFens(_))
    }

    /// Whether a word is the name of a command.
    #[must_use]
    pub fn is_name(word: &str) -> bool {
        COMMANDS.iter().any(|spec| spec.name == word)
    }

    /// The names of the commands that the list shows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        shown().map(|spec| spec.name)
    }

    /// The list of commands, a line for each, and of the words that `go` takes.
    #[must_use]
    pub fn help() -> String {
        let mut text = String::new();
        for CommandSpec { name, arguments, help, .. } in shown() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {:<36} {help}", format!("{name} {arguments}"));
        }
        text + "\nLIMITS: " + &limits()
    }

    /// What one command takes and does, for those who ask for help with it on the command line. `None` if the list does
    /// not show it.
    #[must_use]
    pub fn usage(name: &str) -> Option<String> {
        let CommandSpec { name, arguments, help, .. } = shown().find(|spec| spec.name == name)?;
        let mut text = format!("UCI command: {help}\n\nUsage: vancura {}", format!("{name} {arguments}").trim_end());
        match *name {
            "bench" => {
                let _ = write!(text, "\n\nDEPTH is {BENCH_DEPTH} unless it is given.\n\n{ABOUT_BENCH}");
            }
            "go" => text += &format!("\n\nLIMITS: {}", limits()),
            _ => {}
        }
        Some(text + "\n\n`vancura help` lists all commands.")
    }
}

impl<'a> From<Command<'a>> for Parsed<'a> {
    fn from(command: Command<'a>) -> Self {
        Self { command: Some(command), fault: None }
    }
}

impl From<CommandError> for Parsed<'_> {
    fn from(fault: CommandError) -> Self {
        Self { command: None, fault: Some(fault) }
    }
}

fn set_option(words: Words<'_>) -> Parsed<'_> {
    match Setting::parse(words) {
        Ok((setting, fault)) => Parsed { command: Some(Command::SetOption(setting)), fault },
        Err(error) => error.into(),
    }
}

/// Anything that is neither `startpos` nor marked by `fen` is read as a FEN all the same: if it is none, the error
/// says what is wrong with it. Unknown words are reported: `startpos e2e4` lacks its `moves`, and who sends it
/// should hear that the move was not played.
fn position(words: Words<'_>) -> Parsed<'_> {
    let kind =
        words.take_while(|word| !word.eq_ignore_ascii_case("moves")).find(|word| matches!(*word, "startpos" | "fen"));
    let mut rest = words;
    let before = kind.map_or("", |kind| rest.until(kind).0);
    let (text, _) = rest.until("moves");
    let is_start = kind == Some("startpos");
    let stray = Words::new(before).next().or_else(|| Words::new(text).next().filter(|_| is_start));
    Parsed {
        command: Some(Command::Position(PositionCommand { fen: (!is_start).then_some(text), moves: rest.rest() })),
        fault: stray.map(|word| CommandError::UnknownWord { command: "position", word: Token::new(word) }),
    }
}

fn debug(mut words: Words<'_>) -> Parsed<'_> {
    match words.next() {
        Some("on") => Command::Debug(true).into(),
        Some("off") => Command::Debug(false).into(),
        word => CommandError::NoChoice { name: "debug", choices: "`on` or `off`", found: word.into() }.into(),
    }
}

fn perft(mut words: Words<'_>) -> Parsed<'_> {
    let (name, word) = ("perft", words.next());
    let found = || Token::from(word);
    let Some((number, fraction)) = word.and_then(integer_part) else {
        return CommandError::NoNumber { name, found: found() }.into();
    };
    let taken = number.clamp(0, u8::MAX.into());
    let fault = if taken != number {
        Some(CommandError::OutOfRange { name, found: number, taken })
    } else {
        fraction.map(|_| CommandError::NumberCut { name, found: found(), taken })
    };
    Parsed { command: Some(Command::Perft(taken as u8)), fault }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::option::Value;

    fn command(line: &str) -> Command<'_> {
        let parsed = Command::parse(line);
        assert_eq!(parsed.fault, None, "{line}");
        parsed.command.expect(line)
    }

    fn fault(line: &str) -> String {
        let parsed = Command::parse(line);
        assert!(parsed.command.is_none(), "{line}");
        parsed.fault.expect(line).to_string()
    }

    fn placed(line: &str) -> (Option<&str>, Vec<&str>) {
        match command(line) {
            Command::Position(PositionCommand { fen, moves }) => (fen, Words::new(moves).collect()),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn every_command_is_understood() {
        assert!(matches!(command("uci"), Command::Uci));
        assert!(matches!(command("isready"), Command::IsReady));
        assert!(matches!(command("ucinewgame"), Command::NewGame));
        assert!(
            matches!(command("setoption name Hash value 2"), Command::SetOption(setting) if (setting.name(), setting.value()) == ("Hash", Value::Number(2)))
        );
        assert!(matches!(command("position startpos"), Command::Position(_)));
        assert!(matches!(command("go"), Command::Go(go) if go.limits.infinite));
        assert!(matches!(command("stop"), Command::Stop));
        assert!(matches!(command("ponderhit"), Command::PonderHit));
        assert!(matches!(command("debug on"), Command::Debug(true)));
        assert!(matches!(command("debug off"), Command::Debug(false)));
        assert!(matches!(command("quit"), Command::Quit));
        assert!(matches!(command("register later"), Command::Ignored));
        assert!(matches!(command("xboard"), Command::Ignored));
        assert!(matches!(command("bench"), Command::Bench(bench) if bench == Bench::default()));
        assert!(matches!(command("perft 5"), Command::Perft(5)));
        assert!(matches!(command("perft 0"), Command::Perft(0)));
        for (line, taken, message) in [
            ("perft 1000", 255, "perft 1000 is out of range; using 255"),
            ("perft -1", 0, "perft -1 is out of range; using 0"),
            ("perft 3.0", 3, "`perft`: \"3.0\" is read as 3"),
        ] {
            let parsed = Command::parse(line);
            assert!(matches!(parsed.command, Some(Command::Perft(depth)) if depth == taken), "{line}");
            assert_eq!(parsed.fault.map(|fault| fault.to_string()).as_deref(), Some(message));
        }
        assert!(matches!(command("d"), Command::Display));
        assert!(matches!(command("eval"), Command::Eval));
        assert!(matches!(command("flip"), Command::Flip));
        assert!(matches!(command("help"), Command::Help));
        assert!(matches!(command("license"), Command::License));
        assert!(matches!(command("compiler"), Command::Compiler));
    }

    #[test]
    fn names_are_unique_and_explained() {
        let help = Command::help();
        for (index, spec) in COMMANDS.iter().enumerate() {
            assert!(COMMANDS[..index].iter().all(|other| other.name != spec.name), "{}", spec.name);
            assert_eq!(help.contains(&format!("  {} ", spec.name)), !spec.help.is_empty(), "{}", spec.name);
            assert!(Command::is_name(spec.name));
        }
        assert!(!Command::is_name("depth"));
    }

    #[test]
    fn each_command_that_is_listed_can_be_asked_about() {
        for name in Command::names() {
            let usage = Command::usage(name).expect(name);
            assert!(usage.contains(&format!("\nUsage: vancura {name}")), "{usage}");
        }
        assert!(
            Command::usage("bench").is_some_and(|text| text.contains("bench [DEPTH]") && text.contains("DEPTH is 13"))
        );
        assert!(Command::usage("go").is_some_and(|text| text.contains("LIMITS: ") && text.contains(" movetime")));
        assert!(["xboard", "--version", "depth", ""].iter().all(|name| Command::usage(name).is_none()));
    }

    #[test]
    fn positions_keep_their_text() {
        assert_eq!(placed("position startpos"), (None, vec![]));
        assert_eq!(placed("position startpos moves e2e4 e7e5"), (None, vec!["e2e4", "e7e5"]));
        assert_eq!(placed("position startpos moves"), (None, vec![]));
        assert_eq!(placed("position  fen  8/8 w -\t- 0 1  moves  a1a2 "), (Some("8/8 w -\t- 0 1"), vec!["a1a2"]));
        assert_eq!(placed("position fen 8/8 w - -"), (Some("8/8 w - -"), vec![]));
    }

    #[test]
    fn moves_may_have_what_stands_between_them_in_a_text() {
        for line in [
            "position startpos moves e2e4, e7e5;",
            "position startpos moves e2e4 ; e7e5\"",
            "position startpos moves e2e4 e7e5",
        ] {
            let Command::Position(position) = command(line) else { panic!("{line}") };
            let arranged = position.set_up().unwrap();
            assert!(arranged.fault.is_none(), "{line}: {:?}", arranged.fault);
            assert_eq!(arranged.position.board().fullmove_number(), 2, "{line}");
        }
    }

    #[test]
    fn a_position_without_its_word_is_taken_for_a_fen() {
        assert_eq!(placed("position"), (Some(""), vec![]));
        assert_eq!(placed("position moves startpos"), (Some(""), vec!["startpos"]));
        assert_eq!(placed("position 8/8 w - - moves fen"), (Some("8/8 w - -"), vec!["fen"]));
    }

    #[test]
    fn words_that_a_position_does_not_know_are_skipped_and_said() {
        for (line, word, moves) in [
            ("position startpos e2e4 e7e5", "e2e4", ""),
            ("position startpos move e2e4", "move", ""),
            ("position well startpos now moves e2e4", "well", "e2e4"),
            ("position startpos now moves e2e4", "now", "e2e4"),
        ] {
            let parsed = Command::parse(line);
            assert_eq!(parsed.fault.expect(line).to_string(), format!("`position`: unknown word {word:?} ignored"));
            let expected = PositionCommand { fen: None, moves };
            assert!(matches!(parsed.command, Some(Command::Position(command)) if command == expected), "{line}");
        }
        let parsed = Command::parse("position this fen 8/8 w - -");
        assert!(
            parsed.fault.is_some()
                && matches!(parsed.command, Some(Command::Position(command)) if command.fen == Some("8/8 w - -"))
        );
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped_and_said() {
        let parsed = Command::parse("joho  debug on");
        assert!(matches!(parsed.command, Some(Command::Debug(true))));
        assert_eq!(parsed.fault.unwrap().to_string(), "unknown command \"joho\"; `help` lists the commands");
        assert_eq!(fault("UCI"), "unknown command \"UCI\"; `help` lists the commands");
        assert_eq!(fault("a b c\0"), "unknown command \"a\"; `help` lists the commands");
    }

    #[test]
    fn arguments_that_are_missing_or_wrong_are_said() {
        assert_eq!(fault("debug"), "`debug` needs `on` or `off`, not nothing");
        assert_eq!(fault("debug maybe"), "`debug` needs `on` or `off`, not \"maybe\"");
        assert_eq!(fault("perft"), "`perft` needs a number, not nothing");
        assert_eq!(fault("perft x"), "`perft` needs a number, not \"x\"");
        assert_eq!(fault("speedtest fast"), "`speedtest` needs a number, not \"fast\"");
        assert_eq!(fault("speedtest 1 16 long"), "`speedtest` needs a number, not \"long\"");
        assert_eq!(fault("bench deep"), "`bench` needs a number, not \"deep\"");
        assert!(fault("setoption").contains("`name`"));
    }

    #[test]
    fn an_empty_line_is_nothing() {
        for line in ["", " ", "\t \r"] {
            let parsed = Command::parse(line);
            assert!(parsed.command.is_none() && parsed.fault.is_none());
        }
    }

    #[test]
    fn a_line_of_a_megabyte_is_read() {
        let moves = "e2e4 ".repeat(200_000);
        assert_eq!(placed(&format!("position startpos moves {moves}")).1.len(), 200_000);
        let message = fault(&moves);
        assert!(message.len() < 200, "{message}");
    }

    proptest! {
        #[test]
        fn no_text_is_too_much(line in "\\PC*|(go|setoption|position|perft|bench|debug| |name|value|fen|moves|[a-z0-9 -])*") {
            let parsed = Command::parse(&line);
            prop_assert!(parsed.command.is_some() || parsed.fault.is_some() || line.trim_ascii().is_empty());
        }
    }
}
