//! Programs as children, which are never waited for without end.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The groups of processes that calls of [`run`] wait for.
static RUNNING: Mutex<Vec<i32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<i32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

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
    let group = i32::try_from(process.id()).unwrap_or(0);
    running().push(group);
    let status = wait(&mut process, patience);
    running().retain(|&other| other != group);
    Ok(status?.map_or(Ended::Killed, |status| Ended::Itself(status.success())))
}

/// Kills the commands that [`run`] waits for, with all their children.
pub fn kill_running() {
    running().iter().for_each(|&group| kill_group(group));
}

/// The output of a command that is over at once, if it is there and content.
#[must_use]
pub fn ask(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn kill(process: &mut Child) {
    kill_group(i32::try_from(process.id()).unwrap_or(0));
    // It may have ended by itself.
    let _ = process.kill();
}

/// Kills a group of processes; there is one only if a child was started as its leader.
fn kill_group(group: i32) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(group) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = group;
}
