//! A conversation with one client.
//!
//! The session reads and answers on its own thread while the searcher works on others, so that no line waits for a
//! search, but for a `go` and the like: these wait until a search has ended that ends by itself, and what comes behind them
//! waits with them, so that everything happens in the order in which it was sent. Such lines are carried out by another
//! thread, the follower, which is there as long as there are any.

use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use platform::has_room;
use search::Inbox;

use crate::command::{Command, Parsed};
use crate::input::Lines;
use crate::memory::OpenMemory;
use crate::print::Printer;
use crate::running::Running;
use crate::show;
use engine::{End, Engine};

mod engine;
mod waiting;

/// One client's engine, and where the answers go.
pub struct Session<W> {
    printer: Printer<W>,
    shared: Arc<Shared<W>>,
}

/// What the session and its follower work with.
struct Shared<W> {
    engine: Mutex<Engine<W>>,
    /// The follower has carried out what it could.
    progress: Condvar,
}

/// In debug mode so many bytes of a line are repeated.
const MAX_REPEATED: usize = 2000;

/// How often to see whether somebody still reads the answers that are waited for.
const LOOK_FOR_READER: Duration = Duration::from_millis(100);

/// In bytes, as the standard library has it.
const STACK_SIZE: usize = 2 << 20;

impl<W: Write + Send + 'static> Session<W> {
    /// A session at the start of a normal game, with all options at their defaults.
    #[must_use]
    pub fn new(output: W) -> Self {
        Self::with(output, None)
    }

    /// A session without threads: [`execute`](Self::execute) returns from `go` when the search has ended, which looks into
    /// the inbox while it runs.
    #[must_use]
    pub fn without_threads(output: W, inbox: Inbox) -> Self {
        Self::with(output, Some(inbox))
    }

    fn with(output: W, inbox: Option<Inbox>) -> Self {
        let printer = Printer::new(output);
        let engine = Mutex::new(Engine::new(printer.clone(), inbox));
        Self { printer, shared: Arc::new(Shared { engine, progress: Condvar::new() }) }
    }

    /// Adds the option to keep analysis in a file, which is opened in this way.
    #[must_use]
    pub fn with_memory(self, open: OpenMemory) -> Self {
        self.shared.lock().set_memory(open);
        self
    }

    /// Names the engine before anything is asked. People who start it on a terminal learn how to go on, and some clients
    /// take a program that says nothing for one that has not started.
    pub fn greet(&self) {
        self.printer.line(show::GREETING);
    }

    /// Reads and carries out lines until `quit`, the end of the input or a closed output. Searches that wait for others to
    /// end are carried out then; the last one is stopped and reports its best move.
    pub fn run(&mut self, input: impl BufRead) {
        let mut lines = Lines::new(input);
        while let Some(line) = lines.next_line() {
            let flow = match line {
                Ok(line) => self.execute(&line),
                Err(fault) => {
                    self.printer.fault(&fault);
                    ControlFlow::Continue(())
                }
            };
            if flow.is_break() || self.printer.is_broken() {
                break;
            }
        }
        self.finish();
    }

    /// Carries out lines one after the other, each to its end.
    ///
    /// Continues if a search was left running that only a further command ends.
    pub fn run_script<S: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = S>) -> ControlFlow<()> {
        for line in lines {
            self.execute(line.as_ref())?;
            let mut engine = self.shared.lock();
            if engine.ends_by_itself() {
                engine.wait();
            }
            drop(engine);
            if self.printer.is_broken() {
                self.finish();
                return ControlFlow::Break(());
            }
        }
        self.printer.flush_log();
        if self.shared.lock().is_busy() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Carries out one line, or has it wait for the end of a search. Breaks off at `quit`.
    pub fn execute(&mut self, line: &str) -> ControlFlow<()> {
        let received = Instant::now();
        self.printer.log(">>", line);
        let mut engine = self.shared.lock();
        if engine.is_debugging() {
            // A message is cut in any case, and a long line is not to be copied for it.
            self.printer.message(format_args!("received {}", &line[..line.floor_char_boundary(MAX_REPEATED)]));
        }
        let parsed = Command::parse(line);
        if matches!(parsed.command, Some(Command::Quit)) {
            parsed.fault.iter().for_each(|fault| self.printer.fault(fault));
            drop(engine);
            self.finish();
            return ControlFlow::Break(());
        }
        if matches!(parsed.command, Some(Command::Stop)) {
            engine = self.wait_for_work(engine);
        }
        if engine.is_waited_for() && engine.answer_at_once(&parsed) {
            return ControlFlow::Continue(());
        }
        if engine.is_waited_for() || engine.has_to_wait(&parsed) {
            if self.put_off(&mut engine, line, &parsed) {
                return ControlFlow::Continue(());
            }
            // As long as that takes, nothing more is read.
            engine = self.catch_up(engine, false);
            engine.wait();
        }
        engine.carry_out(parsed, received);
        ControlFlow::Continue(())
    }

    /// Waits until all searches have reported their best moves, those that wait for others too, and other work is done.
    pub fn wait(&mut self) {
        self.catch_up(self.shared.lock(), false).wait();
    }

    /// Leaves a line to the follower. `false` if there is no memory for it.
    fn put_off(&self, engine: &mut Engine<W>, line: &str, parsed: &Parsed<'_>) -> bool {
        let is_followed = engine.is_waited_for();
        if !engine.put_off(line, parsed) {
            return false;
        }
        let will_be_followed = is_followed || self.start_follower(engine.running());
        if !will_be_followed {
            engine.forget_waiting();
        }
        will_be_followed
    }

    /// Starts the follower. `false` if the system grants no thread.
    fn start_follower(&self, running: Running) -> bool {
        // A thread that gets its stack and then nothing else would end the process.
        if !has_room(STACK_SIZE) {
            return false;
        }
        let shared = Arc::downgrade(&self.shared);
        let builder = thread::Builder::new().name("follower".to_owned()).stack_size(STACK_SIZE);
        builder.spawn(move || follow(&shared, &running)).is_ok()
    }

    /// Waits until the follower has begun what comes next, if the last search has ended: a `stop` that comes now is for that.
    fn wait_for_work<'a>(&'a self, mut engine: MutexGuard<'a, Engine<W>>) -> MutexGuard<'a, Engine<W>> {
        while engine.is_waited_for() && !engine.is_working() {
            engine = self.wait_for_progress(engine);
        }
        engine
    }

    /// Waits until the follower has carried out something, or a moment.
    fn wait_for_progress<'a>(&'a self, engine: MutexGuard<'a, Engine<W>>) -> MutexGuard<'a, Engine<W>> {
        self.shared.progress.wait_timeout(engine, LOOK_FOR_READER).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Waits until no line waits any more, unless nobody reads the answers. At the end of the input a search is stopped that
    /// may go on for ever.
    fn catch_up<'a>(&'a self, mut engine: MutexGuard<'a, Engine<W>>, is_last: bool) -> MutexGuard<'a, Engine<W>> {
        while engine.is_waited_for() {
            if self.printer.is_broken() {
                engine.forget_waiting();
                break;
            }
            if is_last && engine.end() == End::Uncertain {
                engine.stop();
            }
            engine = self.wait_for_progress(engine);
        }
        engine
    }

    /// Has all that waits carried out, stops the last search, and waits for its best move.
    fn finish(&mut self) {
        self.catch_up(self.shared.lock(), true).finish();
        self.printer.flush_log();
    }
}

impl<W> Shared<W> {
    fn lock(&self) -> MutexGuard<'_, Engine<W>> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Carries out lines that wait, each in its time, until there are none or the session is over.
fn follow<W: Write + Send + 'static>(shared: &Weak<Shared<W>>, running: &Running) {
    loop {
        running.wait();
        let Some(shared) = shared.upgrade() else { return };
        let mut engine = shared.lock();
        engine.carry_out_waiting();
        shared.progress.notify_all();
        if !engine.is_waited_for() {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
