//! An engine as a child process, with all that it starts itself: a shell script's engine ends with the script.

use std::io;
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
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
pub(crate) struct EngineChild {
    child: Box<dyn ChildWrapper>,
    /// How the process ended, if it has.
    status: Option<ExitStatus>,
}

impl EngineChild {
    /// Starts a command, with its input and output.
    pub fn spawn(words: &[String]) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let Some((program, arguments)) = words.split_first() else { return Err(io::ErrorKind::InvalidInput.into()) };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(JobObject);
        let mut child = Self { child: command.spawn()?, status: None };
        let (input, output) = (child.child.stdin().take(), child.child.stdout().take());
        input.zip(output).map(|(input, output)| (child, input, output)).ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }

    /// How the process ended, if it does within this time. What it has left behind is ended, too.
    pub fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while self.status.is_none() {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.status = Some(status);
                    // At once: later another group might have its number.
                    let _ = self.child.start_kill();
                }
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => break,
            }
        }
        self.status
    }
}

impl Drop for EngineChild {
    fn drop(&mut self) {
        if self.wait(Duration::ZERO).is_none() {
            let _ = self.child.start_kill();
            let _ = self.child.wait();
        }
    }
}
