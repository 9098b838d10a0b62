//! What the user may choose.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use cli::{cores, folders, tell};
use search::Tablebase;

use crate::ServeError;
use crate::http::Server;
use crate::job::PositionQueue;
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
    #[command(flatten)]
    searches: WorkerArguments,
    /// Serve HTTP on this address, such as 127.0.0.1:8077, instead of the standard streams: POST /analyse, GET /health and
    /// GET /metrics
    #[arg(long, value_name = "HOST:PORT")]
    http: Option<String>,
    /// A file with the token that clients have to send as `Authorization: Bearer TOKEN`; without one only this computer is
    /// served
    #[arg(long, requires = "http", value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Seconds after which a request is answered with what was found until then
    #[arg(long, requires = "http", default_value = "3600", value_name = "SECONDS", value_parser = cli::read_seconds)]
    timeout: Duration,
}

/// What the searches of a server share.
#[derive(Args, Debug)]
pub struct WorkerArguments {
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
/// In bytes.
const MAX_TOKEN: u64 = 4096;

impl ServeArguments {
    /// What serves HTTP, if that is wanted.
    pub(crate) fn server(&self, queue: &Arc<PositionQueue>) -> Result<Option<Server>, ServeError> {
        let Some(address) = &self.http else { return Ok(None) };
        let token = self.token_file.as_deref().map(read_token).transpose().map_err(ServeError::Token)?;
        Server::open(address, token, self.timeout, Arc::clone(queue)).map(Some)
    }

    /// A worker for each search at a time.
    pub(crate) fn workers(&self) -> Result<Vec<Worker>, NoTables> {
        self.searches.workers()
    }
}

/// There are no endgame tables where they are said to be.
#[derive(Debug, thiserror::Error)]
#[error("no endgame tables in {0}")]
pub struct NoTables(String);

impl WorkerArguments {
    /// A worker for each search at a time.
    ///
    /// # Errors
    ///
    /// If endgame tables were asked for, and there are none.
    pub fn workers(&self) -> Result<Vec<Worker>, NoTables> {
        let count = self.threads.map_or_else(cores, |threads| threads as usize);
        let hash_mib = self.hash.map_or(DEFAULT_HASH, |mib| (mib as usize / count).max(1));
        let tablebase = self.syzygy.as_deref().map(open_tables).transpose()?.map(Arc::new);
        Ok((0..count).map(|_| Worker::new(hash_mib, tablebase.clone())).collect())
    }
}

/// The first line of a file.
fn read_token(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(MAX_TOKEN).read_to_string(&mut text)?;
    let token = text.lines().next().unwrap_or_default().trim();
    if token.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "its first line is empty"));
    }
    Ok(token.to_owned())
}

fn open_tables(list: &OsStr) -> Result<Tablebase, NoTables> {
    let tables = Tablebase::open(&folders(list));
    tables.take_faults().iter().for_each(tell);
    if tables.names().next().is_none() {
        return Err(NoTables(list.to_string_lossy().into_owned()));
    }
    Ok(tables)
}
