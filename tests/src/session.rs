//! A UCI session in this process, spoken to over pipes as a client speaks to an engine.

use std::io::{BufRead, BufReader, PipeWriter, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use uci::Session;

use crate::transcript::Talk;

/// How long an answer may take before the session counts as hung. Generous: it is no measure of speed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A session that runs.
pub struct Client {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    session: Option<JoinHandle<()>>,
}

impl Client {
    /// Starts a session.
    ///
    /// # Panics
    ///
    /// If the system grants no pipes.
    #[must_use]
    pub fn start() -> Self {
        let (input, to_session) = std::io::pipe().expect("a pipe to the session");
        let (from_session, output) = std::io::pipe().expect("a pipe from the session");
        let session = thread::spawn(move || Session::new(output).run(BufReader::new(input)));
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut lines = BufReader::new(from_session).lines().map_while(Result::ok);
            lines.try_for_each(|line| sender.send(line))
        });
        Self { input: Some(to_session), lines, session: Some(session) }
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    /// All lines up to the first that begins with `start`, which comes last.
    ///
    /// # Panics
    ///
    /// If the session ends or is silent before.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.next_line().unwrap_or_else(|| panic!("the session ends before {start:?}: {lines:?}"));
            let is_last = line.starts_with(start);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// The lines of a search, up to its best move.
    pub fn search(&mut self, go: &str) -> Vec<String> {
        self.say(go);
        self.until("bestmove ")
    }
}

impl Talk for Client {
    fn send(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            // A session that has ended does not read on.
            let _ = input.write_all(bytes);
        }
    }

    fn next_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer"),
        }
    }

    fn close(&mut self) {
        self.input = None;
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input = None;
        if let Some(Err(panic)) = self.session.take().filter(|_| !thread::panicking()).map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
    }
}
