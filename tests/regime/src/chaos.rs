//! A client that does everything at the wrong moment, to the real program.
//!
//! An episode is one run of the program: random commands at random moments, a reader that is fast, slow or goes away, and
//! an end in any state. Afterwards the transcript is judged: which answer belongs to which `go`, whether it is legal in
//! the position meant, and whether the program ended well. An episode is drawn from a seed; only the moments when the
//! system runs the program are its own.

mod judge;
mod script;

use std::io::{BufRead, BufReader, Read, Write};
use std::ops::AddAssign;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::process::wait;
use judge::judge;
use script::{Reader, Script};

/// How long the program may take to end. Generous: it is no measure of speed.
const PATIENCE: Duration = Duration::from_secs(60);

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Runs of the program.
    pub episodes: u64,
    /// Lines sent.
    pub lines: u64,
    /// `go` commands that got a best move, each checked.
    pub answered: u64,
    /// `go` commands that were refused as a search was running.
    pub refused: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.episodes += other.episodes;
        self.lines += other.lines;
        self.answered += other.answered;
        self.refused += other.refused;
    }
}

/// Plays one episode.
///
/// # Errors
///
/// What was wrong, with the seed and the transcript.
pub fn episode(program: &Path, seed: u64) -> Result<Tally, String> {
    let script = Script::new(seed);
    let talk = talk(program, &script);
    let tally = talk.and_then(|lines| judge(&script, &lines).map_err(|fault| format!("{fault}\n{}", lines.join("\n"))));
    tally.map_err(|fault| format!("seed {seed}: {fault}\nsent:\n{}", script.sent()))
}

/// Runs the program through a script; returns what it said, as far as the reader stayed.
fn talk(program: &Path, script: &Script) -> Result<Vec<String>, String> {
    // For the files that options name.
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut process = Command::new(program)
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let pipes = (process.stdin.take(), process.stdout.take(), process.stderr.take());
    let (Some(stdin), Some(stdout), Some(mut stderr)) = pipes else { return Err("no pipes".to_owned()) };
    thread::scope(|scope| {
        let reader = scope.spawn(|| read(stdout, &script.reader));
        let errors = scope.spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).map(|_| text)
        });
        send(stdin, script);
        let status = end(&mut process)?;
        let lines = reader.join().map_err(|_| "the output is no UTF-8".to_owned())?;
        let errors = errors.join().ok().and_then(Result::ok).unwrap_or_default();
        if status && errors.is_empty() {
            return Ok(lines);
        }
        Err(format!("ended well: {status}, stderr: {errors:?}, output:\n{}", lines.join("\n")))
    })
}

/// Sends all steps, each at its moment, and ends the input. That the program may be gone is for the judge to notice.
fn send(mut stdin: ChildStdin, script: &Script) {
    for step in &script.steps {
        // Nothing at all is shorter than the shortest sleep.
        if !step.pause.is_zero() {
            thread::sleep(step.pause);
        }
        let _ = stdin.write_all(step.text.as_bytes()).and_then(|()| stdin.flush());
    }
}

fn read(stdout: ChildStdout, reader: &Reader) -> Vec<String> {
    let mut lines = Vec::new();
    thread::sleep(reader.delay);
    for line in BufReader::new(stdout).lines() {
        lines.push(line.expect("UTF-8"));
        if reader.leaves_after.is_some_and(|count| lines.len() >= count) {
            break;
        }
        if !reader.pause.is_zero() && lines.len().is_multiple_of(8) {
            thread::sleep(reader.pause);
        }
    }
    lines
}

/// Waits for the end of the program. Returns whether it ended well.
fn end(process: &mut Child) -> Result<bool, String> {
    let status = wait(process, PATIENCE).map_err(|error| error.to_string())?;
    Ok(status.ok_or("the program does not end")?.success())
}
