//! Work beside the interpreter: other Python threads run meanwhile, and Ctrl-C ends it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use search::STACK_SIZE;

/// How often the interpreter is asked whether somebody pressed Ctrl-C.
pub(crate) const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Does some work on another thread, which is asked to stop when a signal comes; then the signal's exception is the result.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let (sender, done) = bounded(1);
    thread::scope(|scope| {
        let work = || {
            // Nobody waits any more only after a panic.
            let _ = sender.send(work(&stop));
        };
        let builder = thread::Builder::new().name("vancura".to_owned()).stack_size(STACK_SIZE);
        builder.spawn_scoped(scope, work).map_err(|error| PyMemoryError::new_err(format!("no thread: {error}")))?;
        let mut signal = None;
        loop {
            match py.detach(|| done.recv_timeout(SIGNAL_INTERVAL)) {
                Ok(result) => return signal.map_or(Ok(result), Err),
                Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("the engine has failed")),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = py.check_signals() {
                        stop.store(true, Relaxed);
                        signal.get_or_insert(error);
                    }
                }
            }
        }
    })
}

/// A pool of threads on which searches can run.
pub(crate) fn pool(threads: usize) -> PyResult<rayon::ThreadPool> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_SIZE);
    builder.build().map_err(|error| PyMemoryError::new_err(format!("no threads: {error}")))
}
