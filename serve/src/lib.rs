//! Analysis for programs: queries come and answers go as lines of JSON, several at a time and in any order.
//!
//! # How a query flows
//!
//! 1. A `session` reads its lines: `fields` and `query` make queries of them, or say which field is at fault.
//! 2. The `queue` gives each position of a query to the next free thread, by priority.
//! 3. A `worker` searches it, and tells the session what it has found: `answer`.
//!
//! With `http`, each request is such a session. Everything that concerns one client is in its session: the ids in use, and
//! where answers go. Source of the form: the analysis engine of KataGo.
//!
//! Other servers build on the parts: the lines and fields of the input, the queue, the worker.

mod answer;
mod arguments;
mod fields;
mod http;
mod job;
mod query;
mod queue;
mod reading;
mod session;
mod task;
mod worker;

#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;
use std::thread;

use search::STACK_SIZE;

pub use answer::{Analysis, Line};
pub use arguments::{NoTables, ServeArguments, WorkerArguments};
pub use fields::{Fault, Fields};
pub use query::read_position;
pub use queue::{Job, Queue};
pub use reading::{MAX_LINE, next_line};
pub use task::Task;
pub use worker::Worker;

use job::PositionQueue;
use session::Session;

/// Why serving ended before its input did.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The system grants no thread.
    #[error("cannot start a thread: {0}")]
    Threads(#[source] io::Error),
    /// The address cannot be served.
    #[error("cannot serve on {address}: {error}")]
    Address {
        /// As it was given.
        address: String,
        /// Why not.
        error: io::Error,
    },
    /// Others than this computer could ask for anything.
    #[error("an address that other computers reach needs --token-file")]
    NoToken,
    /// The file of the token cannot be read, or has none.
    #[error("--token-file: {0}")]
    Token(#[source] io::Error),
    /// There are no endgame tables where they are said to be.
    #[error(transparent)]
    NoTables(#[from] NoTables),
    /// Ctrl-C was pressed.
    #[error("interrupted; what was still to be answered is lost")]
    Interrupted,
    /// The input cannot be read.
    #[error("cannot read the input: {0}")]
    Read(#[source] io::Error),
    /// The answers cannot be written.
    #[error("cannot write the output: {0}")]
    Write(#[source] io::Error),
}

/// Answers the queries of the standard input on the standard output, until the input has ended and all are answered; or
/// those that come over HTTP, until Ctrl-C.
///
/// # Errors
///
/// If the input cannot be read or the output not be written, or the run is interrupted.
pub fn run(arguments: &ServeArguments) -> Result<(), ServeError> {
    let queue = Arc::new(PositionQueue::default());
    let workers = arguments.workers()?;
    let aborted = Arc::clone(&queue);
    cli::on_ctrl_c(move || aborted.abort(), || {});
    let handles = workers.into_iter().map(|worker| start(worker, Arc::clone(&queue))).collect::<Result<Vec<_>, _>>();
    let handles = handles.inspect_err(|_| queue.abort())?;
    if let Some(server) = arguments.server(&queue).inspect_err(|_| queue.abort())? {
        let address = server.address().map_err(ServeError::Read)?;
        cli::tell(format_args!("serving on http://{address}"));
        let builder = thread::Builder::new().name("http".to_owned());
        builder.spawn(|| server.run()).map_err(ServeError::Threads).inspect_err(|_| queue.abort())?;
        // They work until Ctrl-C.
        handles.into_iter().for_each(|handle| drop(handle.join()));
        return Ok(());
    }
    let session = Arc::new(Session::new(Box::new(io::stdout())));
    // A read that waits for the client does not see that all is over, so nobody waits for this thread.
    let (reading, asked) = (Arc::clone(&session), Arc::clone(&queue));
    let reader = thread::Builder::new().name("queries".to_owned()).spawn(move || {
        let read = reading.read(io::stdin().lock(), &asked);
        asked.close();
        read
    });
    let reader = reader.map_err(ServeError::Threads).inspect_err(|_| queue.abort())?;
    // A worker that panicked has said so.
    handles.into_iter().for_each(|handle| drop(handle.join()));
    session.fault().map_or(Ok(()), Err).map_err(ServeError::Write)?;
    if queue.is_aborted() {
        return Err(ServeError::Interrupted);
    }
    reader.join().unwrap_or(Ok(())).map_err(ServeError::Read)
}

fn start(mut worker: Worker, queue: Arc<PositionQueue>) -> Result<thread::JoinHandle<()>, ServeError> {
    let builder = thread::Builder::new().name("worker".to_owned()).stack_size(STACK_SIZE);
    builder.spawn(move || worker.work(&queue)).map_err(ServeError::Threads)
}
