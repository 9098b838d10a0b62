//! A client: which of its queries are open, and where its answers go.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::fields::Fault;

/// What is shared between the thread that reads and those that answer.
pub(crate) struct Session {
    output: Mutex<Output>,
    /// The ids in use, as JSON, and how many answers of each are still to come.
    open: Mutex<HashMap<String, usize>>,
    /// An answer has been given.
    answered: Condvar,
    /// When it cannot go on, nothing does.
    pub is_only_one: bool,
}

struct Output {
    stream: Box<dyn Write + Send>,
    /// Why nothing more can be written.
    fault: Option<io::Error>,
}

impl Session {
    /// The only client of the program.
    pub fn new(stream: Box<dyn Write + Send>) -> Self {
        let output = Mutex::new(Output { stream, fault: None });
        Self { output, open: Mutex::default(), answered: Condvar::new(), is_only_one: true }
    }

    /// One of several clients.
    pub fn of_many(stream: Box<dyn Write + Send>) -> Self {
        Self { is_only_one: false, ..Self::new(stream) }
    }

    /// Whether all queries are answered, now or within some time.
    pub fn is_answered_within(&self, time: Duration) -> bool {
        let waited = self.answered.wait_timeout_while(self.open(), time, |open| !open.is_empty());
        waited.unwrap_or_else(PoisonError::into_inner).0.is_empty()
    }

    /// Tells what was found in a position. Unless the search goes on, that is its answer.
    pub fn answer(&self, answer: &Answer) {
        if !answer.during {
            let mut open = self.open();
            let name = answer.id.to_string();
            match open.get_mut(&name) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(open.remove(&name)),
            }
        }
        self.write(answer);
        if !answer.during {
            self.answered.notify_all();
        }
    }

    /// Says what is wrong with a line.
    pub fn refuse(&self, id: Option<Value>, Fault { field, error }: Fault) {
        self.write(&json!({ "id": id, "error": error, "field": field }));
    }

    /// A line of the output, unless nobody reads it any more.
    pub fn write(&self, value: &impl Serialize) {
        let mut output = self.output();
        if output.fault.is_some() {
            return;
        }
        let mut write = || {
            let mut line = serde_json::to_vec(value)?;
            line.push(b'\n');
            output.stream.write_all(&line)?;
            output.stream.flush()
        };
        if let Err(error) = write() {
            output.fault = Some(error);
        }
    }

    /// Whether nothing more can be written.
    pub fn has_failed(&self) -> bool {
        self.output().fault.is_some()
    }

    /// Why nothing more could be written.
    pub fn fault(&self) -> Option<io::Error> {
        self.output().fault.take()
    }

    fn output(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many answers of each id are still to come.
    pub fn open(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
