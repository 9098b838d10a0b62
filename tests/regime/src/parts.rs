//! The parts of the regime: the table of them, and what each is given and tells.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{env, fs};

use crate::process::{Ended, ask, run};

mod chaos;
mod deny;
mod determinism;
mod fuzz;
mod ignored;
mod interpreters;
mod lateness;
mod sanitizers;
mod soak;
mod storm;

/// How a part went: what was done, or why this machine cannot do it. An error says what is wrong.
pub type Verdict = Result<Done, String>;

/// The end of a part that found nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// How much was done.
    Passed(String),
    /// Why nothing was.
    Unavailable(String),
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is looked for.
    pub what: &'static str,
    /// Its share of the time, against those of the others. Some parts take what they need. `None` for a part that runs
    /// beside the others for the whole time.
    pub share: Option<u32>,
    /// Does it.
    pub run: fn(&Context) -> Verdict,
}

const fn part(name: &'static str, what: &'static str, share: u32, run: fn(&Context) -> Verdict) -> Part {
    Part { name, what, share: Some(share), run }
}

/// A part that runs beside all others.
const fn beside(name: &'static str, what: &'static str, run: fn(&Context) -> Verdict) -> Part {
    Part { name, what, share: None, run }
}

/// All parts, in the order in which they are done: those that need no build of their own first.
pub const PARTS: [Part; 33] = [
    part("deny", "licences, sources and bans of all dependencies", 0, deny::run),
    part("determinism", "the same bench in each build, on each instruction set", 3, determinism::run),
    part("chaos", "random commands at random moments, debug build", 4, chaos::run),
    beside("soak", "memory, threads and files stay flat", soak::run),
    part("address_limits", "little address space", 1, |context| {
        ignored::run(context, &[("vancura", "program", "address_limits::address_limits")])
    }),
    part("allocation_failures", "failing allocations", 1, |context| {
        ignored::run(context, &[("vancura-tests", "memory", "refused_requests")])
    }),
    part("oversubscription", "more threads than cores", 1, |context| {
        ignored::run(context, &[("vancura", "program", "crowded_processor")])
    }),
    part("kill_loops", "killed while writing", 1, |context| {
        ignored::run(context, &[("vancura", "program", "kill_loops"), ("vancura-train", "kill_loops", "kill_loops")])
    }),
    part("full_disk", "a full disk", 1, |context| {
        let tests = [
            ("vancura", "program", "a_full_disk_leaves_what_was_there"),
            ("vancura", "program", "a_match_on_a_full_disk_goes_on"),
            ("vancura", "program", "a_store_on_a_full_disk_goes_on"),
            ("vancura-train", "kill_loops", "a_full_disk_tears_no_pool"),
            ("vancura-train", "kill_loops", "a_full_disk_keeps_the_last_checkpoint"),
        ];
        ignored::run(context, &tests)
    }),
    part("torn_files", "files cut off at any byte", 1, |context| {
        let tests = [
            ("vancura", "program", "a_match_torn_at_any_byte_goes_on"),
            ("vancura", "program", "a_journal_torn_anywhere_goes_on_to_the_same_end"),
            ("vancura", "program", "a_store_torn_anywhere_is_named_and_stays"),
            ("vancura-train", "kill_loops", "a_checkpoint_torn_anywhere_is_refused"),
        ];
        ignored::run(context, &tests)
    }),
    part("parser_growth", "work and memory of the parsers", 1, |context| {
        ignored::run(context, &[("vancura-pgn", "linear", "")])
    }),
    part("lateness", "moves after their time, and after a stop", 4, lateness::run),
    part("storm", "everything at once, killed, stopped and starved", 6, storm::run),
    part("address", "AddressSanitizer: the bench and games", 3, sanitizers::address),
    part("thread", "ThreadSanitizer: eight threads", 3, sanitizers::thread),
    part("memcheck", "valgrind: every instruction set, the table, the bench", 3, interpreters::memcheck),
    part("miri", "Miri: what has `unsafe`", 2, interpreters::miri),
    part("fuzz_fen", "fuzzing FEN and moves", 2, |context| fuzz::run(context, "fen")),
    part("fuzz_epd", "fuzzing EPD", 2, |context| fuzz::run(context, "epd")),
    part("fuzz_pgn", "fuzzing PGN", 2, |context| fuzz::run(context, "pgn")),
    part("fuzz_positions", "fuzzing lists of positions", 2, |context| fuzz::run(context, "positions")),
    part("fuzz_input", "fuzzing compressed files and UTF-16", 2, |context| fuzz::run(context, "input")),
    part("fuzz_uci", "fuzzing UCI lines", 2, |context| fuzz::run(context, "uci")),
    part("fuzz_network", "fuzzing networks", 2, |context| fuzz::run(context, "network")),
    part("fuzz_pool", "fuzzing pools of games", 2, |context| fuzz::run(context, "pool")),
    part("fuzz_packed", "fuzzing packed games", 2, |context| fuzz::run(context, "packed")),
    part("fuzz_checkpoint", "fuzzing checkpoints", 2, |context| fuzz::run(context, "checkpoint")),
    part("fuzz_journal", "fuzzing journals of an analysis", 2, |context| fuzz::run(context, "journal")),
    part("fuzz_store", "fuzzing stores of an analysis", 2, |context| fuzz::run(context, "store")),
    part("fuzz_results", "fuzzing results of a store", 2, |context| fuzz::run(context, "results")),
    part("fuzz_board", "fuzzing requests of the board", 2, |context| fuzz::run(context, "board")),
    part("fuzz_explorer", "fuzzing the index of an explorer", 2, |context| fuzz::run(context, "explorer")),
    part("fuzz_http", "fuzzing requests of HTTP", 2, |context| fuzz::run(context, "http")),
];

/// The shortest time that a part works, however long it took to build: one that does nothing shows nothing.
const MIN: Duration = Duration::from_secs(5);
/// How long a tool may take beyond its time, and how long a build may take, before it counts as hung.
const PATIENCE: Duration = Duration::from_secs(1800);

/// What a part works with.
#[derive(Clone, Debug)]
pub struct Context {
    /// The root of the repository.
    pub root: PathBuf,
    /// Where logs and builds go.
    pub folder: PathBuf,
    /// The part's name, which its logs have.
    pub name: &'static str,
    /// When the part should be done.
    pub deadline: Instant,
    /// Whether advisories may be fetched from the network.
    pub is_online: bool,
}

impl Context {
    /// The time that is left to the part.
    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now()).max(MIN)
    }

    /// When the part should be done, or a little later if its build took too long.
    fn end(&self) -> Instant {
        Instant::now() + self.left()
    }

    /// A command in the root of the repository.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// Cargo, the one that runs this program if there is one.
    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(&cargo());
        command.args(arguments);
        command
    }

    /// Runs a command to its end; returns what it said.
    fn run(&self, command: &mut Command) -> Result<String, String> {
        let log = self.folder.join(format!("{}.log", self.name));
        let ended = run(command, &log, self.left() + PATIENCE);
        let ended = ended.map_err(|error| format!("{}: {error}", command.get_program().display()))?;
        let text = fs::read(&log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let text = text.map_err(|error| format!("{}: {error}", log.display()))?;
        match ended {
            Ended::Itself(true) => Ok(text),
            Ended::Itself(false) => Err(format!("failed; see {}", log.display())),
            Ended::Killed => Err(format!("did not end; see {}", log.display())),
        }
    }

    /// Builds the program as released, and returns where it is.
    fn release(&self) -> Result<PathBuf, String> {
        self.run(&mut self.cargo(&["build", "--release", "-p", "vancura"]))?;
        Ok(self.root.join("target/release/vancura"))
    }
}

/// Where what is random begins: as `REGIME_SEED` says, or elsewhere than last night.
fn seed() -> Result<u64, String> {
    match env::var("REGIME_SEED") {
        Ok(seed) => seed.parse().map_err(|error| format!("REGIME_SEED: {error}")),
        Err(_) => Ok(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() << 20)),
    }
}

/// The cargo to call.
fn cargo() -> String {
    env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// The target triple of this machine.
fn host() -> Option<String> {
    ask("rustc", &["-vV"])?.lines().find_map(|line| line.strip_prefix("host: ").map(str::to_owned))
}

/// The bench signature that the last functional change gave, if git tells.
fn expected_bench(context: &Context) -> Option<String> {
    let root = context.root.to_str()?;
    let log = ask("git", &["-C", root, "log", "--format=%B"])?;
    log.lines().find_map(|line| line.strip_prefix("Bench: ").map(|number| number.trim().to_owned()))
}

/// The node count that a run of the bench ends with.
fn bench_count(output: &str) -> Result<String, String> {
    let last = output.lines().rev().find(|line| line.contains("nodes")).unwrap_or_default();
    let count = last.split(' ').next().filter(|count| !count.is_empty());
    count.map(str::to_owned).ok_or_else(|| "the bench printed no node count".to_owned())
}
