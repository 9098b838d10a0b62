//! An engine as a child process, with all that it starts itself: a shell script's engine ends with the script.

use std::io;
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

/// A child process and its descendants, but for those that have left its process group on purpose. Dropping it ends all
/// of them.
#[derive(Debug)]
pub(crate) struct EngineChild(Arc<Mutex<Process>>);

#[derive(Debug)]
struct Process {
    child: Box<dyn ChildWrapper>,
    /// How the process ended, if it has.
    status: Option<ExitStatus>,
}

impl EngineChild {
    /// Starts a command, with its input and output, as one of these children.
    ///
    /// # Errors
    ///
    /// If it cannot be started, or the children have been ended.
    pub fn spawn(words: &[String], children: &Children) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let Some((program, arguments)) = words.split_first() else { return Err(io::ErrorKind::InvalidInput.into()) };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(JobObject);
        let child = children.start(command)?;
        let mut process = child.lock();
        let (input, output) = (process.child.stdin().take(), process.child.stdout().take());
        drop(process);
        input.zip(output).map(|(input, output)| (child, input, output)).ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }

    fn lock(&self) -> MutexGuard<'_, Process> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How the process ended, if it does within this time. What it has left behind is ended, too.
    pub fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            let status = self.lock().look();
            match status {
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                status => return status.ok().flatten(),
            }
        }
    }
}

impl Drop for EngineChild {
    fn drop(&mut self) {
        if self.wait(Duration::ZERO).is_none() {
            let mut process = self.lock();
            let _ = process.child.start_kill();
            process.status = process.child.wait().ok();
        }
    }
}

impl Process {
    /// How it ended, if it has.
    fn look(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            self.status = self.child.try_wait()?;
            if self.status.is_some() {
                // What it has left. At once: later another group might have its number.
                let _ = self.child.start_kill();
            }
        }
        Ok(self.status)
    }
}

/// All engines that have been started as children of this, so that whoever ends the program at once can end them before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Children(Arc<Mutex<Running>>);

#[derive(Debug, Default)]
struct Running {
    processes: Vec<Weak<Mutex<Process>>>,
    is_over: bool,
}

impl Children {
    fn lock(&self) -> MutexGuard<'_, Running> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self, mut command: CommandWrap) -> io::Result<EngineChild> {
        let mut running = self.lock();
        if running.is_over {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let process = Arc::new(Mutex::new(Process { child: command.spawn()?, status: None }));
        running.processes.retain(|process| process.strong_count() > 0);
        running.processes.push(Arc::downgrade(&process));
        Ok(EngineChild(process))
    }

    /// Ends all that run, without waiting for any. No other one is started from now on.
    pub fn kill(&self) {
        let mut running = self.lock();
        running.is_over = true;
        for process in running.processes.iter().filter_map(Weak::upgrade) {
            let mut process = process.lock().unwrap_or_else(PoisonError::into_inner);
            if process.status.is_none() {
                let _ = process.child.start_kill();
            }
        }
    }
}
