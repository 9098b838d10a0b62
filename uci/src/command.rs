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
        word => CommandError::NoChoice { name: "debug", choices: &["on", "off"], found: word.into() }.into(),
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
mod tests;
