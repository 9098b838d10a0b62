//! The threads that work on calls.

use std::io;
use std::sync::Arc;
use std::thread;

use search::{STACK_SIZE, Tablebase};
use serve::{Queue, Worker};

use crate::Stop;
use crate::call::PieceJob;

/// Workers, and the queue from which they take their work.
pub(crate) struct Pool {
    queue: Arc<Queue<PieceJob>>,
    /// Of each worker, in MiB.
    pub hash_mib: usize,
    pub tablebase: Option<Arc<Tablebase>>,
}

impl Pool {
    /// Starts a thread for each worker.
    pub fn new(workers: Vec<Worker>) -> io::Result<Self> {
        let queue = Arc::new(Queue::default());
        let (hash_mib, tablebase) =
            workers.first().map_or((1, None), |worker| (worker.hash_mib(), worker.tablebase().cloned()));
        for mut worker in workers {
            let jobs: Arc<Queue<PieceJob>> = Arc::clone(&queue);
            let builder = thread::Builder::new().name("worker".to_owned()).stack_size(STACK_SIZE);
            let started = builder.spawn(move || {
                while let Some(job) = jobs.take() {
                    job.work(&mut worker);
                    jobs.done(&job, 0);
                }
            });
            started.inspect_err(|_| queue.abort())?;
        }
        Ok(Self { queue, hash_mib, tablebase })
    }

    /// Adds the pieces of a call; false if too many wait already.
    pub fn push(&self, pieces: Vec<PieceJob>) -> bool {
        self.queue.push(pieces.into_iter())
    }

    /// Ends the call with this flag.
    pub fn cancel(&self, stop: &Stop) {
        self.queue.cancel(|job| Arc::ptr_eq(&job.call.stop, stop));
    }

    /// Ends all calls: those that work have a reply soon, the others none.
    pub fn end(&self) {
        self.queue.abort();
        self.queue.cancel(|_| true);
    }
}
