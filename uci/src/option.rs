//! The options: one row each, with all that is to be known of it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use eval::Network;
use search::{Settings, Strength};

use crate::NAME;
use crate::error::{CommandError, Token};
use crate::file::read_network;
#[cfg(feature = "tune")]
use crate::words::integer;
use crate::words::{Words, integer_part};

/// One row: how an option is announced and read, where its value is kept, and what a change of it does.
pub(crate) struct OptionSpec {
    name: &'static str,
    kind: Kind,
    effect: Effect,
}

/// How an option is announced, and where its value is kept.
enum Kind {
    Spin {
        default: i32,
        min: i32,
        max: i32,
        set: fn(&mut Options, i32),
    },
    Check {
        default: bool,
        set: fn(&mut Options, bool),
    },
    /// One of two words, of which the first is the default; the second switches something off.
    Choice {
        words: &'static [&'static str; 2],
        set: fn(&mut Options, bool),
    },
    Button,
    /// Text that the engine gives, or takes without a use for it.
    Text {
        default: fn() -> String,
    },
    /// A path; the default, and nothing, mean `None`.
    Path {
        default: &'static str,
        set: fn(&mut Options, Option<&str>) -> Result<(), CommandError>,
    },
}

/// What a change of an option does, beside holding for the next search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Nothing.
    Nothing,
    /// The searcher is made ready at once: that takes time, which no clock should measure.
    Settle,
    /// What was learnt no longer holds; then as [`Settle`](Self::Settle).
    Forget,
    /// Another book is opened, or none.
    OpenBook,
    /// All that is said is written to another file from now on, or to none.
    OpenLog,
    /// Another file keeps what analysis finds, or none.
    OpenStore,
}

const fn spin(default: i32, [min, max]: [i32; 2], set: fn(&mut Options, i32)) -> Kind {
    Kind::Spin { default, min, max, set }
}

const fn check(default: bool, set: fn(&mut Options, bool)) -> Kind {
    Kind::Check { default, set }
}

const fn path(default: &'static str, set: fn(&mut Options, Option<&str>) -> Result<(), CommandError>) -> Kind {
    Kind::Path { default, set }
}

const fn row(name: &'static str, kind: Kind, effect: Effect) -> OptionSpec {
    OptionSpec { name, kind, effect }
}

/// The skill level without limits.
const FULL_SKILL: i32 = 20;

/// In bytes; no system has longer ones, and lists of folders stay far below.
const MAX_PATH: usize = 64 << 10;

/// The option of those sessions only that have been given a way to keep analysis.
const STORE_OPTION: &str = "AnalysisStore";

/// An option of the searches' settings that changes scores also belongs into the key of the analysis store, which does not
/// compile without it.
pub(crate) static OPTIONS: &[OptionSpec] = &[
    row("Hash", spin(16, [1, 1 << 20], |o, mib| o.hash_mib = mib as usize), Effect::Settle),
    row("Threads", spin(1, [1, 1024], |o, threads| o.threads = threads as usize), Effect::Settle),
    row("NumaPolicy", Kind::Choice { words: &["auto", "none"], set: |o, on| o.binds_threads = on }, Effect::Settle),
    row("Clear Hash", Kind::Button, Effect::Forget),
    row("Ponder", check(false, |_, _| {}), Effect::Nothing),
    row("MultiPV", spin(1, [1, 256], |o, lines| o.search.multi_pv = lines as usize), Effect::Nothing),
    row(
        "Move Overhead",
        spin(10, [0, 5000], |o, millis| o.search.move_overhead = Duration::from_millis(millis as u64)),
        Effect::Nothing,
    ),
    row("UCI_Chess960", check(false, |o, on| o.chess960 = on), Effect::Nothing),
    // Draws lie in the table with the score that they had, and so does all that follows from them.
    row("Contempt", spin(0, [-100, 100], |o, centipawns| o.search.contempt = centipawns), Effect::Forget),
    row("Skill Level", spin(FULL_SKILL, [0, FULL_SKILL], |o, level| o.skill_level = level), Effect::Nothing),
    row("UCI_LimitStrength", check(false, |o, on| o.limits_strength = on), Effect::Nothing),
    row(
        "UCI_Elo",
        spin(1500, [Strength::MIN_ELO as i32, Strength::MAX_ELO as i32], |o, elo| o.elo = elo),
        Effect::Nothing,
    ),
    row("OwnBook", check(false, |o, on| o.own_book = on), Effect::Nothing),
    row("BookFile", path("<empty>", |_, _| Ok(())), Effect::OpenBook),
    row("Debug Log File", path("<empty>", |_, _| Ok(())), Effect::OpenLog),
    row("nodestime", spin(0, [0, 10_000], |o, nodes| o.search.nodes_per_millisecond = nodes as u64), Effect::Nothing),
    row("SyzygyPath", path("<empty>", set_tablebase_path), Effect::Settle),
    row("SyzygyProbeDepth", spin(1, [1, 100], |o, depth| o.search.tablebase.probe_depth = depth), Effect::Nothing),
    row(
        "SyzygyProbeLimit",
        spin(7, [0, 7], |o, pieces| o.search.tablebase.probe_limit = pieces as usize),
        Effect::Nothing,
    ),
    row("Syzygy50MoveRule", check(true, |o, on| o.search.tablebase.fifty_moves = on), Effect::Forget),
    row("UCI_ShowWDL", check(false, |o, on| o.shows_chances = on), Effect::Nothing),
    row("UCI_AnalyseMode", check(false, |_, _| {}), Effect::Nothing),
    row("UCI_Opponent", Kind::Text { default: || "<empty>".to_owned() }, Effect::Nothing),
    row("UCI_EngineAbout", Kind::Text { default: about }, Effect::Nothing),
    row("EvalFile", path("<embedded>", set_network), Effect::Settle),
    // It belongs to a network: so it comes behind that, for clients that set options in this order.
    row(STORE_OPTION, path("<empty>", set_store_path), Effect::OpenStore),
];

fn set_tablebase_path(options: &mut Options, path: Option<&str>) -> Result<(), CommandError> {
    options.tablebase_path = path.map(str::to_owned);
    Ok(())
}

fn set_network(options: &mut Options, path: Option<&str>) -> Result<(), CommandError> {
    options.network = path.map_or_else(|| Ok(Network::embedded()), read_network)?;
    Ok(())
}

fn set_store_path(options: &mut Options, path: Option<&str>) -> Result<(), CommandError> {
    options.store_path = path.map(str::to_owned);
    Ok(())
}

/// What the engine says of itself.
fn about() -> String {
    format!("{NAME} by {}, GPL-3.0-or-later", env!("CARGO_PKG_AUTHORS"))
}

/// The names of the options that name no file: what others than the engine's owner may set.
pub fn options_without_files() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().filter(|option| !matches!(option.kind, Kind::Path { .. })).map(|option| option.name)
}

/// What a `setoption` asks for: an option and its new value.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    target: Target,
    value: Value<'a>,
}

#[derive(Clone, Copy)]
enum Target {
    Option(&'static OptionSpec),
    /// A number of the search to be tuned.
    #[cfg(feature = "tune")]
    Tunable(&'static search::Tunable),
}

/// The value of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'a> {
    /// Of a button, or without a use.
    None,
    /// A number within the option's range.
    Number(i32),
    /// Whether something is done.
    Switch(bool),
    /// A path; `None` for the default.
    Path(Option<&'a str>),
}

impl OptionSpec {
    /// Whether a session has this option, by whether it can keep analysis.
    pub(crate) fn is_offered(&self, has_memory: bool) -> bool {
        has_memory || self.effect != Effect::OpenStore
    }

    /// Whether this is the option meant. Case does not count, as the protocol has it, and neither do spaces:
    /// clients disagree on those in `Move Overhead`.
    fn is_called(&self, name: &str) -> bool {
        let letters = |text| Words::new(text).flat_map(str::bytes).map(|byte| byte.to_ascii_lowercase());
        letters(self.name).eq(letters(name))
    }

    /// What holds until the client says otherwise.
    fn default_value(&self) -> Value<'static> {
        match self.kind {
            Kind::Spin { default, .. } => Value::Number(default),
            Kind::Check { default, .. } => Value::Switch(default),
            Kind::Choice { .. } => Value::Switch(true),
            Kind::Path { .. } => Value::Path(None),
            Kind::Button | Kind::Text { .. } => Value::None,
        }
    }

    /// Reads a value. The second part says what had to be changed in it.
    fn read<'a>(&self, value: Option<&'a str>) -> Result<(Value<'a>, Option<CommandError>), CommandError> {
        let name = self.name;
        let found = Token::from(value);
        match self.kind {
            Kind::Spin { min, max, .. } => {
                let Some((number, fraction)) = value.and_then(integer_part) else {
                    return Err(CommandError::NoNumber { name, found });
                };
                let taken = number.clamp(min.into(), max.into());
                let fault = match fraction {
                    _ if taken != number => Some(CommandError::OutOfRange { name, found: number, taken }),
                    Some(_) => Some(CommandError::NumberCut { name, found, taken }),
                    None => None,
                };
                Ok((Value::Number(taken as i32), fault))
            }
            Kind::Check { .. } => match value {
                Some(value) if value.eq_ignore_ascii_case("true") => Ok((Value::Switch(true), None)),
                Some(value) if value.eq_ignore_ascii_case("false") => Ok((Value::Switch(false), None)),
                _ => Err(CommandError::NoChoice { name, choices: &["true", "false"], found }),
            },
            Kind::Choice { words, .. } => {
                let index = words.iter().position(|word| value.is_some_and(|value| value.eq_ignore_ascii_case(word)));
                let index = index.ok_or(CommandError::NoChoice { name, choices: words, found })?;
                Ok((Value::Switch(index == 0), None))
            }
            Kind::Path { .. } if value.is_some_and(|path| path.len() > MAX_PATH) => {
                Err(CommandError::PathTooLong(found))
            }
            Kind::Path { default, .. } => {
                Ok((Value::Path(value.filter(|path| !["", "<empty>", default].contains(path))), None))
            }
            Kind::Button | Kind::Text { .. } => Ok((Value::None, None)),
        }
    }
}

/// The line that announces the option.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Spin { default, min, max, .. } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Choice { words: [first, second], .. } => {
                write!(f, "combo default {first} var {first} var {second}")
            }
            Kind::Path { default, .. } => write!(f, "string default {default}"),
            Kind::Text { default } => write!(f, "string default {}", default()),
            Kind::Button => f.write_str("button"),
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Target {
    const fn name(self) -> &'static str {
        match self {
            Self::Option(option) => option.name,
            #[cfg(feature = "tune")]
            Self::Tunable(tunable) => tunable.name,
        }
    }
}

impl<'a> Setting<'a> {
    /// Reads the words after `setoption`. The second part says what had to be changed.
    pub(crate) fn parse(mut words: Words<'a>) -> Result<(Self, Option<CommandError>), CommandError> {
        let (stray, named) = words.until("name");
        if !named {
            return Err(CommandError::NoName(Token::from(Words::new(stray).next())));
        }
        let (name, has_value) = words.until("value");
        let value = has_value.then_some(words.rest());
        #[cfg(feature = "tune")]
        if let Some(tunable) = search::TUNABLES.iter().find(|tunable| tunable.name == name) {
            let number =
                value.and_then(integer).ok_or(CommandError::NoNumber { name: tunable.name, found: value.into() })?;
            let number = number.clamp(tunable.min.into(), tunable.max.into());
            return Ok((Self { target: Target::Tunable(tunable), value: Value::Number(number as i32) }, None));
        }
        let option = OPTIONS.iter().find(|option| option.is_called(name));
        let option = option.ok_or_else(|| CommandError::UnknownOption(Token::new(name)))?;
        let (value, fault) = option.read(value)?;
        Ok((Self { target: Target::Option(option), value }, fault))
    }

    /// The name of the option, as it is announced.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.target.name()
    }

    /// The value that the option is to have.
    #[must_use]
    pub const fn value(&self) -> Value<'a> {
        self.value
    }

    /// The file that is named, if any.
    pub(crate) const fn path(&self) -> Option<&'a str> {
        match self.value {
            Value::Path(path) => path,
            _ => None,
        }
    }

    /// What the change does.
    pub(crate) const fn effect(&self) -> Effect {
        match self.target {
            Target::Option(option) => option.effect,
            #[cfg(feature = "tune")]
            Target::Tunable(_) => Effect::Nothing,
        }
    }

    /// Changes the options as asked.
    ///
    /// # Errors
    ///
    /// If a file cannot be used; then nothing changes.
    pub(crate) fn apply(&self, options: &mut Options) -> Result<(), CommandError> {
        match self.target {
            Target::Option(option) => options.set(option, self.value),
            #[cfg(feature = "tune")]
            Target::Tunable(tunable) => {
                if let Value::Number(number) = self.value {
                    tunable.set(number);
                }
                Ok(())
            }
        }
    }
}

/// What the client has set, or the defaults it was told.
#[derive(Clone, Debug)]
pub struct Options {
    /// The size of the transposition table in MiB.
    pub hash_mib: usize,
    /// The number of threads that search.
    pub threads: usize,
    /// Whether threads are bound to NUMA nodes, where there are several.
    pub binds_threads: bool,
    /// What goes with every search.
    pub search: Settings,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether chances are told besides scores.
    pub shows_chances: bool,
    /// How strongly to play, from 0 to 20, which is without limit.
    pub skill_level: i32,
    /// Whether to play as strongly as `elo`, whatever the skill level.
    pub limits_strength: bool,
    /// A rating.
    pub elo: i32,
    /// Whether moves of the book are played.
    pub own_book: bool,
    /// The folders of the endgame tables, as the client wrote them.
    pub tablebase_path: Option<String>,
    /// What evaluates.
    pub network: Arc<Network>,
    /// The file that keeps what analysis finds, as the client wrote it.
    pub store_path: Option<String>,
}

impl Options {
    /// How strongly to play; none without limit. The skill levels are spread evenly over the ratings.
    pub(crate) fn strength(&self, seed: u64) -> Option<Strength> {
        let span = i32::from(Strength::MAX_ELO - Strength::MIN_ELO);
        let elo = match (self.limits_strength, self.skill_level) {
            (true, _) => self.elo,
            (false, FULL_SKILL) => return None,
            (false, level) => i32::from(Strength::MIN_ELO) + span * level / FULL_SKILL,
        };
        Some(Strength::of_elo(u16::try_from(elo).unwrap_or(u16::MAX), seed))
    }

    /// Gives an option a value.
    fn set(&mut self, option: &OptionSpec, value: Value<'_>) -> Result<(), CommandError> {
        match (&option.kind, value) {
            (Kind::Spin { set, .. }, Value::Number(number)) => set(self, number),
            (Kind::Check { set, .. } | Kind::Choice { set, .. }, Value::Switch(on)) => set(self, on),
            (Kind::Path { set, .. }, Value::Path(path)) => set(self, path)?,
            _ => {}
        }
        Ok(())
    }
}

/// The defaults of the table, so that what is announced is what holds.
impl Default for Options {
    fn default() -> Self {
        let (search, network) = (Settings::default(), Network::embedded());
        let mut options = Self {
            hash_mib: 0,
            threads: 0,
            binds_threads: false,
            search,
            chess960: false,
            shows_chances: false,
            skill_level: FULL_SKILL,
            limits_strength: false,
            elo: 0,
            own_book: false,
            tablebase_path: None,
            network,
            store_path: None,
        };
        for option in OPTIONS {
            // No default names a file, and nothing else can fail.
            options.set(option, option.default_value()).unwrap_or_default();
        }
        options
    }
}

#[cfg(test)]
mod tests;
