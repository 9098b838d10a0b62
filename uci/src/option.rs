//! The options: one table to announce them, to read `setoption` and to know what holds before it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use eval::Network;
use search::{Settings, Strength};

use crate::error::{CommandError, Token};
use crate::file::read_network;
#[cfg(feature = "tune")]
use crate::words::integer;
use crate::words::{Words, integer_part};

/// What a `setoption` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting<'a> {
    /// A number of the search to be tuned.
    #[cfg(feature = "tune")]
    Tune(&'static str, i32),
    /// The size of the transposition table in MiB.
    Hash(usize),
    /// The number of threads that search.
    Threads(usize),
    /// Forget what was learnt.
    ClearHash,
    /// Whether the client may ask to think on the opponent's time; it changes nothing here.
    Ponder(bool),
    /// How many best lines are shown.
    MultiPv(usize),
    /// Milliseconds kept in reserve for the way between engine and clock.
    MoveOverhead(usize),
    /// Whether castling is written as king takes rook.
    Chess960(bool),
    /// Whether chances are told besides scores.
    ShowWdl(bool),
    /// Whether the engine analyses rather than plays; it changes nothing here.
    AnalyseMode(bool),
    /// Something the client tells, such as who the opponent is; it changes nothing here.
    Remark,
    /// How many centipawns a draw is worth less than an even game.
    Contempt(i32),
    /// How strongly to play, from 0 to 20, which is without limit.
    SkillLevel(usize),
    /// Whether to play as strongly as a rating, whatever the skill level.
    LimitStrength(bool),
    /// That rating.
    Elo(usize),
    /// Whether moves of the book are played.
    OwnBook(bool),
    /// The file of the book.
    BookFile(Option<&'a str>),
    /// Where all that is said is written down.
    LogFile(Option<&'a str>),
    /// Nodes that count as a millisecond; 0 for real time.
    NodesTime(usize),
    /// The folders of the endgame tables.
    SyzygyPath(Option<&'a str>),
    /// The least depth at which the largest tables are asked.
    SyzygyProbeDepth(usize),
    /// The most pieces for which tables are asked.
    SyzygyProbeLimit(usize),
    /// Whether the tables' wins are draws where the fifty-move rule makes them so.
    Syzygy50MoveRule(bool),
    /// The file of the network that evaluates; none for the one that comes with the program.
    EvalFile(Option<&'a str>),
    /// The file that keeps what analysis finds.
    AnalysisStore(Option<&'a str>),
}

/// The skill level without limits.
const FULL_SKILL: usize = 20;

/// In bytes; no system has longer ones, and lists of folders stay far below.
const LONGEST_PATH: usize = 64 << 10;

/// How an option is announced, and how its value becomes a setting.
enum Kind {
    Spin {
        default: usize,
        min: usize,
        max: usize,
        setting: fn(usize) -> Setting<'static>,
    },
    /// A number on either side of zero, which is the default.
    Offset {
        most: i32,
        setting: fn(i32) -> Setting<'static>,
    },
    Check {
        default: bool,
        setting: fn(bool) -> Setting<'static>,
    },
    Button {
        setting: Setting<'static>,
    },
    /// Text that the engine gives, or takes without a use for it.
    Text {
        default: fn() -> String,
        setting: Setting<'static>,
    },
    /// A path; the default, and nothing, mean `None`.
    Path {
        default: &'static str,
        setting: for<'a> fn(Option<&'a str>) -> Setting<'a>,
    },
}

/// One line of the table.
pub(crate) struct OptionSpec {
    name: &'static str,
    kind: Kind,
}

pub(crate) const OPTIONS: [OptionSpec; 25] = [
    OptionSpec { name: "Hash", kind: Kind::Spin { default: 16, min: 1, max: 1 << 20, setting: Setting::Hash } },
    OptionSpec { name: "Threads", kind: Kind::Spin { default: 1, min: 1, max: 1024, setting: Setting::Threads } },
    OptionSpec { name: "Clear Hash", kind: Kind::Button { setting: Setting::ClearHash } },
    OptionSpec { name: "Ponder", kind: Kind::Check { default: false, setting: Setting::Ponder } },
    OptionSpec { name: "MultiPV", kind: Kind::Spin { default: 1, min: 1, max: 256, setting: Setting::MultiPv } },
    OptionSpec {
        name: "Move Overhead",
        kind: Kind::Spin { default: 10, min: 0, max: 5000, setting: Setting::MoveOverhead },
    },
    OptionSpec { name: "UCI_Chess960", kind: Kind::Check { default: false, setting: Setting::Chess960 } },
    OptionSpec { name: "Contempt", kind: Kind::Offset { most: 100, setting: Setting::Contempt } },
    OptionSpec {
        name: "Skill Level",
        kind: Kind::Spin { default: FULL_SKILL, min: 0, max: FULL_SKILL, setting: Setting::SkillLevel },
    },
    OptionSpec { name: "UCI_LimitStrength", kind: Kind::Check { default: false, setting: Setting::LimitStrength } },
    OptionSpec {
        name: "UCI_Elo",
        kind: Kind::Spin {
            default: 1500,
            min: Strength::LEAST_ELO as usize,
            max: Strength::MOST_ELO as usize,
            setting: Setting::Elo,
        },
    },
    OptionSpec { name: "OwnBook", kind: Kind::Check { default: false, setting: Setting::OwnBook } },
    OptionSpec { name: "BookFile", kind: Kind::Path { default: "<empty>", setting: |path| Setting::BookFile(path) } },
    OptionSpec {
        name: "Debug Log File",
        kind: Kind::Path { default: "<empty>", setting: |path| Setting::LogFile(path) },
    },
    OptionSpec { name: "nodestime", kind: Kind::Spin { default: 0, min: 0, max: 10_000, setting: Setting::NodesTime } },
    OptionSpec {
        name: "SyzygyPath",
        kind: Kind::Path { default: "<empty>", setting: |path| Setting::SyzygyPath(path) },
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        kind: Kind::Spin { default: 1, min: 1, max: 100, setting: Setting::SyzygyProbeDepth },
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        kind: Kind::Spin { default: 7, min: 0, max: 7, setting: Setting::SyzygyProbeLimit },
    },
    OptionSpec { name: "Syzygy50MoveRule", kind: Kind::Check { default: true, setting: Setting::Syzygy50MoveRule } },
    OptionSpec { name: "UCI_ShowWDL", kind: Kind::Check { default: false, setting: Setting::ShowWdl } },
    OptionSpec { name: "UCI_AnalyseMode", kind: Kind::Check { default: false, setting: Setting::AnalyseMode } },
    OptionSpec {
        name: "UCI_Opponent",
        kind: Kind::Text { default: || "<empty>".to_owned(), setting: Setting::Remark },
    },
    OptionSpec { name: "UCI_EngineAbout", kind: Kind::Text { default: about, setting: Setting::Remark } },
    OptionSpec {
        name: "EvalFile",
        kind: Kind::Path { default: "<embedded>", setting: |path| Setting::EvalFile(path) },
    },
    // It belongs to a network: so it comes behind that, for clients that set options in this order.
    OptionSpec {
        name: MEMORY_OPTION,
        kind: Kind::Path { default: "<empty>", setting: |path| Setting::AnalysisStore(path) },
    },
];

/// The option of those sessions only that have been given a way to keep analysis.
pub(crate) const MEMORY_OPTION: &str = "AnalysisStore";

/// What the engine says of itself.
fn about() -> String {
    format!("Vancura {} by {}, GPL-3.0-or-later", env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_AUTHORS"))
}

impl OptionSpec {
    /// Whether a session has this option, by whether it can keep analysis.
    pub(crate) fn is_offered(&self, has_memory: bool) -> bool {
        has_memory || self.name != MEMORY_OPTION
    }

    /// Whether this is the option meant. Case does not count, as the protocol has it, and neither do spaces:
    /// clients disagree on those in `Move Overhead`.
    fn is_called(&self, name: &str) -> bool {
        let letters = |text| Words::new(text).flat_map(str::bytes).map(|byte| byte.to_ascii_lowercase());
        letters(self.name).eq(letters(name))
    }

    /// What holds until the client says otherwise; nothing for a button.
    fn default_setting(&self) -> Option<Setting<'static>> {
        match self.kind {
            Kind::Spin { default, setting, .. } => Some(setting(default)),
            Kind::Offset { setting, .. } => Some(setting(0)),
            Kind::Check { default, setting } => Some(setting(default)),
            Kind::Path { setting, .. } => Some(setting(None)),
            Kind::Button { .. } | Kind::Text { .. } => None,
        }
    }

    fn read<'a>(&self, value: Option<&'a str>) -> Result<(Setting<'a>, Option<CommandError>), CommandError> {
        let name = self.name;
        let found = Token::from(value);
        let number =
            || value.and_then(integer_part).ok_or_else(|| CommandError::NoNumber { name, found: found.clone() });
        let fault = |number, fraction: Option<&str>, taken| match fraction {
            _ if number != taken => Some(CommandError::OutOfRange { name, found: number, taken }),
            Some(_) => Some(CommandError::NumberCut { name, found: found.clone(), taken }),
            None => None,
        };
        match self.kind {
            Kind::Spin { min, max, setting, .. } => {
                let (number, fraction) = number()?;
                let taken = usize::try_from(number.max(0)).unwrap_or(usize::MAX).clamp(min, max);
                Ok((setting(taken), fault(number, fraction, taken as i64)))
            }
            Kind::Offset { most, setting } => {
                let (number, fraction) = number()?;
                let taken = number.clamp((-most).into(), most.into());
                Ok((setting(taken as i32), fault(number, fraction, taken)))
            }
            Kind::Check { setting, .. } => match value {
                Some(value) if value.eq_ignore_ascii_case("true") => Ok((setting(true), None)),
                Some(value) if value.eq_ignore_ascii_case("false") => Ok((setting(false), None)),
                _ => Err(CommandError::NoChoice { name, choices: "`true` or `false`", found }),
            },
            Kind::Path { .. } if value.is_some_and(|path| path.len() > LONGEST_PATH) => {
                Err(CommandError::PathTooLong(found))
            }
            Kind::Path { default, setting } => {
                Ok((setting(value.filter(|path| !["", "<empty>", default].contains(path))), None))
            }
            Kind::Button { setting } | Kind::Text { setting, .. } => Ok((setting, None)),
        }
    }
}

/// The line that announces the option.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Spin { default, min, max, .. } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Offset { most, .. } => write!(f, "spin default 0 min -{most} max {most}"),
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Path { default, .. } => write!(f, "string default {default}"),
            Kind::Text { default, .. } => write!(f, "string default {}", default()),
            Kind::Button { .. } => f.write_str("button"),
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
        #[cfg(feature = "tune")]
        if let Some(tunable) = search::TUNABLES.iter().find(|tunable| tunable.name == name) {
            let value = has_value.then_some(words.rest());
            let number =
                value.and_then(integer).ok_or(CommandError::NoNumber { name: tunable.name, found: value.into() })?;
            let number = number.clamp(tunable.min.into(), tunable.max.into());
            return Ok((Setting::Tune(tunable.name, number as i32), None));
        }
        let option = OPTIONS.iter().find(|option| option.is_called(name));
        option.ok_or_else(|| CommandError::UnknownOption(Token::new(name)))?.read(has_value.then_some(words.rest()))
    }
}

/// What the client has set, or the defaults it was told.
#[derive(Clone, Debug)]
pub struct Options {
    /// The size of the transposition table in MiB.
    pub hash_mib: usize,
    /// The number of threads that search.
    pub threads: usize,
    /// What goes with every search.
    pub search: Settings,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether chances are told besides scores.
    pub shows_chances: bool,
    /// How strongly to play, from 0 to 20, which is without limit.
    pub skill_level: usize,
    /// Whether to play as strongly as `elo`, whatever the skill level.
    pub limits_strength: bool,
    /// A rating.
    pub elo: usize,
    /// Whether moves of the book are played.
    pub own_book: bool,
    /// The folders of the endgame tables, as the client wrote them.
    pub tablebase_path: Option<String>,
    /// What evaluates.
    pub network: Arc<Network>,
    /// The file that keeps what analysis finds, as the client wrote it.
    pub memory_path: Option<String>,
}

impl Options {
    /// How strongly to play; none without limit. The skill levels are spread evenly over the ratings.
    pub(crate) fn strength(&self, seed: u64) -> Option<Strength> {
        let span = usize::from(Strength::MOST_ELO - Strength::LEAST_ELO);
        let elo = match (self.limits_strength, self.skill_level) {
            (true, _) => self.elo,
            (false, FULL_SKILL) => return None,
            (false, level) => usize::from(Strength::LEAST_ELO) + span * level / FULL_SKILL,
        };
        Some(Strength::of_elo(u16::try_from(elo).unwrap_or(u16::MAX), seed))
    }

    /// Takes over a setting; a button changes nothing.
    ///
    /// # Errors
    ///
    /// If a file cannot be used; then nothing changes.
    pub(crate) fn set(&mut self, setting: Setting<'_>) -> Result<(), CommandError> {
        match setting {
            Setting::Hash(mib) => self.hash_mib = mib,
            Setting::Threads(threads) => self.threads = threads,
            Setting::MultiPv(lines) => self.search.multi_pv = lines,
            Setting::MoveOverhead(millis) => self.search.move_overhead = Duration::from_millis(millis as u64),
            Setting::Chess960(on) => self.chess960 = on,
            Setting::ShowWdl(on) => self.shows_chances = on,
            #[cfg(feature = "tune")]
            Setting::Tune(name, value) => {
                search::TUNABLES.iter().filter(|tunable| tunable.name == name).for_each(|tunable| tunable.set(value));
            }
            Setting::Contempt(centipawns) => self.search.contempt = centipawns,
            Setting::SkillLevel(level) => self.skill_level = level,
            Setting::LimitStrength(on) => self.limits_strength = on,
            Setting::Elo(elo) => self.elo = elo,
            Setting::OwnBook(on) => self.own_book = on,
            Setting::NodesTime(nodes) => self.search.nodes_per_millisecond = nodes as u64,
            Setting::SyzygyPath(path) => self.tablebase_path = path.map(str::to_owned),
            Setting::SyzygyProbeDepth(depth) => self.search.tablebase.probe_depth = depth as i32,
            Setting::SyzygyProbeLimit(pieces) => self.search.tablebase.probe_limit = pieces,
            Setting::Syzygy50MoveRule(on) => self.search.tablebase.fifty_moves = on,
            Setting::EvalFile(None) => self.network = Network::embedded(),
            Setting::EvalFile(Some(path)) => self.network = read_network(path)?,
            Setting::AnalysisStore(path) => self.memory_path = path.map(str::to_owned),
            Setting::ClearHash | Setting::Ponder(_) | Setting::AnalyseMode(_) | Setting::Remark => {}
            // The session opens these files.
            Setting::BookFile(_) | Setting::LogFile(_) => {}
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
            search,
            chess960: false,
            shows_chances: false,
            skill_level: FULL_SKILL,
            limits_strength: false,
            elo: 0,
            own_book: false,
            tablebase_path: None,
            network,
            memory_path: None,
        };
        for setting in OPTIONS.iter().filter_map(OptionSpec::default_setting) {
            // No default names a file, and nothing else can fail.
            options.set(setting).unwrap_or_default();
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<(Setting<'_>, Option<String>), String> {
        Setting::parse(Words::new(line))
            .map(|(setting, fault)| (setting, fault.map(|fault| fault.to_string())))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn names_are_found_in_any_case_and_spacing() {
        for (line, setting) in [
            ("name Hash value 64", Setting::Hash(64)),
            ("name hash value 64", Setting::Hash(64)),
            ("NAME HASH VALUE +64", Setting::Hash(64)),
            ("name Threads value 3", Setting::Threads(3)),
            ("name Clear Hash", Setting::ClearHash),
            ("name clear   hash value", Setting::ClearHash),
            ("name ClearHash value <empty>", Setting::ClearHash),
            ("name Move Overhead value 0", Setting::MoveOverhead(0)),
            ("name MoveOverhead value 250", Setting::MoveOverhead(250)),
            ("name Contempt value -12", Setting::Contempt(-12)),
            ("name Ponder value true", Setting::Ponder(true)),
            ("name MultiPV value 256", Setting::MultiPv(256)),
            ("name uci_chess960 value TRUE", Setting::Chess960(true)),
            ("name EvalFile value my nets/a b.nnue ", Setting::EvalFile(Some("my nets/a b.nnue"))),
            ("name EvalFile value <embedded>", Setting::EvalFile(None)),
            ("name EvalFile value <empty>", Setting::EvalFile(None)),
            ("name EvalFile value", Setting::EvalFile(None)),
            ("please name UCI_Chess960 value false", Setting::Chess960(false)),
        ] {
            assert_eq!(parse(line), Ok((setting, None)), "{line}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_clamped_and_said() {
        for (line, setting) in [
            ("name Hash value 0", Setting::Hash(1)),
            ("name Hash value -5", Setting::Hash(1)),
            ("name Hash value 99999999999999999999", Setting::Hash(1 << 20)),
            ("name Threads value 1025", Setting::Threads(1024)),
            ("name MultiPV value -9223372036854775809", Setting::MultiPv(1)),
            ("name Move Overhead value 5001", Setting::MoveOverhead(5000)),
            ("name Contempt value -101", Setting::Contempt(-100)),
            ("name Contempt value 1000", Setting::Contempt(100)),
            ("name UCI_Elo value 300", Setting::Elo(800)),
            ("name UCI_Elo value 9999", Setting::Elo(Strength::MOST_ELO.into())),
            ("name Skill Level value 21", Setting::SkillLevel(20)),
        ] {
            let (taken, fault) = parse(line).unwrap();
            assert_eq!(taken, setting, "{line}");
            assert!(fault.is_some(), "{line}");
        }
        assert_eq!(parse("name Hash value 0").unwrap().1.unwrap(), "Hash 0 is out of range; using 1");
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for (line, message) in [
            ("name Hash value many", "`Hash` needs a number, not \"many\""),
            ("name Hash value 64 MB", "`Hash` needs a number, not \"64 MB\""),
            ("name Hash value", "`Hash` needs a number, not \"\""),
            ("name Hash value <empty>", "`Hash` needs a number, not \"<empty>\""),
            ("name Hash", "`Hash` needs a number, not nothing"),
            ("name Ponder value yes", "`Ponder` needs `true` or `false`, not \"yes\""),
            ("name Ponder", "`Ponder` needs `true` or `false`, not nothing"),
            ("name", "unknown option \"\""),
            ("name value", "unknown option \"\""),
            ("name Hash 64", "unknown option \"Hash 64\""),
            ("Hash value 64", "`setoption` needs `name` and an option's name, not \"Hash\""),
            ("", "`setoption` needs `name` and an option's name, not nothing"),
        ] {
            assert_eq!(parse(line), Err(message.to_owned()), "{line}");
        }
    }

    #[test]
    fn skill_levels_climb_from_the_least_rating_to_full_strength() {
        let elo = |skill_level, limits_strength| {
            Options { skill_level, limits_strength, ..Options::default() }.strength(1).map(Strength::elo)
        };
        assert_eq!((elo(0, false), elo(20, false)), (Some(800), None));
        let levels: Vec<_> = (0..20).map(|level| elo(level, false).unwrap()).collect();
        assert!(levels.is_sorted_by(|a, b| a < b) && *levels.last().unwrap() < Strength::MOST_ELO, "{levels:?}");
        // A rating that is asked for counts, whatever the level.
        assert_eq!((elo(20, true), elo(3, true)), (Some(1500), Some(1500)));
    }

    #[test]
    fn announced_defaults_are_true() {
        let options = Options::default();
        let announced: Vec<_> = OPTIONS.iter().map(ToString::to_string).collect();
        assert_eq!((options.hash_mib, options.threads, options.search.multi_pv), (16, 1, 1));
        assert_eq!(options.search.move_overhead, Duration::from_millis(10));
        assert!(!options.chess960 && Arc::ptr_eq(&options.network, &Network::embedded()));
        assert_eq!(
            announced,
            [
                "option name Hash type spin default 16 min 1 max 1048576",
                "option name Threads type spin default 1 min 1 max 1024",
                "option name Clear Hash type button",
                "option name Ponder type check default false",
                "option name MultiPV type spin default 1 min 1 max 256",
                "option name Move Overhead type spin default 10 min 0 max 5000",
                "option name UCI_Chess960 type check default false",
                "option name Contempt type spin default 0 min -100 max 100",
                "option name Skill Level type spin default 20 min 0 max 20",
                "option name UCI_LimitStrength type check default false",
                &format!("option name UCI_Elo type spin default 1500 min 800 max {}", Strength::MOST_ELO),
                "option name OwnBook type check default false",
                "option name BookFile type string default <empty>",
                "option name Debug Log File type string default <empty>",
                "option name nodestime type spin default 0 min 0 max 10000",
                "option name SyzygyPath type string default <empty>",
                "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
                "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
                "option name Syzygy50MoveRule type check default true",
                "option name UCI_ShowWDL type check default false",
                "option name UCI_AnalyseMode type check default false",
                "option name UCI_Opponent type string default <empty>",
                &format!("option name UCI_EngineAbout type string default {}", about()),
                "option name EvalFile type string default <embedded>",
                "option name AnalysisStore type string default <empty>",
            ]
        );
    }
}
