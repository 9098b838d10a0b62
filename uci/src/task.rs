//! Work that takes its time and is no search, on a thread of its own so that a `stop` is heard.
//!
//! Whatever else comes waits until the work is done: a script that ends with `quit`, or just ends, gets its results.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};

use platform::has_room;

/// In bytes, as the standard library has it.
const STACK_SIZE: usize = 2 << 20;

/// Work under way.
pub(crate) struct Task {
    stop: Arc<AtomicBool>,
    /// None if it was done at once.
    handle: Option<JoinHandle<()>>,
}

impl Task {
    /// Begins some work, which is to end soon after the flag it gets has been set. If the system grants no thread, it
    /// is done before this returns.
    pub(crate) fn start(work: impl Fn(&AtomicBool) + Send + Sync + 'static) -> Self {
        let stop = Arc::<AtomicBool>::default();
        let work = Arc::new(work);
        let (flag, shared) = (Arc::clone(&stop), Arc::clone(&work));
        let builder = thread::Builder::new().name("task".to_owned()).stack_size(STACK_SIZE);
        // A thread that gets its stack and then nothing else would end the process.
        let handle = has_room(STACK_SIZE).then(|| builder.spawn(move || shared(&flag)).ok()).flatten();
        if handle.is_none() {
            work(&stop);
        }
        Self { stop, handle }
    }

    /// Asks the work to end, without waiting for it.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Waits until the work is done.
    pub(crate) fn wait(self) {
        // A thread that panicked has nothing left to say.
        let _ = self.handle.map(JoinHandle::join);
    }
}
