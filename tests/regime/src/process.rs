//! Programs as children, which are never waited for without end.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a tool ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By itself, and whether it was content.
    Itself(bool),
    /// It was killed as its time was over.
    Killed,
}

/// Waits for a child and returns how it ended; one that takes longer than `patience` is killed, with its children if it
/// leads a group, and `None` is returned.
///
/// # Errors
///
/// If the system cannot tell.
pub fn wait(process: &mut Child, patience: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = process.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > patience {
            kill(process);
            process.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Runs a command to its end, or kills it with all its children. Both outputs go to a log.
///
/// # Errors
///
/// If it cannot be started.
pub fn run(command: &mut Command, log: &Path, patience: Duration) -> io::Result<Ended> {
    let output = File::create(log)?;
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut process = command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output).spawn()?;
    Ok(wait(&mut process, patience)?.map_or(Ended::Killed, |status| Ended::Itself(status.success())))
}

/// The output of a command that is over at once, if it is there and content.
#[must_use]
pub fn ask(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn kill(process: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(process.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // There is such a group only if the child was started as the leader of one.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    // It may have ended by itself.
    let _ = process.kill();
}
