//! How positions are searched, as the user may choose it: what all commands that search games have in common.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use cli::{cores, folders, tell};
use eval::Network;
use search::{Limits, Tablebase};
use store::StoreError;

use crate::error::AnalyseError;
use crate::model::{Run, RunLimits};
use crate::read::main_line::SEGMENT;
use crate::search::analyst::SearchMethod;
use crate::search::archive::Archive;
use crate::search::provenance::tables_of;

/// Nodes for each position if there is no other limit: about a fifth of a second.
const DEFAULT_NODES: u64 = 200_000;
/// No position has more legal moves.
const ALL_LINES: u32 = 256;
/// The largest table, in MiB, that is taken unasked.
const MAX_DEFAULT_HASH: u64 = 64;
/// What a node leaves in the table, in bytes.
const BYTES_PER_NODE: u64 = 32 / 3;

/// How positions are searched.
#[derive(Args, Debug)]
pub(crate) struct SearchArguments {
    /// Seconds for each position
    #[arg(long, alias = "movetime", value_name = "SECONDS", value_parser = cli::read_seconds)]
    time: Option<Duration>,
    /// Nodes for each position [default: 200000 if there is no other limit]
    #[arg(long, value_name = "COUNT", value_parser = cli::read_count)]
    nodes: Option<u64>,
    /// Plies for each position
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(1..=245))]
    depth: Option<i32>,
    /// How many best lines to look for in each position, or `all` for one of each legal move
    #[arg(long, value_name = "LINES|all", default_value = "1", value_parser = read_lines)]
    multipv: u32,
    /// Ask the network alone, without a search
    #[arg(long, conflicts_with_all = ["time", "nodes", "depth", "multipv", "syzygy", "store", "parallel", "hash"])]
    pub(crate) eval_only: bool,
    /// Search threads [default: one for each core]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// What the threads share
    #[arg(long, value_enum, default_value_t = Parallel::Positions)]
    parallel: Parallel,
    /// MiB of memory for the table of each search [default: by the nodes, 64 at most]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// Folders with Syzygy endgame tables, as in the variable PATH
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<OsString>,
    /// Keep what is found in this file, and take from it what is known
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// How threads share the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Parallel {
    /// Each searches positions of its own
    Positions,
    /// All search the same position, one after the other: the deepest look at each, but never twice the same
    Together,
}

impl SearchArguments {
    fn limits(&self) -> RunLimits {
        if self.eval_only {
            return RunLimits { nodes: Some(0), ..RunLimits::default() };
        }
        limits_or_default(self.time, self.nodes, self.depth)
    }

    fn threads(&self) -> usize {
        self.threads.map_or_else(cores, |threads| threads as usize)
    }

    /// How many searches run side by side.
    pub(crate) fn searches(&self) -> usize {
        if self.parallel == Parallel::Positions { self.threads() } else { 1 }
    }

    fn threads_per_search(&self) -> usize {
        if self.parallel == Parallel::Positions { 1 } else { self.threads() }
    }

    /// Of each search.
    fn hash_mib(&self) -> u32 {
        self.hash.unwrap_or_else(|| hash_for(&self.limits(), SEGMENT as u64))
    }

    /// How each position is searched, and warnings about the endgame tables.
    pub(crate) fn method(&self) -> (SearchMethod, Vec<String>) {
        let RunLimits { nodes, .. } = self.limits();
        let (tablebase, complaints) = self.syzygy.as_deref().map(open_tables).unwrap_or_default();
        let method = SearchMethod {
            limits: Limits { move_time: self.time, nodes, depth: self.depth, ..Limits::default() },
            multi_pv: self.multipv as usize,
            hash_mib: self.hash_mib() as usize,
            threads: self.threads_per_search(),
            tablebase,
            is_static: self.eval_only,
        };
        (method, complaints)
    }

    /// What the results depend on, for those who read them.
    pub(crate) fn run(&self, source: &str, tablebase: Option<&Tablebase>) -> Run {
        let threads = u32::try_from(self.threads_per_search()).unwrap_or(u32::MAX);
        run_of(source, self.limits(), self.multipv, self.hash_mib(), threads, tablebase)
    }

    /// The store that was asked for, if it can be used. Without one that is in use elsewhere the run goes on, and says so.
    pub(crate) fn archive(&self, run: &Run) -> Result<Option<Archive>, AnalyseError> {
        let open = |path: &Path| match Archive::open(path, run) {
            Ok(archive) => Ok(Some(archive)),
            Err(error @ StoreError::InUse) => {
                tell(format_args!("{}: {error}; going on without the store", path.display()));
                Ok(None)
            }
            Err(error) => Err(AnalyseError::Store { path: path.to_owned(), error }),
        };
        self.store.as_deref().map_or(Ok(None), open)
    }
}

/// The limits of each search, by the command line.
pub(crate) fn limits_or_default(time: Option<Duration>, nodes: Option<u64>, depth: Option<i32>) -> RunLimits {
    let is_limited = time.is_some() || depth.is_some();
    RunLimits {
        time_ms: time.and_then(|time| u64::try_from(time.as_millis()).ok()),
        nodes: nodes.or((!is_limited).then_some(DEFAULT_NODES)),
        depth: depth.and_then(|depth| u32::try_from(depth).ok()),
    }
}

/// MiB for a table that so many positions share, one after the other, if the user does not say.
pub(crate) fn hash_for(limits: &RunLimits, positions: u64) -> u32 {
    let mib = limits.nodes.map_or(MAX_DEFAULT_HASH, |nodes| table_for(nodes, positions));
    u32::try_from(mib).unwrap_or(1)
}

/// MiB for the table of a search of a game with so many nodes for each position.
#[must_use]
pub fn hash_for_nodes(nodes: u64) -> u64 {
    table_for(nodes, SEGMENT as u64)
}

/// It must not depend on the machine, or the results would.
fn table_for(nodes: u64, positions: u64) -> u64 {
    let bytes = nodes.saturating_mul(positions * BYTES_PER_NODE);
    (bytes >> 20).clamp(1, MAX_DEFAULT_HASH).next_power_of_two()
}

/// What the results of a run depend on.
pub(crate) fn run_of(
    source: &str,
    limits: RunLimits,
    multipv: u32,
    hash_mib: u32,
    threads_per_position: u32,
    tablebase: Option<&Tablebase>,
) -> Run {
    Run {
        engine: uci::NAME.to_owned(),
        network: format!("{:016x}", Network::embedded().hash()),
        source: source.to_owned(),
        limits,
        multipv,
        hash_mib,
        threads_per_position,
        tablebase: tablebase.map(tables_of),
    }
}

/// A number of lines, or `all`.
fn read_lines(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(lines) if (1..=ALL_LINES).contains(&lines) => Ok(lines),
        _ if text.eq_ignore_ascii_case("all") => Ok(ALL_LINES),
        _ => Err(format!("expected a number from 1 to {ALL_LINES}, or all")),
    }
}

/// The tables in these folders, if there are any, and what is wrong with them.
pub(crate) fn open_tables(list: &OsStr) -> (Option<Arc<Tablebase>>, Vec<String>) {
    let tablebase = Tablebase::open(&folders(list));
    let mut complaints: Vec<_> = tablebase.take_faults().iter().map(|fault| format!("Syzygy: {fault}")).collect();
    if tablebase.files() == (0, 0) {
        complaints.push("Syzygy: no tables found".to_owned());
        return (None, complaints);
    }
    (Some(Arc::new(tablebase)), complaints)
}
