//! Chess for language models: a server of the Model Context Protocol on the standard streams.
//!
//! # How a call flows
//!
//! 1. `transport` reads a line and refuses what is no message; what is one goes to the protocol's SDK.
//! 2. The `server` finds the tool, whose `parameters` are checked, and cuts the `call` into pieces.
//! 3. A worker of the `pool` takes a piece from the queue, as those of `serve` do, and works on it.
//! 4. The last piece makes the reply, which the `server` sends, with the progress before it.
//!
//! A tool is a file in `tools`: its parameters, its result, and what it does. Everything runs within the threads and the
//! memory that the user has granted, and ends when the call is cancelled or the input has ended.
//!
//! Source: the Model Context Protocol, <https://modelcontextprotocol.io>, by its official SDK `rmcp`.

mod arguments;
mod call;
mod parameters;
mod pool;
mod reply;
mod server;
mod tools;
mod transport;

#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rmcp::service::serve_directly;
use serve::{NoTables, Worker};
use tokio::sync::watch;

pub use arguments::McpArguments;

use pool::Pool;
use server::Server;
use transport::Lines;

/// Why the server ended before its input did.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// The system grants no thread.
    #[error("cannot start a thread: {0}")]
    Threads(#[source] io::Error),
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

/// Serves the client on the standard streams until its input ends.
///
/// # Errors
///
/// If the input cannot be read or the output not be written, or the run is interrupted.
pub fn run(arguments: &McpArguments) -> Result<(), McpError> {
    let workers = arguments.searches.workers()?;
    let (interrupt, interrupted) = watch::channel(false);
    let raise = move || {
        interrupt.send_replace(true);
    };
    cli::on_ctrl_c(raise, || {});
    serve(workers, || io::stdin().lock(), io::stdout(), interrupted)
}

/// Serves the client on these streams, of which the input is opened by the thread that reads it.
fn serve<R: BufRead>(
    workers: Vec<Worker>,
    open: impl FnOnce() -> R + Send + 'static,
    output: impl Write + Send + 'static,
    interrupted: watch::Receiver<bool>,
) -> Result<(), McpError> {
    let pool = Arc::new(Pool::new(workers).map_err(McpError::Threads)?);
    let is_interrupted = interrupted.clone();
    let served = Lines::new(open, output, Arc::clone(&pool), interrupted).and_then(|(lines, streams)| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        runtime.block_on(async {
            let service = serve_directly(Server::new(Arc::clone(&pool)), lines, None);
            // A task that panicked has said so.
            let _ = service.waiting().await;
        });
        Ok(streams)
    });
    // Nothing is left to be done for.
    pool.end();
    let streams = served.map_err(McpError::Threads)?;
    streams.finish()?;
    if *is_interrupted.borrow() { Err(McpError::Interrupted) } else { Ok(()) }
}

/// A flag that ends what it is given to.
type Stop = Arc<AtomicBool>;

/// Whether it is raised.
fn is_raised(stop: &Stop) -> bool {
    stop.load(Relaxed)
}
