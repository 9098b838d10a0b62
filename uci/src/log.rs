//! The log of a conversation, for which nobody waits: a thread of its own writes it, however slow the disk is.

use std::io::{self, Write};
use std::mem::take;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use platform::has_room;
use thiserror::Error;

/// In bytes: so much may wait to be written; what does not fit is left out.
const MAX_WAITING: usize = 4 << 20;

/// The length of a line that says what is missing, at most.
const MAX_NOTE: usize = 100;

/// Of the thread that writes, in bytes.
const STACK_SIZE: usize = 256 << 10;

/// How soon a pipe that is full is tried again.
const PAUSE: Duration = Duration::from_millis(10);

/// How long the end of a session waits for what has not been written.
const PATIENCE_AT_END: Duration = Duration::from_secs(1);

/// A log under way. Dropping it lets the thread end when it has written what waits.
#[derive(Debug)]
pub(crate) struct Log(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Something waits, something has been written, or the log is to end.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: Vec<u8>,
    /// Lines left out since the last one that was not.
    missing: u64,
    has_told_missing: bool,
    is_writing: bool,
    is_over: bool,
    error: Option<io::Error>,
}

/// What the client is to be told about the log.
#[derive(Debug, Error)]
pub(crate) enum LogFault {
    /// From now on nothing is written.
    #[error("the log ends here: {0}")]
    Ended(io::Error),
    /// Lines are left out, for the first time.
    #[error("the log is written too slowly; lines are missing in it")]
    Slow,
}

impl Log {
    /// A log that goes to this file.
    ///
    /// # Errors
    ///
    /// If the system grants no thread.
    pub fn start(file: impl Write + Send + 'static) -> io::Result<Self> {
        // A thread that gets its stack and then nothing else would end the process.
        if !has_room(STACK_SIZE) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let shared = Arc::<Shared>::default();
        let writer = Arc::clone(&shared);
        let builder = thread::Builder::new().name("log".to_owned()).stack_size(STACK_SIZE);
        builder.spawn(move || writer.write_all(file))?;
        Ok(Self(shared))
    }

    /// Adds the lines of a text, each with this mark, without waiting for the file.
    pub fn add(&self, mark: &str, text: &str) -> Option<LogFault> {
        let mut state = self.0.lock();
        if let Some(error) = state.error.take() {
            return Some(LogFault::Ended(error));
        }
        text.lines().for_each(|line| state.add(mark, line));
        let is_first = state.missing > 0 && !state.has_told_missing;
        state.has_told_missing |= is_first;
        drop(state);
        self.0.changed.notify_all();
        is_first.then_some(LogFault::Slow)
    }

    /// Waits until all is written, but not for long.
    pub fn flush(&self) {
        let mut state = self.0.lock();
        state.note_missing();
        self.0.changed.notify_all();
        drop(self.0.changed.wait_timeout_while(state, PATIENCE_AT_END, |state| state.is_busy()));
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.changed.notify_all();
    }
}

impl State {
    /// Whether something is to be written that can be.
    fn is_busy(&self) -> bool {
        self.error.is_none() && (self.is_writing || !self.waiting.is_empty())
    }

    fn add(&mut self, mark: &str, line: &str) {
        let length = mark.len() + line.len() + 2;
        if self.waiting.len() + length > MAX_WAITING || self.waiting.try_reserve(length + MAX_NOTE).is_err() {
            self.missing += 1;
            return;
        }
        self.note_missing();
        [mark, " ", line, "\n"].iter().for_each(|part| self.waiting.extend_from_slice(part.as_bytes()));
    }

    /// Writes down that lines are missing, if any are.
    fn note_missing(&mut self) {
        if self.missing > 0 && self.waiting.try_reserve(MAX_NOTE).is_ok() {
            // There is room, and writing to a vector does not fail.
            let _ = writeln!(self.waiting, "-- {} lines are missing here: the log is written too slowly", self.missing);
            self.missing = 0;
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what comes until there is no more to come, or it cannot be written.
    fn write_all(&self, mut file: impl Write) {
        let mut state = self.lock();
        loop {
            if !state.waiting.is_empty() {
                let bytes = take(&mut state.waiting);
                state.is_writing = true;
                drop(state);
                let result = self.write(&mut file, &bytes);
                state = self.lock();
                state.is_writing = false;
                state.error = result.err();
                self.changed.notify_all();
            } else if state.is_over {
                return;
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.error.is_some() {
                return;
            }
        }
    }

    /// Writes all bytes; a pipe that is full is waited for as long as somebody wants the log.
    fn write(&self, file: &mut impl Write, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match file.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && !self.lock().is_over => thread::sleep(PAUSE),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// A disk on which each write waits for leave, and for ever once nobody can give it.
    #[derive(Clone)]
    struct SlowDisk {
        leave: Arc<Mutex<Receiver<()>>>,
        bytes: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for SlowDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.leave.lock().unwrap().recv().map_err(io::Error::other)?;
            self.bytes.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nobody_waits_for_a_slow_disk_and_what_is_left_out_is_counted() {
        let (sender, leave) = channel();
        let disk = SlowDisk { leave: Arc::new(Mutex::new(leave)), bytes: Arc::default() };
        let log = Log::start(disk.clone()).unwrap();
        let line = "x".repeat(1 << 10);
        // The disk does not move, and ten times as much comes as may wait.
        let count = 10 * MAX_WAITING / line.len();
        let told = (0..count).filter_map(|_| log.add("<<", &line)).collect::<Vec<_>>();
        assert!(matches!(told[..], [LogFault::Slow]), "{told:?}");
        assert!(log.0.lock().waiting.len() <= MAX_WAITING);
        let settle = || {
            while log.0.lock().is_busy() {
                // Whatever is asked for more is not there in the end.
                let _ = sender.send(());
                thread::sleep(Duration::from_millis(1));
            }
        };
        settle();
        assert!(log.add(">>", "the next").is_none());
        settle();
        let bytes = disk.bytes.lock().unwrap();
        let text = str::from_utf8(&bytes).unwrap();
        let written = text.lines().filter(|&written| written == format!("<< {line}")).count();
        let notes: Vec<_> = text.lines().filter(|line| line.starts_with("-- ")).collect();
        let missing: usize = notes.iter().map(|note| note.split(' ').nth(1).unwrap().parse::<usize>().unwrap()).sum();
        assert!(missing > count / 2 && written + missing == count, "{written} {notes:?}");
        assert!(text.ends_with(">> the next\n"));
        drop(sender);
    }

    #[test]
    fn the_first_error_ends_the_log_and_is_told_once() {
        let (sender, leave) = channel();
        drop(sender);
        let log = Log::start(SlowDisk { leave: Arc::new(Mutex::new(leave)), bytes: Arc::default() }).unwrap();
        assert!(log.add(">>", "isready").is_none());
        log.flush();
        assert!(matches!(log.add("<<", "readyok"), Some(LogFault::Ended(_))));
        assert!(log.add(">>", "quit").is_none());
    }
}
