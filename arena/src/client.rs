//! The other end of the Universal Chess Interface: an engine that is told what to do.
//!
//! The engine is a child process, or Vancura's own session on a thread of this one. Whatever an engine does, its client gets
//! an answer in time: the lines of a child are read and written on threads of their own, what comes is bounded and stamped
//! when it comes, and no call waits longer than it was told to.

mod info;

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::ExitStatus;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use cli::printable;
use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};
use uci::{LineOutput, Session, TextInput};

pub use self::info::Info;
use self::info::read_info;
use crate::child::EngineChild;
use crate::interruption::Interruption;

/// Which engine to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineCommand {
    /// Vancura, within this process.
    Own,
    /// A program with its arguments.
    Program(Vec<String>),
}

/// Why a text names no engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a command line")]
pub struct EngineCommandError(String);

/// `self`, or a command line as a shell would split it.
impl FromStr for EngineCommand {
    type Err = EngineCommandError;

    fn from_str(text: &str) -> Result<Self, EngineCommandError> {
        if text == "self" {
            return Ok(Self::Own);
        }
        match shlex::split(text) {
            Some(words) if words.first().is_some_and(|program| !program.is_empty()) => Ok(Self::Program(words)),
            _ => Err(EngineCommandError(text.to_owned())),
        }
    }
}

impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.write_str("self"),
            Self::Program(words) => f.write_str(&words.join(" ")),
        }
    }
}

/// What an engine did not do.
#[derive(Debug, thiserror::Error)]
pub enum UciError {
    /// It could not be started.
    #[error("cannot be started: {0}")]
    Start(#[source] io::Error),
    /// It has ended, or at least its output has.
    #[error("the engine has exited{}", .0.map(|status| format!(" ({status})")).unwrap_or_default())]
    Gone(Option<ExitStatus>),
    /// It did not answer in time.
    #[error("no {awaited:?} within {:.1} seconds", .patience.as_secs_f64())]
    Silent {
        /// The answer that was due.
        awaited: &'static str,
        /// How long it had.
        patience: Duration,
    },
    /// The wait was interrupted.
    #[error("interrupted")]
    Interrupted,
}

/// Why an engine cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// It cannot be started, or not again.
    #[error("{command}: {error}")]
    Start {
        /// Its command line.
        command: String,
        /// What went wrong.
        error: UciError,
    },
    /// It lacks an option that is to be set.
    #[error("{command} has no option {name:?}")]
    NoOption {
        /// Its command line.
        command: String,
        /// The option.
        name: String,
    },
}

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move, as the engine writes it.
    pub best: String,
    /// The reply that it expects, likewise.
    pub ponder: Option<String>,
    /// From the `go` to the `bestmove`.
    pub elapsed: Duration,
    /// The last line with a score of the best move.
    pub info: Info,
}

/// An engine that runs.
pub struct UciClient {
    name: String,
    options: Vec<String>,
    /// What the engine has said of itself.
    introduction: Vec<String>,
    input: Option<Sender<String>>,
    output: Option<Receiver<(Instant, String)>>,
    /// Whether it thinks while nobody listens.
    ponders: Arc<AtomicBool>,
    interruption: Interruption,
    engine: Engine,
}

enum Engine {
    Child(EngineChild),
    /// The session's thread; `None` when it is joined.
    Own(Option<JoinHandle<()>>),
}

/// Lines that may wait to be read; then the engine waits.
const BACKLOG: usize = 1024;
/// Of longer lines the rest is not kept, in bytes.
const MAX_LINE: u64 = 1 << 16;
/// Of longer names the rest is not shown, in letters.
const MAX_NAME: usize = 100;
/// The most lines of an introduction that are kept.
const MAX_INTRODUCTION: usize = 1000;
/// How long Ctrl-C may take to reach us after it has reached a child.
const CTRL_C: Duration = Duration::from_millis(50);
/// How long an engine has to end when asked to.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);
/// The same when the user waits for the end.
const QUIT_TIMEOUT_AT_END: Duration = Duration::from_millis(100);

impl UciClient {
    /// Starts an engine and waits until it has introduced itself.
    ///
    /// # Errors
    ///
    /// If it cannot be started, ends, or does not answer within `patience`.
    pub fn start(command: &EngineCommand, patience: Duration) -> Result<Self, UciError> {
        Self::start_until(Interruption::never(), command, patience)
    }

    /// As [`start`](Self::start), but nothing is waited for any more, now and later, after an interruption.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start), or if interrupted.
    pub fn start_until(
        interruption: Interruption,
        command: &EngineCommand,
        patience: Duration,
    ) -> Result<Self, UciError> {
        let mut client = Self::launch(command, interruption).map_err(UciError::Start)?;
        client.send("uci");
        let deadline = Instant::now() + patience;
        loop {
            let (_, line) = client.next_line(deadline, "uciok", patience)?;
            if client.introduction.len() < MAX_INTRODUCTION {
                client.introduction.push(line.clone());
            }
            let mut words = line.split_ascii_whitespace();
            match (words.next(), words.next()) {
                (Some("uciok"), _) => return Ok(client),
                (Some("id"), Some("name")) => {
                    client.name = words.collect::<Vec<_>>().join(" ").chars().take(MAX_NAME).collect();
                }
                (Some("option"), Some("name")) => {
                    let name: Vec<_> = words.take_while(|&word| word != "type").collect();
                    client.options.push(name.join(" "));
                }
                _ => {}
            }
        }
    }

    fn launch(command: &EngineCommand, interruption: Interruption) -> io::Result<Self> {
        let (input, lines) = unbounded::<String>();
        let (sender, output) = bounded(BACKLOG);
        let ponders = Arc::new(AtomicBool::new(false));
        let delivery = Delivery { lines: sender, ponders: Arc::clone(&ponders) };
        let engine = match command {
            EngineCommand::Own => {
                let output = LineOutput::new(move |line: &[u8]| {
                    if delivery.deliver(line) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
                });
                let session = move || Session::new(output).run(TextInput::new(lines));
                Engine::Own(Some(thread::Builder::new().spawn(session)?))
            }
            EngineCommand::Program(words) => {
                let (child, stdin, stdout) = EngineChild::spawn(words, &interruption.children)?;
                write_lines(stdin, lines);
                read_lines(stdout, delivery);
                Engine::Child(child)
            }
        };
        let name = command.to_string();
        let (options, introduction) = (Vec::new(), Vec::new());
        let (input, output) = (Some(input), Some(output));
        Ok(Self { name, options, introduction, input, output, ponders, interruption, engine })
    }

    /// What the engine calls itself, or else its command line.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The lines from `uci` to `uciok`, as the engine wrote them.
    #[must_use]
    pub fn introduction(&self) -> &[String] {
        &self.introduction
    }

    /// What the engine writes, line by line and with the time when it came, for one who listens in place of this client. It
    /// ends with the engine, or with the client.
    #[must_use]
    pub fn lines(&self) -> Option<Receiver<(Instant, String)>> {
        self.output.clone()
    }

    /// Whether the engine has an option of this name, however it is capitalised.
    #[must_use]
    pub fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.eq_ignore_ascii_case(name))
    }

    /// Sends one line. That the engine may be gone is for the next answer to show.
    pub fn send(&mut self, line: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Sets an option.
    pub fn set_option(&mut self, name: &str, value: &str) {
        self.send(&format!("setoption name {name} value {value}"));
    }

    /// Announces a new game, in which castling is written as Chess960 needs it or as normal chess has it, and waits until
    /// the engine is ready for it.
    ///
    /// # Errors
    ///
    /// If it ends or does not answer within `patience`.
    pub fn new_game(&mut self, chess960: bool, patience: Duration) -> Result<(), UciError> {
        if self.has_option("UCI_Chess960") {
            self.set_option("UCI_Chess960", if chess960 { "true" } else { "false" });
        }
        self.send("ucinewgame");
        self.wait_until_ready(patience)
    }

    /// Waits until the engine has done all it was told.
    ///
    /// # Errors
    ///
    /// If it ends or does not answer within `patience`.
    pub fn wait_until_ready(&mut self, patience: Duration) -> Result<(), UciError> {
        self.send("isready");
        let deadline = Instant::now() + patience;
        while self.next_line(deadline, "readyok", patience)?.1.trim() != "readyok" {}
        Ok(())
    }

    /// Searches and waits for the move; `listen` hears each line with a score and when it came.
    ///
    /// # Errors
    ///
    /// If the engine ends, has not answered `patience` after the `go`, or is interrupted; it may still be searching
    /// then.
    pub fn search(
        &mut self,
        position: &str,
        go: &str,
        patience: Duration,
        listen: impl FnMut(&Info, Duration),
    ) -> Result<Answer, UciError> {
        self.forget_output();
        self.send(position);
        let started = Instant::now();
        self.send(go);
        self.answer(started, patience, listen)
    }

    /// Lets it think on the opponent's time, on a position after the reply that it expects; `go` begins with `go ponder`. What it
    /// says until [`ponder_hit`](Self::ponder_hit) or [`stop`](Self::stop) need not be heard in full.
    pub fn ponder(&mut self, position: &str, go: &str) {
        self.forget_output();
        self.ponders.store(true, Relaxed);
        self.send(position);
        self.send(go);
    }

    /// Tells it that the reply has come, and waits for the move as [`search`](Self::search) does.
    ///
    /// # Errors
    ///
    /// As [`search`](Self::search).
    pub fn ponder_hit(&mut self, patience: Duration) -> Result<Answer, UciError> {
        let started = Instant::now();
        self.ponders.store(false, Relaxed);
        self.send("ponderhit");
        self.answer(started, patience, |_, _| {})
    }

    fn answer(
        &mut self,
        started: Instant,
        patience: Duration,
        mut listen: impl FnMut(&Info, Duration),
    ) -> Result<Answer, UciError> {
        let mut last = Info::default();
        loop {
            let (at, line) = self.next_line(started + patience, "bestmove", patience)?;
            let elapsed = at.saturating_duration_since(started);
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("bestmove") => {
                    let mut mv = || words.next().unwrap_or_default().chars().take(16).collect::<String>();
                    let (best, is_ponder, ponder) = (mv(), mv() == "ponder", mv());
                    return Ok(Answer { best, ponder: is_ponder.then_some(ponder), elapsed, info: last });
                }
                Some("info") => {
                    let info = read_info(words);
                    if info.score.is_some() {
                        listen(&info, elapsed);
                        if info.multi_pv.is_none_or(|rank| rank == 1) {
                            last = info;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Stops a search whose answer is no longer wanted. `false` if the engine does not stop within `patience`.
    pub fn stop(&mut self, patience: Duration) -> bool {
        self.ponders.store(false, Relaxed);
        self.send("stop");
        let deadline = Instant::now() + patience;
        while let Ok((_, line)) = self.next_line(deadline, "bestmove", patience) {
            if line.starts_with("bestmove") {
                return true;
            }
        }
        false
    }

    /// Drops what has been said so far, but no more of it than may have waited: an engine may never stop talking.
    fn forget_output(&mut self) {
        if let Some(output) = &self.output {
            let _ = output.try_iter().take(BACKLOG).count();
        }
    }

    fn next_line(
        &mut self,
        deadline: Instant,
        awaited: &'static str,
        patience: Duration,
    ) -> Result<(Instant, String), UciError> {
        let Some(output) = &self.output else { return Err(UciError::Gone(None)) };
        // A line that came in time counts, even if it is fetched late.
        let line = output.try_recv().ok();
        let line = match line {
            Some(line) => Ok(line),
            None => select! {
                recv(output) -> line => line,
                recv(self.interruption.signal) -> _ => return Err(UciError::Interrupted),
                default(deadline.saturating_duration_since(Instant::now())) => {
                    return Err(UciError::Silent { awaited, patience });
                }
            },
        };
        match line {
            Ok((at, _)) if at > deadline => Err(UciError::Silent { awaited, patience }),
            Ok(line) => Ok(line),
            // Ctrl-C on a terminal ends children too, perhaps before we hear of it.
            Err(_) if self.interruption.signal.recv_timeout(CTRL_C).is_err_and(|error| error.is_disconnected()) => {
                Err(UciError::Interrupted)
            }
            Err(_) => Err(UciError::Gone(self.exit_status())),
        }
    }

    /// How a child ended, if it has; its output may end a moment earlier.
    fn exit_status(&mut self) -> Option<ExitStatus> {
        let Engine::Child(child) = &mut self.engine else { return None };
        child.wait(QUIT_TIMEOUT)
    }
}

impl Drop for UciClient {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        // Closes the pipe, so that an engine that is about to write does not block.
        self.output = None;
        let patience = if self.interruption.has_come() { QUIT_TIMEOUT_AT_END } else { QUIT_TIMEOUT };
        match &mut self.engine {
            Engine::Child(child) => {
                // If it has not ended by then, it ends when it is dropped.
                let _ = child.wait(patience);
            }
            Engine::Own(session) => {
                // A session that panicked has nothing left to say.
                let _ = session.take().map(JoinHandle::join);
            }
        }
    }
}

/// Writes the lines that come, until the pipe is closed at either end.
fn write_lines(mut to: impl Write + Send + 'static, lines: Receiver<String>) {
    thread::spawn(move || {
        for line in lines {
            if to.write_all(line.as_bytes()).and_then(|()| to.flush()).is_err() {
                break;
            }
        }
    });
}

/// Reads lines, until the pipe is closed at either end.
fn read_lines(from: impl Read + Send + 'static, delivery: Delivery) {
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match from.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
                Ok(length) if length > 0 && delivery.deliver(&bytes) => {}
                _ => break,
            }
            if bytes.last() != Some(&b'\n') && from.skip_until(b'\n').is_err() {
                break;
            }
        }
    });
}

/// Hands lines of the engine to its client.
struct Delivery {
    lines: Sender<(Instant, String)>,
    /// While the engine ponders, what it finds is dropped where too much waits to be read: it must not have to wait then.
    ponders: Arc<AtomicBool>,
}

impl Delivery {
    /// Hands over a line, with the time when it was complete. `false` if the client has gone.
    fn deliver(&self, line: &[u8]) -> bool {
        let at = Instant::now();
        // Names and moves are shown, and come into files.
        let line = printable(&pgn::decode(line)).into_owned();
        let may_be_dropped = self.ponders.load(Relaxed) && self.lines.is_full() && line.starts_with("info");
        may_be_dropped || self.lines.send((at, line)).is_ok()
    }
}

#[cfg(test)]
mod tests;
