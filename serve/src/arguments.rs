//! What the user may choose.

use std::ffi::{OsStr, OsString};
use std::sync::Arc;

use clap::Args;
use cli::{cores, folders, tell};
use search::Tablebase;

use crate::ServeError;
use crate::worker::Worker;

/// What goes back and forth, by example.
const EXPLANATION: &str = "\
Each line of the input is a query, and each line of the output an answer with its id:

  {\"id\": 1, \"position\": \"startpos\", \"moves\": [\"e2e4\"], \"nodes\": 100000}

docs/serve.md has all fields. Scores and chances are White's. Answers come as soon as they are found, in any
order; equal queries have equal answers, whatever else is asked. When the input ends, what was asked is still
answered.

Examples:
  vancura serve < queries.jsonl > answers.jsonl
  vancura serve --threads 8 --hash 1024";

/// Analyses positions for programs: a JSON object a line comes in, and answers go out.
#[derive(Args, Debug)]
#[command(after_long_help = EXPLANATION)]
pub struct ServeArguments {
    /// How many positions to search at a time [default: one for each core]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// MiB of memory for the tables of all searches together [default: 16 for each]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// Folders with Syzygy endgame tables, as in the variable PATH
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<OsString>,
}

/// MiB for each search, if nothing is said.
const DEFAULT_HASH: usize = 16;

impl ServeArguments {
    /// A worker for each search at a time.
    pub(crate) fn workers(&self) -> Result<Vec<Worker>, ServeError> {
        let count = self.threads.map_or_else(cores, |threads| threads as usize);
        let hash_mib = self.hash.map_or(DEFAULT_HASH, |mib| (mib as usize / count).max(1));
        let tablebase = self.syzygy.as_deref().map(open_tables).transpose()?.map(Arc::new);
        Ok((0..count).map(|_| Worker::new(hash_mib, tablebase.clone())).collect())
    }
}

fn open_tables(list: &OsStr) -> Result<Tablebase, ServeError> {
    let tables = Tablebase::open(&folders(list));
    tables.take_faults().iter().for_each(tell);
    if tables.names().next().is_none() {
        return Err(ServeError::NoTables(list.to_string_lossy().into_owned()));
    }
    Ok(tables)
}
