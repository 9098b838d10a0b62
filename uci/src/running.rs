//! Whether a search or other work is under way.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Counts what is under way, for those who wait for its end.
#[derive(Clone, Default)]
pub(crate) struct Running(Arc<(Mutex<usize>, Condvar)>);

/// Something under way. Dropped at its end, even by a panic, so that nobody waits for ever.
pub(crate) struct UnderWay(Running);

impl Running {
    /// Something begins.
    pub(crate) fn begin(&self) -> UnderWay {
        *self.count() += 1;
        UnderWay(self.clone())
    }

    /// Whether anything is under way.
    pub(crate) fn is_any(&self) -> bool {
        *self.count() > 0
    }

    /// Waits until nothing is under way.
    pub(crate) fn wait(&self) {
        let mut count = self.count();
        while *count > 0 {
            count = self.0.1.wait(count).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn count(&self) -> MutexGuard<'_, usize> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        *self.0.count() -= 1;
        self.0.0.1.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn the_end_of_the_last_is_waited_for() {
        let running = Running::default();
        running.wait();
        let (first, second) = (running.begin(), running.begin());
        drop(first);
        assert!(running.is_any());
        let other = running.clone();
        let waiter = thread::spawn(move || other.wait());
        drop(second);
        waiter.join().unwrap();
        assert!(!running.is_any());
    }
}
